"""A tool on a fake terminal, for tests: sync, and async by the same name."""

import asyncio
import weakref

import attrs

from tmuxprim import FakeTerminal, Pane
from tmuxprim.testing import (
    AsyncFakeTerminal,
    FakeTty,
    ReadKey,
    Run,
    ScriptedShell,
    after,
    pager,
    password,
    question,
)
from tmuxprim.tool import AsyncTmuxTool, TmuxTool, ToolResponse


def one_key(tty: FakeTty) -> Run:
    """Ask for a key."""
    tty.write("Remove? [y/N]")
    yield ReadKey()
    return 0


SHELL = ScriptedShell(
    {
        "make": after(60.0, "done"),
        "serve": after(1e6, "ended"),
        "true": "",
        "table": "  a  b ",
        "many": "\n".join(f"line {number}" for number in range(1, 301)),
        "ask": question("Continue? [y/N] ", lambda line: f"you said {line}"),
        "login": password("Password: ", lambda line: f"{len(line)} characters"),
        "less": pager("a\nb"),
        "remove": one_key,
    }
)


class SlowLane:
    """An `AsyncTmuxTool` that can be called without asyncio."""

    def __init__(self, terminal: FakeTerminal) -> None:
        self.tool = AsyncTmuxTool(AsyncFakeTerminal(terminal))
        self._loop = asyncio.new_event_loop()
        weakref.finalize(self, self._loop.close)

    def execute(self, /, **arguments: object) -> ToolResponse:
        """Call the tool in the loop that it belongs to."""
        return self._loop.run_until_complete(self.tool.execute(**arguments))


@attrs.frozen
class Talk:
    """A fake terminal, its pane, and a tool that works in it."""

    terminal: FakeTerminal
    pane: Pane
    tool: TmuxTool | SlowLane

    def say(self, action: object = None, /, **arguments: object) -> str:
        """Call the tool, and return what a model is told."""
        response = self.tool.execute(action=action, **arguments)
        assert not response.break_loop
        response.message.encode()  # what a model is told is text that can be sent
        return response.message

    def refused(self, action: object = None, /, **arguments: object) -> str:
        """Call the tool, which refuses and sends nothing; return why, without the frame."""
        sent = self.terminal.sent()
        response = self.tool.execute(action=action, **arguments)
        assert response.is_error
        assert self.terminal.sent() == sent
        assert response.message.startswith("error: ")
        assert response.message.endswith(" Nothing was sent.")
        return response.message.removeprefix("error: ").removesuffix(" Nothing was sent.")


def start(*, is_async: bool = False, evidence: bool = True, remain_on_exit: bool = False) -> Talk:
    """Return a tool whose pane ``shared`` is a shell at its prompt."""
    terminal = FakeTerminal(
        programs={"sh": SHELL}, evidence=evidence, remain_on_exit=remain_on_exit
    )
    pane = terminal.open("sh", name="shared")
    talk = Talk(terminal, pane, SlowLane(terminal) if is_async else TmuxTool(terminal))
    guess = "" if evidence else ": a guess: prompt '$' at the cursor (without kernel evidence)"
    assert talk.say("wait_ready") == f"ready (prompt matched){guess}\n$"
    return talk
