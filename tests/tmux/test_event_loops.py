"""Several event loops on one terminal and one tool, on real tmux."""

import asyncio
from collections.abc import Iterator
from functools import partial

import pytest

from tests.event_loops import LONG, Looking, at_once, event_loop
from tests.tmux_server import Server
from tmuxprim import AsyncConsole, AsyncTmuxTerminal, KeySequence, Outcome, Pane
from tmuxprim.tool import AsyncTmuxTool

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash")]

BASH = ("bash", "--norc", "--noprofile")


@pytest.fixture(params=["subprocess", "control"])
def terminal(server: Server, request: pytest.FixtureRequest) -> Iterator[AsyncTmuxTerminal]:
    """Give a terminal for asyncio, on which nobody has done anything yet."""
    terminal = AsyncTmuxTerminal(
        socket_path=server.socket, config_file="/dev/null", transport=request.param
    )
    yield terminal
    asyncio.run(terminal.disconnect())
    if server.terminal.panes():
        assert server.tmux("list-clients") == ""


@pytest.fixture
def panes(server: Server) -> list[Pane]:
    """Give four shells, the first of them ``shared``."""
    names = ("shared", "a", "b", "c")
    return [server.terminal.open(BASH, name=name, env={"PS1": "$ "}) for name in names]


def test_consoles_of_several_event_loops(terminal: AsyncTmuxTerminal, panes: list[Pane]) -> None:
    """All are told when their command has ended, and each its own output."""

    async def talk(pane: Pane) -> None:
        console = AsyncConsole(terminal, pane)
        for number in range(5):
            result = await console.run(f"sleep 0.2; echo {pane}-{number}", 10.0)
            assert (result.output, result.complete) == (f"{pane}-{number}\n", True)
        await terminal.disconnect()

    at_once(*(partial(talk, pane) for pane in panes))


def test_keys_of_several_event_loops(terminal: AsyncTmuxTerminal, panes: list[Pane]) -> None:
    """Each arrives once."""

    async def type_into(pane: Pane) -> str:
        console = AsyncConsole(terminal, pane)
        await console.wait_ready()
        for number in range(30):
            await terminal.send(pane, KeySequence.text(f"{number},"))
        readiness = await console.wait_for("29,")
        assert readiness.outcome is Outcome.MATCHED
        return readiness.screen.lines[0]

    typed = "".join(f"{number}," for number in range(30))
    assert at_once(*(partial(type_into, pane) for pane in panes)) == [f"$ {typed}"] * len(panes)


def test_a_tool_in_several_event_loops(terminal: AsyncTmuxTerminal, panes: list[Pane]) -> None:
    """Calls for one pane wait for each other, wherever they come from; others do not."""
    tool = AsyncTmuxTool(terminal)
    assert panes

    async def call(pane: str) -> list[str]:
        told = [(await tool.execute(action="wait_ready", pane=pane)).message]
        for number in range(3):
            told.append(
                (await tool.execute(action="send", text=f"echo {number}", pane=pane)).message
            )
            told.append((await tool.execute(action="wait_ready", timeout=10, pane=pane)).message)
        return told

    names = ("shared", "shared", "%0", "a", "b", "c")
    for told in at_once(*(partial(call, name) for name in names)):
        assert [message.partition("\n")[0] for message in told[::2]] == [
            "ready (prompt matched)"
        ] * 4
        assert [sent.partition(";")[0] for sent in told[1::2]] == [
            f"Sent: 'echo {number}' + Enter" for number in range(3)
        ]


@pytest.mark.parametrize("end", ["stopped", "closed"])
def test_an_event_loop_that_ends_in_the_middle_of_a_wait(
    terminal: AsyncTmuxTerminal, panes: list[Pane], end: str
) -> None:
    """The next one has the pane, and does not wait for it."""
    looking = Looking("sleep")
    tool = AsyncTmuxTool(terminal, strategy=looking.before_others())
    assert panes

    async def ask() -> list[str]:
        told = [(await tool.execute(action="keys", keys="C-c")).message]
        told.append((await tool.execute(action="wait_ready", timeout=10)).message)
        return told

    with event_loop() as first:
        assert first.do(tool.execute(action="wait_ready")).message == "ready (prompt matched)\n$"
        first.do(tool.execute(action="send", text="sleep 60"))
        first.begin(tool.execute(action="wait_ready", timeout=3600))
        assert looking.looked.wait(LONG)
        first.stop()
        if end == "closed":
            first.abandon()
        for _ in range(2):
            told = at_once(ask)[0]
            assert told[0] == "Sent: C-c"
            assert told[1].startswith("ready (prompt matched)\n$ sleep 60")


def test_an_event_loop_that_goes_on_after_it_was_stopped(
    terminal: AsyncTmuxTerminal, panes: list[Pane]
) -> None:
    """What it was in the middle of is given up, and said to be; it can go on with the tool."""
    looking = Looking("sleep")
    tool = AsyncTmuxTool(terminal, strategy=looking.before_others())
    assert panes
    with event_loop() as first, event_loop() as second:
        first.do(tool.execute(action="wait_ready"))
        first.do(tool.execute(action="send", text="sleep 60"))
        waiting = first.begin(tool.execute(action="wait_ready", timeout=3600))
        assert looking.looked.wait(LONG)
        first.stop()
        assert second.do(tool.execute(action="keys", keys="C-c")).message == "Sent: C-c"
        first.go_on()
        given_up = waiting.result(LONG)
        assert given_up.message.startswith("error: the event loop of this call was stopped")
        for loop in (first, second):
            told = loop.do(tool.execute(action="wait_ready")).message
            assert told.startswith("ready (prompt matched)\n$ sleep 60")
