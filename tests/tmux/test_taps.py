"""Taps on a server that others use, too."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command_line import ROOT
from tests.tmux_server import Server
from tmuxprim import AsyncTmuxTerminal, Console, PaneBusyError, Size, TmuxTimeoutError

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash")]

BASH = ["bash", "--norc", "--noprofile"]


def until(condition: Callable[[], bool]) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def shell(server: Server) -> Console:
    """Return a console at the prompt of a shell."""
    console = Console(server.terminal, server.terminal.open(BASH))
    console.wait_ready()
    return console


def is_piped(server: Server) -> bool:
    """Whether a pane's output goes somewhere."""
    return server.tmux("display-message", "-p", "#{pane_pipe}") == "1"


def test_a_pipe_of_the_users_is_left_alone(server: Server, tmp_path: Path) -> None:
    """It is not ended, and says why there is no tap."""
    console, log = shell(server), tmp_path / "log"
    server.tmux("pipe-pane", f"exec cat >{log}")
    with pytest.raises(PaneBusyError, match="one pipe; 'tmux pipe-pane -t %0' ends it"):
        server.terminal.tap(console.pane)
    console.run("echo one")
    until(lambda: b"\rone\r\n" in log.read_bytes())


def test_a_pipe_that_took_the_place_of_ours_is_left_alone(server: Server, tmp_path: Path) -> None:
    """The tap has what came before, and closing it closes nobody else's."""
    console, log = shell(server), tmp_path / "log"
    tap = server.terminal.tap(console.pane)
    console.run("echo one")
    until(lambda: "one" in tap.read())
    server.tmux("pipe-pane", f"exec cat >{log}")
    console.run("echo two")
    until(lambda: b"\rtwo\r\n" in log.read_bytes())
    assert "two" not in tap.read()
    tap.close()
    console.run("echo three")
    until(lambda: b"\rthree\r\n" in log.read_bytes())


def test_it_goes_with_a_process_that_is_killed(server: Server) -> None:
    """The shell and its cat end, though the pane writes nothing any more."""
    console = shell(server)
    script = (
        "import sys, time; from tmuxprim import Pane, TmuxTerminal\n"
        f"terminal = TmuxTerminal(socket_path={str(server.socket)!r})\n"
        f"tap = terminal.tap(Pane({console.pane.target!r}))\n"
        "print('begun', flush=True); time.sleep(60)"
    )
    argv = [sys.executable, "-c", script]
    with subprocess.Popen(argv, cwd=ROOT, stdout=subprocess.PIPE) as killed:
        assert killed.stdout
        assert killed.stdout.readline() == b"begun\n"
        assert is_piped(server)
        killed.kill()
    until(lambda: not is_piped(server))


def test_who_reads_is_told_as_without(server: Server) -> None:
    """What tmux starts for a tap is none of the pane's programs."""
    console = shell(server)
    before = server.terminal.probe(console.pane)
    tap = server.terminal.tap(console.pane)
    assert server.terminal.probe(console.pane) == before
    assert console.run("echo one").output == "one\n"
    tap.close()


def test_a_tap_that_is_cancelled(server: Server) -> None:
    """Nothing is left, whatever tmux has begun meanwhile."""
    console = shell(server)

    async def cancel() -> None:
        terminal = AsyncTmuxTerminal(socket_path=server.socket)
        task = asyncio.create_task(terminal.tap(console.pane))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    until(lambda: not is_piped(server))


def test_a_server_that_hangs_has_no_tap(server: Server) -> None:
    """When it wakes up, nobody waits for what it starts."""
    console = shell(server)
    terminal = type(server.terminal)(socket_path=server.socket, timeout=0.2)
    pane = console.pane
    with server.stopped(), pytest.raises(TmuxTimeoutError):
        terminal.tap(pane)
    until(lambda: not is_piped(server))
    server.terminal.tap(pane).close()


@pytest.mark.parametrize(
    ("changed", "back"),
    [
        (r"\033[3g", r"\033c"),
        (r"\033[2;3r", r"\033[r"),
        (r"\033[4h", r"\033[4l"),
        (r"\033[?7l", r"\033[?7h"),
        (r"\033[?6h", r"\033[?6l"),
    ],
)
def test_a_screen_that_is_not_as_new(server: Server, changed: str, back: str) -> None:
    """What a program has left behind says where the next one's text goes."""
    for columns in (4, 8, 9, 80):
        pane = server.terminal.open(BASH, size=Size(columns, 5))
        console = Console(server.terminal, pane)
        console.wait_ready()
        for codes, is_as_new in (("", True), (changed, False), (back, True)):
            console.send(f"printf '{codes}'")
            console.wait_ready()
            tap = server.terminal.tap(pane)
            has_no_tabs = columns <= 8 and changed.endswith("g")
            assert tap.is_as_new is (is_as_new or has_no_tabs)
            tap.close()
