"""`Drawing`: the raw output of a program, drawn again on a screen that loses no row."""

import re
from typing import Final

import attrs

from tmuxprim._emulator.emulator import Emulator
from tmuxprim._values.lines import Layout
from tmuxprim._values.screen import Screen

# More rows than there can be, so that none is thrown away.
_ALL: Final = 1 << 40
# Drawing takes about half a second for each million characters.
_MOST: Final = 1 << 25
# Versions of tmux differ in how they show these: bytes that are no UTF-8, and joined characters.
_VARIES: Final = re.compile("[\ufffd\u200d]")


class Drawing:
    """The raw output, drawn on a virtual screen with an unlimited history.

    Args:
        begun: The screen that it goes on from.
    """

    def __init__(self, begun: Screen) -> None:
        self._emulator = Emulator.on(begun, _ALL)
        self._begun = begun
        self._rows: list[str] = []
        self._wrapped: list[bool] = []
        self._blanks: list[int] = []
        self._left = _MOST
        self._varies = False

    @property
    def is_sure(self) -> bool:
        """Whether tmux is certain to have drawn all of it in the same way."""
        is_like_tmux = self._emulator.is_sure and not self._emulator.grid.splits
        return self._left >= 0 and not self._varies and is_like_tmux

    def add(self, text: str) -> None:
        """Draw what was written."""
        self._left -= len(text)
        self._varies = self._varies or _VARIES.search(text) is not None
        columns = self._begun.size.columns
        self._emulator.feed(text)
        # As texts the rows above the screen take a fraction of the memory of their cells.
        for row in self._emulator.grid.take_above():
            self._rows.append(row.text(columns))
            self._wrapped.append(row.is_wrapped)
            self._blanks.append(row.blanks(columns))

    def shows(self, screen: Screen) -> bool:
        """Whether the pane shows the same as the drawing, on the screen and in the history read."""
        emulator, grid = self._emulator, self._emulator.grid
        if emulator.is_alternate or screen.alternate:
            return False
        if (grid.size, grid.rows, emulator.cursor) != (screen.size, screen.rows, screen.cursor):
            return False
        above = (*self._rows, *grid.history(grid.above))
        known = min(len(above), len(screen.history))
        return above[len(above) - known :] == screen.history[len(screen.history) - known :]

    @property
    def screen(self) -> Screen:
        """The screen that was drawn, without the history."""
        grid = self._emulator.grid
        return attrs.evolve(
            self._begun,
            rows=grid.rows,
            cursor=self._emulator.cursor,
            history=(),
            history_size=self._begun.history_size + len(self._rows) + grid.above,
            layout=grid.layout(0),
        )

    def whole(self, screen: Screen) -> Screen:
        """Return the pane's screen, with all rows that were drawn above it as its history."""
        grid = self._emulator.grid
        rest = grid.layout(grid.above)
        history = (*self._rows, *grid.history(grid.above))
        return attrs.evolve(
            screen,
            history=history,
            history_size=self._begun.history_size + len(history),
            history_limit=_ALL,
            layout=Layout((*self._wrapped, *rest.wrapped), (*self._blanks, *rest.blanks)),
        )
