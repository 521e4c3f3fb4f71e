"""The MCP server on the fake, by the client of the package `mcp`: what is offered and answered."""

import asyncio
import re
from typing import Any

import pytest
from mcp import Client, types

from tests.unit.mcp.talking import Host, Options, new_fake, text_of
from tests.unit.tool.talking import SHELL
from tmuxprim import FakeTerminal, Pane, StabilityStrategy, __version__
from tmuxprim._tool.actions import MANY_TOOLS
from tmuxprim.errors import InvalidStrategyError
from tmuxprim.mcp import make_server
from tmuxprim.readiness import ExitStrategy
from tmuxprim.testing import AsyncFakeTerminal
from tmuxprim.tool import AsyncTmuxTool, tool_schema

ONE_TOOL: Any = tool_schema("mcp")


def tools_of(host: Host) -> dict[str, types.Tool]:
    """Return the tools that a client is offered."""

    async def go(client: Client) -> list[types.Tool]:
        return (await client.list_tools()).tools

    return {tool.name: tool for tool in host.run(go)}


def test_the_tools(host: Host) -> None:
    """There is one for each action of the one tool, and more; some only look."""
    tools = tools_of(host)
    assert list(tools) == list(MANY_TOOLS.actions)
    annotations = {name: tool.annotations for name, tool in tools.items()}
    only_looks = [name for name, told in annotations.items() if told and told.read_only_hint]
    assert only_looks == ["read", "wait_ready", "wait_for", "ask_person", "panes"]


def test_each_tool_is_described_as_the_one_tool(host: Host) -> None:
    """The arguments are in the words of `tool_schema`, and so is what each does."""
    known = ONE_TOOL["inputSchema"]["properties"]
    for name, tool in tools_of(host).items():
        action = MANY_TOOLS.actions[name]
        assert tool.description is not None
        assert action.does[1:] in tool.description
        assert list(tool.input_schema["properties"]) == list(action.arguments)
        assert tool.input_schema.get("required", []) == [need.name for need in action.needs]
        if name in ("read", "open", "panes"):  # of these it has another, or none
            continue
        assert f"{name}: {action.does}" in ONE_TOOL["description"]
        for argument, said in tool.input_schema["properties"].items():
            assert said["description"] in known[argument]["description"]
            own = {"description": said["description"], "default": said.get("default")}
            assert {**known[argument], **own} == {"default": None, **said}


def test_run_is_described(host: Host) -> None:
    """It may take longer than a wait, by default."""
    properties = tools_of(host)["run"].input_schema["properties"]
    assert properties["command"]["maxLength"] == 100_000
    assert properties["timeout"]["default"] == 30
    assert properties["pane"]["default"] == "shared"


def test_the_server_says_who_it_is(host: Host) -> None:
    """Name and version, and how its tools are to be used."""

    async def go(client: Client) -> tuple[str | None, types.Implementation | None]:
        return client.instructions, client.server_info

    instructions, info = host.run(go)
    assert info is not None
    assert (info.name, info.version) == ("tmuxprim", __version__)
    assert instructions is not None
    assert "`send` or `keys`, and after each `wait_ready`" in instructions
    assert "A person may watch the pane `shared`" in instructions


CALLS: tuple[tuple[str, dict[str, object]], ...] = (
    ("wait_ready", {}),
    ("send", {"text": "many"}),
    ("wait_ready", {"timeout": "5"}),
    ("read", {"lines": 500}),
    ("send", {"text": "as", "enter": "false"}),
    ("keys", {"keys": "BSpace s k"}),
    ("keys", {"keys": ["Enter"]}),
    ("wait_ready", {"pane": "shared:0"}),
    ("send", {"text": "y"}),
    ("wait_ready", {"prompt_pattern": r"\$$"}),
    ("send", {"text": "login"}),
    ("wait_ready", {}),
    ("keys", {"keys": ["h", "u"]}),
    ("send", {"text": "nter2"}),
    ("wait_ready", {}),
    ("send", {"text": "ls", "pane": "other"}),
    ("send", {"text": "exit"}),
    ("wait_ready", {}),
    ("read", {}),
)


