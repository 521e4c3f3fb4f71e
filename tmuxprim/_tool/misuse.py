"""A call that the tool cannot make sense of, and the patterns that are refused."""

import re
from itertools import pairwise
from typing import Final


class MisuseError(Exception):
    """A call that nobody can carry out; its message tells a model what is valid."""


# An escape, a set of characters, the beginning of a group, a quantifier, or any one character.
_WORD: Final = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|P<\w+>|i\)))?"
    r"|(?:[*+?]|\{\d*,?\d*\})[?+]?|.",
    re.DOTALL,
)
_QUANTIFIER: Final = re.compile(r"[*+?]|\{[\d,]*\}")
_LITERAL: Final = re.compile(r"\\\W|[^\\.^$*+?{}\[\]|()]", re.DOTALL)
# Escapes whose length depends on what follows: \x41, \101, a reference to a group.
_ODD_ESCAPE: Final = re.compile(r"\\[0-9xuUN]")
# A choice doubles the ways to match; a repetition has some 2**8 ways in a row of a wide screen.
_REPETITION: Final = 8
_MOST: Final = 2 * _REPETITION + 2


def may_take_long(pattern: str) -> bool:
    """Whether too many ways have to be tried; *pattern* is one that compiles."""
    words = _WORD.findall(pattern)
    is_odd = _ODD_ESCAPE.search(pattern) is not None
    choices = words.count("|")
    for number, (before, word) in enumerate(pairwise(words), start=1):
        if not _QUANTIFIER.match(word):
            continue
        if before in {")", "("}:  # a repeated group, or a kind of group that is not known here
            return True
        is_choice = word.startswith("?") or (
            not is_odd and _ends_at_one_place(before, words[number + 1 : number + 3])
        )
        choices += 1 if is_choice else _REPETITION
    return choices > _MOST


def _ends_at_one_place(repeated: str, after: list[str]) -> bool:
    """Whether a character has to follow the repetition that cannot be a part of it."""
    if not after or not _LITERAL.fullmatch(after[0]) or _QUANTIFIER.match("".join(after[1:])):
        return False
    literal = after[0].removeprefix("\\")
    return re.fullmatch(repeated, literal, re.IGNORECASE) is None
