"""Who passes on what another program shows, and who only waits for more than the terminal."""

import builtins
import fcntl
import os
import select
import shutil
import socket
import struct
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import attrs
import pytest

from tests.unit.kernel.kernel import EPOLL, PIPE, READ, Kernel, call
from tests.unit.tmux.ptys import Pty, open_pty
from tmuxprim import TtyState
from tmuxprim._kernel import wait_targets
from tmuxprim._kernel.files import LocalFiles
from tmuxprim._kernel.probe import probe_tty
from tmuxprim._kernel.procfs import Procfs

PTMX = os.devnull.replace("null", "random")

needs_linux = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="the kernel of Linux is asked"
)


def wait_for(kernel: Kernel, *files: str, pid: int = 10) -> None:
    """Let a process wait for the terminal and for *files*."""
    kernel.process(pid, group=10, syscall=call(EPOLL, 4, 0, 0, 100))
    kernel.file(pid, 0)
    targets = ["tfd: 0 events: 1"]
    for number, file in enumerate(files, 5):
        kernel.file(pid, number, file)
        targets.append(f"tfd: {number} events: 1")
    (kernel.root / f"{pid}/task/{pid}/fdinfo/4").write_text("\n".join(targets))


def descriptor(of: socket.socket) -> str:
    """Return where the kernel shows an open socket."""
    return f"/proc/self/fd/{of.fileno()}"


@needs_linux
@pytest.mark.parametrize("kind", [socket.SOCK_STREAM, socket.SOCK_DGRAM])
def test_a_connection_makes_a_pass_through_program(kernel: Kernel, kind: socket.SocketKind) -> None:
    """As ssh, telnet and mosh."""
    with socket.socket(socket.AF_INET, kind) as connection:
        wait_for(kernel, descriptor(connection))
        found = kernel.foreground()
    assert (found.reading, found.only_reading, found.passes_on) == (True, False, True)


@needs_linux
@pytest.mark.parametrize("kind", [socket.SOCK_STREAM, socket.SOCK_DGRAM])
def test_a_socket_of_this_machine_is_no_connection(kernel: Kernel, kind: socket.SocketKind) -> None:
    """An editor may have one to its language server, an event loop one to itself."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, kind)
    with ours, theirs:
        wait_for(kernel, descriptor(ours))
        found = kernel.foreground()
    assert (found.reading, found.only_reading, found.passes_on) == (True, False, False)


@needs_linux
def test_a_socket_is_told_apart_without_the_tables_of_connections(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To write them may take the kernel 90 ms, in which it serves nobody else here."""
    opened = []

    def note(path: str, *args: int) -> int:
        opened.append(path)
        return os_open(path, *args)

    os_open = os.open
    monkeypatch.setattr(os, "open", note)
    monkeypatch.setattr(builtins, "open", lambda path, **_: opened.append(path))
    with socket.socket() as connection:
        wait_for(kernel, descriptor(connection))
        opened.clear()
        assert kernel.foreground().passes_on
    names = [path.removeprefix(f"{kernel.root}/10/") for path in opened]
    asked = ["stat", "task/10/syscall", "task/10/fdinfo/4", "comm"]
    assert names == [*asked, "stat", "task/10/syscall", "task/10/schedstat", "status"]


def test_a_kernel_that_does_not_tell_shows_no_connection(kernel: Kernel, tmp_path: Path) -> None:
    """As one that only looks like Linux; a socket's file on a disk tells nothing either."""
    path = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        wait_for(kernel, str(path))
        assert kernel.foreground().passes_on is False


