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

_TOKEN: Final = re.compile(
    r"\x1b\[(?P<private>\?)?(?P<numbers>[0-9;]*)(?P<final>[A-HJKfhl])"
    r"|\x1b\](?:0|2);(?P<title>[^\x07\x1b]*)(?:\x07|\x1b\\)"
)
_ALTERNATE: Final = (47, 1047, 1049)
_CURSOR: Final = 25
_BRACKETED_PASTE: Final = 2004


class Display:
    """Is a fake pane's screen: two grids, of which one is shown."""

    def __init__(self, size: Size, history_limit: int) -> None:
        self._main = Grid(size, history_limit)
        self._alternate: Grid | None = None
        self.cursor_visible = True
        self.bracketed_paste = False
        self.title = ""

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
    def cursor(self) -> Cursor:
        """Where the cursor stands."""
        return Cursor(self.grid.row, self.grid.column)

    def write(self, text: str) -> None:
        """Show a program's output; LF begins a new row, as the kernel makes it (ONLCR)."""
        position = 0
        for match in _TOKEN.finditer(text):
            self._print(text[position : match.start()])
            position = match.end()
            if match["title"] is not None:
                self.title = match["title"]
            elif match["private"]:
                self._set_mode(match["numbers"], on=match["final"] == "h")
            else:
                numbers = [int(number or 0) for number in match["numbers"].split(";")]
                self._control(match["final"], numbers)
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
                case "\n":
                    grid.line_feed()
                    grid.column = 0
                case "\r":
                    grid.column = 0
                case "\b":
                    grid.move(grid.row, grid.column - 1)
                case "\t":
                    grid.tab()
                case _ if char >= " " and char != "\x7f":
                    grid.put(char)

    def _control(self, final: str, numbers: list[int]) -> None:
        grid, number = self.grid, numbers[0]
        match final:
            case "A" | "B":
                grid.move(
                    grid.row + (max(number, 1) if final == "B" else -max(number, 1)), grid.column
                )
            case "C" | "D":
                grid.move(
                    grid.row, grid.column + (max(number, 1) if final == "C" else -max(number, 1))
                )
            case "G":
                grid.move(grid.row, max(number, 1) - 1)
            case "H" | "f":
                column = numbers[1] if len(numbers) > 1 else 1
                grid.move(max(number, 1) - 1, max(column, 1) - 1)
            case "J":
                self._erase_screen(number)
            case "K":
                spans = {0: (grid.column, None), 1: (0, grid.column + 1), 2: (0, None)}
                start, end = spans.get(number, (0, 0))
                grid.erase_in_row(start, grid.size.columns if end is None else end)

    def _erase_screen(self, how: int) -> None:
        grid = self.grid
        if how == 0:
            grid.erase_in_row(grid.column, grid.size.columns)
            grid.erase_rows(grid.row + 1, grid.size.rows)
        elif how == 1:
            grid.erase_in_row(0, grid.column + 1)
            grid.erase_rows(0, grid.row)
        elif how == 2:  # noqa: PLR2004  # ECMA-48 8.3.39: the whole page
            grid.clear()
        else:
            grid.history.clear()

    def _set_mode(self, numbers: str, *, on: bool) -> None:
        for mode in (int(number or 0) for number in numbers.split(";")):
            if mode == _CURSOR:
                self.cursor_visible = on
            elif mode == _BRACKETED_PASTE:
                self.bracketed_paste = on
            elif mode in _ALTERNATE:
                self._alternate = Grid(self._main.size, 0) if on else None
