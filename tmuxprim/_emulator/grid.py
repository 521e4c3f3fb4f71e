"""`Grid`: the rows of a screen and its history, and the cursor.

The cursor waits behind a full row, and the row wraps only when more is written. A row has as many
cells as were written to it. A wide character takes two cells, of which the second is empty; a
combining one joins the cell before it. Where terminals differ, the grid does as tmux's grid does
(grid.c and screen-write.c of tmux 3.3a), since its rows are compared with those of tmux.
"""

from collections.abc import Sequence
from typing import Final

import attrs

from tmuxprim._values.lines import TAB_STOP, Layout, char_columns
from tmuxprim._values.pane import Size
from tmuxprim._values.style import PLAIN, Style, Styles, to_row

_BLANK: Final = " "
_PADDING: Final = ""
# ZERO WIDTH JOINER: the next character is drawn into the same cell (Unicode, UTS 51).
_JOINER: Final = "\u200d"


class Row:
    """The text and style of each cell, up to the last cell that was written, even with a blank."""

    __slots__ = ("cells", "is_wrapped", "styles")

    def __init__(
        self,
        cells: list[str] | None = None,
        styles: list[Style] | None = None,
        *,
        is_wrapped: bool = False,
    ) -> None:
        self.cells: list[str] = cells or []
        self.styles: list[Style] = styles or []
        self.is_wrapped: bool = is_wrapped

    def text(self, columns: int) -> str:
        """Return the text of the row on so many columns, without the blanks at its end."""
        return "".join(self.cells[:columns]).rstrip(_BLANK)

    def blanks(self, columns: int) -> int:
        """Return how many blanks were written at its end."""
        return len("".join(self.cells[:columns])) - len(self.text(columns))

    def put(self, column: int, cells: Sequence[str], style: Style) -> None:
        """Write some cells, and blank the other half of a wide character beside them."""
        end = column + len(cells)
        # Half of a wide character cannot be shown: its other half becomes a blank.
        if column < len(self.cells):
            if self.cells[column] == _PADDING:
                self.cells[column - 1] = _BLANK
            if self.cells[end : end + 1] == [_PADDING]:
                self.cells[end] = _BLANK
        elif column > len(self.cells):
            self.reach(column)
        self.cells[column:end] = cells
        self.styles[column:end] = [style] * len(cells)

    def combine(self, column: int, char: str) -> None:
        """Let *char* join the character left of *column*."""
        self.reach(column)
        while column > 0 and self.cells[column - 1] == _PADDING:
            column -= 1
        if column > 0:
            self.cells[column - 1] += char

    def joins(self, column: int) -> bool:
        """Whether text at *column* joins the character before it, as parts of emoji do."""
        return "".join(self.cells[max(column - 2, 0) : column]).endswith(_JOINER)

    def erase(self, start: int, end: int) -> None:
        """Blank the cells from *start* up to *end*, as far as any were written."""
        end = min(end, len(self.cells))
        self.cells[start:end] = [_BLANK] * (end - start)
        self.styles[start:end] = [PLAIN] * (end - start)

    def reach(self, count: int) -> None:
        """Have at least *count* cells."""
        self.styles += [PLAIN] * (count - len(self.cells))
        self.cells += [_BLANK] * (count - len(self.cells))


@attrs.frozen
class HiddenScreen:
    """A screen that another one hides."""

    size: Size
    lines: list[Row]


