"""The line editor of a fake shell, with the keys that readline and Python share.

It shows a change as real editors do: it goes back to the first character that differs, writes
from there on, and blanks the rest of the old line.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from tmuxprim._fake.requests import Interrupted, ReadLine
from tmuxprim._fake.streams import END_OF_FILE, INTERRUPT, ends_line, pasted, typed
from tmuxprim._values.lines import char_columns

_PASTES_ON: Final = "\x1b[?2004h"
_PASTES_OFF: Final = "\x1b[?2004l\r"
_TAB_STOP: Final = 8
# The cursor waits behind a full row (DECAWM). A space wraps it to the row below, and CR returns to
# the first column of that, so that tmux marks the row as wrapped. readline does so as well.
_NEXT_ROW: Final = " \r"

# The keys that readline binds by default (readline(3), "DEFAULT KEY BINDINGS").
_START: Final = typed("C-a", "Home")
_END: Final = typed("C-e", "End")
_LEFT: Final = typed("C-b", "Left")
_RIGHT: Final = typed("C-f", "Right")
_ERASE: Final = typed("BSpace", "C-h")
_DELETE: Final = typed("C-d", "DC")
_KILL_BEFORE, _KILL_BEHIND, _CLEAR = typed("C-u", "C-k", "C-l")


class Editor:
    """A line being edited, and how each key changes it and the screen."""

    def __init__(self, request: ReadLine) -> None:
        self._request = request
        self._columns = 80
        self._start = 0
        # One item for each visible character: a letter with its accents is one.
        self._line: list[str] = []
        self._position = 0
        # The cursor's place: the row, counted from the first row of the line, and the column.
        self._place = (0, 0)

    @property
    def text(self) -> str:
        """The line."""
        return "".join(self._line)

    @property
    def opening(self) -> str:
        """The prompt, after the switch to bracketed paste if the program uses that."""
        return _PASTES_ON * self._request.pastes + self._request.prompt

    def begin(self, columns: int, start: int) -> None:
        """Begin on a screen of so many columns, in the column behind the prompt."""
        self._columns, self._start, self._place = columns, start, (0, start)

    def resize(self, columns: int) -> None:
        """Note a new width; the terminal has already wrapped the line for it."""
        self._columns = columns
        self._place = self._place_of(self._position)

    def take(self, key: str) -> tuple[str, str | Exception | None]:
        """Take a key or a paste; return the text to write for it, and the result.

        The result is the finished line, or the exception that ends it; None while it is edited.
        """
        pastes_off = _PASTES_OFF * self._request.pastes
        if key == INTERRUPT:
            rows = self._after(self._line)[0] - self._place[0]
            return "^C" + "\n" * rows + "\n" + pastes_off, Interrupted()
        if key == END_OF_FILE and not self._line:
            return pastes_off + "\n" * self._request.pastes, EOFError()
        if ends_line(key):
            return self._echoed(self.finish()) + "\n" + pastes_off, self.text
        text = pasted(key)
        return self._echoed(self.edit(key) if text is None else self.insert(text)), None

    def edit(self, key: str) -> str:
        """Take a key, and return the text to write for it."""
        if _is_text(key) or key == "\t":
            return self.insert(key)
        at, line = self._position, self._line
        end = len(line)
        cuts = {
            **dict.fromkeys(_ERASE, (max(at - 1, 0), at)),
            **dict.fromkeys(_DELETE, (at, at + 1)),
            _KILL_BEFORE: (0, at),
            _KILL_BEHIND: (at, end),
        }
        steps = {
            **dict.fromkeys(_START, 0),
            **dict.fromkeys(_END, end),
            **dict.fromkeys(_LEFT, max(at - 1, 0)),
            **dict.fromkeys(_RIGHT, min(at + 1, end)),
        }
        if key in cuts:
            start, stop = cuts[key]
            return self._show(line[:start], line[stop:])
        if key in steps:
            return self._show(line[: steps[key]], line[steps[key] :])
        if key != _CLEAR:
            return ""
        self._line, self._place = [], (0, self._start)
        return f"\x1b[H\x1b[2J{self._request.prompt}" + self._show(line[:at], line[at:])

    def insert(self, text: str) -> str:
        """Take a text; it drops control characters, except for line ends and tabs."""
        at, line = self._position, self._line
        new = _joined(char for char in text if char in "\n\t" or _is_text(char))
        if at == len(line) and not (new and _columns(new[0]) == 0 and new[0] != "\n"):
            # Typing at the end is the usual case. It need not compare the whole line, which would
            # make a long paste quadratic.
            line += new
            self._position += len(new)
            return self._write(new)
        return self._show(_joined([*line[:at], *new]), line[at:])

    def finish(self) -> str:
        """Return the text that moves the cursor behind the line, before any output."""
        row, column = self._after(self._line)
        if column == 0 < row:
            row, column = row - 1, self._columns - 1  # as readline leaves no row empty
        return self._jump((row, column))

    def _echoed(self, shown: str) -> str:
        return shown if self._request.echo else ""

    def _show(self, before: list[str], behind: list[str]) -> str:
        """Replace the line, with the cursor between its two parts; return the text to write."""
        line, shown = [*before, *behind], ""
        if line != self._line:
            same, last = _alike(line, self._line), self._after(self._line)
            shown = self._jump(self._after(line[:same])) + self._write(line[same:])
            if last > self._place:
                rows = last[0] - self._place[0]
                shown += "\x1b[K" + "\n\x1b[K" * rows
                self._place = (last[0], 0) if rows else self._place
        self._line, self._position = line, len(before)
        return shown + self._jump(self._place_of(len(before)))

    def _jump(self, to: tuple[int, int]) -> str:
        """Return the text that moves the cursor."""
        if self._place == to:
            return ""
        up, right = self._place[0] - to[0], to[1]
        self._place = to
        rows = f"\x1b[{up}A" if up > 0 else "\n" * -up
        return f"{rows}\r" + (f"\x1b[{right}C" if right else "")

    def _write(self, characters: Iterable[str]) -> str:
        """Return the text that writes characters at the cursor."""
        shown = ""
        for character in characters:
            text, self._place = self._written(self._place, character)
            shown += text
        return shown

    def _place_of(self, position: int) -> tuple[int, int]:
        """Return the place of the character at *position*."""
        row, column = self._after(self._line[:position])
        width = sum(map(_columns, self._line[position : position + 1]))
        return (row + 1, 0) if column + width > self._columns else (row, column)

    def _after(self, characters: Iterable[str]) -> tuple[int, int]:
        """Return the cursor's place behind *characters*."""
        place = 0, self._start
        for character in characters:
            _, place = self._written(place, character)
        return place

    def _written(self, place: tuple[int, int], character: str) -> tuple[str, tuple[int, int]]:
        """Return the text to write for a character, a tab as spaces, and the place behind it."""
        row, column = place
        if character == "\n":
            return "\x1b[K\n", (row + 1, 0)
        text = ""
        for cell in [" "] * (_TAB_STOP - column % _TAB_STOP) if character == "\t" else [character]:
            width = _columns(cell)
            if column + width > self._columns:
                # A wide character that does not fit leaves the last cell: blank it.
                text += " " * (self._columns - column)
                row, column = row + 1, 0
            column += width
            text += cell
            if column == self._columns:
                # Like readline, never leave the cursor behind a full row: no movement reaches that
                # place, so the editor could not return to it.
                text, row, column = text + _NEXT_ROW, row + 1, 0
        return text, (row, column)


def _columns(character: str) -> int:
    return 0 if character == "\n" else char_columns(character[0])


def _is_text(key: str) -> bool:
    """Whether a key is a character, even one that Python calls unprintable, such as U+3000."""
    return key[0] >= " " and key != "\x7f"


def _joined(characters: Iterable[str]) -> list[str]:
    """Join accents to their letters, so that each item is one visible character."""
    joined: list[str] = []
    for character in characters:
        if joined and "\n" not in (joined[-1], character) and _columns(character) == 0:
            joined[-1] += character
        else:
            joined.append(character)
    return joined


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the number of equal characters at the beginning of two lines."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))
