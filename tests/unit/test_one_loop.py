"""What is for asyncio belongs to one event loop, and any other one is told so."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from tests.event_loops import event_loop
from tmuxprim import AsyncTmuxTerminal
from tmuxprim.errors import EventLoopError
from tmuxprim.testing import AsyncFakeTerminal
from tmuxprim.tool import AsyncTmuxTool, ToolResponse

RULE = "belongs to the first event loop that uses it, and this is another one; make one for each"


@pytest.mark.parametrize("call", ["panes", "sleep"])
def test_the_fake_refuses_a_second_event_loop(call: str) -> None:
    """As tmux does, though the first one has ended."""
    terminal = AsyncFakeTerminal()
    asyncio.run(terminal.panes())

    async def use() -> None:
        await (terminal.clock.sleep(1.0) if call == "sleep" else terminal.panes())

    with pytest.raises(EventLoopError, match=f"^AsyncFakeTerminal {RULE}"):
        asyncio.run(use())


def test_another_one_drives_the_same_fake() -> None:
    """So what one event loop has opened is there in the next one."""
    first = AsyncFakeTerminal()
    pane = asyncio.run(first.open())
    assert asyncio.run(AsyncFakeTerminal(first.fake).resolve(pane)) == pane


def test_a_tool_answers_a_second_event_loop() -> None:
    """It raises nothing, and waits for nobody's turn."""
    tool = AsyncTmuxTool(AsyncFakeTerminal())

    async def read() -> ToolResponse:
        return await tool.execute(action="read")

    with event_loop() as first, event_loop() as second:
        assert first.do(read()).message.startswith("There was no pane 'shared', so it was opened")
        reply = second.do(read())
        assert reply.is_error
        assert reply.message.startswith(f"error: AsyncTmuxTool {RULE}")


CALLS: list[Callable[[AsyncTmuxTerminal], Awaitable[object]]] = [
    AsyncTmuxTerminal.panes,
    AsyncTmuxTerminal.disconnect,
]


@pytest.mark.parametrize("transport", ["subprocess", "control"])
@pytest.mark.parametrize("call", CALLS)
def test_a_terminal_refuses_a_second_event_loop(
    call: Callable[[AsyncTmuxTerminal], Awaitable[object]], transport: str
) -> None:
    """Before tmux is asked for anything."""
    terminal = AsyncTmuxTerminal(
        executable="no-such-tmux", transport="control" if transport == "control" else "subprocess"
    )

    async def use() -> None:
        await call(terminal)

    async def claim() -> None:
        with pytest.raises(FileNotFoundError):
            await terminal.panes()

    asyncio.run(claim())
    with pytest.raises(EventLoopError, match=f"^AsyncTmuxTerminal {RULE}"):
        asyncio.run(use())
