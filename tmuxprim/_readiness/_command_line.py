"""Whether a command line is whole: what may be known of the languages of shells.

A shell may want more of a line in which a quote, a bracket, a block or a here-document is open.
In doubt it may: a line that is whole without a doubt has nothing that could be open.
"""

import re
from typing import Final

# Text that means nothing, from its beginning to its end.
_QUOTED: Final = re.compile(r"""\\.|'[^']*'|"(?:\\.|[^"\\])*"|`[^`]*`|\$\{[^{}]*\}|\{[^\s{}]*\}""")
# An open quote, a comment, an old command, a here-document; and what cannot be a line's end.
_OPEN: Final = re.compile(
    r"""['"`\\]|(?:^|\s)\#|!(?=[^\s=])|(?<!<)<<(?!<)|(?:\|&?|&&|\(\s*\)|\bfunction\s+\S+)\s*$"""
)


def _pair(begins: str, ends: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of words that begin a block, and of those that end one.

    What begins it counts wherever it stands, what ends it only where a command does.
    """
    word = r"(?=[\s;&|()]|$)"
    return re.compile(rf"(?<![^\s;&|(){{}}])(?:{begins}){word}"), re.compile(
        rf"(?:^|[;&\n])\s*(?:{ends}){word}"
    )


_PAIRS: Final = (
    _pair("if", "fi"),
    _pair("case|switch", "esac"),
    _pair("do", "done"),
    _pair("for|foreach|while|until|select|repeat", "done"),
    (re.compile(r"\{"), re.compile(r"(?:^|[;&\n])\s*\}")),
    (re.compile(r"\[\["), re.compile(r"\s\]\]")),
    (re.compile(r"\("), re.compile(r"\)")),
)


def may_go_on(line: str) -> bool:
    """Whether a shell may want more of this command line."""
    bare = _QUOTED.sub("q", line)
    if _OPEN.search(bare):
        return True
    return any(len(begins.findall(bare)) != len(ends.findall(bare)) for begins, ends in _PAIRS)
