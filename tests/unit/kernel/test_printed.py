"""The files of another machine, by what a shell has printed there."""

import os
import stat
from collections.abc import Callable

import pytest

from tmuxprim._kernel.files import Files, Modes, TtySettings
from tmuxprim._kernel.printed import PrintedFiles
from tmuxprim._kernel.probe import probe_tty
from tmuxprim._kernel.procfs import Procfs

STTY = "speed 38400 baud; rows 24; columns 80; line = 0;\nmin = 0; time = 5;\n-inlcr icrnl\n"
COOKED = f"{STTY}isig icanon echo"
READS = "0 0x0 0x5 0x1 0x0 0x0 0x0 0x7ffd00000000 0x7f0000000000"
PTS = os.makedev(136, 4)
AT = "/proc/10/task/10"


def text(*, settings: str = COOKED, syscall: str = READS, **more: str) -> str:
    """Return what is printed of a program that reads its terminal."""
    at, number = "/proc/10", 136 << 8 | 4
    state = f"10 (a b) S 9 10 10 {number} 10 {'0 ' * 11}1 0 5 0 0 0 0 0 140737488355328 0\n"
    ended = "0 -> /dev/pts/4\nlrwx------ 1 a b 64 Nov 1 10:00"
    records = {
        f"{at}/stat": state,
        f"{at}/comm": "cat\n",
        f"{at}/cmdline": "cat",
        f"{at}/task/10/stat": state,
        f"{at}/task/10/comm": "cat\n",
        f"{at}/task/10/wchan": "wait_woken",
        f"{at}/task/10/syscall": syscall,
        f"{at}/task/10/schedstat": "1 2 3\n",
        "infos": f"{at}/status:SigIgn: 0000000000000004\n{at}/fdinfo/0:flags: 0100002",
        "links": "crw-rw-rw- 1 a b 1, 3 Nov 1 10:00 /dev/null\n\n/proc/10/fd:\ntotal 0\n"
        f"lrwx------ 1 a b 64 Nov 1 10:00 {ended} 3 -> socket:[77]\n"
        "lr-x------ 1 a b 64 Nov 1 10:00 4 -> pipe:[5]",
        "kinds": "crw-rw-rw- 1 a b 1, 3 Nov 1 10:00 /dev/null\n"
        "crw--w---- 1 a b 136,   4 Nov 1 10:00 /dev/pts/4\n\n/proc/10/fd:\ntotal 0\n"
        "crw--w---- 1 a b 136, 4 Nov 1 10:00 0\nsrwxrwxrwx 1 a b 0 Nov 1 10:00 3\n"
        "prw------- 1 a b 0 Nov 1 10:00 4",
        "go": "",
        "machine": "x86_64",
        **more,
    }
    middle = "".join(f"{name}:{content}\t" for name, content in records.items())
    return f"stty:{settings}\t{middle}{at}/cmdline:-u\tstty:{settings}\t"


def test_a_reader_is_found() -> None:
    """By the same rules as on this machine."""
    state = probe_tty("/dev/pts/4", 10, Procfs(PrintedFiles(text())))
    assert state is not None
    assert (state.reading, state.only_reading, state.level) == (True, True, "syscall")
    assert (state.canonical, state.echo, state.signals) == (True, True, True)
    assert (state.unread, state.line_limit, state.ignores_stop) == (None, 4095, False)


def test_a_machine_that_lets_nobody_attach_is_known_by_the_functions() -> None:
    """A file that is not there was refused."""
    said = text(syscall="").replace(f"{AT}/syscall:", "")
    state = probe_tty("/dev/pts/4", 10, Procfs(PrintedFiles(said)))
    assert state is not None
    assert state.level == "wchan"


def test_what_was_cut_off_is_no_evidence() -> None:
    """The terminal is asked at the end once more."""
    assert not PrintedFiles(text()[:-400]).is_alive(10)


