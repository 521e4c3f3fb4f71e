"""A pattern is tried before it is used: what takes too long in a row is refused."""

import re

import pytest

from tests.unit.tool.talking import start
from tmuxprim._tool.patterns import slow_row

FIRST_USERS = r"^(?:\s*/a0\s+\d+\.\d+\.\d+\s*$|(?!.*esc interrupt).*ctrl\+t variants\s+tab agents)"
"""What waits for OpenCode in the agent that the tool was made for, literally."""


@pytest.mark.parametrize(
    "pattern",
    [
        *(r"(a|a)*b", r"(a+)+$", r"(\w+ ?)+\$", r"((a+)b?)*c", r"(a?a?)*?b", r"a*a*a*a*b"),
        *(r"(?P<x>[^]]*)*>", r"(?x:a*a*a*a*b)", r"(?:a|ab|b)*c", r"(.*a){12}$", r"(.*,){11}P"),
        *(r"^foo(a+)+$", r"x|foo(\d+)+$", r"(\s*\S+)*>$", r"^(([a-z])+.)+[A-Z]([a-z])+$"),
        *(f"{'a?' * 30}{'a' * 30}", f"{'(a|aa)' * 30}b"),
    ],
)
def test_too_slow(pattern: str) -> None:
    """Repetitions within repetitions, and many ways to share a text, have a row that shows it."""
    re.compile(pattern)  # it is one
    assert slow_row(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        *(FIRST_USERS, r"^(?:\(\w+\) )?\$ $", r"\$ $", r"[$#>] ?$", r"^\w+@\w+:\S*[$#] *$"),
        *(r"\w+@[\w-]+:.*[$#]\s*$", r"^\(.*\) .*\$ $", r"(?i)password.*: ?$", r"In \[\d+\]:"),
        *(r"(yes|no|maybe)> ?$", r"(ab){3}", r"(?:\d+\.)+\d+ >", r"[]()+]*", r"\[y/N\]", r"{}"),
        *(r"\d{4}-\d{2}-\d{2} .*>", r"(?<!x)(?=\w+)>", r"\x41+$", r"a*+b", r"\N{DIGIT ONE}+", ""),
    ],
)
def test_quick_enough(pattern: str) -> None:
    """What prompts look like is allowed, whatever it repeats."""
    re.compile(pattern)  # it is one
    assert slow_row(pattern) == ""


def test_it_is_refused() -> None:
    """A model is told a row in which it takes too long, and what to change."""
    told = start().refused("wait_ready", prompt_pattern=r"(\w+ ?)+\$")
    assert told.startswith(
        r"'prompt_pattern' '(\\w+ ?)+\\$' takes too long to search in a row such as 'aaaaaa"
    )
    assert told.endswith(
        "; do not nest repetitions, or match only the end of the row, such as '\\\\$ $'."
    )


def test_the_pattern_of_the_first_user() -> None:
    """It is waited for, and is no reason to refuse."""
    told = start().say("wait_ready", prompt_pattern=FIRST_USERS, timeout=0)
    assert not told.startswith("error:")
