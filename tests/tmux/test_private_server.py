"""The private server of `tmuxprim_terminal` and the demo is gone afterwards, whatever happened."""

import asyncio
import os
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.tmux_server import Server, is_alive
from tmuxprim import AsyncConsole, AsyncTmuxTerminal, TmuxTerminal
from tmuxprim._cli.options import Options
from tmuxprim._cli.site import Site
from tmuxprim._tmux import private

pytestmark = pytest.mark.tmux
with_procfs = pytest.mark.skipif(
    not Path("/proc/self").exists(), reason="no procfs in which a server that is deaf can be found"
)


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the server's own directory be made in one that is empty."""
    monkeypatch.setattr(private, "PLACE", str(tmp_path))
    return tmp_path


def by_hand(directory: Path, *words: str) -> str:
    """Run a tmux command on the private server; return what it says."""
    (socket,) = directory.glob("tmuxprim-*/socket")
    argv = ["tmux", "-S", str(socket), *words]
    return subprocess.run(argv, capture_output=True, text=True, timeout=10, check=True).stdout


def nothing(_directory: Path, _pid: int) -> None:
    """Leave the server alone."""


def stay_empty(directory: Path, _pid: int) -> None:
    """Have it stay without panes."""
    by_hand(directory, "set-option", "-s", "exit-empty", "off")


def hide(directory: Path, _pid: int) -> None:
    """Take its socket away."""
    next(directory.glob("tmuxprim-*/socket")).unlink()


def stop(_directory: Path, pid: int) -> None:
    """Have it hang."""
    os.kill(pid, signal.SIGSTOP)


def leave(directory: Path, _pid: int) -> None:
    """End it before its time."""
    by_hand(directory, "kill-server")


@pytest.mark.parametrize(
    "what",
    [
        nothing,
        stay_empty,
        pytest.param(hide, marks=with_procfs),
        pytest.param(stop, marks=with_procfs),
        leave,
    ],
)
@pytest.mark.parametrize("make", [TmuxTerminal.private, Site(Options()).trial])
def test_it_is_gone(
    directory: Path,
    what: Callable[[Path, int], None],
    make: Callable[[], AbstractContextManager[TmuxTerminal]],
) -> None:
    """The server, the program in its pane, and its directory; whatever was done to it."""
    with make() as terminal:
        pane = terminal.open(["cat"])
        pid = int(by_hand(directory, "display-message", "-p", "#{pid}"))
        programs = pid, terminal.observe(pane).pane_pid
        what(directory, pid)
    assert [*directory.iterdir()] == []
    deadline = time.monotonic() + 60
    while any(map(is_alive, programs)):
        assert time.monotonic() < deadline


def test_it_need_not_have_been_started(directory: Path) -> None:
    """Who opens no pane leaves none."""
    with TmuxTerminal.private() as terminal:
        assert terminal.panes() == ()
    assert [*directory.iterdir()] == []


def test_no_other_server_is_ended(server: Server) -> None:
    """Also where ours was never started, and is looked for."""
    server.terminal.open(["cat"])
    with TmuxTerminal.private():
        pass
    assert server.pid() is not None


def test_from_asyncio(directory: Path) -> None:
    """The same with ``async with``, and on control mode."""

    async def run() -> str:
        async with AsyncTmuxTerminal.private(transport="control") as terminal:
            console = AsyncConsole(terminal, await terminal.open(["bash", "--norc"]))
            return (await console.run("echo hi")).output

    assert asyncio.run(run()) == "hi\n"
    assert [*directory.iterdir()] == []
