"""Calls of the MCP server at a time: on several panes, cancelled, and what goes wrong within."""

import asyncio
import logging
from collections.abc import Callable

import pytest
from mcp import Client, MCPError, types
from typing_extensions import override

from tests.unit.mcp.talking import Host, new_fake, text_of
from tests.unit.stepping import Stepping
from tests.unit.tool.talking import SHELL
from tmuxprim import FakeTerminal, Pane
from tmuxprim.testing import AsyncFakeTerminal

SHARED = Pane("shared")
SECRET = "hunter2"  # noqa: S105  # a password that nobody has
LONG_BEGUN = 10.0  # seconds, by when every program runs and waits


async def until(is_so: Callable[[], bool]) -> None:
    """Let the others go on until something is so."""
    while not is_so():  # noqa: ASYNC110  # nobody tells
        await asyncio.sleep(0)


def test_panes_are_waited_for_at_the_same_time(host: Host) -> None:
    """Ten minutes of work in ten panes take one."""
    for number in range(10):
        host.fake.open("sh", name=f"s{number}")
    began = host.fake.clock.now()

    async def go(client: Client) -> list[str]:
        calls = (
            client.call_tool("run", {"command": "make", "timeout": 90, "pane": f"s{number}"})
            for number in range(10)
        )
        return [text_of(result) for result in await asyncio.gather(*calls)]

    assert host.run(go) == ["done\ndone\n"] * 10
    assert host.fake.clock.now() - began == pytest.approx(60, abs=5)


def test_calls_for_one_pane_are_done_in_order(host: Host) -> None:
    """A model that asks for three things at once gets them one after the other."""

    async def go(client: Client) -> list[str]:
        calls = (
            client.call_tool("send", {"text": "make"}),
            client.call_tool("wait_ready", {"timeout": 90}),
            client.call_tool("run", {"command": "echo hi"}),
        )
        return [text_of(result) for result in await asyncio.gather(*calls)]

    assert host.run(go) == [
        "Sent: 'make' + Enter",
        "ready (prompt matched)\n$ make\ndone\n$",
        "done\nhi\n",
    ]


@pytest.mark.parametrize("name", ["wait_ready", "run"])
def test_a_call_that_is_cancelled(host: Host, name: str) -> None:
    """The wait ends, nothing more is typed, and the pane can be used."""
    terminal = Stepping(host.fake)
    arguments: dict[str, object] = {"timeout": 3600}

    async def go(client: Client) -> str:
        if name == "wait_ready":
            await client.call_tool("send", {"text": "serve"})
        else:
            arguments["command"] = "serve"
        waiting = asyncio.create_task(client.call_tool(name, arguments))
        await until(lambda: bool(terminal.open_bells) and host.fake.clock.now() > LONG_BEGUN)
        waiting.cancel()
        await asyncio.wait([waiting])
        await until(lambda: not terminal.open_bells)
        host.fake.assert_sent(SHARED, "serve", "Enter")
        await client.call_tool("keys", {"keys": "C-c"})
        return text_of(await client.call_tool("run", {"command": "echo hi"}))

    assert Host(host.fake, host.mode, terminal=terminal).run(go) == "done\nhi\n"
    assert terminal.listeners == 0
    assert host.fake.clock.now() < 3000


def test_a_client_that_hangs_up(host: Host) -> None:
    """What is still waited for ends with it, and the pane goes on."""
    terminal = Stepping(host.fake)
    ended: list[asyncio.Future[types.CallToolResult]] = []

    async def go(client: Client) -> None:
        await client.call_tool("send", {"text": "serve"})
        waiting = asyncio.ensure_future(client.call_tool("wait_ready", {"timeout": 3600}))
        waiting.add_done_callback(ended.append)
        await until(lambda: bool(terminal.open_bells))

    Host(host.fake, host.mode, terminal=terminal).run(go)
    assert (terminal.open_bells, terminal.listeners) == (0, 0)
    assert ended[0].cancelled() or isinstance(ended[0].exception(), MCPError)
    assert Host(host.fake).say(("wait_ready", {"timeout": 1}))[0].startswith("wait_ready timed out")


class Broken(AsyncFakeTerminal):
    """Has an error that nobody has thought of."""

    @override
    async def read(self, pane: Pane, *, history: int = 0) -> str:
        raise ZeroDivisionError(SECRET)


def test_an_error_of_our_own(caplog: pytest.LogCaptureFixture) -> None:
    """It is a result as well, the server goes on, and no message tells what may be a secret."""
    fake = new_fake()
    with caplog.at_level(logging.ERROR):
        told, other = Host(fake, terminal=Broken(fake)).say(("read", {}), ("wait_ready", {}))
    assert told == (
        "error: tmuxprim itself failed (ZeroDivisionError); its log tells more. Read "
        "the pane before you send anything again"
    )
    assert other == "ready (prompt matched)\n$"
    assert "ZeroDivisionError in the tool 'read'" in caplog.text
    assert "in read" in caplog.text
    assert SECRET not in caplog.text


def test_no_tmux() -> None:
    """An error of the library is told in words for models."""
    fake = FakeTerminal(programs={"sh": SHELL})
    fake.open("sh", name="shared")
    fake.faults.hang(60.0)
    (told,) = Host(fake).say(("send", {"text": "hunter2"}))
    assert told.startswith("error: tmux did not answer in time")
    assert "hunter2" not in told
