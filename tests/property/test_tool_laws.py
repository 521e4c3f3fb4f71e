"""The laws of the agent tool: no call raises, and only one that is valid sends anything."""

import asyncio
import json
import math
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st
from mcp import Client
from mcp.types import CallToolResult, TextContent

from tests.examples import examples
from tests.property.hostile import texts
from tmuxprim import FakeTerminal, Key
from tmuxprim._tool.actions import MANY_TOOLS
from tmuxprim.mcp import make_server
from tmuxprim.testing import AsyncFakeTerminal, FakeTty, ReadKey, Run
from tmuxprim.tool import TmuxTool, ToolResponse, tool_schema

quick = settings(max_examples=examples(150))

PROPERTIES: dict[str, Any] = tool_schema("mcp")["inputSchema"]["properties"]  # type: ignore[index]  # JSON
ACTIONS: list[str] = PROPERTIES["action"]["enum"]

numbers = st.one_of(st.integers(), st.floats(), st.integers(0, 5), st.sampled_from([10**400, -1]))
scalars = st.one_of(st.none(), st.booleans(), numbers, numbers.map(str), texts, st.text())
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=9), inner, max_size=4)
    ),
    max_leaves=9,
)
names = st.one_of(
    st.sampled_from([*PROPERTIES, "txt", "cmd", "timeouts", "Action", "self"]), st.text(max_size=9)
)
calls = st.dictionaries(names, values, max_size=6)
# So that not all fail at the action.
nearly_right = st.builds(
    lambda action, call: {**call, "action": action}, st.sampled_from(ACTIONS), calls
)


def sink(_tty: FakeTty) -> Run:
    """Read all keys; none of them ends it."""
    while True:
        yield ReadKey()


def new_tool() -> tuple[FakeTerminal, TmuxTool]:
    """Return a terminal with a program in ``shared``, and a tool for it."""
    terminal = FakeTerminal(programs={"sh": sink})
    terminal.open("sh", name="shared")
    return terminal, TmuxTool(terminal)


def check(terminal: FakeTerminal, response: ToolResponse) -> None:
    """Hold a response to what is promised of every one."""
    assert isinstance(response, ToolResponse)
    assert not response.break_loop
    assert 0 < len(response.message) < 25_000
    response.message.encode()
    assert response.is_error == response.message.startswith("error: ")
    typed = [key for sent in terminal.sent() for key in sent.keys]
    if typed and typed != [Key("C-c")]:  # which `interrupt` presses, and tells what came of it
        assert response.message.startswith("Sent: ")


@quick
@given(arguments=st.one_of(values, calls, nearly_right))
@example(arguments={"action": "send", "text": "x" * 5_000_000})
@example(arguments={"action": "wait_ready", "timeout": math.nan})
@example(arguments={"action": "keys", "keys": "[" * 50_000})
def test_law_no_json_value_raises(arguments: object) -> None:
    """Whatever comes as arguments, there is a message, and only "Sent" means that it was sent."""
    terminal, tool = new_tool()
    check(terminal, tool.execute_json(arguments))


@quick
@given(arguments=st.one_of(calls, nearly_right))
def test_law_text_of_json_is_as_good(arguments: dict[str, object]) -> None:
    """The text of the arguments and the arguments themselves are answered in the same words."""
    (_, one), (_, other) = new_tool(), new_tool()
    assert one.execute_json(arguments) == other.execute_json(json.dumps(arguments))


@quick
@given(text=st.text())
def test_law_no_text_raises(text: str) -> None:
    """Whatever a model writes in place of JSON, there is a message."""
    terminal, tool = new_tool()
    check(terminal, tool.execute_json(text))


@quick
@given(text=texts, enter=st.booleans())
def test_law_what_is_valid_is_sent(text: str, enter: bool) -> None:  # noqa: FBT001  # given by name
    """A text that can be typed is typed as it is, and nothing else."""
    terminal, tool = new_tool()
    response = tool.execute(action="send", text=text, enter=enter)
    assert response.is_error == (not text and not enter)
    typed = [part for sent in terminal.sent() for part in sent.keys]
    assert typed == ([text] if text else []) + ([Key("Enter")] if enter else [])


@quick
@given(secret=texts.filter(lambda text: len(text) > 3), call=calls)
def test_law_a_wrong_call_does_not_tell_its_text(secret: str, call: dict[str, object]) -> None:
    """A call that is refused may hold a secret, which is in no message."""
    marked = f"hunter2{secret}"
    _, tool = new_tool()
    response = tool.execute_json({**call, "action": "send", "text": marked, "no such": 1})
    assert response.is_error
    assert "hunter2" not in response.message


@quick
@given(
    name=st.one_of(st.sampled_from([*MANY_TOOLS.actions, "exec"]), st.text(max_size=9)),
    arguments=calls,
)
@example(name="run", arguments={"command": "x" * 5_000_000})
@example(name="run", arguments={"command": "; kill-server ;", "timeout": "1"})
def test_law_no_call_of_an_mcp_tool_raises(name: str, arguments: dict[str, object]) -> None:
    """Whatever a client asks for, there is a result, and what is an error has sent nothing."""
    terminal, _ = new_tool()

    async def ask() -> CallToolResult:
        async with Client(make_server(AsyncFakeTerminal(terminal))) as client:
            return await client.call_tool(name, arguments)

    result = asyncio.run(ask())
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert 0 < len(content.text) < 25_000
    content.text.encode()
    assert result.is_error == content.text.startswith("error: ")
    assert not (result.is_error and terminal.sent())
