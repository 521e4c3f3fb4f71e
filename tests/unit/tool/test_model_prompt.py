"""The prompt is in step with the code, and teaches what it has to."""

import json
import re

import pytest

from tmuxprim import Key, Outcome
from tmuxprim._tool.actions import MANY_TOOLS, ONE_TOOL
from tmuxprim._tool.model_prompt import prompt_for_many
from tmuxprim._tool.parse import parse_call
from tmuxprim._tool.replies import WORDINGS
from tmuxprim._tool.schema import describe_tools
from tmuxprim._values.keys import _NAMES
from tmuxprim.profiles import AIDER, CLAUDE_CODE, CODEX, GEMINI, OPENCODE, QWEN, Profile
from tmuxprim.tool import tool_prompt, tool_schema

PROMPT = tool_prompt()
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in PROMPT.splitlines()
    if line.startswith("| ")
]
TABLE = {row[0].strip("`"): row[1:] for row in ROWS}


@pytest.mark.parametrize("name", ONE_TOOL.actions)
def test_actions(name: str) -> None:
    """Each action is there, with what it takes."""
    arguments = ", ".join(f"`{argument}`" for argument in ONE_TOOL.actions[name].arguments)
    assert [f"`{name}`", ONE_TOOL.actions[name].does, arguments] in ROWS


@pytest.mark.parametrize("name", ONE_TOOL.arguments)
def test_arguments(name: str) -> None:
    """Each argument is there, with its default."""
    default, description = TABLE[name]
    known = ONE_TOOL.defaults.get(name)
    if known is not None:
        assert default == f"`{json.dumps(known)}`{ONE_TOOL.other_defaults(name)}"
    else:
        no_default = ("prompt_pattern", "idle_timeout", "only")
        assert default == ("none" if name in no_default else "has to be given")
    assert description


@pytest.mark.parametrize("outcome", set(Outcome) - {Outcome.MATCHED})
def test_outcomes(outcome: Outcome) -> None:
    """Each outcome of the default chain is there, in the words of the reply, with what to do."""
    wording = WORDINGS[outcome]
    assert TABLE[wording.first_line()] == [f"{wording.meaning}: {wording.advice}"]


def test_sizes() -> None:
    """What each request of an agent carries is short."""
    assert len(PROMPT) + len(json.dumps(tool_schema())) <= 8_800
    # 4 characters a token, as cl100k counts this text: at most 2,600 tokens.
    tools = [
        {"name": name, "description": told, "input_schema": schema}
        for name, told, schema in describe_tools(MANY_TOOLS)
    ]
    assert len(prompt_for_many(MANY_TOOLS)) + len(json.dumps(tools)) <= 9_250


ASSISTANTS = (OPENCODE, CLAUDE_CODE, CODEX, GEMINI, QWEN, AIDER)


@pytest.mark.parametrize("profile", ASSISTANTS, ids=lambda profile: str(profile.name))
def test_assistants(profile: Profile) -> None:
    """How each is started and left is what its session does."""
    section = PROMPT.partition("## AI assistants")[2].partition("## ")[0]
    settings = [f"{name}={value}" for name, value in profile.env]
    assert f"`{' '.join((*settings, *profile.command))}`" in section
    for part in (str(part) for step in profile.leave for part in step):
        assert f"`{part}`" in section


def test_keys_are_keys() -> None:
    """Each key in the section on keys is one, and each that has a name is there."""
    section = PROMPT.partition("## Keys")[2].partition("\n\nInterrupt")[0]
    names = re.findall(r"`([^`]+)`", section)
    assert {*_NAMES} <= {*names, *(f"F{number}" for number in range(2, 12))}
    assert [Key(name).name for name in names if not name.endswith("-")] == [
        name for name in names if not name.endswith("-")
    ]


def test_examples_are_calls() -> None:
    """Each call in the example is right."""
    code = PROMPT.partition("```json\n")[2].partition("```")[0]
    actions = [parse_call(line).action for line in code.splitlines()]
    assert actions == ["run", "send", "wait_ready", "keys"]


@pytest.mark.parametrize(
    "taught",
    [
        "`send` or `keys`, and after each `wait_ready`",
        '`"timeout": 120` for AI assistants',
        "`send` is for text, and presses Enter itself; `keys` is for keys.",
        "no `echo DONE`, no `; echo $?`",
        "A reply has at most 20,000 characters",
    ],
)
def test_rules(taught: str) -> None:
    """What models get wrong most is said."""
    assert taught in PROMPT


def test_one_tool_knows_of_no_other() -> None:
    """What only the tools of the MCP server can do is in no word of it."""
    assert "`open`" not in PROMPT
    assert "| `cwd` |" not in PROMPT


def test_a_default_of_some_actions() -> None:
    """An argument that has another default there says so."""
    assert TABLE["timeout"][0] == "`10`; 30 for wait_for, run, resume; 600 for ask_person"


def test_many_tools_are_taught_the_same() -> None:
    """The rules, the outcomes and the keys are those of the one tool; how to call it is not."""
    many = prompt_for_many(MANY_TOOLS)
    rules = {line.partition(". ")[2] for line in PROMPT.splitlines() if line[:1].isdigit()}
    assert rules == {line.partition(". ")[2] for line in many.splitlines() if line[:1].isdigit()}
    assert PROMPT.partition("## Outcomes")[2].partition("## For example")[0].rstrip() in many
    assert "action" not in many
    assert "`run` shell commands: the reply is `done`" in many
