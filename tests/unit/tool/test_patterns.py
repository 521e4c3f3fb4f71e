"""Patterns that may take forever are told from those that do not."""

import re

import pytest

from tests.unit.tool.talking import start
from tmuxprim._tool._patterns import may_explode


@pytest.mark.parametrize(
    "pattern",
    [
        *(r"(a+)+$", r"(\w+ ?)+\$", r"(?:a*)*", r"((a+)b?)*c", r"(a{2,})+", r"(a+){2,9}"),
        *(r"(?P<x>[^]]*)*>", r"((?:x+)?){1,}"),
    ],
)
def test_may_explode(pattern: str) -> None:
    """A repetition of what holds a repetition is found, however it is written."""
    re.compile(pattern)  # it is one
    assert may_explode(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        *(
            r"\$ $",
            r"^\w+@\w+:\S*[$#] *$",
            r"(\d+\.){3}",
            r"(a|b)+",
            r"(a+)?",
            r"(a+)b+",
            r"\(a+\)+",
        ),
        *(
            r"[(]a+[)]+",
            r"[]()+]*",
            r"a+)+"[:-2],
            r"(?x)a+ # :)",
            r"[^\](]+(x)*",
            r"{}+",
            r"\[y/N\]",
        ),
    ],
)
def test_does_not_explode(pattern: str) -> None:
    """What prompts look like is allowed, and so are brackets that are meant as they are."""
    re.compile(pattern)  # it is one
    assert not may_explode(pattern)


def test_it_is_refused() -> None:
    """A model is told what to change."""
    assert start().refused("wait_ready", prompt_pattern=r"(\w+ ?)+\$") == (
        "'prompt_pattern' '(\\\\w+ ?)+\\\\$' may take forever: a group that is repeated holds a "
        "repetition; match the end of the row only, such as '\\\\$ $'."
    )
