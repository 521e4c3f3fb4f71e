"""`Pen`: how printed characters get onto a fake screen, as tmux does it (screen-write.c)."""

from typing import Final

from tmuxprim._fake._grid import Grid
from tmuxprim._width import char_columns

_JOINER: Final = "\u200d"


class Pen:
    """Writes characters at the cursor, and moves it on.

    Attributes:
        wraps: Whether the line goes on in the row below where a row is full, or else the last
            character is replaced (DECAWM).
        inserts: Whether what stands there moves right (IRM).
    """

    def __init__(self, grid: Grid) -> None:
        self.wraps: bool = True
        self.inserts: bool = False
        self._grid = grid
        self._joins = False
        self._last = ""

    def forget(self) -> None:
        """Have nothing to repeat or to join: something else than text came.

        tmux keeps a joiner for what it reads in one turn; where that ends depends on the moment.
        """
        self._joins, self._last = False, ""

    def put(self, char: str) -> None:
        """Write one printed character."""
        self._last = char if char.isascii() else ""
        width = char_columns(char)
        is_plain = char.isascii() and self.wraps and not self.inserts
        if char == _JOINER:
            self._joins = True
        elif is_plain or (width and not self._joins):
            self._write(char, width, is_plain=is_plain)
        else:  # a joiner waits for what is not plain, whatever comes before that
            for one in _JOINER * self._joins + char:
                self._grid.current.combine(self._grid.column, one)
            self._joins = False

    def repeat(self, count: int) -> None:
        """Write the last character some times more, as far as the row goes (REP)."""
        for _ in range(min(count, self._grid.size.columns - self._grid.column)):
            if self._last:
                self.put(self._last)

    def _write(self, char: str, width: int, *, is_plain: bool) -> None:
        grid, columns = self._grid, self._grid.size.columns
        if not self.wraps and width > 1 and columns - width < grid.column < columns:
            return
        if self.inserts:
            grid.current.move_right(grid.column, width, columns)
        if self.wraps and grid.column + width > columns:
            grid.current.is_wrapped = True
            grid.line_feed()
            grid.column = 0
        if grid.column + width <= columns:
            grid.current.put(grid.column, char, width, is_plain=is_plain)
            grid.column = min(grid.column + width, columns - (not self.wraps))
