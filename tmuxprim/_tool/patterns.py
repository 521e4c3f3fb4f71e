"""Whether a pattern is quick enough to be searched in the rows of a screen: it is tried.

Nothing can interrupt Python's matcher, and it holds up all threads. So the trial begins with short
rows and ends with the first that takes long: what grows out of all bounds is found while it is
small.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from time import thread_time
from typing import Final

# An escape, a set of characters, the beginning of a group, a quantifier, or any one character.
_WORD: Final = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\((?:\?(?:[:=!>]|<[=!]|P<\w+>|\w*\)))?"
    r"|(?:[*+?]|\{\d*,?\d*\})[?+]?|.",
    re.DOTALL,
)
_REPEATS: Final = re.compile(r"[*+?]|\{")
_STANDS_FOR_ONE: Final = re.compile(r"\\[^bBAZ]|\[.|\.|[^\\^$|()]", re.DOTALL)
_SAMPLES: Final = "a0 _-$#>x.:/"
_LONGEST: Final = 200
_SHORT: Final = 32
# Seconds of this thread's own, so that a busy machine does not count; what prompts look like takes
# some milliseconds.
_TRIAL: Final = 0.3
_MOST_REPETITIONS: Final = 60
# A row has to be as long as the pattern before there is a choice: so many are not tried.
_MOST_CHOICES: Final = 24
_ANY_ROW: Final = "a" * _LONGEST
# Ends no repetition, and is in no pattern.
_TAILS: Final = ("", "\0")


@lru_cache(maxsize=64)
def slow_row(pattern: str) -> str:
    """Return a row in which the search takes too long, or may; empty if none is found.

    Args:
        pattern: A regular expression that compiles.
    """
    if sum(word[0] in "?|" for word in _WORD.findall(pattern)) > _MOST_CHOICES:
        return _ANY_ROW
    compiled, end = re.compile(pattern), thread_time() + _TRIAL
    for before, repeated in islice(_repetitions(pattern), _MOST_REPETITIONS):
        for times in _growing(max(_LONGEST // len(repeated), 2)):
            for tail in _TAILS:
                row = before + repeated * times + tail
                compiled.search(row)
                if thread_time() > end:
                    return row
    return ""


def _growing(most: int) -> Iterator[int]:
    times = 1
    while times <= most:
        yield times
        times += 1 if times < _SHORT else times // 4


def _repetitions(pattern: str) -> dict[tuple[str, str], None]:
    """Return texts that the pattern repeats, each with a text that may have to precede it."""
    samples: list[str] = []
    opened: list[int] = []
    choice, last = 0, 0  # where the last alternative begins, and what a quantifier repeats
    found: dict[tuple[str, str], None] = {}
    for word in _WORD.findall(pattern):
        if _REPEATS.match(word) and samples:
            repeated = samples[last:]
            whole = "".join(repeated)
            starts = dict.fromkeys(("", "".join(samples[:last]), "".join(samples[choice:last])))
            for unit in filter(None, dict.fromkeys((whole, *repeated))):
                found.update(dict.fromkeys((start, unit) for start in starts))
        elif word == ")":
            last = opened.pop() if opened else 0
        elif word.startswith("("):
            opened.append(len(samples))
        elif word == "|":
            choice = len(samples)
        else:
            last = len(samples)
            samples.append(_sample(word, pattern))
    return found


def _sample(word: str, pattern: str) -> str:
    """Return a character that a word of a pattern matches; empty if it matches a position."""
    if not _STANDS_FOR_ONE.match(word):
        return ""
    try:
        one = re.compile(word)
    except re.error:  # the beginning of a longer escape
        return ""
    return next((char for char in _SAMPLES + pattern if one.fullmatch(char)), "")
