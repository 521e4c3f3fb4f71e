"""An MCP client of the package `mcp` on a server over the fake, for tests of the server."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import attrs
from mcp import Client, types

from tests.unit.tool.talking import SHELL
from tmuxprim import AsyncTerminal, FakeTerminal, Pane, ReadinessStrategy
from tmuxprim.mcp import make_server
from tmuxprim.testing import AsyncFakeTerminal

T = TypeVar("T")
Go = Callable[[Client], Awaitable[T]]

SHARED = Pane("shared")
# Of the handshake that most clients know, and of 2026-07-28, which knows of none.
MODES = ("legacy", "auto")


@attrs.frozen(kw_only=True)
class Options:
    """What a server is made with."""

    pane: Pane | str = SHARED
    opens: bool = True
    strategy: ReadinessStrategy | None = None
    leave_mode: bool = False
    prompt_rows: int | None = None
    allow: tuple[str, ...] | None = None
    read_only: tuple[str, ...] = ()
    attach: str | None = None


@attrs.frozen
class Host:
    """A program that gives its model the tools of a server.

    Args:
        fake: The terminal that they work on.
        mode: How it greets the server.
        options: How that is made.
        terminal: The terminal, as the server has it.
    """

    fake: FakeTerminal
    mode: str = "auto"
    options: Options = Options()
    terminal: AsyncTerminal | None = None

    def run(self, go: Go[T]) -> T:
        """Let a client talk to a server of its own, and return what it returns."""

        async def main() -> T:
            terminal = self.terminal or AsyncFakeTerminal(self.fake)
            server = make_server(terminal, **attrs.asdict(self.options, recurse=False))
            async with Client(server, mode=self.mode) as client:
                return await go(client)

        return asyncio.run(main())

    def call(self, *calls: tuple[str, dict[str, object]]) -> list[types.CallToolResult]:
        """Call tools one after the other, and return what each comes back with."""

        async def go(client: Client) -> list[types.CallToolResult]:
            return [await client.call_tool(*call) for call in calls]

        return self.run(go)

    def say(self, *calls: tuple[str, dict[str, object]]) -> list[str]:
        """Call tools one after the other, and return what a model is told."""
        return [text_of(result) for result in self.call(*calls)]

    def refused(self, name: str, arguments: dict[str, object]) -> str:
        """Call a tool that refuses and sends nothing; return why, without the frame."""
        sent = self.fake.sent()
        (result,) = self.call((name, arguments))
        assert self.fake.sent() == sent
        message = text_of(result)
        assert result.is_error
        assert message.startswith("error: ")
        assert message.endswith(" Nothing was sent.")
        return message.removeprefix("error: ").removesuffix(" Nothing was sent.")


def text_of(result: types.CallToolResult) -> str:
    """Return the one text that a tool comes back with."""
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    assert result.structured_content is None
    return content.text


def new_fake(*, remain_on_exit: bool = False) -> FakeTerminal:
    """Return a terminal whose pane ``shared`` is a shell at its prompt."""
    fake = FakeTerminal(programs={"sh": SHELL}, remain_on_exit=remain_on_exit)
    fake.open("sh", name="shared")
    fake.clock.sleep(1.0)
    return fake
