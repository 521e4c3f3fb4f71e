"""`Display`: what a fake program's output does to the screen.

Understood are the control characters and the few control functions that scripted programs
use: cursor moves, erasing, inserting, deleting, repeating, scrolling, the alternate screen, the
cursor's visibility, whether rows wrap, a reset, the title. All others, colours first of all, are
dropped, as `strip_ansi` drops them (ECMA-48 8.3).
"""

import re
from collections.abc import Callable
from typing import Final, TypeAlias

from tmuxprim._ansi import strip_ansi
from tmuxprim._fake._grid import Grid, Hidden
from tmuxprim._fake._pen import Pen
from tmuxprim._fake._tokens import FUNCTION, split_unfinished, to_numbers
from tmuxprim._screen import Cursor
from tmuxprim._size import Size

Listener: TypeAlias = Callable[[], None]

_MOVES: Final = "ABCDEFGHdf`"
_ALTERNATE: Final = (47, 1047, 1049)
_ALTERNATE_AND_CURSOR: Final = 1049
_CURSOR: Final = 25
_WRAP: Final = 7
_INSERT: Final = 4
_BRACKETED_PASTE: Final = 2004


class Display:
    """Is a fake pane's screen, with what the alternate screen hides."""

    def __init__(self, size: Size, history_limit: int) -> None:
        self.cursor_visible: bool = True
        self.bracketed_paste: bool = False
        self.title: str = ""
        self.writes: int = 0
        self.listeners: set[Listener] = set()
        self.grid: Grid = Grid(size, history_limit)
        self._pen = Pen(self.grid)
        self._saved = Cursor(0, 0)
        self._hidden: Hidden | None = None
        self._cursor_of_main: Cursor | None = None
        self._unfinished = ""

    @property
    def is_alternate(self) -> bool:
        """Whether the alternate screen is on."""
        return self._hidden is not None

    @property
    def cursor(self) -> Cursor:
        """Where the cursor stands; a screen that became narrower may have left it outside."""
        return Cursor(self.grid.row, min(self.grid.column, self.grid.size.columns))

    def write(self, text: str) -> None:
        """Show a program's output; LF begins a new row, as the kernel makes it (ONLCR)."""
        self.writes += 1
        for listener in tuple(self.listeners):
            listener()
        text, self._unfinished = split_unfinished(self._unfinished + text)
        position = 0
        for match in FUNCTION.finditer(text):
            self._print(text[position : match.start()])
            position = match.end()
            self._carry_out(match)
            self._pen.forget()
        self._print(text[position:])

    def show_notice(self, text: str) -> None:
        """Scroll up a row, and show *text*, cut, on the lowest; hide the cursor."""
        grid, size = self.grid, self.grid.size
        self.writes += 1
        grid.set_region(1, size.rows)
        grid.move(size.rows - 1, 0)
        grid.line_feed()
        for char in text[: size.columns]:
            self._pen.put(char)
        grid.move(size.rows - 1, 0)
        self.cursor_visible = False

    def resize(self, size: Size) -> None:
        """Change the size; the lines of the main screen are laid out for it."""
        self.grid.resize(size, rewrap=not self.is_alternate)

    def _print(self, text: str) -> None:
        grid = self.grid
        for char in strip_ansi(text):
            if char >= " " and char != "\x7f":
                self._pen.put(char)
                continue
            self._pen.forget()
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

    def _carry_out(self, match: re.Match[str]) -> None:
        if match["escape"]:
            self._escape(match["escape"])
        elif match["switch"]:
            for mode in to_numbers(match["modes"]):
                self._set_mode(mode, on=match["switch"] == "h")
        elif match["final"] == "r":
            # The one function whose parameter, left out, is not its smallest.
            top, _, bottom = match["numbers"].partition(";")
            rows = str(self.grid.size.rows)
            self.grid.set_region(*to_numbers(f"{top};{bottom.partition(';')[0] or rows}"))
        elif match["final"]:
            self._control(match["final"], to_numbers(match["numbers"]))
        elif match["title"] is not None:
            self.title = match["title"]

    def _escape(self, final: str) -> None:
        match final:
            case "7":
                self._saved = self.cursor
            case "8":
                self.grid.move(self._saved.row, self._saved.column)
            case "M":
                self.grid.reverse_line_feed()
            case "c":
                self._reset()
            case _:  # "D" and "E", the last of those that the pattern finds
                self.grid.line_feed()
                self.grid.column = 0 if final == "E" else self.grid.column

    def _reset(self) -> None:
        """Begin anew, on the screen that is on (RIS)."""
        grid = self.grid
        grid.set_region(1, grid.size.rows)
        grid.clear()
        grid.move(0, 0)
        self._pen.wraps, self._pen.inserts = True, False
        self._saved = Cursor(0, 0)
        self.cursor_visible, self.bracketed_paste = True, False

    def _control(self, final: str, numbers: list[int]) -> None:
        number = numbers[0]
        match final:
            case "J":
                self._erase_screen(number)
            case "K":
                self._erase_row(number)
            case "s" | "u":
                self._escape("7" if final == "s" else "8")
            case "Z":
                self.grid.back_tab(max(number, 1))
            case "b":
                self._pen.repeat(max(number, 1))
            case "h" | "l":
                self._pen.inserts = final == "h" if _INSERT in numbers else self._pen.inserts
            case _ if final in _MOVES:
                self._move(final, max(number, 1), max(*numbers[1:2], 1, 1))
            case _:
                self._edit(final, max(number, 1))

    def _move(self, final: str, count: int, second: int) -> None:
        grid = self.grid
        match final:
            case "A" | "F":
                grid.move_up(count, 0 if final == "F" else grid.column)
            case "B" | "E":
                grid.move_down(count, 0 if final == "E" else grid.column)
            case "C":
                grid.move(grid.row, grid.column + count)
            case "D":
                grid.move(grid.row, grid.column - count)
            case "G" | "`":
                grid.move(grid.row, count - 1)
            case "d":
                grid.row = min(count, grid.size.rows) - 1
            case _:  # "H" and "f"
                grid.move(count - 1, second - 1)

    def _edit(self, final: str, count: int) -> None:
        """Move text on the screen."""
        grid = self.grid
        match final:
            case "L":
                grid.insert_lines(count)
            case "M":
                grid.delete_lines(count)
            case "S" | "T":
                for _ in range(min(count, grid.bottom - grid.top + 1)):
                    (grid.scroll_up if final == "S" else grid.scroll_down)()
            case _:  # "@", "P" and "X", the last of those that the pattern finds
                grid.edit_row(final, count)

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
            grid.forget_history()

    def _set_mode(self, mode: int, *, on: bool) -> None:
        if mode == _CURSOR:
            self.cursor_visible = on
        elif mode == _BRACKETED_PASTE:
            self.bracketed_paste = on
        elif mode == _WRAP:
            self._pen.wraps = on
        elif mode in _ALTERNATE:
            if on:
                self._enter_alternate(with_cursor=mode == _ALTERNATE_AND_CURSOR)
            else:
                self._leave_alternate(with_cursor=mode == _ALTERNATE_AND_CURSOR)

    def _enter_alternate(self, *, with_cursor: bool) -> None:
        if self._hidden is not None:
            return
        grid = self.grid
        self._cursor_of_main = self.cursor if with_cursor else self._cursor_of_main
        self._hidden = grid.hide()

    def _leave_alternate(self, *, with_cursor: bool) -> None:
        grid, size, hidden = self.grid, self.grid.size, self._hidden
        if hidden is not None:
            # As tmux does it: back to the size of old, and from there to that of now.
            grid.resize(hidden.size)
        if with_cursor and self._cursor_of_main is not None:
            # The screen may have been higher when it was saved.
            grid.row = min(self._cursor_of_main.row, grid.size.rows - 1)
            grid.column = self._cursor_of_main.column
        if hidden is not None:
            grid.show(hidden)
            grid.resize(size)
        grid.move(grid.row, grid.column)
        self._hidden = None
