"""`Editor`: the line editor of a fake shell, with the keys that readline and Python share.

It shows a change the way real editors do: it goes back to the first character that differs,
writes from there on, and blanks what is left of the old line.
"""

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Final

import attrs

from tmuxprim._ansi import strip_ansi
from tmuxprim._width import char_columns, text_columns

_TAB_STOP: Final = 8
# What leads from behind a full row to the one below, and makes the line go on there.
_NEXT_ROW: Final = " \r"

# What readline binds; an arrow key comes as its whole escape sequence.
_START: Final = ("\x01", "\x1b[1~")
_END: Final = ("\x05", "\x1b[4~")
_LEFT: Final = ("\x02", "\x1b[D")
_RIGHT: Final = ("\x06", "\x1b[C")
_OLDER: Final = ("\x10", "\x1b[A")
_NEWER: Final = ("\x0e", "\x1b[B")
_ERASE: Final = ("\x7f", "\b")
_DELETE: Final = ("\x04", "\x1b[3~")
_KILL_BEFORE: Final = "\x15"
_KILL_BEHIND: Final = "\x0b"
_KILL_WORD: Final = "\x17"
_CLEAR: Final = "\x0c"


@attrs.define
class Editor:
    """A line being edited, and how each key changes it and the screen.

    Args:
        columns: The width of the screen.
        start: The column that the line begins in, behind the prompt.
        prompt: What stands there.
        history: Lines that were entered before, the oldest first.
        completions: Lines that Tab completes.
    """

    columns: int = 80
    start: int = 0
    prompt: str = ""
    history: tuple[str, ...] = ()
    completions: tuple[str, ...] = ()
    _characters: list[str] = attrs.field(factory=list, init=False)
    _position: int = attrs.field(default=0, init=False)
    _drafts: dict[int, str] = attrs.field(factory=dict, init=False)
    _recalled: int = attrs.field(init=False)
    # Where the cursor is: rows below the line's first, and column.
    _place: tuple[int, int] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._recalled, self._place = len(self.history), (0, self.start)

    @property
    def text(self) -> str:
        """The line."""
        return "".join(self._characters)

    def edit(self, key: str) -> str:
        """Take a key, and return what is to be written for it."""
        at, line = self._position, self._characters
        if at == len(line) and _is_text(key) and _columns(key) > 0:
            # By far the most frequent key, and the one that need not look at the whole line.
            line.append(key)
            return self._go(at + 1)
        cuts = {
            **dict.fromkeys(_ERASE, (max(at - 1, 0), at)),
            **dict.fromkeys(_DELETE, (at, at + 1)),
            _KILL_BEFORE: (0, at),
            _KILL_BEHIND: (at, len(line)),
            _KILL_WORD: (_start_of_word(line[:at]), at),
        }
        if key in cuts:
            start, end = cuts[key]
            return self._change(line[:start], line[end:])
        if key == "\t" and self.completions:
            return self._complete()
        if key == "\t" or _is_text(key):
            return self._change(_joined([*line[:at], key]), line[at:])
        return self._move(key)

    def insert(self, text: str) -> str:
        """Take a text that was pasted; of control characters it keeps line ends and tabs."""
        kept = [char for char in text if char in "\n\t" or _is_text(char)]
        at, line = self._position, self._characters
        return self._change(_joined([*line[:at], *kept]), line[at:])

    def resize(self, columns: int) -> None:
        """Have another width; the terminal has laid the line out for it already."""
        self.columns = columns
        self._place = self._before(self._position)

    def leave(self) -> str:
        """Return what brings the cursor to the line's last row, for C-c."""
        return "\n" * (self._after(self._characters)[0] - self._place[0])

    def finish(self) -> str:
        """Return what brings the cursor behind the line, for what comes next."""
        end = self._after(self._characters)
        if end[0] == 0 or end[1] > 0:
            return _jump(self._place, end)
        # The line ends with a full row; like readline, go back to it and write its end once more.
        # An accent has no cell of its own, and stands on the one before only where both are one.
        last = next(one for one in reversed(self._characters) if one == "\n" or _columns(one) > 0)
        return _jump(self._place, (end[0] - 1, self.columns - _columns(last))) + f"\x1b[K{last}"

    def _move(self, key: str) -> str:
        if key in _OLDER + _NEWER:
            return self._recall(self._recalled + (1 if key in _NEWER else -1))
        if key == _CLEAR:
            return self._show_again()
        at, end = self._position, len(self._characters)
        # A key that means nothing to this editor leaves the cursor where it is.
        steps = {
            **dict.fromkeys(_START, 0),
            **dict.fromkeys(_END, end),
            **dict.fromkeys(_LEFT, max(at - 1, 0)),
            **dict.fromkeys(_RIGHT, min(at + 1, end)),
        }
        return self._go(steps.get(key, at))

    def _recall(self, number: int) -> str:
        """Show another line of the history; what was typed comes back behind the newest."""
        if not 0 <= number <= len(self.history):
            return ""
        self._drafts[self._recalled] = self.text
        self._recalled = number
        line = self._drafts.get(number, [*self.history, ""][number])
        return self._change(_joined(line), [])

    def _complete(self) -> str:
        """Add what all lines that begin like this one have in common."""
        before = "".join(self._characters[: self._position])
        found = [line for line in self.completions if line.startswith(before)]
        whole = f"{found[0]} " if len(found) == 1 else before
        if len(found) > 1:
            whole = reduce(lambda one, other: one[: _alike(one, other)], found)
        return self._change(_joined(whole), self._characters[self._position :])

    def _show_again(self) -> str:
        line, position = self._characters, self._position
        self._characters, self._position, self._place = [], 0, (0, self.start)
        return f"\x1b[H\x1b[2J{self.prompt}" + self._change(line[:position], line[position:])

    def _change(self, before: list[str], behind: list[str]) -> str:
        """Have another line, with the cursor between its two parts."""
        line, old = [*before, *behind], self._characters
        old_end = self._after(old)
        shown = self._go(_kept(line, old))
        if self._position == 0 and old and _columns(old[0]) == 0:
            shown += self._prompt_again()
        self._characters = line
        if (place := self._before(self._position)) < self._place:
            # A wide character that did not fit in the row above no longer comes next.
            shown += _jump(self._place, place)
            self._place = place
        shown += self._go(len(line))
        if old_end > self._place:
            shown += self._blank_up_to(old_end[0])
        return shown + self._go(len(before))

    def _prompt_again(self) -> str:
        """Write the prompt anew: an accent that the line began with stands on its last cell."""
        last = self.prompt.rpartition("\n")[2]
        return f"\x1b[{text_columns(strip_ansi(last))}D{last}" if last else ""

    def _go(self, position: int) -> str:
        """Move the cursor: forward over what stands there by writing it again."""
        line, at = self._characters, self._position
        if position < at:
            place = self._before(position)
            shown = _jump(self._place, place)
            self._position, self._place = position, place
            return shown
        shown = ""
        for character in line[at:position]:
            text, self._place = self._written(self._place, character)
            shown += text
        self._position = position
        return shown + self._wrap_early() if position < len(line) else shown

    def _wrap_early(self) -> str:
        """Move on to the next row if what stands under the cursor stands there, and keep it."""
        under = self._characters[self._position]
        row, column = self._place
        if column > 0 and column + _columns(under) > self.columns:
            self._place = row + 1, 0
            return " " * (self.columns - column) + f"{under}\r"
        return f"{under}\r" if row > 0 and column == 0 and under != "\t" else ""

    def _blank_up_to(self, last: int) -> str:
        """Blank the screen behind the cursor down to a row; come back to where it was."""
        place = self._place
        blanked = "\x1b[K" + "\n\x1b[K" * (last - place[0])
        return blanked if last == place[0] else blanked + _jump((last, 0), place)

    def _before(self, position: int) -> tuple[int, int]:
        """Return where the character at *position* stands, or will stand."""
        row, column = self._after(self._characters[:position])
        width = sum(map(_columns, self._characters[position : position + 1]))
        return (row + 1, 0) if column + width > self.columns else (row, column)

    def _after(self, characters: Iterable[str]) -> tuple[int, int]:
        """Return where the cursor is behind *characters*."""
        place = 0, self.start
        for character in characters:
            _, place = self._written(place, character)
        return place

    def _written(self, place: tuple[int, int], character: str) -> tuple[str, tuple[int, int]]:
        """Return what is written for a character, a tab as spaces, and the place behind it."""
        row, column = place
        if character == "\n":
            return "\x1b[K\n", (row + 1, 0)
        cells = [character]
        if character == "\t":
            cells = [" "] * (_TAB_STOP - column % self.columns % _TAB_STOP)
        text = ""
        for cell in cells:
            width = _columns(cell)
            if column + width > self.columns:
                # What stood in the cell that a wide character leaves has to go.
                text += " " * (self.columns - column)
                row, column = row + 1, 0
            column += width
            text += cell
            if column == self.columns:
                # Like readline, never wait behind a full row: nothing but writing leads there.
                text, row, column = text + _NEXT_ROW, row + 1, 0
        return text, (row, column)


