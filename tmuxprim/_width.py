"""How many columns a text takes, by Unicode's East Asian Width (UAX #11).

The standard library's tables serve: the library only ever cuts a row at the cursor, and a row
that ends at the cursor is cut right whatever the widths are.
"""

import unicodedata
from typing import Final

_TAB_STOP: Final = 8
_ZERO_WIDTH: Final = frozenset({"Mn", "Me", "Cf"})


def char_columns(char: str) -> int:
    """Return the columns of one printed character: 0 if it combines, 2 if it is wide."""
    if char.isascii():
        return 1
    if unicodedata.category(char) in _ZERO_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def text_columns(text: str) -> int:
    """Return the columns that *text* takes, from the left margin."""
    if text.isascii() and "\t" not in text:
        return len(text)
    column = 0
    for char in text:
        column = _advance(column, char)
    return column


def cut_at_column(text: str, column: int) -> str:
    """Return the part of *text* left of *column*, padded with spaces up to it.

    tmux drops the spaces at the end of a row, so a prompt that ends with one needs the padding
    to look like itself again.
    """
    if text.isascii() and "\t" not in text:
        return text[:column].ljust(column)
    reached = 0
    for index, char in enumerate(text):
        after = _advance(reached, char)
        if after > column:
            return text[:index] + " " * (column - reached)
        reached = after
    return text + " " * (column - reached)


def _advance(column: int, char: str) -> int:
    if char == "\t":
        return (column // _TAB_STOP + 1) * _TAB_STOP
    return column + char_columns(char)