class Grid:
    """The rows, of which the last ones are visible, and the cursor.

    ``splits`` says whether half of a wide character in the first column was written over, of which
    tmux keeps the other half.
    """

    def __init__(self, size: Size, history_limit: int) -> None:
        self.size: Size = size
        self.history_limit: int = history_limit
        self.keeps_history: bool = history_limit > 0
        self.lines: list[Row] = _blank_rows(size.rows)
        self.style: Style = PLAIN
        self.row: int = 0
        self.column: int = 0
        self.splits: bool = False
        # Rows of the history that scrolled off, which a higher screen takes back. Rows of a cleared
        # screen are in the history as well, but tmux takes only scrolled ones back (`hscrolled`).
        self._scrolled = 0

    @property
    def above(self) -> int:
        """How many rows there are above the screen."""
        return len(self.lines) - self.size.rows

    def history(self, count: int) -> tuple[str, ...]:
        """Return the last *count* rows that scrolled off, oldest first."""
        lines = self.lines[self.above - count : self.above]
        return tuple(line.text(self.size.columns) for line in lines)

    def layout(self, count: int) -> Layout:
        """Return which of *count* rows of history and those of the screen are one line."""
        lines, columns = self.lines[self.above - count :], self.size.columns
        return Layout(
            tuple(line.is_wrapped for line in lines), tuple(line.blanks(columns) for line in lines)
        )

    @property
    def rows(self) -> tuple[str, ...]:
        """The visible rows, without blanks at their ends."""
        return tuple(line.text(self.size.columns) for line in self.lines[self.above :])

    @property
    def styles(self) -> Styles:
        """How the visible rows look."""
        columns = self.size.columns
        return tuple(
            to_row(zip(line.cells[:columns], line.styles, strict=False))
            for line in self.lines[self.above :]
        )

    @property
    def current(self) -> Row:
        """The cursor's row."""
        return self.lines[self.above + self.row]

    def put(self, char: str) -> None:
        """Write a character at the cursor, in the next row if there is no room in this one."""
        width = char_columns(char)
        if width == 0 or (not char.isascii() and self.current.joins(self.column)):
            self.current.combine(self.column, char)
            return
        if self.column + width > self.size.columns:
            self._wrap()
        if width <= self.size.columns:
            self._put_cells([char, _PADDING][:width])

    def put_plain(self, text: str) -> None:
        """Write ASCII at the cursor, as many rows as it takes."""
        while text:
            if self.column >= self.size.columns:
                self._wrap()
            room = self.size.columns - self.column
            self._put_cells(text[:room])
            text = text[room:]

    def _wrap(self) -> None:
        self.current.is_wrapped = True
        self.line_feed()
        self.column = 0

    def _put_cells(self, cells: Sequence[str]) -> None:
        # tmux leaves the first half of this one wide character on the screen, unlike all others.
        self.splits |= self.column == 1 and self.current.cells[1:2] == [_PADDING]
        self.current.put(self.column, cells, self.style)
        self.column += len(cells)

    def paint(self, rows: Sequence[str], layout: Layout) -> None:
        """Write whole rows, from the top of a blank screen."""
        for number, text in enumerate(rows):
            self.row, self.column = number, 0
            for char in text + " " * layout.blanks_behind(number):
                self.put(char)
            self.lines[self.above + number].is_wrapped = layout.goes_on(number)

    def take_above(self) -> list[Row]:
        """Take the rows above the screen out, but for the last, whose line may still end there."""
        taken = self.lines[: max(self.above - 1, 0)]
        del self.lines[: len(taken)]
        self._scrolled = min(self._scrolled, self.above)
        return taken

    def line_feed(self) -> None:
        """Move down a row; at the bottom let the top row go, into the history if there is one."""
        if self.row < self.size.rows - 1:
            self.row += 1
            return
        if self.keeps_history:
            self._make_room()
            self._scrolled += 1
        else:
            del self.lines[self.above]
        self.lines.append(Row())

    def carriage_return(self) -> None:
        """Move the cursor to the beginning of its row."""
        self.column = 0

    def backspace(self) -> None:
        """Move left; from the left margin to the end of a row that wrapped into this one."""
        if self.column == 0 and self.row and self.lines[self.above + self.row - 1].is_wrapped:
            self.move(self.row - 1, self.size.columns - 1)
        else:
            self.move(self.row, self.column - 1)

    def tab(self) -> None:
        """Move to the next tab stop; behind a full row, stay there."""
        stop = (self.column // TAB_STOP + 1) * TAB_STOP
        self.column = max(self.column, min(stop, self.size.columns - 1))

    def move(self, row: int, column: int) -> None:
        """Move the cursor, as far as the screen goes."""
        self.row = min(max(row, 0), self.size.rows - 1)
        self.column = min(max(column, 0), self.size.columns - 1)

    def erase_in_row(self, start: int, end: int) -> None:
        """Blank the cells of the cursor's row from *start* up to *end*."""
        # A row that is erased as a whole has no cells and no line goes on in it; one that is erased
        # in part keeps its cells as written blanks.
        if start > 0 or end < self.size.columns:
            self.current.erase(start, end)
        elif self.current.cells:
            self.erase_rows(self.row, self.row + 1)

    def erase_rows(self, start: int, end: int) -> None:
        """Blank whole rows of the screen from *start* up to *end*."""
        if start < end:
            self.lines[self.above + start : self.above + end] = _blank_rows(end - start)
            self._end_line_above(start)

    def clear(self) -> None:
        """Blank the screen; like tmux, keep its text in the history."""
        # Only rows down to the last one that was written to go to the history
        # (grid-view.c, grid_view_clear_history).
        used = [n for n, line in enumerate(self.lines[self.above :], 1) if line.cells]
        if not self.keeps_history or not used:
            self.erase_rows(0, self.size.rows)
            return
        for _ in range(used[-1]):
            self._make_room()
            self.lines.append(Row())
        self._scrolled = 0

    def hide(self) -> HiddenScreen:
        """Begin an alternate screen, which has no history; return the screen that it hides."""
        hidden = HiddenScreen(self.size, self.lines[self.above :])
        self.erase_rows(0, self.size.rows)
        self.keeps_history = False
        return hidden

    def show(self, hidden: HiddenScreen) -> None:
        """End the alternate screen, which has the size that the hidden one had."""
        self.lines[self.above :] = hidden.lines
        self.keeps_history = self.history_limit > 0

    def forget_history(self) -> None:
        """Drop all rows above the screen."""
        del self.lines[: self.above]
        self._scrolled = 0

    def resize(self, size: Size, *, rewrap: bool = True) -> None:
        """Change the size; without *rewrap* rows are cut, as those of the alternate screen are.

        A lower screen first drops blank rows below the cursor, then those at the top go to the
        history, from which a higher screen takes them back. A screen of another width has its
        lines, those of the history too, broken into rows anew.
        """
        if size.rows != self.size.rows:
            self._resize_rows(size.rows)
        if size.columns != self.size.columns and rewrap:
            self._rewrap(size.columns)
        self.size = size

    def _resize_rows(self, rows: int) -> None:
        above, more = self.above, rows - self.size.rows
        if more > 0:
            back = min(self._scrolled, more) if self.keeps_history else 0
            self._scrolled -= back
            self.lines += _blank_rows(more - back)
            self.row += back
        else:
            gone = max(self.row + 1 - rows, 0)
            del self.lines[len(self.lines) + gone + more :]
            self.lines[-1].is_wrapped = False
            if self.keeps_history:
                self._scrolled += gone
            else:
                del self.lines[above : above + gone]
                self._end_line_above(0)
            self.row -= gone
        self.size = Size(self.size.columns, rows)

    def _rewrap(self, columns: int) -> None:
        """Break all lines into rows of another width; the cursor stays on its character."""
        # A cell keeps its number while lines are broken anew: the numbers find the cursor, and the
        # first row that scrolled off, in the new rows.
        cursor = _cell_number(self.lines, self.above + self.row, self.column)
        kept = _cell_number(self.lines, self.above - self._scrolled, 0)
        self.lines = _rewrapped(self.lines, columns)
        self.lines += _blank_rows(self.size.rows - len(self.lines))
        self._scrolled = max(self.above - _place_of(self.lines, kept)[0], 0)
        row, column = _place_of(self.lines, cursor)
        self.row, self.column = (row - self.above, column) if row >= self.above else (0, 0)

    def _end_line_above(self, row: int) -> None:
        """End the line above a row of the screen, since the row that continued it is gone."""
        if self.above + row > 0:
            self.lines[self.above + row - 1].is_wrapped = False

    def _make_room(self) -> None:
        """Drop the oldest tenth of a full history, as tmux does (grid_collect_history)."""
        if 0 < self.above >= self.history_limit:
            del self.lines[: max(self.history_limit // 10, 1)]
            self._scrolled = min(self._scrolled, self.above)


def _blank_rows(count: int) -> list[Row]:
    return [Row() for _ in range(count)]


def _rewrapped(rows: list[Row], columns: int) -> list[Row]:
    """Return the same lines in rows of another width; no wide character is split."""
    wrapped: list[Row] = []
    cells: list[str] = []
    styles: list[Style] = []
    for row in rows:
        cells, styles = cells + row.cells, styles + row.styles
        while len(cells) > columns:
            # A wide character that would be split moves to the next row as a whole.
            end = columns - (cells[columns] == _PADDING and columns > 1)
            wrapped.append(Row(cells[:end], styles[:end], is_wrapped=True))
            cells, styles = cells[end:], styles[end:]
        if not row.is_wrapped or row is rows[-1]:
            wrapped.append(Row(cells, styles))
            cells, styles = [], []
    return wrapped


def _cell_number(rows: list[Row], row: int, column: int) -> int:
    """Return how many cells and ends of lines there are before a place, whatever the width is."""
    before = sum(len(line.cells) + (not line.is_wrapped) for line in rows[:row])
    return before + min(column, len(rows[row].cells))


def _place_of(rows: list[Row], cell: int) -> tuple[int, int]:
    """Return the row and the column of a cell by its number."""
    number = 0
    while cell >= (length := len(rows[number].cells) + (not rows[number].is_wrapped)):
        cell, number = cell - length, number + 1
    return number, cell
