"""`Grid`: the rows of a fake screen, laid out as tmux does.

The cursor waits behind a full row, and the row wraps only when more is written.
"""

from typing import Final

from tmuxprim._fake._row import Row
from tmuxprim._size import Size
from tmuxprim._width import char_columns

_TAB_STOP: Final = 8


class Grid:
    """Holds the visible rows, the history above them, and the cursor.

    Args:
        size: Columns and rows.
        history_limit: Rows of history that are kept; None for a grid without history, as that
            of the alternate screen.
    """

    def __init__(self, size: Size, history_limit: int | None) -> None:
        self.size: Size = size
        self.history_limit: int | None = history_limit
        self.past: list[Row] = []
        self.row: int = 0
        self.column: int = 0
        self._rows = [Row(size.columns) for _ in range(size.rows)]

    @property
    def history(self) -> list[str]:
        """The rows that scrolled off, oldest first."""
        return [row.text for row in self.past]

    @property
    def visible(self) -> list[Row]:
        """The visible rows."""
        return self._rows

    @property
    def rows(self) -> tuple[str, ...]:
        """The visible rows, without blanks at their ends."""
        return tuple(row.text for row in self._rows)

    @property
    def cells(self) -> list[list[str]]:
        """The cells of the visible rows."""
        return [row.cells for row in self._rows]

    def put(self, char: str) -> None:
        """Write one printed character at the cursor."""
        width = char_columns(char)
        if width == 0:
            self._rows[self.row].combine(self.column, char)
            return
        if self.column + width > self.size.columns:
            self._rows[self.row].is_wrapped = True
            self.line_feed()
            self.column = 0
        if width <= self.size.columns:
            self._rows[self.row].write(self.column, char, width)
            self.column += width

    def line_feed(self) -> None:
        """Move down a row; at the bottom, scroll the top row into the history."""
        if self.row + 1 < self.size.rows:
            self.row += 1
        else:
            self._keep(self._rows.pop(0))
            self._rows.append(Row(self.size.columns))
            if self.history_limit is None and len(self._rows) == 2:  # noqa: PLR2004
                # Where two rows are all there is, tmux forgets that the upper one goes on.
                self._rows[0].is_wrapped = False

    def backspace(self) -> None:
        """Move left; from the left margin to the end of a row that wrapped into this one."""
        if self.column == 0 and self.row > 0 and self._rows[self.row - 1].is_wrapped:
            self.move(self.row - 1, self.size.columns - 1)
        else:
            self.move(self.row, self.column - 1)

    def tab(self) -> None:
        """Move to the next tab stop; behind a full row, stay there."""
        stop = (self.column // _TAB_STOP + 1) * _TAB_STOP
        self.column = max(self.column, min(stop, self.size.columns - 1))

    def move(self, row: int, column: int) -> None:
        """Move the cursor, as far as the screen goes."""
        self.row = min(max(row, 0), self.size.rows - 1)
        self.column = min(max(column, 0), self.size.columns - 1)

    def erase_in_row(self, start: int, end: int) -> None:
        """Blank the cells of the cursor's row from *start* up to *end*."""
        if (start, end) == (0, self.size.columns) and self._rows[self.row].used:
            self.end_line_above(self.row)
        self._rows[self.row].erase(start, end)

    def erase_rows(self, start: int, end: int) -> None:
        """Blank whole rows from *start* up to *end*."""
        if start < end:
            self.end_line_above(start)
        for number in range(start, end):
            self._rows[number] = Row(self.size.columns)

    def clear(self) -> None:
        """Blank the screen; like tmux, keep what stood there in the history."""
        used = max((number for number, row in enumerate(self._rows, 1) if row.used), default=0)
        for row in self._rows[:used]:
            self._keep(row)
        self.erase_rows(0, self.size.rows)

    def end_line_above(self, row: int) -> None:
        """Let a line end above *row*, even if it went on there."""
        above = self._rows[row - 1 : row] if row else self.past[-1:]
        for line in above:
            line.is_wrapped = False

    def resize(self, size: Size) -> None:
        """Change the size; rows are cut or padded, not wrapped anew."""
        if size == self.size:
            return
        self.size = size
        for row in self._rows:
            row.resize(size.columns)
        while len(self._rows) > size.rows:
            if self.row + 1 < len(self._rows):
                self._rows.pop()
            else:
                self._keep(self._rows.pop(0))
                self.row -= 1
        self._rows += [Row(size.columns) for _ in range(size.rows - len(self._rows))]
        self.move(self.row, self.column)

    def _keep(self, row: Row) -> None:
        if not self.history_limit:
            return
        if len(self.past) >= self.history_limit:
            # tmux, too, makes room by dropping the oldest tenth at once.
            del self.past[: max(self.history_limit // 10, 1)]
        self.past.append(row)
