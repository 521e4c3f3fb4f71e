"""The terminals behind programs that pass on what another one shows."""

import fcntl
import os
import select
import shutil
import struct
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import attrs
import pytest

from tests.unit.tmux.kernel import EPOLL, READ, Kernel, call
from tests.unit.tmux.ptys import Pty, open_pty
from tmuxprim import TtyState
from tmuxprim._tmux.probe import probe_tty
from tmuxprim._tmux.procfs import Procfs

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks Linux")

PANE = os.getpid()  # a process that is alive
SHELL, SERVER = 20, 30


@attrs.frozen
class Relayed:
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
        """Let a shell be on the far terminal."""
        device = Path(self.far.path).stat().st_rdev
        self.kernel.process(SHELL, device=device, foreground=SHELL, state=state, syscall=syscall)
        self.kernel.file(SHELL, 0, self.far.path)
        (self.kernel.root / f"{SHELL}/comm").write_text("bash\n")


@pytest.fixture
def relayed(kernel: Kernel) -> Iterator[Relayed]:
    """Give a relay in a pane, without anything behind it yet."""
    with ExitStack() as stack:
        near, far = (stack.enter_context(open_pty()) for _ in range(2))
        tty.setraw(near.theirs)
        kernel.relays(PANE, near.path, far.path, str(SHELL))
        yield Relayed(kernel, near, far, Procfs(str(kernel.root)))


def test_the_far_terminal_stands_in(relayed: Relayed) -> None:
    """Its line discipline, its foreground and who reads it are the pane's."""
    relayed.shell()
    state = relayed.probe()
    assert (state.canonical, state.echo, state.signals) == (True, True, True)
    assert (state.reading, state.only_reading, state.relays) == (True, True, False)
    assert (state.foreground_pid, state.reader_pid) == (SHELL, SHELL)
    assert (state.relayed, state.command, state.foreground_is_pane) == (1, "bash", False)


def test_who_works_behind_a_relay_does_not_read(relayed: Relayed) -> None:
    """Though the relay does."""
    relayed.shell(syscall="running")
    assert (relayed.probe().reading, relayed.probe().relayed) == (False, 1)


def test_a_relay_that_works_has_not_passed_all_on(relayed: Relayed) -> None:
    """Who reads behind it may not have got the keys, nor the screen its text."""
    relayed.shell()
    assert relayed.probe().reading is True
    relayed.kernel.sleeps(PANE, "running")
    state = relayed.probe()
    assert (state.reading, state.only_reading, state.relayed) == (False, False, 1)


def test_keys_that_the_relay_has_not_read_are_unread(relayed: Relayed) -> None:
    """As those that the program behind it has not."""
    relayed.shell()
    os.write(relayed.near.ours, b"abc")
    os.write(relayed.far.ours, b"de\n")
    for pty in (relayed.near, relayed.far):
        assert select.select([pty.theirs], [], [], 10.0)[0]  # the kernel takes a moment
    assert relayed.probe().unread == len(b"abcde\n")


def test_a_relay_with_nobody_behind_it_is_seen_itself(relayed: Relayed) -> None:
    """It is about to start what it will show, or that has ended."""
    state = relayed.probe()
    assert (state.relayed, state.relays, state.command) == (0, True, None)


def test_another_leader_is_not_the_relay_that_was_known(relayed: Relayed) -> None:
    """It may be a shell that has started script, and goes on."""
    relayed.shell()
    assert relayed.probe().relayed == 1
    stat = relayed.kernel.root / f"{PANE}/stat"
    device = Path(relayed.near.path).stat().st_rdev
    stat.write_text(stat.read_text().replace(f" {PANE} {'0 ' * 11}", f" 30 {'0 ' * 11}"))
    relayed.kernel.process(30, device=device, foreground=30)
    assert (relayed.probe().foreground_pid, relayed.probe().relayed) == (30, 0)


@pytest.mark.parametrize("state", ["T", "t"])
def test_a_shell_that_was_stopped_is_not_shown(relayed: Relayed, state: str) -> None:
    """Some file managers do so with theirs meanwhile."""
    relayed.shell(state=state)
    assert relayed.probe().relayed == 0


def test_a_window_is_not_the_whole_terminal(relayed: Relayed) -> None:
    """An editor shows a shell in some rows, and takes keys itself."""
    relayed.shell()
    for pty, rows in ((relayed.near, 24), (relayed.far, 10)):
        fcntl.ioctl(pty.ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, 80, 0, 0))
    assert relayed.probe().relayed == 0