def test_who_has_made_a_terminal_is_a_pass_through_program(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As script, and expect."""
    monkeypatch.setattr(wait_targets, "PTMX", Path(PTMX).stat().st_rdev)
    wait_for(kernel, PIPE, PTMX)
    found = kernel.foreground()
    assert (found.reading, found.only_reading, found.passes_on) == (True, False, True)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="has the number of Linux")
def test_the_other_end_of_a_terminal_has_a_known_number() -> None:
    """A process that has made a terminal has this device open."""
    ours, theirs = os.openpty()
    try:
        assert os.fstat(ours).st_rdev == wait_targets.PTMX
    finally:
        os.close(ours)
        os.close(theirs)


@pytest.mark.parametrize("files", [[PIPE], ["/nowhere"]])
def test_other_files_make_no_pass_through_program(kernel: Kernel, files: list[str]) -> None:
    """Nor does one that was closed while we looked."""
    wait_for(kernel, *files)
    found = kernel.foreground()
    assert (found.reading, found.only_reading, found.passes_on) == (True, False, False)


def test_signals_do_not_count(kernel: Kernel) -> None:
    """Who waits in read is woken by signals just as well, with no file for them."""
    wait_for(kernel, "anon_inode:[signalfd]")
    found = kernel.foreground()
    assert (found.reading, found.only_reading, found.passes_on) == (True, True, False)


def test_who_waits_for_signals_alone_does_not_read(kernel: Kernel) -> None:
    """As sudo does while its command runs."""
    kernel.process(10, syscall=call(READ, 5))
    kernel.file(10, 5, "anon_inode:[signalfd]")
    assert kernel.foreground().reading is False


def test_one_that_does_nothing_but_read_is_no_pass_through_program(kernel: Kernel) -> None:
    """Whatever other files it has open."""
    kernel.process(10, syscall=call(READ))
    kernel.file(10, 0)
    kernel.file(10, 5, PTMX)
    found = kernel.foreground()
    assert (found.only_reading, found.passes_on) == (True, False)


# The terminals behind programs that pass on what another one shows.

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks Linux")

PANE = os.getpid()  # a process that is alive
SHELL, SERVER = 20, 30


@attrs.frozen
class InnerTerminal:
    """A pane whose program passes on what a shell shows on a terminal of its own."""

    kernel: Kernel
    near: Pty
    far: Pty
    procfs: Procfs

    def probe(self) -> TtyState:
        """Ask the library about the pane."""
        state = probe_tty(self.near.path, PANE, self.procfs)
        assert state is not None
        return state

    def shell(self, *, state: str = "S", syscall: str = call(READ)) -> None:
        """Let a shell be on the remote terminal."""
        device = Path(self.far.path).stat().st_rdev
        self.kernel.process(SHELL, device=device, foreground=SHELL, state=state, syscall=syscall)
        self.kernel.file(SHELL, 0, self.far.path)
        (self.kernel.root / f"{SHELL}/comm").write_text("bash\n")


@pytest.fixture
def inner(kernel: Kernel) -> Iterator[InnerTerminal]:
    """Give a pass-through program in a pane, without anything behind it yet."""
    with ExitStack() as stack:
        near, far = (stack.enter_context(open_pty()) for _ in range(2))
        tty.setraw(near.theirs)
        kernel.passes_on(PANE, near.path, far.path, str(SHELL))
        yield InnerTerminal(kernel, near, far, Procfs(LocalFiles(str(kernel.root))))


def test_the_far_terminal_stands_in(inner: InnerTerminal) -> None:
    """Its line discipline, its foreground and who reads it are the pane's."""
    inner.shell()
    state = inner.probe()
    assert (state.canonical, state.echo, state.signals) == (True, True, True)
    assert (state.reading, state.only_reading, state.passes_on) == (True, True, False)
    assert (state.foreground_pid, state.reader_pid) == (SHELL, SHELL)
    assert (state.pass_through_count, state.command, state.foreground_is_pane) == (1, "bash", False)


def test_who_works_behind_a_pass_through_program_does_not_read(inner: InnerTerminal) -> None:
    """Though the pass-through program does."""
    inner.shell(syscall="running")
    assert (inner.probe().reading, inner.probe().pass_through_count) == (
        False,
        1,
    )


def test_a_pass_through_program_that_works_has_not_passed_all_on(inner: InnerTerminal) -> None:
    """Who reads behind it may not have got the keys, nor the screen its text."""
    inner.shell()
    assert inner.probe().reading is True
    inner.kernel.sleeps(PANE, "running")
    state = inner.probe()
    assert (state.reading, state.only_reading, state.pass_through_count) == (False, False, 1)


def test_keys_that_the_pass_through_program_has_not_read_are_unread(inner: InnerTerminal) -> None:
    """As those that the program behind it has not."""
    inner.shell()
    os.write(inner.near.ours, b"abc")
    os.write(inner.far.ours, b"de\n")
    for pty in (inner.near, inner.far):
        assert select.select([pty.theirs], [], [], 10.0)[0]  # the kernel takes a moment
    assert inner.probe().unread == len(b"abcde\n")


def test_a_pass_through_program_with_nobody_behind_it_is_seen_itself(inner: InnerTerminal) -> None:
    """It is about to start what it will show, or that has ended."""
    state = inner.probe()
    assert (state.pass_through_count, state.passes_on, state.command) == (0, True, None)


def test_another_leader_is_not_the_known_pass_through_program(
    inner: InnerTerminal,
) -> None:
    """It may be a shell that has started script, and goes on."""
    inner.shell()
    assert inner.probe().pass_through_count == 1
    stat = inner.kernel.root / f"{PANE}/stat"
    device = Path(inner.near.path).stat().st_rdev
    stat.write_text(stat.read_text().replace(f" {PANE} {'0 ' * 11}", f" 30 {'0 ' * 11}"))
    inner.kernel.process(30, device=device, foreground=30)
    assert (
        inner.probe().foreground_pid,
        inner.probe().pass_through_count,
    ) == (30, 0)


def test_a_shell_is_no_pass_through_program(inner: InnerTerminal) -> None:
    """Its terminal for a helper of its prompt (zpty) is not shown."""
    inner.shell()
    (inner.kernel.root / f"{PANE}/comm").write_text("zsh\n")
    state = inner.probe()
    assert (state.reading, state.passes_on, state.pass_through_count, state.reader_pid) == (
        True,
        False,
        0,
        PANE,
    )


@pytest.mark.parametrize("state", ["T", "t"])
def test_a_shell_that_was_stopped_is_not_shown(inner: InnerTerminal, state: str) -> None:
    """Some file managers do so with theirs meanwhile."""
    inner.shell(state=state)
    assert inner.probe().pass_through_count == 0


def test_a_window_is_not_the_whole_terminal(inner: InnerTerminal) -> None:
    """An editor shows a shell in some rows, and takes keys itself."""
    inner.shell()
    for pty, rows in ((inner.near, 24), (inner.far, 10)):
        fcntl.ioctl(pty.ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, 80, 0, 0))
    assert inner.probe().pass_through_count == 0


