"""One tool in several event loops: at the same time, and one that was stopped in a wait."""

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from functools import partial
from typing import Any

import pytest

from tests.event_loops import LONG, at_once, event_loop
from tests.unit.tool.talking import SHELL
from tmuxprim import FakeTerminal, Pane, Screen
from tmuxprim.testing import AsyncFakeTerminal
from tmuxprim.tool import AsyncTmuxTool, ToolResponse

SHARED = Pane("shared")


@pytest.fixture
def fake() -> FakeTerminal:
    """Give a terminal with shells in ``shared`` and ``other``, at their prompts."""
    fake = FakeTerminal(programs={"sh": SHELL})
    for name in ("shared", "other"):
        fake.open("sh", name=name)
    fake.clock.sleep(1.0)
    return fake


@pytest.fixture
def tool(fake: FakeTerminal) -> AsyncTmuxTool:
    """Give a tool on it."""
    return AsyncTmuxTool(AsyncFakeTerminal(fake))


@pytest.fixture
def loops() -> Iterator[list[asyncio.AbstractEventLoop]]:
    """Give two event loops, of which one at a time can run here."""
    loops = [asyncio.new_event_loop() for _ in range(2)]
    yield loops
    for loop in loops:
        loop.close()


def run(loop: asyncio.AbstractEventLoop, call: Coroutine[Any, Any, ToolResponse]) -> str:
    """Carry a call out in an event loop, and return what is told."""
    return loop.run_until_complete(asyncio.wait_for(call, LONG)).message


def begin(
    loop: asyncio.AbstractEventLoop, call: Coroutine[Any, Any, ToolResponse]
) -> "asyncio.Task[ToolResponse]":
    """Begin a call, and stop its event loop soon after."""
    task = loop.create_task(call)
    loop.run_until_complete(asyncio.wait([task], timeout=0))
    assert not task.done()
    return task


def test_two_event_loops_at_the_same_time(tool: AsyncTmuxTool) -> None:
    """Calls for one pane are carried out one after the other, wherever they come from."""

    async def work(pane: str) -> list[str]:
        calls: tuple[dict[str, object], ...] = (
            {"action": "send", "text": "make", "pane": pane},
            {"action": "wait_ready", "timeout": 300, "pane": pane},
        )
        replies = await asyncio.gather(*(tool.execute(**call) for call in calls))
        return [reply.message.partition("\n")[0] for reply in replies]

    expected = ["Sent: 'make' + Enter", "ready (prompt matched)"]
    told = at_once(*(partial(work, name) for name in ("shared", "%0", "other")))
    assert told == [expected] * 3


def test_a_loop_that_was_stopped_in_the_middle_of_a_wait(
    fake: FakeTerminal, tool: AsyncTmuxTool, loops: list[asyncio.AbstractEventLoop]
) -> None:
    """The next has the pane, and what goes on later does nothing more."""
    first, second = loops
    run(first, tool.execute(action="send", text="serve"))
    assert run(first, tool.execute(action="wait_ready", timeout=1)).startswith("wait_ready timed")
    waiting = begin(first, tool.execute(action="wait_ready", timeout=3600))
    assert run(second, tool.execute(action="keys", keys="C-c")) == "Sent: C-c"
    assert (
        run(second, tool.execute(action="wait_ready")) == "ready (prompt matched)\n$ serve\n^C\n$"
    )
    reply = first.run_until_complete(asyncio.wait_for(waiting, LONG))
    assert reply.is_error
    assert reply.message.startswith("error: the event loop of this call was stopped")
    assert run(first, tool.execute(action="send", text="true")) == "Sent: 'true' + Enter"
    fake.assert_sent(SHARED, "serve", "Enter", "C-c", "true", "Enter")


def test_a_loop_that_was_closed_in_the_middle_of_a_wait(
    tool: AsyncTmuxTool, loops: list[asyncio.AbstractEventLoop]
) -> None:
    """Whoever waited there is no more."""
    first, second = loops
    run(first, tool.execute(action="send", text="make"))
    calls = [begin(first, tool.execute(action="wait_ready", timeout=3600)) for _ in range(2)]
    first.close()
    told = run(second, tool.execute(action="wait_ready", timeout=3600))
    assert told == "ready (prompt matched)\n$ make\ndone\n$"
    for call in calls:
        call._log_destroy_pending = False  # type: ignore[attr-defined]  # noqa: SLF001  # it is


def test_who_waits_finds_out_that_an_event_loop_was_stopped(fake: FakeTerminal) -> None:
    """Nobody tells, so it looks now and then."""
    begun, terminal = threading.Event(), AsyncFakeTerminal(fake)
    answered = asyncio.Event()  # kept here: nothing else keeps a task that waits for it

    async def hang(*_: object, **__: object) -> Screen:
        begun.set()
        await answered.wait()
        raise NotImplementedError

    terminal.send = hang  # type: ignore[method-assign]  # as tmux does that was stopped
    tool = AsyncTmuxTool(terminal)
    with event_loop() as first, event_loop() as second:
        first.begin(tool.execute(action="send", text="a"))
        assert begun.wait(LONG)
        reading = second.begin(tool.execute(action="read"))
        second.do(asyncio.sleep(0.1))
        assert not reading.done()
        first.stop()
        assert reading.result(LONG).message == "$"