def test_it_says_what_the_tool_says(host: Host) -> None:
    """A whole session, secrets and a pane that is gone included, is told in the same words."""

    async def session() -> list[tuple[str, bool]]:
        tool = AsyncTmuxTool(AsyncFakeTerminal(new_fake()))
        replies = [await tool.execute(action=name, **given) for name, given in CALLS]
        return [(reply.message, reply.is_error) for reply in replies]

    told = [(text_of(result), result.is_error) for result in host.call(*CALLS)]
    told = [(re.sub(r"^\[.*\]\n", "", message), is_error) for message, is_error in told]
    assert told == asyncio.run(session())
    assert not any("hunter2" in message for message, _ in told)
    assert ("Sent: (hidden) + Enter", False) in told


def test_null_is_an_argument_left_out(host: Host) -> None:
    """To some models; and so are no arguments at all."""

    async def go(client: Client) -> types.CallToolResult:
        return await client.call_tool("read")

    assert text_of(host.run(go)).endswith("\n$")
    assert host.say(("send", {"text": "ls", "pane": None})) == ["Sent: 'ls' + Enter"]


def test_another_pane_is_shared() -> None:
    """A call that names none is for that; it is opened, and the client is told its name."""
    host = Host(FakeTerminal(programs={"sh": SHELL}), options=Options(pane="work"))
    opened, told = host.say(("run", {"command": "echo hi"}), ("run", {"command": "echo hi"}))
    assert opened.startswith("There was no pane 'work', so it was opened, with a new shell. Noth")
    assert told == "done\nhi\n"
    assert tools_of(host)["run"].input_schema["properties"]["pane"]["default"] == "work"
    assert host.refused("read", {"pane": "shared"}).endswith("Without 'pane' you work in 'work'.")


@pytest.mark.parametrize(
    ("target", "opens", "advice"),
    [
        ("work", False, "The user can open it: tmux new-session -d -s work."),
        ("%7", True, "The user can open it."),
        ("work:0.1", True, "The user can open it."),
    ],
)
def test_a_pane_that_is_not_opened(target: str, opens: bool, advice: str) -> None:  # noqa: FBT001  # a case of the table
    """Since it is not to be, or is no session of its own."""
    host = Host(FakeTerminal(), options=Options(pane=Pane(target), opens=opens))
    why = host.refused("wait_ready", {})
    assert why == f"there is no pane {target!r}. There are no panes. {advice}"
    assert host.fake.panes() == ()


def test_a_strategy_decides() -> None:
    """Whoever makes the server may say how it is known that a pane is ready."""
    host = Host(new_fake(), options=Options(strategy=StabilityStrategy(1.0)))
    assert host.say(("wait_ready", {})) == [
        "ready (stable): a guess: nothing has changed for 1 s\n$"
    ]


def test_a_strategy_that_is_none() -> None:
    """A programmer's mistake is an error, and at once."""
    with pytest.raises(InvalidStrategyError, match="call it first"):
        make_server(AsyncFakeTerminal(), strategy=ExitStrategy)  # type: ignore[arg-type]  # the mistake


def test_copy_mode_is_left_if_told_so() -> None:
    """A server may be allowed to take the keyboard from a person who scrolls."""
    for leave_mode in (False, True):
        host = Host(new_fake(), options=Options(leave_mode=leave_mode))
        host.fake.set_mode(Pane("shared"), "copy-mode")
        (result,) = host.call(("send", {"text": "ls"}))
        assert result.is_error is not leave_mode
        told = "Sent: " if leave_mode else "error: nothing was sent: pane %0 is in copy-mode"
        assert text_of(result).startswith(told)