@pytest.mark.parametrize("missing", ["stat", "stty", "kinds"])
def test_without_the_program_or_the_terminal_there_is_no_evidence(missing: str) -> None:
    """It has ended, or the machine has no stty."""
    said = text(settings="" if missing == "stty" else COOKED).replace(f"{missing}:", "x:")
    assert probe_tty("/dev/pts/4", 10, Procfs(PrintedFiles(said))) is None


def test_the_files_of_a_process() -> None:
    """What all its threads share is printed once; words are joined as the kernel has them."""
    files: Files = PrintedFiles(text())
    assert files.machine == "x86_64"
    assert files.read(f"{AT}/cmdline") == files.read("/proc/10/cmdline") == "cat\0-u\0"
    assert files.read(f"{AT}/children") == ""
    assert files.read(f"{AT}/fdinfo/0") == "flags: 0100002\n"
    assert files.read("/proc/10/status") == "SigIgn: 0000000000000004\n"
    assert files.names("/proc/10/task") == ["10"]
    assert files.names("/proc") == ["10"]
    assert sorted(files.names(f"{AT}/fd")) == ["0", "3", "4"]
    assert files.link(f"{AT}/fd/4") == "pipe:[5]"
    assert [files.is_alive(process) for process in (10, 11)] == [True, False]


def test_the_kinds_of_files() -> None:
    """A terminal has a number; what nobody asks for has no kind."""
    files = PrintedFiles(text())
    device, socket, pipe = (files.status(f"{AT}/fd/{number}") for number in (0, 3, 4))
    assert (stat.S_ISCHR(device.st_mode), device.st_rdev) == (True, PTS)
    assert (stat.S_ISSOCK(socket.st_mode), socket.st_rdev) == (True, 0)
    assert stat.S_ISFIFO(pipe.st_mode)


@pytest.mark.parametrize(
    ("unix", "protocol"),
    [("", b"TCP"), ("0: 2 0 0 1 3 77 /run/x", b"UNIX"), ("77: 2 0 0 1 3 78", b"TCP")],
)
def test_a_socket_that_is_not_listed_as_local_may_be_a_connection(
    unix: str, protocol: bytes
) -> None:
    """So nobody believes that its program has nothing from elsewhere to show."""
    assert PrintedFiles(text(unix=unix)).protocol(f"{AT}/fd/3") == protocol


@pytest.mark.parametrize("is_go", [False, True])
def test_whether_a_program_is_of_go(*, is_go: bool) -> None:
    """Its note is what the rules look for."""
    procfs = PrintedFiles(text(go=" 9 10" if is_go else " 100"))
    assert (b"Go\0\0" in procfs.head("/proc/10/exe", 4096)) is is_go


@pytest.mark.parametrize(
    "ask",
    [
        lambda files: files.read(f"{AT}/stack"),
        lambda files: files.read("/proc/11/cmdline"),
        lambda files: files.head("/proc/10/environ", 10),
        lambda files: files.names("/proc/11/fd"),
        lambda files: files.link(f"{AT}/fd/9"),
        lambda files: files.status(f"{AT}/fd/9"),
        lambda files: files.memory(f"{AT}/mem", 0, 8),
        lambda files: files.terminal("/dev/pts/5"),
    ],
)
def test_what_is_not_printed_is_refused(ask: Callable[[PrintedFiles], object]) -> None:
    """As a kernel refuses a file."""
    with pytest.raises(OSError, match="not printed"):
        ask(PrintedFiles(text()))


def test_the_settings_of_a_terminal() -> None:
    """They are printed twice; a read of keys may have a time limit."""
    line = PrintedFiles(text(settings=f"{STTY}-isig -icanon -echo")).terminal("/dev/pts/4")
    modes = Modes(canonical=False, echo=False, signals=False, edits=True)
    first, second = line.settings(), line.modes()
    assert first == TtySettings(PTS, modes, None, (24, 80), 0.5, 4095)
    assert second == modes
    assert (line.modes(), line.settings()) == (None, None)
    line.close()
