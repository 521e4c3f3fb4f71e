"""Taps on a server that others also use."""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command_line import ROOT
from tests.tmux_server import Server
from tmuxprim import (
    AsyncConsole,
    AsyncTmuxTerminal,
    Console,
    KeySequence,
    Outcome,
    Pane,
    PaneBusyError,
    Size,
    TmuxTimeoutError,
)
from tmuxprim._tmux import tap as taps
from tmuxprim.errors import TapUnavailableError
from tmuxprim.readiness import BellStrategy, ExitStrategy

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash")]

BASH = ["bash", "--norc", "--noprofile"]
NOBODY = 65534
WHOSE = (
    f"the tmux server is run by user {NOBODY}, who cannot write into a file of user 0; run this "
    f"process as user {NOBODY}"
)


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


@pytest.fixture
def others(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Server:
    """Give a server that another user runs, with a shell, and to taps a directory of their own."""
    if os.geteuid() != 0:
        pytest.skip("nobody but root may start the server of another user")
    directory = server.socket.parent
    os.chown(directory, NOBODY, NOBODY)
    argv = ["tmux", "-u", "-S", str(server.socket), "-f", "/dev/null", "new-session", "-d", *BASH]
    # Its bash shall write no history there while the directory is removed.
    home = {"SHELL": "/bin/sh", "HOME": str(directory), "HISTFILE": "/dev/null"}
    environment = os.environ | home
    subprocess.run(
        argv,
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
        cwd=directory,
        env=environment,
        timeout=10,
        check=True,
    )
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return server


def nothing_is_left(server: Server, directory: Path) -> bool:
    """Whether the pane has no pipe, and no file is there."""
    return not is_piped(server) and not [*directory.iterdir()]


def test_the_server_of_another_user_has_no_tap(others: Server, tmp_path: Path) -> None:
    """Its shell cannot write into our file. That is told, and nothing is left behind."""
    begun = time.monotonic()
    with pytest.raises(TapUnavailableError, match=f"^{WHOSE}$"):
        others.terminal.tap(Pane("%0"))
    assert time.monotonic() - begun < 3.0  # it is not waited for: tmux knows that it has ended
    assert nothing_is_left(others, tmp_path)


def test_keys_are_typed_there_all_the_same(others: Server, tmp_path: Path) -> None:
    """That there is no tap is found when they have been."""
    keys = KeySequence.text("echo $((20 + 22))") + KeySequence.keys("Enter")
    tap = others.terminal.tap(Pane("%0"), keys)
    assert tap.unavailable == WHOSE
    assert not tap.read()
    tap.close()
    until(lambda: "\n42\n" in others.terminal.observe(Pane("%0")).text)
    assert nothing_is_left(others, tmp_path)


def test_who_could_not_listen_says_so(others: Server, tmp_path: Path) -> None:
    """A wait does not say that no bell has rung, and a command does not return half a text."""
    console = Console(others.terminal, Pane("%0"))
    console.wait_ready()
    console.send(r"printf '\a'")
    readiness = console.wait_ready(0.5, strategy=ExitStrategy() | BellStrategy())
    assert readiness.outcome is Outcome.TIMEOUT
    assert f"its reports cannot be read: {WHOSE}" in readiness.reason
    assert "no bell" not in readiness.reason
    assert console.run("seq 3", all_output=True).output == "1\n2\n3\n"
    result = console.run("seq 5000", all_output=True)
    assert (result.complete, result.doubt) == (
        False,
        f"its beginning is gone from the pane, and {WHOSE}",
    )
    assert nothing_is_left(others, tmp_path)


def test_asyncio_tells_it_alike(others: Server, tmp_path: Path) -> None:
    """The tap, and the wait that wanted one."""

    async def watch_output() -> str:
        async with AsyncTmuxTerminal(socket_path=others.socket) as terminal:
            with pytest.raises(TapUnavailableError, match=f"^{WHOSE}$"):
                await terminal.tap(Pane("%0"))
            console = AsyncConsole(terminal, "%0")
            readiness = await console.wait_ready(0.1, strategy=ExitStrategy() | BellStrategy())
            return readiness.reason

    assert WHOSE in asyncio.run(watch_output())
    assert nothing_is_left(others, tmp_path)


def test_a_shell_that_ends_is_no_tap(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the server."""
    monkeypatch.setattr(taps, "_COMMAND", "exit")
    pane = shell(server).pane

    async def watch_output() -> None:
        async with AsyncTmuxTerminal(socket_path=server.socket) as terminal:
            await terminal.tap(pane)

    for act in (lambda: server.terminal.tap(pane), lambda: asyncio.run(watch_output())):
        with pytest.raises(TapUnavailableError, match="shell that tmux has started could not"):
            act()
        assert not is_piped(server)


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
