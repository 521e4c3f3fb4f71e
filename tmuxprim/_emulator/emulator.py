"""`Emulator`: a terminal that turns a program's output into a screen.

It understands the control characters and the control functions that shells and simple programs
use: cursor moves, erasing, the alternate screen, the cursor's visibility, bracketed paste, the
title, colours and attributes. It drops all others, as `strip_ansi` does (ECMA-48 8.3). It is no
longer sure of its screen after one that may have changed the text on the main screen.
"""

import re
from typing import Final, Self

from tmuxprim._emulator.grid import Grid, HiddenScreen
from tmuxprim._values.ansi import strip_ansi
from tmuxprim._values.pane import Size
from tmuxprim._values.screen import Cursor, Screen
from tmuxprim._values.style import PLAIN, Style, restyled

# The control functions that are carried out (ECMA-48 5.4).
_FUNCTION: Final = re.compile(
    r"\x1b(?P<escape>[78M])"
    r"|\x1b\[\?(?P<modes>[0-9;]*)(?P<switch>[hl])"
    r"|\x1b\[(?P<numbers>[0-9;]*)(?P<final>[A-HJKfsu])"
    r"|\x1b\[(?P<style>[0-9:;]*)m"
    r"|\x1b\][02];(?P<title>[^\x07\x1b]*)(?:\x07|\x1b\\)"
)
# A control function whose end has not been written yet: an escape sequence or a control sequence
# without its final character, or a control string without its terminator (ECMA-48 5.4, 5.6). It is
# kept until the next piece, since a pipe may cut the output anywhere.
_UNFINISHED: Final = re.compile(
    r"\x1b(?:[\x20-\x2f]+|\[[\x20-\x3f]*|\][^\x07\x1b]*\x1b?|[PX^_k][^\x1b]*\x1b?)?\Z"
)
# The characters that may follow in an unfinished control function, by the character after its ESC.
_GOES_ON: Final = {
    "[": re.compile(r"[\x20-\x3f]*"),
    "]": re.compile(r"[^\x07\x1b]*"),
    **dict.fromkeys("PX^_k", re.compile(r"[^\x1b]*")),
}
# tmux prints neither C1 controls that come as UTF-8 nor separators of lines and paragraphs: it
# takes them for NUL.
_UNPRINTED: Final = dict.fromkeys((*range(0x80, 0xA0), 0x2028, 0x2029), "\0")
# A larger parameter moves no further than the edge of any screen, and would cost time to count to.
_LARGEST: Final = 9999
# Private modes (xterm's control sequences, "DEC Private Mode Set").
_ALTERNATE: Final = (47, 1047, 1049)
_ALTERNATE_AND_CURSOR: Final = 1049
_CURSOR: Final = 25
_BRACKETED_PASTE: Final = 2004


# Control functions that change no text on a screen: redefined colours, queries, window sizes,
# keyboard modes, the cursor's shape (34 is tmux's own), links, and character sets that are ASCII.
_HARMLESS: Final = re.compile(
    r"\x1b(?:"
    r"\[(?:[<>=][0-9;:]*[a-zA-Z]|\?[0-9;]*(?:[cnu]|\$p)|[0-9;]*[cnt]|[0-9]* q|4l|34[hl])"
    r"|\][^\x07\x1b]*(?:\x07|\x1b\\)|P[$+=][^\x1b]*\x1b\\|[k^X_][^\x1b]*\x1b\\"
    r"|[()*+]B|[=>\\]|\[r)"
)
# Control functions whose effect lasts when the alternate screen is left: margins, insert mode,
# other character sets, a reset. All else that a full-screen program does is gone with its screen.
_LASTING: Final = re.compile(r"\x1b\[(?:[0-9;]+r|[0-9;]*4h|!p)|\x1b[()*+][^B]|\x1bc|\x0e")
_OTHER: Final = re.compile(r"[\x1b\x0e]")
# Private modes that change where text goes: 132 columns, the origin, no wrapping, and alternate
# screens that do not keep the cursor.
_UNSURE: Final = ((3, True), (3, False), (6, True), (7, False), (47, True), (1047, True))
# Control characters that move the cursor; all others are dropped.
_MOVES: Final = {
    "\n": Grid.line_feed,
    "\v": Grid.line_feed,
    "\f": Grid.line_feed,
    "\r": Grid.carriage_return,
    "\b": Grid.backspace,
    "\t": Grid.tab,
}
# A run of plain characters, or any other one.
_RUN: Final = re.compile(r"[ -~]+|[^ -~]", re.DOTALL)


