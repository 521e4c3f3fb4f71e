"""How many columns a text takes, by Unicode's East Asian Width (UAX #11).

The standard library's tables serve: the library only ever cuts a row at the cursor, and a row
that ends at the cursor is cut right whatever the widths are.
"""

import unicodedata
from collections.abc import Iterator
from typing import Final

_TAB_STOP: Final = 8
_JOINER: Final = "\u200d"
# Format characters that wcwidth(3) gives a column all the same.
_VISIBLE_FORMATS: Final = frozenset(
    "\u00ad\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)
_ZERO_WIDTH: Final = frozenset({"Mn", "Me", "Cf"})


def char_columns(char: str) -> int:
    """Return the columns of one printed character: 0 if it combines, 2 if it is wide."""
    if char.isascii():
        return 1
    if unicodedata.category(char) in _ZERO_WIDTH:
        return 0 if char not in _VISIBLE_FORMATS else 1
    if "\u1160" <= char <= "\u11ff" or "\ud7b0" <= char <= "\ud7fb" or char in "\u2028\u2029":
        return 0  # a vowel or a final consonant joins the Hangul letter before it
    if "\u3248" <= char <= "\u324f" or "\u4dc0" <= char <= "\u4dff":
        return 2
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def text_columns(text: str) -> int:
    """Return the columns that *text* takes, from the left margin."""
    if text.isascii() and "\t" not in text:
        return len(text)
    return max(_columns_after(text), default=0)


def cut_at_column(text: str, column: int) -> str:
    """Return the part of *text* left of *column*, padded with spaces up to it.

    tmux drops the spaces at the end of a row, so a prompt that ends with one needs the padding
    to look like itself again.
    """
    if text.isascii() and "\t" not in text:
        return text[:column].ljust(column)
    reached = 0
    for index, after in enumerate(_columns_after(text)):
        if after > column:
            return text[:index] + " " * (column - reached)
        reached = after
    return text + " " * (column - reached)


def _columns_after(text: str) -> Iterator[int]:
    """Yield the column that is reached behind each character."""
    column, before = 0, ""
    for char in text:
        if char == "\t":
            column = (column // _TAB_STOP + 1) * _TAB_STOP
        elif before != _JOINER:  # what is joined to the character before takes no more columns
            column += char_columns(char)
        before = char
        yield column
