"""`Grid`: the cells of a fake screen, laid out as tmux does.

A wide character takes two cells, of which the second is empty; a combining one joins the cell
before it. The cursor waits behind a full row, and the row wraps only when more is written.
"""

from typing import Final

from tmuxprim._size import Size
from tmuxprim._width import char_columns

_BLANK: Final = " "
_TAB_STOP: Final = 8


class Grid:
    """Holds the visible rows, the history above them, and the cursor."""

    def __init__(self, size: Size, history_limit: int) -> None:
        self.size = size
        self.history_limit = history_limit
        self.history: list[str] = []
        self.cells = [self._blank_row() for _ in range(size.rows)]
        self.row = 0
        self.column = 0

    @property
    def rows(self) -> tuple[str, ...]:
        """The visible rows, without spaces at their ends."""
        return tuple(_to_text(cells) for cells in self.cells)

    def put(self, char: str) -> None:
        """Write one printed character at the cursor."""
        width = char_columns(char)
        if width == 0:
            self._combine(char)
            return
        if self.column + width > self.size.columns:
            self.line_feed()
            self.column = 0
        row = self.cells[self.row]
        row[self.column] = char
        if width > 1:
            row[self.column + 1] = ""
        self.column += width

    def line_feed(self) -> None:
        """Move down a row; at the bottom, scroll the top row into the history."""
        if self.row + 1 < self.size.rows:
            self.row += 1
        else:
            self._keep(self.cells.pop(0))
            self.cells.append(self._blank_row())

    def tab(self) -> None:
        """Move to the next tab stop."""
        stop = (self.column // _TAB_STOP + 1) * _TAB_STOP
        self.column = min(stop, self.size.columns - 1)

    def move(self, row: int, column: int) -> None:
        """Move the cursor, as far as the screen goes."""
        self.row = min(max(row, 0), self.size.rows - 1)
        self.column = min(max(column, 0), self.size.columns - 1)

    def erase_in_row(self, start: int, end: int) -> None:
        """Blank the cells of the cursor's row from *start* up to *end*."""
        row = self.cells[self.row]
        row[start:end] = [_BLANK] * len(row[start:end])

    def erase_rows(self, start: int, end: int) -> None:
        """Blank whole rows from *start* up to *end*."""
        for number in range(start, end):
            self.cells[number] = self._blank_row()

    def clear(self) -> None:
        """Blank the screen; like tmux, keep what stood there in the history."""
        used = max((n for n, text in enumerate(self.rows, 1) if text), default=0)
        for cells in self.cells[:used]:
            self._keep(cells)
        self.erase_rows(0, self.size.rows)

    def resize(self, size: Size) -> None:
        """Change the size; rows are cut or padded, not wrapped anew."""
        self.size = size
        for cells in self.cells:
            cells[size.columns :] = []
            cells.extend([_BLANK] * (size.columns - len(cells)))
        while len(self.cells) > size.rows:
            if self.row + 1 < len(self.cells):
                self.cells.pop()
            else:
                self._keep(self.cells.pop(0))
                self.row -= 1
        self.cells.extend(self._blank_row() for _ in range(size.rows - len(self.cells)))
        self.move(self.row, self.column)

    def _combine(self, char: str) -> None:
        row, column = self.cells[self.row], self.column - 1
        while column > 0 and row[column] == "":
            column -= 1
        if column >= 0:
            row[column] += char

    def _keep(self, cells: list[str]) -> None:
        if len(self.history) >= self.history_limit:
            # tmux, too, makes room by dropping the oldest tenth at once.
            del self.history[: max(self.history_limit // 10, 1)]
        self.history.append(_to_text(cells))

    def _blank_row(self) -> list[str]:
        return [_BLANK] * self.size.columns


def _to_text(cells: list[str]) -> str:
    return "".join(cells).rstrip(_BLANK)
