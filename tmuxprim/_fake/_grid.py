"""`Grid`: the rows of a fake screen and its history, laid out as tmux does (grid.c, screen.c).

The cursor waits behind a full row, and the row wraps only when more is written.
"""

from typing import Final

import attrs

from tmuxprim._fake._lines import clear_lines, move_lines
from tmuxprim._fake._reflow import from_line_position, reflow, to_line_position
from tmuxprim._fake._row import Row
from tmuxprim._size import Size
from tmuxprim._wrap import Layout

_TAB_STOP: Final = 8


@attrs.frozen
class Hidden:
    """Is a screen that another one hides."""

    size: Size
    lines: list[Row]


class Grid:
    """Holds the rows, of which the last ones are visible, and the cursor.

    Args:
        size: Columns and rows.
        history_limit: Rows of history that are kept.
    """

    def __init__(self, size: Size, history_limit: int) -> None:
        self.size: Size = size
        self.history_limit: int = history_limit
        self.keeps_history: bool = history_limit > 0
        self.lines: list[Row] = [Row() for _ in range(size.rows)]
        self.row: int = 0
        self.column: int = 0
        self.top: int = 0
        self.bottom: int = size.rows - 1
        # Rows of the history that scrolled off, which a higher screen takes back.
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
    def current(self) -> Row:
        """The cursor's row."""
        return self.lines[self.above + self.row]

    def line_feed(self) -> None:
        """Move down a row; at the bottom of the region, scroll it up."""
        if self.row == self.bottom:
            self.scroll_up()
        else:
            self.row = min(self.row + 1, self.size.rows - 1)

    def reverse_line_feed(self) -> None:
        """Move up a row; at the top of the region, scroll it down."""
        if self.row == self.top:
            self.scroll_down()
        else:
            self.row = max(self.row - 1, 0)

    def scroll_up(self) -> None:
        """Let the region's top row go, into the history if there is one."""
        top, bottom = self.above + self.top, self.above + self.bottom
        if not self.keeps_history:
            move_lines(self.lines, top, top + 1, bottom - top)
            return
        self._make_room()
        top, bottom = self.above + self.top, self.above + self.bottom
        self.lines.insert(bottom + 1, Row())
        self.lines.insert(self.above - 1, self.lines.pop(top))
        self._scrolled += 1

    def scroll_down(self) -> None:
        """Let the region's bottom row go."""
        top = self.above + self.top
        move_lines(self.lines, top + 1, top, self.bottom - self.top)

    def backspace(self) -> None:
        """Move left; from the left margin to the end of a row that wrapped into this one."""
        above = self.lines[self.above + self.row - 1] if self.row else None
        if self.column == 0 and above is not None and above.is_wrapped:
            self.move(self.row - 1, self.size.columns - 1)
        else:
            self.move(self.row, self.column - 1)

    def tab(self) -> None:
        """Move to the next tab stop; behind a full row, stay there."""
        stop = (self.column // _TAB_STOP + 1) * _TAB_STOP
        self.column = max(self.column, min(stop, self.size.columns - 1))

    def back_tab(self, count: int) -> None:
        """Move back over so many tab stops (CBT)."""
        column = min(self.column, self.size.columns - 1)
        self.column = max((column + _TAB_STOP - 1) // _TAB_STOP - count, 0) * _TAB_STOP

    def move(self, row: int, column: int) -> None:
        """Move the cursor, as far as the screen goes."""
        self.row = min(max(row, 0), self.size.rows - 1)
        self.column = min(max(column, 0), self.size.columns - 1)

    def move_up(self, count: int, column: int) -> None:
        """Move up, not over the region's top from below it."""
        self.move(max(self.row - count, self.top if self.row >= self.top else 0), column)

    def move_down(self, count: int, column: int) -> None:
        """Move down, not over the region's bottom from above it."""
        last = self.bottom if self.row <= self.bottom else self.size.rows
        self.move(min(self.row + count, last), column)

    def erase_in_row(self, start: int, end: int) -> None:
        """Blank the cells of the cursor's row from *start* up to *end*."""
        if start > 0 or end < self.size.columns:
            self.current.erase(start, end)
        elif self.current.cells:
            self.erase_rows(self.row, self.row + 1)

    def erase_rows(self, start: int, end: int) -> None:
        """Blank whole rows of the screen from *start* up to *end*."""
        clear_lines(self.lines, self.above + start, self.above + end)

    def clear(self) -> None:
        """Blank the screen; like tmux, keep what stood there in the history."""
        last = max(
            (n for n, line in enumerate(self.lines[self.above :], 1) if line.cells), default=0
        )
        if not self.keeps_history or last == 0:
            self.erase_rows(0, self.size.rows)
            return
        for _ in range(last):
            self._make_room()
            self.lines.append(Row())
        self.erase_rows(0, self.size.rows - last)
        self._scrolled = 0

    def hide(self) -> Hidden:
        """Begin an alternate screen, which has no history; return what it hides."""
        hidden = Hidden(self.size, [line.copy() for line in self.lines[self.above :]])
        self.erase_rows(0, self.size.rows)
        self.keeps_history = False
        return hidden

    def show(self, hidden: Hidden) -> None:
        """End the alternate screen, which has the size that the hidden one had."""
        self.lines[self.above :] = hidden.lines
        self.keeps_history = self.history_limit > 0

    def forget_history(self) -> None:
        """Drop all rows above the screen."""
        del self.lines[: self.above]
        self._scrolled = 0

    def insert_lines(self, count: int) -> None:
        """Move the cursor's row and those below it down."""
        start, end = self._editable()
        count = min(count, end - start)
        kept = end - start - count
        move_lines(self.lines, end - kept, start, kept)
        if self._is_inside:  # outside of the region tmux leaves what is not overwritten
            clear_lines(self.lines, start + kept, start + count)

    def delete_lines(self, count: int) -> None:
        """Take the cursor's row and those below it away."""
        start, end = self._editable()
        count = min(count, end - start)
        kept = end - start - count
        move_lines(self.lines, start, start + count, kept)
        clear_lines(self.lines, start + kept, start + count)

    def edit_row(self, final: str, count: int) -> None:
        """Insert (ICH), take away (DCH) or blank (ECH) cells at the cursor.

        Args:
            final: The control function's last character: ``@``, ``P`` or ``X``.
            count: How many cells.
        """
        columns = self.size.columns
        count = min(count, columns - self.column)
        if count == 0:
            return
        if final == "@":
            self.current.move_right(self.column, count, columns)
        elif count == columns:
            self.erase_rows(self.row, self.row + 1)
        elif final == "P":
            self.current.move_left(self.column, count, columns)
        else:
            self.current.erase(self.column, self.column + count)

    def set_region(self, top: int, bottom: int) -> None:
        """Let only the rows from *top* to *bottom* scroll; both count from 1."""
        top, bottom = (min(max(row, 1), self.size.rows) - 1 for row in (top, bottom))
        if top < bottom:
            self.top, self.bottom = top, bottom
            self.move(0, 0)

    def resize(self, size: Size, *, rewrap: bool = True) -> None:
        """Change the size.

        Args:
            size: The new one.
            rewrap: Whether to lay out lines for the new width, or else to cut them.
        """
        row, column, before = self.above + self.row, self.column, self.size
        if size.rows != before.rows:
            row = self._resize_rows(size.rows, row)
        above = self.above
        if size.columns != before.columns and rewrap:
            number, cell = to_line_position(self.lines, row, column)
            lines, self._scrolled = reflow(self.lines, size.columns, self._scrolled)
            self.lines = lines + [Row() for _ in range(size.rows - len(lines))]
            above = len(self.lines) - size.rows
            self._scrolled = min(self._scrolled, above)
            row, column = from_line_position(self.lines, number, cell)
        self.size = size
        self.row, self.column = (row - above, column) if row >= above else (0, 0)

    def _resize_rows(self, rows: int, row: int) -> int:
        """Change the height; return where the cursor's line is now."""
        needed = self.size.rows - rows
        if needed > 0:
            spare = min(self.size.rows - 1 - self.row, needed)
            clear_lines(self.lines, len(self.lines) - spare, len(self.lines))
            del self.lines[len(self.lines) - spare :]
            row -= self._drop_at_top(needed - spare, self.above + spare)
        else:
            back = min(self._scrolled, -needed) if self.keeps_history else 0
            self._scrolled -= back
            self.lines += [Row() for _ in range(-needed - back)]
        self.size = Size(self.size.columns, rows)
        self.top, self.bottom = 0, rows - 1
        return row

    def _drop_at_top(self, count: int, above: int) -> int:
        """Let rows leave the screen at its top; return how many are gone for good."""
        if self.keeps_history:
            self._scrolled += count
            return 0
        if count and above:
            self.lines[above - 1].is_wrapped = False
        del self.lines[above : above + count]
        return count

    @property
    def _is_inside(self) -> bool:
        return self.top <= self.row <= self.bottom

    def _editable(self) -> tuple[int, int]:
        """Return the first and the last line, exclusive, that the cursor's row moves with."""
        last = self.bottom + 1 if self._is_inside else self.size.rows
        return self.above + self.row, self.above + last

    def _make_room(self) -> None:
        """Drop the oldest tenth of a full history, as tmux does."""
        if 0 < self.above >= self.history_limit:
            del self.lines[: max(self.history_limit // 10, 1)]
            self._scrolled = min(self._scrolled, self.above)