def test_a_terminal_without_a_size_is_passed_on(inner: InnerTerminal) -> None:
    """Not all pass-through programs set it."""
    inner.shell()
    fcntl.ioctl(inner.near.ours, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    assert inner.probe().pass_through_count == 1


@pytest.mark.parametrize("info", ["pos:\t0\n", "tty-index:\t1\ntty-index:\t2\n"])
def test_who_has_made_none_or_several_is_not_followed(inner: InnerTerminal, info: str) -> None:
    """Old kernels do not tell which it is; of several nobody tells which is shown."""
    inner.shell()
    (inner.kernel.root / f"{PANE}/task/{PANE}/fdinfo/5").write_text(info)
    assert inner.probe().pass_through_count == 0


def test_a_file_that_is_closed_meanwhile_does_not_count(inner: InnerTerminal) -> None:
    """Nor does it keep the others from being found."""
    inner.shell()
    inner.kernel.file(PANE, 7, "/nowhere")
    assert inner.probe().pass_through_count == 1


def test_a_pass_through_program_that_ends_meanwhile_is_seen_itself(inner: InnerTerminal) -> None:
    """Its files are gone with it; and so is the device of another one, when that has ended."""
    inner.shell()
    (inner.kernel.root / f"{PANE}/root/dev/pts" / Path(inner.far.path).name).unlink()
    assert inner.probe().pass_through_count == 0


def test_who_is_shown_is_found_behind_others(inner: InnerTerminal) -> None:
    """It may have been started by another one, and start more than what it shows."""
    inner.kernel.process(SHELL, device=Path(os.devnull).stat().st_rdev, children="21 22")
    inner.kernel.process(
        22,
        device=Path(inner.far.path).stat().st_rdev,
        foreground=22,
        syscall=call(READ),
    )
    inner.kernel.file(22, 0, inner.far.path)
    assert (
        inner.probe().reader_pid,
        inner.probe().pass_through_count,
    ) == (22, 1)


def test_a_command_without_a_name(inner: InnerTerminal) -> None:
    """The kernel may not tell it, or not any more."""
    inner.shell()
    (inner.kernel.root / f"{SHELL}/comm").unlink()
    assert (inner.probe().command, inner.probe().pass_through_count) == (
        None,
        1,
    )


def test_relays_are_followed_so_deep_and_no_deeper(
    inner: InnerTerminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A circle of them would never end."""
    inner.shell()
    assert inner.probe().pass_through_count
    monkeypatch.setattr("tmuxprim._kernel.probe._MOST_PASS_THROUGHS", 0)
    assert not inner.probe().pass_through_count


@pytest.fixture
def served(kernel: Kernel) -> Iterator[InnerTerminal]:
    """Give a client of a multiplexer in a pane, whose server shows the remote terminal."""
    with ExitStack() as stack:
        near, far = (stack.enter_context(open_pty()) for _ in range(2))
        tty.setraw(near.theirs)
        for pty, rows in ((near, 24), (far, 23)):  # but for a status line
            fcntl.ioctl(pty.ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, 80, 0, 0))
        device = Path(near.path).stat().st_rdev
        kernel.process(PANE, device=device, foreground=PANE, syscall=call(EPOLL, 4))
        kernel.epoll(PANE, 4, "7")
        (kernel.root / f"{PANE}/comm").write_text("tmux: client\n")
        kernel.serves(SERVER, near.path, far.path, str(SHELL), "tmux: server")
        yield InnerTerminal(kernel, near, far, Procfs(LocalFiles(str(kernel.root))))


def test_the_terminal_of_a_server_stands_in(served: InnerTerminal) -> None:
    """The server has both, though it has left the pane's session long ago."""
    served.shell()
    state = served.probe()
    assert (state.reading, state.only_reading, state.reader_pid) == (True, True, SHELL)
    assert (state.pass_through_count, state.command) == (1, "bash")
    served.kernel.sleeps(SHELL, "running")
    assert (served.probe().reading, served.probe().pass_through_count) == (False, 1)


def test_a_server_that_works_has_not_passed_all_on(served: InnerTerminal) -> None:
    """It cannot be determined which keys have arrived."""
    served.shell()
    assert served.probe().reading is True
    served.kernel.sleeps(SERVER, "running")
    assert (served.probe().reading, served.probe().pass_through_count) == (False, 1)


def test_which_of_several_terminals_a_server_shows_is_not_told(served: InnerTerminal) -> None:
    """It reads at all times, for whichever it is."""
    served.shell()
    info = served.kernel.root / f"{SERVER}/task/{SERVER}/fdinfo/5"
    info.write_text("tty-index:\t1\ntty-index:\t2\n")
    state = served.probe()
    assert (state.reading, state.passes_on, state.pass_through_count) == (None, True, 0)


def test_a_server_that_shares_connections_reads(served: InnerTerminal) -> None:
    """As ssh's does: what it shows is far away, and not one of several terminals of its own."""
    for pid in (PANE, SERVER):
        (served.kernel.root / f"{pid}/comm").write_text("ssh\n")
    assert (served.probe().reading, served.probe().passes_on) == (True, True)


@pytest.mark.parametrize("why", ["another user's", "another terminal", "a client", "ended"])
def test_a_server_that_is_not_found_is_unknown(served: InnerTerminal, why: str) -> None:
    """Nobody tells whether it reads. A client that was stopped on the terminal is no server."""
    served.shell()
    directory = served.kernel.root / str(SERVER)
    files = directory / f"task/{SERVER}/fd"
    if why == "a client":
        text = (directory / "stat").read_text()
        device = (served.kernel.root / f"{PANE}/stat").read_text().split()[7]
        (directory / "stat").write_text(text.replace(f" {SERVER} 0 ", f" {SERVER} {device} "))
    elif why == "ended":
        (directory / "stat").unlink()
    elif why == "another terminal":
        (files / "0").unlink()
    else:
        files.rename(files.with_name("closed"))
    assert (served.probe().reading, served.probe().pass_through_count) == (None, 0)


def test_the_server_is_looked_for_once_while_its_client_sleeps(served: InnerTerminal) -> None:
    """Who has got the terminal answers, which wakes the client."""
    (served.kernel.root / f"{SERVER}/comm").write_text("other\n")
    assert served.probe().reading is None
    (served.kernel.root / f"{SERVER}/comm").write_text("tmux: server\n")
    assert served.probe().passes_on is None
    (served.kernel.root / f"{PANE}/task/{PANE}/schedstat").write_text("1 2 78\n")
    assert served.probe().passes_on is True


def test_who_asks_for_an_agent_reads(served: InnerTerminal) -> None:
    """As gpg's does: it is started elsewhere, after who waits for it, and anew each time."""
    (served.kernel.root / f"{PANE}/comm").write_text("gpg\n")
    (served.kernel.root / f"{SERVER}/comm").write_text("other\n")
    assert served.probe().reading is False
    first, second = PANE + 1, PANE + 2
    for pid in (first, second):
        if pid == second:
            shutil.rmtree(served.kernel.root / str(first))
        served.kernel.process(pid, syscall=call(READ))
        served.kernel.leaves(pid)
        served.kernel.file(pid, 0, served.near.path)
        (served.kernel.root / f"{pid}/comm").write_text("pinentry\n")
        (served.kernel.root / f"{PANE}/task/{PANE}/schedstat").write_text("1 2 78\n")
        assert (served.probe().reading, served.probe().reader_pid) == (True, pid)


def test_who_runs_has_asked_nobody(served: InnerTerminal) -> None:
    """So nobody is looked for, who would be found each time."""
    (served.kernel.root / f"{PANE}/comm").write_text("make\n")
    (served.kernel.root / f"{SERVER}/comm").write_text("pinentry\n")
    stat = served.kernel.root / f"{PANE}/stat"
    stat.write_text(stat.read_text().replace(" S ", " R "))
    assert served.probe().reading is False


def test_a_client_that_takes_whole_lines_keeps_its_terminal(served: InnerTerminal) -> None:
    """As ssh does while it asks; it works."""
    flags = termios.tcgetattr(served.near.theirs)
    flags[3] |= termios.ICANON
    termios.tcsetattr(served.near.theirs, termios.TCSANOW, flags)
    assert served.probe().reading is False
