"""The prompt is in step with the code, and teaches what it has to."""

import json
import re

import pytest

from tmuxprim import Key, Outcome
from tmuxprim._tool._call import ACTIONS, ARGUMENTS, parse_call
from tmuxprim._tool._outcomes import WORDINGS
from tmuxprim._tool._schema import default_of
from tmuxprim.tool import tool_prompt

PROMPT = tool_prompt()
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in PROMPT.splitlines()
    if line.startswith("| ")
]
TABLE = {row[0].strip("`"): row[1:] for row in ROWS}


@pytest.mark.parametrize("name", ACTIONS)
def test_actions(name: str) -> None:
    """Each action is there, with what it takes."""
    arguments = ", ".join(f"`{argument}`" for argument in ACTIONS[name].arguments)
    assert [f"`{name}`", ACTIONS[name].does, arguments] in ROWS


@pytest.mark.parametrize("name", ARGUMENTS)
def test_arguments(name: str) -> None:
    """Each argument is there, with its default."""
    default, description = TABLE[name]
    known = default_of(name)
    if known is not None:
        assert default == f"`{json.dumps(known)}`"
    else:
        assert default == ("none" if name == "prompt_pattern" else "has to be given")
    assert description


@pytest.mark.parametrize("outcome", Outcome)
def test_outcomes(outcome: Outcome) -> None:
    """Each outcome is there, in the words of the reply, with what to do."""
    wording = WORDINGS[outcome]
    assert TABLE[wording.head.format(timeout=10)] == [wording.meaning, wording.advice]


def test_keys_are_keys() -> None:
    """Each key in the section on keys is one."""
    section = PROMPT.partition("## Keys")[2].partition("| to | press |")[0]
    names = re.findall(r"`([^`]+)`", section)
    assert {"Enter", "Escape", "PPage", "BTab", "F12"} <= set(names)
    assert [Key(name).name for name in names if not name.endswith("-")] == [
        name for name in names if not name.endswith("-")
    ]


def test_examples_are_calls() -> None:
    """Each call in the example is right."""
    code = PROMPT.partition("```json\n")[2].partition("```")[0]
    actions = [parse_call(line).action for line in code.splitlines()]
    assert actions == ["send", "wait_ready", "keys", "wait_ready"]


@pytest.mark.parametrize(
    "taught",
    [
        "After each `send` and each `keys`, call\n   `wait_ready` again.",
        '`"timeout": 120` for AI CLIs',
        "`send` is for text, `keys` is for keys.",
        "No `echo DONE`, no `; echo $?`",
        "A reply has at most 20,000 characters",
    ],
)
def test_rules(taught: str) -> None:
    """What models get wrong most is said."""
    assert taught in PROMPT
