"""A server whose socket was removed, on real tmux."""

import os
import shutil
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.tmux_server import Server, needs_control_mode
from tmuxprim import KeySequence, TmuxCommandError, TmuxTerminal
from tmuxprim._tmux.choice import TransportName
from tmuxprim._tmux.lost import servers_on

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [
    pytest.mark.tmux,
    pytest.mark.skipif(
        not Path("/proc/net/unix").exists(), reason="nobody knows whose a removed socket was"
    ),
]


@pytest.fixture
def terminal(either: TmuxTerminal) -> TmuxTerminal:
    """Give a terminal that has not been used yet, on a server with a pane."""
    return either


def only_server(server: Server) -> int:
    """Return the process of the server, of which there is one."""
    (process,) = servers_on(str(server.socket))
    return process


def test_it_is_woken(server: Server, terminal: TmuxTerminal) -> None:
    """The panes are still there; in control mode nobody misses the socket after the first time."""
    process = only_server(server)
    (pane,) = server.terminal.panes()
    operations: list[Callable[[], object]] = [
        terminal.panes,
        lambda: terminal.send(pane, KeySequence.text("x")),
        lambda: terminal.observe(pane),
        lambda: terminal.read(pane),
    ]
    for operation in operations:
        server.socket.unlink(missing_ok=True)
        operation()
    assert server.terminal.panes() == (pane,)  # which makes the socket that ends the server
    assert only_server(server) == process


def test_no_second_server_is_started(server: Server, terminal: TmuxTerminal) -> None:
    """By who opens a pane first."""
    process = only_server(server)
    (before,) = server.terminal.panes()
    server.socket.unlink()
    pane = terminal.open(["cat"])
    assert only_server(server) == process
    assert set(terminal.panes()) == {before, pane}


@pytest.mark.parametrize("transport", ["subprocess", "control"])
def test_all_temporary_files_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, transport: TransportName
) -> None:
    """With the directory that tmux has made: its client makes that again, also for `open`."""
    if transport == "control":
        needs_control_mode()
    monkeypatch.setenv("TMUX_TMPDIR", str(tmp_path))

    def connected() -> TmuxTerminal:
        return TmuxTerminal(socket_name="x", config_file="/dev/null", transport=transport)

    directory = tmp_path / f"tmux-{os.getuid()}"
    with connected() as terminal:
        panes = {terminal.open(["cat"])}
    try:
        for _ in range(2):
            shutil.rmtree(directory)
            with connected() as terminal:
                panes.add(terminal.open(["cat"]))
                assert set(terminal.panes()) == panes
            shutil.rmtree(directory)
            with connected() as terminal:
                assert set(terminal.panes()) == panes
    finally:
        for process in servers_on(str(directory / "x")):
            os.kill(process, signal.SIGKILL)


def test_many_at_once_find_it(server: Server) -> None:
    """Each wakes it, and it makes a new socket for each; none starts a server of its own."""
    server.terminal.open(["cat"])
    process = only_server(server)

    def opened() -> object:
        return TmuxTerminal(socket_path=server.socket, config_file="/dev/null").open(["cat"])

    for _ in range(3):
        server.socket.unlink()
        with ThreadPoolExecutor(4) as pool:
            panes = [one.result() for one in [pool.submit(opened) for _ in range(4)]]
        assert set(panes) <= set(server.terminal.panes())
    assert only_server(server) == process


def test_a_folder_that_is_gone(server: Server, terminal: TmuxTerminal, tmp_path: Path) -> None:
    """It is said, and nothing is started there until it has been made again."""
    process = only_server(server)
    aside = tmp_path / "aside"
    shutil.move(server.socket.parent, aside)
    (aside / server.socket.name).unlink()
    for ask in (terminal.panes, terminal.open):
        with pytest.raises(TmuxCommandError, match=rf"process {process}.*make its directory"):
            ask()
    shutil.move(aside, server.socket.parent)
    assert len(terminal.panes()) == 1
    assert only_server(server) == process


def test_another_server_is_not_woken(server: Server, tmp_path: Path) -> None:
    """A socket of another path that is gone has no server, and one may be started."""
    server.terminal.open(["cat"])
    server.socket.unlink()
    other = TmuxTerminal(socket_path=tmp_path / "other", config_file="/dev/null")
    assert other.panes() == ()
    assert not server.socket.exists()
    pane = other.open(["cat"])
    other.close(pane)
    assert len(server.terminal.panes()) == 1
    done = subprocess.run(["tmux", "-S", str(tmp_path / "other"), "ls"], check=False)
    assert done.returncode != 0
