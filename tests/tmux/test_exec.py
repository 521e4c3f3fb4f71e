"""tmux by an exec, as agents' frameworks have one, on this machine."""

import asyncio
import time
from pathlib import Path

import pytest

from tests.execs import AsyncLocalExec, LocalExec
from tests.tmux_server import Server
from tmuxprim import (
    AsyncConsole,
    AsyncTmuxTerminal,
    Console,
    KeySequence,
    Outcome,
    TmuxTerminal,
)

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash")]

BASH = ("bash", "--norc", "--noprofile")
LONG = 60.0
# A text that takes a paste buffer, and, without input, several calls.
TEXT = ("it's $HOME `x` é \\ %s;" * 100 + "\n") * 9

every_exec = pytest.mark.parametrize(
    "local",
    [
        LocalExec(),
        LocalExec(merges=True),
        LocalExec(has_stdin=False),
        LocalExec(merges=True, has_stdin=False, seconds=0.02),
    ],
    ids=["all", "merges", "no input", "poor"],
)


def through(local: LocalExec, server: Server) -> TmuxTerminal:
    """Return a terminal on a server, each call of which goes by an exec."""
    return TmuxTerminal(
        socket_path=server.socket,
        config_file="/dev/null",
        exec=local,
        exec_stdin=local.has_stdin,
        timeout=LONG,
    )


@every_exec
def test_a_conversation(server: Server, local: LocalExec) -> None:
    """A server is started, a command run, a secret asked for, and the pane closed."""
    terminal = through(local, server)
    assert terminal.panes() == ()
    console = Console(terminal, terminal.open(BASH, env={"PS1": "$ "}))
    assert console.wait_ready(LONG).outcome is Outcome.PROMPT
    assert console.run("sleep 1; seq 1 3", LONG).output == "1\n2\n3\n"
    console.send("read -sp 'Password: '")
    assert console.wait_ready(LONG).outcome is Outcome.AWAITING_SECRET
    assert terminal.probe(console.pane) is None
    terminal.close(console.pane)
    assert terminal.panes() == ()


@every_exec
def test_a_long_text_arrives_byte_for_byte(
    server: Server, local: LocalExec, tmp_path: Path
) -> None:
    """In one piece or in several, and no buffer is left."""
    terminal = through(local, server)
    pane = terminal.open(["sh", "-c", "exec cat >out"], cwd=tmp_path)
    terminal.send(pane, KeySequence.paste(TEXT))
    deadline = time.monotonic() + LONG
    while not (tmp_path / "out").exists() or (tmp_path / "out").read_text() != TEXT:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert server.tmux("list-buffers") == ""


def test_several_at_once(server: Server) -> None:
    """From one event loop, on one server."""

    async def work(terminal: AsyncTmuxTerminal, number: int) -> str:
        console = AsyncConsole(terminal, await terminal.open(BASH, env={"PS1": "$ "}))
        await console.wait_ready(LONG)
        return (await console.run(f"echo $((6 * {number}))", LONG)).output

    async def main() -> list[str]:
        terminal = AsyncTmuxTerminal(
            socket_path=server.socket, config_file="/dev/null", exec=AsyncLocalExec(), timeout=LONG
        )
        first = await work(terminal, 1)
        return [first, *await asyncio.gather(*(work(terminal, n) for n in (2, 3)))]

    assert asyncio.run(main()) == ["6\n", "12\n", "18\n"]
