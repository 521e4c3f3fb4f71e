"""`reflow`: how tmux lays lines out anew when a screen becomes wider or narrower.

After ``grid_reflow`` and its neighbours in tmux's grid.c (3.3a), quirks included.
"""

import attrs

from tmuxprim._fake._row import Row, cell_columns


def reflow(lines: list[Row], columns: int, scrolled: int) -> tuple[list[Row], int]:
    """Return the rows for a width, and how many of the history a higher screen may take back.

    Args:
        lines: The rows of history and screen.
        columns: The new width.
        scrolled: How many rows of the history a higher screen might have taken back so far.
    """
    flow = _Flow([*lines], columns, scrolled)
    for number, line in enumerate(lines):
        if flow.source[number] is not None:
            flow.lay_out(number, line)
    return flow.target, flow.scrolled


@attrs.define
class _Flow:
    source: list[Row | None]
    columns: int
    scrolled: int
    target: list[Row] = attrs.field(factory=list)

    def lay_out(self, number: int, line: Row) -> None:
        width = sum(map(cell_columns, line.cells))
        if width > self.columns:
            self._split(number, line)
            return
        self.target.append(line)
        if width < self.columns and line.is_wrapped:
            self._join(number, line, width)

    def _split(self, number: int, line: Row) -> None:
        """Break a line that is too long; its last row may have room for the next line's text."""
        parts: list[list[str]] = [[]]
        width = 0
        for cell in line.cells:
            if width + cell_columns(cell) > self.columns and (parts[-1] or len(parts) > 1):
                parts.append([])
                width = 0
            parts[-1].append(cell)
            width += cell_columns(cell)
        goes_on = line.is_wrapped
        for part in parts:
            row = Row()
            row.cells, row.is_wrapped = part, True
            self.target.append(row)
        self.target[-1].is_wrapped = goes_on
        if number <= self.scrolled:
            self.scrolled += len(parts) - 1
        if width < self.columns and goes_on:
            self._join(number, self.target[-1], width)

    def _join(self, number: int, row: Row, width: int) -> None:
        """Fill a row with the text of the lines that it goes on in."""
        taken, goes_on, left = 0, True, list[str]()
        while goes_on and not left and width < self.columns:
            below = self._line(number + 1 + taken)
            if below is None:
                break
            goes_on = below.is_wrapped
            if not below.cells:
                if not goes_on:
                    break
                taken += 1
                continue
            count, width = self._fitting(below.cells, width)
            if count == 0:
                break  # like tmux, forget that this row goes on if that one does not
            row.cells += below.cells[:count]
            left = below.cells[count:]
            below.cells = left or below.cells
            taken += 1
        if taken == 0:
            return
        if left:
            taken -= 1
        elif not goes_on:
            row.is_wrapped = False
        self._drop(number, taken)

    def _line(self, number: int) -> Row | None:
        return self.source[number] if number < len(self.source) else None

    def _fitting(self, cells: list[str], width: int) -> tuple[int, int]:
        """Return how many of *cells* fit behind *width* columns, and the width with them."""
        for count, cell in enumerate(cells):
            if width + cell_columns(cell) > self.columns:
                return count, width
            width += cell_columns(cell)
        return len(cells), width

    def _drop(self, number: int, taken: int) -> None:
        """Forget the lines below that were joined whole."""
        self.source[number + 1 : number + 1 + taken] = [None] * taken
        last = len(self.target) - 1
        if self.scrolled > last + taken:
            self.scrolled -= taken
        elif self.scrolled > last:
            self.scrolled = last


def to_line_position(lines: list[Row], row: int, column: int) -> tuple[int, int | None]:
    """Return which line a place is in, and which cell of it; None for behind its end."""
    cells = number = 0
    for line in lines[:row]:
        if line.is_wrapped:
            cells += len(line.cells)
        else:
            cells, number = 0, number + 1
    behind = column >= len(lines[row].cells)
    return number, None if behind else cells + column


def from_line_position(lines: list[Row], number: int, cell: int | None) -> tuple[int, int]:
    """Return the row and column of a cell of a line."""
    row, last = 0, len(lines) - 1
    while number > 0 and row < last:
        number -= not lines[row].is_wrapped
        row += 1
    while row < last and lines[row].is_wrapped and not _is_in(lines[row], cell):
        cell = None if cell is None else cell - len(lines[row].cells)
        row += 1
    return row, len(lines[row].cells) if cell is None else cell


def _is_in(line: Row, cell: int | None) -> bool:
    return cell is not None and cell < len(line.cells)
