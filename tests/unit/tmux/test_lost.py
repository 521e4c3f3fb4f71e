"""A server whose socket was removed, with a directory in the place of /proc."""

import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tmuxprim import Pane, PaneNotFoundError, TmuxCommandError, TmuxTerminal
from tmuxprim._tmux import lost
from tmuxprim._tmux.lost import UnreachableError, is_back, servers_on

LISTENS = "00010000"


class Machine:
    """Processes with their sockets, and what they are told.

    Attributes:
        path: Where the socket of the server has to be.
        told: The processes that were sent a signal.
        binds: Whether a server that is told does what tmux does.
    """

    def __init__(self, directory: Path) -> None:
        self.path = str(directory / "socket")
        self.proc = str(directory / "proc")
        self.told: list[int] = []
        self.binds = True
        self.opened = ExitStack()
        Path(self.proc, "net").mkdir(parents=True)
        self._unix = Path(self.proc, "net/unix")
        self._unix.write_text("Num       RefCount Protocol Flags    Type St Inode Path\n")

    def process(
        self, number: int, *, name: str = "tmux: server", parent: int = 1, inode: str = "7"
    ) -> None:
        """Add a process that has a socket open, and two other files."""
        directory = Path(self.proc, str(number))
        (directory / "fd").mkdir(parents=True)
        (directory / "comm").write_text(f"{name}\n")
        (directory / "stat").write_text(f"{number} (tmux: server) S {parent} {' 0' * 40}\n")
        for descriptor, target in enumerate(("/dev/null", f"socket:[{inode}]", "socket:[99]")):
            (directory / "fd" / str(descriptor)).symlink_to(target)

    def listed(self, path: str | None = None, *, flags: str = LISTENS, inode: str = "7") -> None:
        """Add a socket to the kernel's list."""
        with self._unix.open("a") as rows:
            row = f"0000000000000000: 00000002 00000000 {flags} 0001 01   {inode}"
            rows.write(f"{row} {self.path if path is None else path}\n")

    def bind(self) -> socket.socket:
        """Make the socket, and listen."""
        server = self.opened.enter_context(socket.socket(socket.AF_UNIX))
        server.bind(self.path)
        server.listen(0)
        return server

    def is_back(self, seconds: float = 60.0) -> bool:
        """Return whether the server can be reached."""
        return is_back(self.path, seconds, self.proc)

    def kill(self, process: int, number: int) -> None:
        """Tell a process something."""
        assert number == signal.SIGUSR1
        self.told.append(process)
        if self.binds:
            self.bind()


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    """Give a machine without processes."""
    machine = Machine(tmp_path)
    monkeypatch.setattr(os, "kill", machine.kill)
    with machine.opened:
        yield machine


def test_a_server_is_told_to_make_its_socket_again(machine: Machine) -> None:
    """It is the one that the kernel lists for the path, and can be reached then."""
    machine.listed(inode="6", path=f"{machine.path}2")
    machine.listed(inode="5", flags="00000000")
    machine.listed(inode="4", path="")
    machine.listed()
    for number, inode in enumerate("4567", 20):
        machine.process(number, inode=inode)
    assert machine.is_back()
    assert machine.told == [23]


def test_a_server_that_can_be_reached_is_told_nothing(machine: Machine) -> None:
    """Also if it has no time for one more client now."""
    server = machine.bind()
    machine.listed()
    machine.process(20)
    assert machine.is_back()
    for _ in range(3):
        client = machine.opened.enter_context(socket.socket(socket.AF_UNIX))
        client.settimeout(0.0)
        client.connect_ex(server.getsockname())
    assert machine.is_back()
    assert machine.told == []


@pytest.mark.parametrize("name", ["tmux: client", "tmux", "nc: server", "tmux: s3", "tmuxd: c"])
def test_what_is_no_server_of_tmux_is_told_nothing(machine: Machine, name: str) -> None:
    """It would end by that signal."""
    machine.listed()
    machine.process(20, name=name)
    assert not machine.is_back()
    assert machine.told == []


@pytest.mark.parametrize("name", ["tmux: server", "tmux-3.6b: serv", "tmux-nightly: s"])
def test_a_server_may_have_another_name(machine: Machine, name: str) -> None:
    """Of which the kernel keeps 15 characters."""
    machine.listed()
    machine.process(20, name=name)
    assert servers_on(machine.path, machine.proc) == [20]


