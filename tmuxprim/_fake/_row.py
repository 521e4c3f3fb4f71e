"""`Row`: the cells of one row of a fake screen.

A wide character takes two cells, of which the second is empty; a combining one joins the cell
before it. A row has as many cells as were written, which may be more than the screen is wide.
"""

from typing import Final

from tmuxprim._width import char_columns

BLANK: Final = " "
_PADDING: Final = ""
_LARGEST_CELL: Final = 21  # bytes (UTF8_SIZE)


class Row:
    """Holds the cells of a row, and whether its line goes on.

    Attributes:
        cells: What each cell shows, up to the last that anything, be it a blank, was written to.
        is_wrapped: Whether the text goes on in the row below.
    """

    __slots__ = ("cells", "is_wrapped")

    def __init__(self) -> None:
        self.cells: list[str] = []
        self.is_wrapped: bool = False

    def copy(self) -> "Row":
        """Return a row that shows the same."""
        row = Row()
        row.cells, row.is_wrapped = self.cells.copy(), self.is_wrapped
        return row

    def text(self, columns: int) -> str:
        """Return what the row shows on so many columns, without the blanks at its end."""
        return "".join(self.cells[:columns]).rstrip(BLANK)

    def blanks(self, columns: int) -> int:
        """Return how many blanks were written at its end."""
        written = "".join(self.cells[:columns])
        return len(written) - len(written.rstrip(BLANK))

    def put(self, column: int, char: str, width: int, *, is_plain: bool) -> None:
        """Write a character of one or two cells; what is left of a wide one is blanked.

        Args:
            column: Where.
            char: The character.
            width: How many cells it takes.
            is_plain: Whether tmux collects such characters, and writes a run of them at once.
        """
        self.reach(column + width)
        if is_plain:
            self._clear_under_run(column)
        else:
            self._clear_under(column, width)
        self.cells[column : column + width] = [char] + [_PADDING] * (width - 1)

    def combine(self, column: int, char: str) -> None:
        """Let *char* join the character left of *column*."""
        self.reach(column)
        column -= 1
        while column > 0 and self.cells[column] == _PADDING:
            column -= 1
        full = column >= 0 and len((self.cells[column] + char).encode()) > _LARGEST_CELL
        if column >= 0 and self.cells[column] != _PADDING and not full:
            self.cells[column] += char

    def erase(self, start: int, end: int) -> None:
        """Blank the cells from *start* up to *end*, as far as any were written."""
        for column in range(start, min(end, len(self.cells))):
            self.cells[column] = BLANK

    def move_right(self, column: int, count: int, columns: int) -> None:
        """Make room for *count* cells at *column*."""
        end = columns - count
        if column >= columns - 1:
            self.erase(column, column + 1)
        elif column < end:  # else tmux does nothing
            self.reach(columns)
            self.cells[column + count : columns] = self.cells[column:end]
            # Like tmux, leave alone what lies between the old place and the new one.
            self.erase(column, min(end, column + count))

    def move_left(self, column: int, count: int, columns: int) -> None:
        """Take *count* cells at *column* away."""
        if column + count < columns:
            self.reach(columns - count)
        moved = self.cells[column:columns]
        self.cells[column:columns] = [*moved[count:], *[BLANK] * len(moved[:count])]

    def reach(self, count: int) -> None:
        """Have at least *count* cells."""
        self.cells += [BLANK] * (count - len(self.cells))

    def _clear_under_run(self, column: int) -> None:
        """Blank what is left of a wide character (tmux's ``screen_write_collect_end``)."""
        start = self._clear_padding(column)
        if start > 0 and cell_columns(self.cells[start]) > 1:
            self.cells[start] = BLANK
        self._clear_padding_from(column + 1)

    def _clear_under(self, column: int, width: int) -> None:
        """Blank what is left of a wide character (tmux's ``screen_write_overwrite``)."""
        under = self.cells[column]
        if under == _PADDING:
            self.cells[self._clear_padding(column)] = BLANK
        if width > 1 or cell_columns(under) != 1:
            self._clear_padding_from(column + width)

    def _clear_padding(self, column: int) -> int:
        """Blank second halves from *column* to the left; return where their character stands."""
        while column > 0 and self.cells[column] == _PADDING:
            self.cells[column] = BLANK
            column -= 1
        return column

    def _clear_padding_from(self, column: int) -> None:
        while column < len(self.cells) and self.cells[column] == _PADDING:
            self.cells[column] = BLANK
            column += 1


def cell_columns(cell: str) -> int:
    """Return the columns that a cell's character takes; a second half takes none."""
    return char_columns(cell[0]) if cell else 0
