"""The schema, in three forms, says what the code does."""

from typing import Any

import pytest

from tests.unit.tool.talking import start
from tmuxprim._tool.actions import ONE_TOOL
from tmuxprim._tool.parse import parse_call
from tmuxprim._tool.schema import SchemaForm, tool_schema

ACTIONS, ARGUMENTS = ONE_TOOL.actions, ONE_TOOL.arguments


def parameters(form: SchemaForm = "mcp") -> Any:  # noqa: ANN401  # JSON
    """Return the part that describes the arguments, and check what is around it."""
    match tool_schema(form):
        case {"type": "function", "function": {"parameters": found, **rest}, **more} if not more:
            assert form == "openai"
        case {"input_schema": found, **rest}:
            assert form == "anthropic"
        case {"inputSchema": found, **rest}:
            assert form == "mcp"
    assert rest.keys() == {"description", "name"}
    return found


@pytest.mark.parametrize("form", ["openai", "anthropic", "mcp"])
def test_forms(form: SchemaForm) -> None:
    """The three forms differ in nothing but what is around the arguments."""
    assert parameters(form) == parameters()


def test_no_such_form() -> None:
    """A programmer is told the forms there are."""
    with pytest.raises(
        ValueError, match=r"^a form is one of 'openai', 'anthropic', 'mcp', got 'x'"
    ):
        tool_schema("x")  # type: ignore[arg-type]  # the mistake


def test_actions() -> None:
    """All actions are in the schema, and in the description what each does."""
    assert parameters()["properties"]["action"]["enum"] == list(ACTIONS)
    description = str(tool_schema("mcp")["description"])
    assert all(f"{name}: {action.does}" in description for name, action in ACTIONS.items())


def test_arguments() -> None:
    """All arguments are in the schema, each with the actions that take it."""
    properties = parameters()["properties"]
    assert list(properties) == ["action", *ARGUMENTS]
    assert parameters()["required"] == ["action"]
    assert properties["enter"]["description"].startswith("For send. ")
    assert " For wait_for: The text to wait for, literally" in properties["text"]["description"]
    assert properties["timeout"]["description"].endswith(
        " By default 10; 30 for wait_for, run, resume; 600 for ask_person."
    )
    assert properties["pane"]["description"].startswith("A pane's name")
    assert {name for action in ACTIONS.values() for name in action.arguments} == set(ARGUMENTS)


@pytest.mark.parametrize("name", ACTIONS)
def test_defaults_are_those_of_the_code(name: str) -> None:
    """A call with the defaults of the schema is the call without them."""
    example = ONE_TOOL.call(name, ACTIONS[name].example)
    needed = {key: example[key] for key in ("action", *(each.name for each in ACTIONS[name].needs))}
    properties = parameters()["properties"]
    takes = [argument.name for argument in ACTIONS[name].takes]
    defaults = {key: properties[key]["default"] for key in takes if "default" in properties[key]}
    assert parse_call(needed | defaults) == parse_call(needed)
    assert defaults.keys() == {*takes} - {"prompt_pattern", "idle_timeout", "timeout", "only"}


def test_defaults() -> None:
    """The defaults are the ones that are promised."""
    known = {name: value for name, value in ONE_TOOL.defaults.items() if value is not None}
    flags = {"enter": True, "gone": False, "exit_status": False, "all_output": False}
    assert known == {**flags, "pane": "shared", "lines": 100, "timeout": 10}


@pytest.mark.parametrize("name", ACTIONS)
def test_examples_are_right(name: str) -> None:
    """The call that a model is shown when it got one wrong is one that works."""
    talk = start()
    if name == "resume":
        talk.say("run", command="serve", timeout=1)
    assert not talk.tool.execute(action=name, **ACTIONS[name].example).is_error


@pytest.mark.parametrize(
    ("name", "bound", "inside", "outside"),
    [
        ("text", "maxLength", "x" * 100_000, "x" * 100_001),
        ("lines", "maximum", 10_000, 10_001),
        ("lines", "minimum", 0, -1),
        ("timeout", "maximum", 3_600, 3_601),
        ("timeout", "minimum", 0, -1),
        ("prompt_pattern", "maxLength", "x" * 1_000, "x" * 1_001),
    ],
)
def test_bounds_are_those_of_the_code(name: str, bound: str, inside: Any, outside: Any) -> None:  # noqa: ANN401  # JSON
    """What the schema allows is taken, and what is beyond is not."""
    action = next(key for key, value in ACTIONS.items() if name in value.arguments)
    size = len if isinstance(inside, str) else int
    assert parameters()["properties"][name][bound] == size(inside)
    talk = start()
    assert not talk.say(action, **{name: inside}).startswith("error: ")
    assert f"'{name}'" in talk.refused(action, **{name: outside})
