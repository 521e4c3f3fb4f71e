"""How a fake screen finds the control functions in what a program writes (ECMA-48 5.4)."""

import re
from typing import Final

# Those that are carried out, and the other control sequences, which only interrupt what is printed;
# `strip_ansi` drops whatever else there is.
FUNCTION: Final = re.compile(
    r"\x1b(?P<escape>[78DEMc])"
    r"|\x1b\[\?(?P<modes>[0-9;]*)(?P<switch>[hl])"
    r"|\x1b\[(?P<numbers>[0-9;]*)(?P<final>[@A-HJ-MPSTXZbdfhlrsu`])"
    r"|\x1b\][02];(?P<title>[^\x07\x1b]*)(?:\x07|\x1b\\)"
    r"|\x1b\[[\x20-\x3f]*[\x40-\x7e]"
)
# One of which the rest has not been written yet: ESC and what stands between it and its final
# character, a control sequence, or a string that its terminator is missing from.
_UNFINISHED: Final = re.compile(
    r"\x1b(?:[\x20-\x2f]+|\[[\x20-\x3f]*|\][^\x07\x1b]*\x1b?|[PX^_k][^\x1b]*\x1b?)?\Z"
)
# tmux prints neither C1 controls that come as UTF-8 nor separators of lines and paragraphs: it
# takes them for NUL.
_UNPRINTED: Final = dict.fromkeys((*range(0x80, 0xA0), 0x2028, 0x2029), "\0")
_LARGEST: Final = 9999


def split_unfinished(text: str) -> tuple[str, str]:
    """Split off the control function that the text ends in the middle of."""
    text = text.translate(_UNPRINTED)
    cut = _UNFINISHED.search(text)
    return (text[: cut.start()], cut[0]) if cut else (text, "")


def to_numbers(text: str) -> list[int]:
    """Return the parameters of a control function; one that is left out is 0."""
    return [min(int(number[:5] or 0), _LARGEST) for number in text.split(";")]
