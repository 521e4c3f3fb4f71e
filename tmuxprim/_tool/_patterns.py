r"""Which regular expressions are not run, since they may never come to an end.

Python's matcher tries all ways to share a text among repetitions. A repetition of a group that
holds a repetition has exponentially many: ``(\w+ ?)+\$`` takes hours on one row of a screen that
does not end in ``$``, and nothing can interrupt it.
"""

import re
from typing import Final

# An escape, a set of characters, a repetition without a fixed number, or any one character.
_WORD: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{\d*,\d*\}|.", re.DOTALL)
_REPETITION: Final = re.compile(r"[*+]|\{.+\}")


def may_explode(pattern: str) -> bool:
    """Whether a group that is repeated holds a repetition; *pattern* is one that compiles."""
    open_groups = [False]  # for each, whether it holds a repetition
    has_closed_one = False
    for word in _WORD.findall(pattern):
        is_repetition = _REPETITION.fullmatch(word) is not None
        if is_repetition and has_closed_one:
            return True
        open_groups[-1] |= is_repetition
        has_closed_one = False
        if word == "(":
            open_groups.append(False)
        elif word == ")" and len(open_groups) > 1:  # it may be alone in a comment: (?x)
            has_closed_one = open_groups.pop()
            open_groups[-1] |= has_closed_one
    return False
