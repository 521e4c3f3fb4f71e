"""`Display`: what a fake program's output does to the screen.

Understood are the control characters and the few control functions that scripted programs
use: cursor moves, erasing, the alternate screen, the cursor's visibility, the title. All
others, colours first of all, are dropped, as `strip_ansi` drops them (ECMA-48 8.3).
"""

import re
from typing import Final

from tmuxprim._ansi import strip_ansi
from tmuxprim._fake._grid import Grid
from tmuxprim._screen import Cursor
from tmuxprim._size import Size
from tmuxprim._wrap import Layout

_TOKEN: Final = re.compile(
    r"\x1b\[\?(?P<modes>[0-9;]*)(?P<switch>[hl])"
    r"|\x1b\[(?P<numbers>[0-9;]*)(?P<final>[A-HJKf])"
    r"|\x1b\][02];(?P<title>[^\x07\x1b]*)(?:\x07|\x1b\\)"
)
# A control function of which the rest has not been written yet.
_UNFINISHED: Final = re.compile(r"\x1b(?:\[[\x20-\x3f]*|\][^\x07\x1b]*\x1b?)?\Z")
_LARGEST: Final = 9999
_ALTERNATE: Final = (47, 1047, 1049)
_ALTERNATE_AND_CURSOR: Final = 1049
_CURSOR: Final = 25
_BRACKETED_PASTE: Final = 2004


class Display:
    """Is a fake pane's screen: two grids, of which one is shown."""

    def __init__(self, size: Size, history_limit: int) -> None:
        self.cursor_visible: bool = True
        self.bracketed_paste: bool = False
        self.title: str = ""
        self.writes: int = 0
        self._main = Grid(size, history_limit)
        self._alternate: Grid | None = None
        self._saved: Cursor | None = None
        self._unfinished = ""

    @property
    def grid(self) -> Grid:
        """The grid that is shown."""
        return self._alternate or self._main

    @property
    def is_alternate(self) -> bool:
        """Whether the alternate screen is on."""
        return self._alternate is not None

    @property
    def history(self) -> list[str]:
        """The rows that scrolled off, oldest first; the alternate screen adds none."""
        return self._main.history

    @property
    def layout(self) -> Layout:
        """Which rows of history and screen are one line."""
        rows = [*self._main.past, *self.grid.visible]
        return Layout(tuple(row.is_wrapped for row in rows), tuple(row.blanks for row in rows))

    @property
    def cursor(self) -> Cursor:
        """Where the cursor stands."""
        return Cursor(self.grid.row, self.grid.column)

    def write(self, text: str) -> None:
        """Show a program's output; LF begins a new row, as the kernel makes it (ONLCR)."""
        self.writes += 1
        text = self._unfinished + text
        cut = _UNFINISHED.search(text)
        self._unfinished = cut[0] if cut else ""
        text = text[: cut.start()] if cut else text
        position = 0
        for match in _TOKEN.finditer(text):
            self._print(text[position : match.start()])
            position = match.end()
            if match["switch"]:
                for mode in _to_numbers(match["modes"]):
                    self._set_mode(mode, on=match["switch"] == "h")
            elif match["final"]:
                self._control(match["final"], _to_numbers(match["numbers"]))
            else:
                self.title = match["title"]
        self._print(text[position:])

    def resize(self, size: Size) -> None:
        """Change the size of both grids."""
        self._main.resize(size)
        if self._alternate is not None:
            self._alternate.resize(size)

    def _print(self, text: str) -> None:
        grid = self.grid
        for char in strip_ansi(text):
            match char:
                case "\n" | "\v" | "\f":
                    grid.line_feed()
                    # The kernel puts a CR before LF, and before no other control.
                    grid.column = 0 if char == "\n" else grid.column
                case "\r":
                    grid.column = 0
                case "\b":
                    grid.backspace()
                case "\t":
                    grid.tab()
                case _ if char >= " " and char != "\x7f":
                    grid.put(char)

    def _control(self, final: str, numbers: list[int]) -> None:
        grid, number = self.grid, numbers[0]
        count = max(number, 1)
        match final:
            case "A" | "F":
                grid.move(grid.row - count, 0 if final == "F" else grid.column)
            case "B" | "E":
                grid.move(grid.row + count, 0 if final == "E" else grid.column)
            case "C":
                grid.move(grid.row, grid.column + count)
            case "D":
                grid.move(grid.row, grid.column - count)
            case "G":
                grid.move(grid.row, count - 1)
            case "H" | "f":
                column = numbers[1] if len(numbers) > 1 else 1
                grid.move(count - 1, max(column, 1) - 1)
            case "J":
                self._erase_screen(number)
            case _:  # "K", the last of those that the pattern finds
                self._erase_row(number)

    def _erase_row(self, how: int) -> None:
        grid = self.grid
        starts = {0: grid.column, 1: 0, 2: 0}
        if how in starts:
            grid.erase_in_row(starts[how], grid.column + 1 if how == 1 else grid.size.columns)

    def _erase_screen(self, how: int) -> None:
        grid = self.grid
        if how == 2 or (how == 0 and (grid.row, grid.column) == (0, 0)):  # noqa: PLR2004  # ED 2
            grid.clear()
        elif how == 0:
            grid.erase_in_row(grid.column, grid.size.columns)
            grid.erase_rows(grid.row + 1, grid.size.rows)
        elif how == 1:
            grid.erase_in_row(0, grid.column + 1)
            grid.erase_rows(0, grid.row)
        elif how == 3:  # noqa: PLR2004  # xterm's ED 3: the history
            self._main.past.clear()

    def _set_mode(self, mode: int, *, on: bool) -> None:
        if mode == _CURSOR:
            self.cursor_visible = on
        elif mode == _BRACKETED_PASTE:
            self.bracketed_paste = on
        elif mode in _ALTERNATE:
            if on:
                self._enter_alternate(with_cursor=mode == _ALTERNATE_AND_CURSOR)
            else:
                self._leave_alternate(with_cursor=mode == _ALTERNATE_AND_CURSOR)

    def _enter_alternate(self, *, with_cursor: bool) -> None:
        if self._alternate is None:
            self._saved = self.cursor if with_cursor else self._saved
            self._alternate = Grid(self._main.size, None)
            self._alternate.row, self._alternate.column = self._main.row, self._main.column
            self._main.end_line_above(0)

    def _leave_alternate(self, *, with_cursor: bool) -> None:
        cursor = self._saved if with_cursor and self._saved else self.cursor
        self._alternate = None
        self._main.move(cursor.row, cursor.column)


def _to_numbers(text: str) -> list[int]:
    """Return the parameters of a control function; one that is left out is 0."""
    return [min(int(number[:5] or 0), _LARGEST) for number in text.split(";")]
