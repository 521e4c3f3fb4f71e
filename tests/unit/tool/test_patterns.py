"""Patterns that may take too long are told from those that do not."""

import re
import time

import pytest

from tests.unit.tool.talking import start
from tmuxprim._tool.misuse import may_take_long

REPEATED_GROUPS = (
    *(r"(a|a)*b", r"(a+)+$", r"(\w+ ?)+\$", r"(?:a*)*", r"((a+)b?)*c", r"(a{2,})+", r"(a+){2,9}"),
    *(r"(?P<x>[^]]*)*>", r"((?:x+)?){1,}", r"(a?a?)*?b", r"(?:a|aa)++b", r"(.*)?", r"(ab){3}"),
)
TOO_MANY_WAYS = (
    *(
        r"\w*\w*\w*b",
        r"a*a*a*a*b",
        r".*.*.*$",
        r"a{1,}a{2,}a{,9}$",
        r"\s+\s+\s+x?",
        r"(a*)(a*)(a*)$",
    ),
    *(
        f"{'a?' * 30}{'a' * 30}",
        f"{'(a|a)' * 30}b",
        r"\x41+A+B+C",
        r"[ab]+b+[ab]+b*x",
        r"\w+[@]\w+[@]\w+$",
    ),
)
HIDDEN = ("(?x)#[\na*a*a*a*b #]", r"(?#[)a*a*a*a*b]", r"(?x:a*a*a*a*b)", r"(?s-i:a*)")


@pytest.mark.parametrize("pattern", [*REPEATED_GROUPS, *TOO_MANY_WAYS, *HIDDEN])
def test_may_take_long(pattern: str) -> None:
    """A repeated group, many ways to share a text, and what hides them, however it is written."""
    re.compile(pattern)  # it is one
    assert may_take_long(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        *(
            r"\$ $",
            r"[$#>] ?$",
            r"^\w+@\w+:\S*[$#] *$",
            r"\w+@[\w-]+:.*[$#]\s*$",
            r"^\(.*\) .*\$ $",
        ),
        *(
            r"(?i)password.*: ?$",
            r"In \[\d+\]:",
            r"(yes|no|maybe)> ?$",
            r"(?P<x>[^]]*)>",
            r"(a+)b+",
        ),
        *(
            r"\(a+\)+",
            r"[(]a+[)]+",
            r"[]()+]*",
            r"\d{4}-\d{2}-\d{2} .*>",
            r"{}",
            r"\[y/N\]",
            r"\*+\++",
        ),
        *(r"a*?b", r"a*+b", r"\$*\w+\$", r"(?<!x)(?=\w+)>", ""),
    ],
)
def test_does_not_take_long(pattern: str) -> None:
    """What prompts look like is allowed, and so are brackets that are meant as they are."""
    re.compile(pattern)  # it is one
    assert not may_take_long(pattern)


@pytest.mark.parametrize("row", ["a" * 200, "ab" * 100, "a" * 199 + "$", "a@" * 100])
@pytest.mark.parametrize(
    "pattern", [r"a*\w*a*b", r"\w*?\w+?x?y?z", r".*.*@", r"(a|a)(b|a)[ab]*.*c"]
)
def test_what_is_allowed_comes_to_an_end(pattern: str, row: str) -> None:
    """Also where no way fits, and all have to be tried."""
    assert not may_take_long(pattern)
    began = time.process_time()
    re.search(pattern, row)
    assert time.process_time() - began < 20.0


@pytest.mark.parametrize("pattern", [r"(a|a)*b", r"(\w+ ?)+\$", r".*.*.*.*x"])
def test_it_is_refused(pattern: str) -> None:
    """A model is told what to change."""
    assert start().refused("wait_ready", prompt_pattern=pattern) == (
        f"'prompt_pattern' {pattern!r} may take too long: it repeats a group, or too much; match "
        "the end of the row only, such as '\\\\$ $'."
    )