def test_a_terminal_without_a_size_is_passed_on(relayed: Relayed) -> None:
    """Not all relays set it."""
    relayed.shell()
    fcntl.ioctl(relayed.near.ours, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    assert relayed.probe().relayed == 1


@pytest.mark.parametrize("info", ["pos:\t0\n", "tty-index:\t1\ntty-index:\t2\n"])
def test_who_has_made_none_or_several_is_not_followed(relayed: Relayed, info: str) -> None:
    """Old kernels do not tell which it is; of several nobody tells which is shown."""
    relayed.shell()
    (relayed.kernel.root / f"{PANE}/task/{PANE}/fdinfo/5").write_text(info)
    assert relayed.probe().relayed == 0


def test_a_file_that_is_closed_meanwhile_does_not_count(relayed: Relayed) -> None:
    """Nor does it keep the others from being found."""
    relayed.shell()
    relayed.kernel.file(PANE, 7, "/nowhere")
    assert relayed.probe().relayed == 1


def test_a_relay_that_ends_meanwhile_is_seen_itself(relayed: Relayed) -> None:
    """Its files are gone with it; and so is the device of another one, when that has ended."""
    relayed.shell()
    (relayed.kernel.root / f"{PANE}/root/dev/pts" / Path(relayed.far.path).name).unlink()
    assert relayed.probe().relayed == 0


def test_who_is_shown_is_found_behind_others(relayed: Relayed) -> None:
    """A relay may have been started by another one, and start more than what it shows."""
    relayed.kernel.process(SHELL, device=Path(os.devnull).stat().st_rdev, children="21 22")
    relayed.kernel.process(
        22, device=Path(relayed.far.path).stat().st_rdev, foreground=22, syscall=call(READ)
    )
    relayed.kernel.file(22, 0, relayed.far.path)
    assert (relayed.probe().reader_pid, relayed.probe().relayed) == (22, 1)


def test_a_command_without_a_name(relayed: Relayed) -> None:
    """The kernel may not tell it, or not any more."""
    relayed.shell()
    (relayed.kernel.root / f"{SHELL}/comm").unlink()
    assert (relayed.probe().command, relayed.probe().relayed) == (None, 1)


def test_relays_are_followed_so_deep_and_no_deeper(
    relayed: Relayed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A circle of them would never end."""
    relayed.shell()
    assert relayed.probe().relayed
    monkeypatch.setattr("tmuxprim._tmux.probe._MOST_RELAYS", 0)
    assert not relayed.probe().relayed


@pytest.fixture
def served(kernel: Kernel) -> Iterator[Relayed]:
    """Give a client of a multiplexer in a pane, whose server shows the far terminal."""
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
        yield Relayed(kernel, near, far, Procfs(str(kernel.root)))


def test_the_terminal_of_a_server_stands_in(served: Relayed) -> None:
    """The server has both, though it has left the pane's session long ago."""
    served.shell()
    state = served.probe()
    assert (state.reading, state.only_reading, state.reader_pid) == (True, True, SHELL)
    assert (state.relayed, state.command) == (1, "bash")
    served.kernel.sleeps(SHELL, "running")
    assert (served.probe().reading, served.probe().relayed) == (False, 1)


def test_a_server_that_works_has_not_passed_all_on(served: Relayed) -> None:
    """Nobody knows what has arrived."""
    served.shell()
    assert served.probe().reading is True
    served.kernel.sleeps(SERVER, "running")
    assert (served.probe().reading, served.probe().relayed) == (False, 1)


def test_which_of_several_terminals_a_server_shows_is_not_told(served: Relayed) -> None:
    """It reads at all times, for whichever it is."""
    served.shell()
    info = served.kernel.root / f"{SERVER}/task/{SERVER}/fdinfo/5"
    info.write_text("tty-index:\t1\ntty-index:\t2\n")
    state = served.probe()
    assert (state.reading, state.relays, state.relayed) == (None, True, 0)


def test_a_server_that_shares_connections_reads(served: Relayed) -> None:
    """As ssh's does: what it shows is far away, and not one of several terminals of its own."""
    for pid in (PANE, SERVER):
        (served.kernel.root / f"{pid}/comm").write_text("ssh\n")
    assert (served.probe().reading, served.probe().relays) == (True, True)


@pytest.mark.parametrize("why", ["another user's", "another terminal", "a client", "ended"])
def test_a_server_that_is_not_found_is_unknown(served: Relayed, why: str) -> None:
    """Nobody tells whether it reads. A client that was stopped on the terminal is no server."""
    served.shell()
    folder = served.kernel.root / str(SERVER)
    files = folder / f"task/{SERVER}/fd"
    if why == "a client":
        text = (folder / "stat").read_text()
        device = (served.kernel.root / f"{PANE}/stat").read_text().split()[7]
        (folder / "stat").write_text(text.replace(f" {SERVER} 0 ", f" {SERVER} {device} "))
    elif why == "ended":
        (folder / "stat").unlink()
    elif why == "another terminal":
        (files / "0").unlink()
    else:
        files.rename(files.with_name("closed"))
    assert (served.probe().reading, served.probe().relayed) == (None, 0)


def test_the_server_is_looked_for_once_while_its_client_sleeps(served: Relayed) -> None:
    """Who has got the terminal answers, which wakes the client."""
    (served.kernel.root / f"{SERVER}/comm").write_text("other\n")
    assert served.probe().reading is None
    (served.kernel.root / f"{SERVER}/comm").write_text("tmux: server\n")
    assert served.probe().relays is None
    (served.kernel.root / f"{PANE}/task/{PANE}/schedstat").write_text("1 2 78\n")
    assert served.probe().relays is True


def test_who_asks_for_an_agent_reads(served: Relayed) -> None:
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


def test_who_runs_has_asked_nobody(served: Relayed) -> None:
    """So nobody is looked for, who would be found each time."""
    (served.kernel.root / f"{PANE}/comm").write_text("make\n")
    (served.kernel.root / f"{SERVER}/comm").write_text("pinentry\n")
    stat = served.kernel.root / f"{PANE}/stat"
    stat.write_text(stat.read_text().replace(" S ", " R "))
    assert served.probe().reading is False


def test_a_client_that_takes_whole_lines_keeps_its_terminal(served: Relayed) -> None:
    """As ssh does while it asks; it works."""
    flags = termios.tcgetattr(served.near.theirs)
    flags[3] |= termios.ICANON
    termios.tcsetattr(served.near.theirs, termios.TCSANOW, flags)
    assert served.probe().reading is False