def _jump(start: tuple[int, int], to: tuple[int, int]) -> str:
    if start == to:
        return ""
    up, right = start[0] - to[0], to[1]
    rows = f"\x1b[{up}A" if up > 0 else "\n" * -up
    return f"{rows}\r" + (f"\x1b[{right}C" if right else "")


def _columns(character: str) -> int:
    return 0 if character == "\n" else char_columns(character[0])


def _is_text(key: str) -> bool:
    """Whether a key is a character, be it unprintable to Python as U+3000, ZWJ or U+E0B0 are."""
    return key[0] >= " " and key != "\x7f"


def _joined(characters: Iterable[str]) -> list[str]:
    """Join accents to what they stand on: what is seen as one character is one."""
    joined: list[str] = []
    for character in characters:
        if joined and "\n" not in (joined[-1], character) and _columns(character) == 0:
            joined[-1] += character
        else:
            joined.append(character)
    return joined


def _start_of_word(characters: list[str]) -> int:
    """Return where the last word begins; words are what is between spaces."""
    start = len(characters)
    while start and characters[start - 1] == " ":
        start -= 1
    while start and characters[start - 1] != " ":
        start -= 1
    return start


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many characters two lines begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))


def _kept(line: Sequence[str], old: Sequence[str]) -> int:
    """Return how many characters may stay on the screen: none whose accent goes."""
    same = _alike(line, old)
    while 0 < same < len(old) and _columns(old[same]) == 0:
        same -= 1
    return same
