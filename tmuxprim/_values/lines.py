"""The width of text in columns, and the lines that the rows of a screen form."""

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from tmuxprim._values.short_repr import cut_repr

TAB_STOP: Final = 8
_JOINER: Final = "\u200d"
# Format characters (Cf) that wcwidth(3) gives a column all the same: the soft hyphen, and signs
# printed before or around a number (Unicode's property Prepended_Concatenation_Mark).
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
        return 0  # a Hangul vowel or final consonant joins the letter before it
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
    """Yield the column behind each character."""
    column, before = 0, ""
    for char in text:
        if char == "\t":
            column = (column // TAB_STOP + 1) * TAB_STOP
        elif before != _JOINER:  # a joined character shares the cells of the one before
            column += char_columns(char)
        before = char
        yield column


_WIDE = 2


@attrs.frozen
class Layout:
    """The ends of lines, which the rows of a screen alone do not show.

    A row past the end of its tuples is a line of its own, without spaces at the end.

    Args:
        wrapped: For each row, of the history first, whether its line goes on in the next one.
        blanks: For each row, how many spaces were written behind its text. tmux reports them
            from 3.3 on.

    Examples:
        >>> screen = Screen(size=Size(4, 3), rows=("1234", "5", "$"), cursor=Cursor(2, 2))
        >>> attrs.evolve(screen, layout=Layout(wrapped=(True,), blanks=(0, 2))).lines
        ('12345  ', '$')
    """

    wrapped: tuple[bool, ...] = attrs.field(default=(), repr=cut_repr)
    blanks: tuple[int, ...] = attrs.field(default=(), repr=cut_repr)

    def part(self, start: int, end: int | None = None) -> "Layout":
        """Return the layout of some of the rows.

        Args:
            start: The first row.
            end: The row behind the last one; None is the end.
        """
        return Layout(self.wrapped[start:end], self.blanks[start:end])

    def of_rows(self, rows: Sequence[int]) -> "Layout":
        """Return the layout of the rows with these numbers, in rising order.

        Args:
            rows: The numbers.
        """
        return Layout(
            tuple(self.wrapped[row] for row in rows if row < len(self.wrapped)),
            tuple(self.blanks[row] for row in rows if row < len(self.blanks)),
        )

    def line_start(self, row: int) -> int:
        """Return the row in which the line of *row* begins.

        Args:
            row: The number of the row.
        """
        while row > 0 and self.goes_on(row - 1):
            row -= 1
        return row

    def goes_on(self, row: int) -> bool:
        """Whether the line of *row* goes on in the next row.

        Args:
            row: The number of the row.
        """
        return True in self.wrapped[row : row + 1]

    def blanks_behind(self, row: int) -> int:
        """Return how many spaces were written behind the text of *row*.

        Args:
            row: The number of the row.
        """
        return sum(self.blanks[row : row + 1])


def join_rows(rows: Sequence[str], layout: Layout, columns: int) -> list[str]:
    """Return lines: each row that goes on in the next one is joined with it.

    Args:
        rows: The rows, without spaces at their ends.
        layout: Which of them go on; rows past its end do not.
        columns: The width of the screen.
    """
    lines: list[str] = []
    begun = ""
    goes_on = [*layout.wrapped, *[False] * len(rows)]
    below = [*rows[1:], ""]
    for number, row in enumerate(rows):
        if number < len(layout.blanks):
            blanks = layout.blanks[number]
        else:
            blanks = fill(row, below[number], columns) if goes_on[number] else 0
        begun += row + " " * blanks
        if not goes_on[number]:
            lines.append(begun)
            begun = ""
    # The line of the lowest row goes on below the rows that were read.
    return [*lines, begun] if begun else lines


def find_layout(rows: Sequence[str], lines: Sequence[str], columns: int) -> Layout:
    """Find out which rows form one line.

    Args:
        rows: The rows, without spaces at their ends.
        lines: The same rows as tmux joins them, with the spaces that were written.
        columns: The width of the screen.

    Returns:
        The layout; an empty one if rows and lines are not the same text, which says nothing.
    """
    wrapped: list[bool] = []
    blanks: list[int] = []
    remaining = iter(lines)
    rest = next(remaining, "")
    for row, below in zip(rows, [*rows[1:], ""], strict=False):
        if rest == row:  # the usual case: a line of its own, without a space at its end
            wrapped.append(False)
            blanks.append(0)
            rest = next(remaining, "")
            continue
        if not rest.startswith(row):
            return Layout()
        rest = rest.removeprefix(row)
        room = columns - text_columns(row)
        goes_on = len(rest) > room or bool(rest.strip(" "))
        # A row without any written cell may also wrap, but adds nothing to its line.
        wrapped.append(goes_on and (bool(row) or rest.startswith(" ")))
        left = _without_blanks(rest, room, below) if goes_on else ""
        blanks.append(len(rest) - len(left))
        rest = left if goes_on else next(remaining, "")
    hidden = len(rows) - len(lines) - sum(wrapped)
    return Layout(_with_hidden_wraps(rows, wrapped, hidden, columns), tuple(blanks))


def _with_hidden_wraps(
    rows: Sequence[str], wrapped: Sequence[bool], hidden: int, columns: int
) -> tuple[bool, ...]:
    """Mark full rows as wrapped until the number of lines is right.

    These are rows before a blank one: tmux joins the two, and the joined text shows no seam.
    """
    found = list(wrapped)
    for number, row in enumerate(rows[:-1] if hidden > 0 else ()):
        if hidden > 0 and not found[number] and not rows[number + 1]:
            found[number] = text_columns(row) == columns
            hidden -= found[number]
    return tuple(found)


def _without_blanks(rest: str, room: int, below: str) -> str:
    """Drop the spaces that end a row: as many as leave the text of the row below.

    A wrapped row need not be full, since a cell that was never written is no space.
    """
    for count in range(min(room, len(rest) - len(rest.lstrip(" "))), 0, -1):
        if rest.startswith(below, count):
            return rest[count:]
    return rest


def fill(row: str, below: str, columns: int) -> int:
    """Return how many spaces fill a wrapped row, as far as its text shows.

    A wide character that does not fit leaves the last cell empty, which is no space.

    Args:
        row: The row.
        below: The row below it.
        columns: The width of the screen.
    """
    room = columns - text_columns(row)
    is_gap = room == 1 and bool(below) and char_columns(below[0]) == _WIDE
    return 0 if is_gap else max(room, 0)