def test_another_users_server_is_told_nothing(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even by root."""
    machine.listed()
    machine.process(20)
    monkeypatch.setattr(os, "geteuid", lambda: Path(machine.proc).stat().st_uid + 1)
    assert not machine.is_back()
    assert machine.told == []


def test_a_relative_path_is_no_name_of_a_server(machine: Machine) -> None:
    """It may be of any directory."""
    machine.listed("socket")
    machine.process(20)
    assert servers_on("socket", machine.proc) == []


def test_what_a_server_has_just_started_is_no_second_server(machine: Machine) -> None:
    """It has the name and the files of the server until it runs its own program."""
    machine.listed()
    machine.process(20)
    machine.process(30, parent=20)
    assert machine.is_back()
    assert machine.told == [20]


def test_a_file_that_is_closed_meanwhile_hides_no_other(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A busy server opens and closes files all the time."""
    machine.listed()
    machine.process(20)
    readlink = os.readlink

    def without_first(path: str) -> str:
        if path.endswith("/0"):
            raise FileNotFoundError
        return readlink(path)

    monkeypatch.setattr(os, "readlink", without_first)
    assert servers_on(machine.path, machine.proc) == [20]


def test_a_process_that_ends_meanwhile_is_no_server(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever of its files is gone first."""
    machine.listed()
    machine.process(20)
    Path(machine.proc, "20/stat").unlink()
    assert servers_on(machine.path, machine.proc) == []
    monkeypatch.setattr(os, "listdir", lambda path: ["20"] if path == machine.proc else 1 / 0)
    monkeypatch.setattr(os, "stat", lambda _path: (_ for _ in ()).throw(FileNotFoundError))
    assert servers_on(machine.path, machine.proc) == []


def test_no_server_at_all(machine: Machine, tmp_path: Path) -> None:
    """Then one may be started; so it is where the kernel lists no sockets."""
    assert not machine.is_back()
    assert not is_back(machine.path, 60.0, str(tmp_path / "none"))


def test_a_socket_that_is_bound_between_two_looks(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list may be read before, and the socket asked for before that."""

    def bound_meanwhile(_path: str, _proc: str) -> list[int]:
        machine.bind()
        return []

    monkeypatch.setattr(lost, "servers_on", bound_meanwhile)
    assert machine.is_back()


def test_two_servers_of_one_path(machine: Machine) -> None:
    """Nobody can tell which of them is meant."""
    machine.listed()
    machine.process(20)
    machine.process(30)
    with pytest.raises(UnreachableError, match=r"process (20, 30|30, 20).*end those"):
        machine.is_back()
    assert machine.told == []


def test_a_folder_that_is_gone(machine: Machine, tmp_path: Path) -> None:
    """No server can make its socket there, and who reads the message can make the directory."""
    machine.path = str(tmp_path / "gone" / "socket")
    machine.listed()
    machine.process(20)
    with pytest.raises(UnreachableError, match=r"process 20.*make its directory '.*gone'"):
        machine.is_back()
    assert machine.told == []


def test_another_file_in_its_place_is_not_removed(machine: Machine) -> None:
    """The file may be a socket of a server that is about to start."""
    machine.listed()
    machine.process(20)
    Path(machine.path).write_text("important")
    with pytest.raises(UnreachableError, match=r"remove '.*socket', which is another's"):
        machine.is_back(0.01)
    assert machine.told == []


def test_a_server_that_does_not_do_it(machine: Machine) -> None:
    """It is told once."""
    machine.binds = False
    machine.listed()
    machine.process(20)
    with pytest.raises(UnreachableError, match=r"process 20.*no other was made"):
        machine.is_back(0.05)
    assert machine.told == [20]


def test_a_server_that_ends_just_then(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no server any more."""
    machine.listed()
    machine.process(20)

    def ended(_process: int, _number: int) -> None:
        Path(machine.proc, "20/comm").unlink()
        raise ProcessLookupError

    monkeypatch.setattr(os, "kill", ended)
    assert not machine.is_back()


def spawning(directory: Path, script: str) -> TmuxTerminal:
    """Return a terminal whose tmux is a shell script."""
    program = directory / "tmux"
    program.write_text(f'#!/bin/sh\necho "$*" >>{directory}/a\n{script}\n')
    program.chmod(0o755)
    return TmuxTerminal(socket_path=directory / "socket", executable=str(program))


def test_a_call_is_made_again_when_the_server_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its client has done nothing. Another process may wake the server again just then."""
    asks = iter([True, True, False])
    monkeypatch.setattr(lost, "is_back", lambda *_: next(asks))
    terminal = spawning(tmp_path, "echo no server running on x >&2; exit 1")
    with pytest.raises(PaneNotFoundError):
        terminal.resolve(Pane("work"))
    assert (tmp_path / "a").read_text().count("list-panes") == 3


def test_no_server_is_started_beside_one_that_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error says where it is."""

    def unreachable(*_: object) -> bool:
        raise UnreachableError("a server is there")

    monkeypatch.setattr(lost, "is_back", unreachable)
    monkeypatch.setattr(lost, "servers_on", lambda *_: [7])
    terminal = spawning(tmp_path, "echo no server running on x >&2; exit 1")
    with pytest.raises(TmuxCommandError, match="a server is there"):
        terminal.open()
    assert "new-session" not in (tmp_path / "a").read_text()


def test_a_server_that_ends_just_then_is_no_obstacle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another one is started."""
    monkeypatch.setattr(lost, "servers_on", lambda *_: [7])
    monkeypatch.setattr(lost, "is_back", lambda *_: False)
    says = "case $* in *list-sessions*) echo no server running on x >&2; exit 1;; esac"
    assert spawning(tmp_path, f"{says}; echo '%0 1.2 80 24'").open() == Pane("%0")


def test_the_time_for_it_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that is no tmux could say so for ever."""
    monkeypatch.setattr(lost, "is_back", lambda *_: True)
    now = iter([0.0, 1.0, 6.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(now, 6.0))
    terminal = spawning(tmp_path, "echo no server running on x >&2; exit 1")
    with pytest.raises(PaneNotFoundError):
        terminal.resolve(Pane("work"))