class Emulator:
    """A screen, with its history and what the alternate screen hides.

    It is sure (``is_sure``) if all that was written was understood, and nothing thrown away.
    """

    def __init__(self, size: Size, history_limit: int) -> None:
        self.cursor_visible: bool = True
        self.bracketed_paste: bool = False
        self.title: str = ""
        self.is_sure: bool = True
        self.grid: Grid = Grid(size, history_limit)
        self._saved: tuple[Cursor, Style] | None = (Cursor(0, 0), PLAIN)
        self._hidden: HiddenScreen | None = None
        self._cursor_of_main: Cursor | None = None
        self._style_of_main = PLAIN
        self._unfinished: list[str] = []

    @classmethod
    def on(cls, screen: Screen, history_limit: int) -> Self:
        """Return one that goes on from a main screen, without its history."""
        emulator = cls(screen.size, history_limit)
        layout = screen.layout.part(len(screen.history))
        emulator.grid.paint(screen.rows, layout)
        emulator.grid.row, emulator.grid.column = screen.cursor.row, screen.cursor.column
        # The program may have saved a cursor before: it cannot be determined where.
        emulator._saved = None
        return emulator

    @property
    def is_alternate(self) -> bool:
        """Whether the alternate screen is on."""
        return self._hidden is not None

    @property
    def cursor(self) -> Cursor:
        """The place of the cursor; a screen that became narrower may have left it outside."""
        return Cursor(self.grid.row, min(self.grid.column, self.grid.size.columns))

    def feed(self, text: str) -> None:
        """Carry out a piece of output; a control function may continue in the next piece."""
        self._unfinished.append(text.translate(_UNPRINTED))
        if self._goes_on():
            return
        text = "".join(self._unfinished)
        cut = _UNFINISHED.search(text)
        self._unfinished = [cut[0]] if cut else []
        text = text[: cut.start()] if cut else text
        position = 0
        for match in _FUNCTION.finditer(text):
            self._print(text[position : match.start()])
            position = match.end()
            self._carry_out(match)
        self._print(text[position:])

    def _goes_on(self) -> bool:
        """Whether an unfinished control function continues through the whole of the last piece."""
        begun, piece = self._unfinished[0], self._unfinished[-1]
        # Only the new piece is searched: a string that comes in n pieces would otherwise be
        # searched n times, and a program that never ends it would stop us (quadratic time).
        goes_on = _GOES_ON.get(begun[1:2]) if len(self._unfinished) > 1 else None
        # The piece before may end in the first half of ST, which is ESC and a backslash.
        is_ending = self._unfinished[-2:][0].endswith("\x1b")
        return goes_on is not None and not is_ending and goes_on.fullmatch(piece) is not None

    def resize(self, size: Size) -> None:
        """Change the size; the lines of the main screen are laid out for it."""
        self.grid.resize(size, rewrap=not self.is_alternate)

    def _print(self, text: str) -> None:
        # Between two control functions that are carried out there may be others: they are dropped
        # below, and here they decide whether the screen is still sure.
        if _OTHER.search(text):
            unknown = _LASTING if self.is_alternate else _OTHER
            self.is_sure = self.is_sure and not unknown.search(_HARMLESS.sub("", text))
        grid = self.grid
        for run in _RUN.findall(strip_ansi(text)):
            if " " <= run < "\x7f":
                grid.put_plain(run)
            elif run >= "\x80":
                grid.put(run)
            elif run in _MOVES:
                _MOVES[run](grid)

    def _carry_out(self, match: re.Match[str]) -> None:
        if match["escape"]:
            self._escape(match["escape"])
        elif match["switch"]:
            for mode in _to_numbers(match["modes"]):
                self._set_mode(mode, on=match["switch"] == "h")
        elif match["final"]:
            self._control(match["final"], _to_numbers(match["numbers"]))
        elif match["style"] is not None:
            self.grid.style = restyled(self.grid.style, match["style"])
        else:
            self.title = match["title"]

    def _escape(self, final: str) -> None:
        if final == "M":  # RI
            # In the top row it scrolls the screen down, which is not imitated.
            self.is_sure = self.is_sure and (self.grid.row > 0 or self.is_alternate)
            self.grid.move(self.grid.row - 1, self.grid.column)
        elif final == "7":
            self._saved = (self.cursor, self.grid.style)
        elif self._saved is None:
            self.is_sure = False
        else:
            cursor, self.grid.style = self._saved
            self.grid.move(cursor.row, cursor.column)

    def _control(self, final: str, numbers: list[int]) -> None:
        number, second = [*numbers, 0][:2]
        match final:
            case "J":
                self._erase_screen(number)
            case "K":
                self._erase_row(number)
            case "s" | "u":
                self._escape("7" if final == "s" else "8")
            case _:
                self._move(final, max(number, 1), max(second, 1))

    def _move(self, final: str, count: int, second: int) -> None:
        row, column = self.grid.row, self.grid.column
        places = {
            "A": (row - count, column),
            "B": (row + count, column),
            "C": (row, column + count),
            "D": (row, column - count),
            "E": (row + count, 0),
            "F": (row - count, 0),
            "G": (row, count - 1),
        }
        self.grid.move(*places.get(final, (count - 1, second - 1)))  # "H" and "f"

    def _erase_row(self, how: int) -> None:
        grid = self.grid
        if how <= 2:  # noqa: PLR2004  # EL 2, the last one
            end = grid.column + 1 if how == 1 else grid.size.columns
            grid.erase_in_row(grid.column if how == 0 else 0, end)

    def _erase_screen(self, how: int) -> None:
        grid = self.grid
        # tmux keeps the text of a cleared screen in the history, also where "erase to the end"
        # begins in the first cell (screen-write.c, screen_write_clearendofscreen).
        if how == 2 or (how == 0 and (grid.row, grid.column) == (0, 0)):  # noqa: PLR2004  # ED 2
            grid.clear()
        elif how == 0:
            self._erase_row(how)
            grid.erase_rows(grid.row + 1, grid.size.rows)
        elif how == 1:
            self._erase_row(how)
            grid.erase_rows(0, grid.row)
        elif how == 3:  # noqa: PLR2004  # xterm's ED 3: the history
            grid.forget_history()
            self.is_sure = False

    def _set_mode(self, mode: int, *, on: bool) -> None:
        self.is_sure = self.is_sure and (mode, on) not in _UNSURE
        if mode == _CURSOR:
            self.cursor_visible = on
        elif mode == _BRACKETED_PASTE:
            self.bracketed_paste = on
        elif mode in _ALTERNATE and on:
            self._enter_alternate(with_cursor=mode == _ALTERNATE_AND_CURSOR)
        elif mode in _ALTERNATE:
            self._leave_alternate(with_cursor=mode == _ALTERNATE_AND_CURSOR)

    def _enter_alternate(self, *, with_cursor: bool) -> None:
        if self._hidden is None:
            self._cursor_of_main = self.cursor if with_cursor else self._cursor_of_main
            self._style_of_main = self.grid.style
            self._hidden = self.grid.hide()

    def _leave_alternate(self, *, with_cursor: bool) -> None:
        grid, size, hidden = self.grid, self.grid.size, self._hidden
        if hidden is not None:
            # tmux also resizes twice: to the size that the hidden screen had, and then to the
            # present one. One step would break lines at other places.
            grid.resize(hidden.size)
        if with_cursor and self._cursor_of_main is not None:
            # The screen may have been higher when it was saved.
            grid.row = min(self._cursor_of_main.row, grid.size.rows - 1)
            grid.column = self._cursor_of_main.column
            grid.style = self._style_of_main
        if hidden is not None:
            grid.show(hidden)
            grid.resize(size)
        grid.move(grid.row, grid.column)
        self._hidden = None


def _to_numbers(text: str) -> list[int]:
    """Return the parameters of a control function; one that is left out is 0."""
    return [min(int(number[:5] or 0), _LARGEST) for number in text.split(";")]
