"""`KernelLine`: how the kernel collects a line in canonical mode (Linux, n_tty.c).

It counts one column for each character, be it wide or none at all, and goes back over a tab as
far as, by that count, the tab went.
"""

from collections.abc import Callable
from typing import Final

import attrs

from tmuxprim._fake._requests import Interrupted, Killed

_ERASE: Final = "\x7f"
_ERASE_WORD: Final = "\x17"
_KILL: Final = "\x15"
_TAB_STOP: Final = 8
_BACK: Final = "\b \b"
_SIGQUIT: Final = 3

SIGNALS: Final[dict[str, tuple[str, Callable[[], Exception]]]] = {
    "\x03": ("^C", Interrupted),
    "\x1c": ("^\\", lambda: Killed(_SIGQUIT)),
}
"""Keys that send a signal: what the kernel shows, and what the program gets (ISIG)."""


@attrs.define
class KernelLine:
    """A line that the kernel collects.

    Attributes:
        text: What it has of it.
        taken: What the reader was given of it before, by C-d; it can be erased no more.
    """

    text: str = ""
    taken: str = ""
    _start: int = 0

    def hand_over(self) -> None:
        """Give the reader what there is (EOF); who wants a line reads on."""
        self.taken, self.text = self.taken + self.text, ""

    def collect(self, character: str, column: int = 0) -> str:
        """Take a character, and return its echo; controls are shown as ``^X`` (ECHOCTL).

        Args:
            character: What is typed.
            column: The column that the kernel takes the cursor to be in.
        """
        match character:
            case _ if character == _ERASE:
                return self._take_away() if self.text else ""
            case _ if character == _ERASE_WORD:
                return self._take_word_away()
            case _ if character == _KILL:
                return "".join(self._take_away() for _ in self.text)
            case _:
                self._start = self._start if self.text else column
                self.text += character
                return _echo(character)

    def _take_away(self) -> str:
        self.text, erased = self.text[:-1], self.text[-1]
        if erased == "\t":
            return "\b" * self._tab_columns()
        return _BACK * len(_echo(erased))

    def _take_word_away(self) -> str:
        echo, in_word = "", False
        while self.text and (_is_of_word(self.text[-1]) or not in_word):
            in_word = in_word or _is_of_word(self.text[-1])
            echo += self._take_away()
        return echo

    def _tab_columns(self) -> int:
        """Return how far a tab behind the line went."""
        before, tab, last = self.text.rpartition("\t")
        columns = sum(len(_echo(character)) for character in (last if tab else before + last))
        return _TAB_STOP - (columns + (0 if tab else self._start)) % _TAB_STOP


def kernel_column(column: int, output: str) -> int:
    """Return the column that the kernel takes the cursor to be in after *output*."""
    for character in output:
        match character:
            case "\n" | "\r":
                column = 0
            case "\b":
                column = max(column - 1, 0)
            case "\t":
                column += _TAB_STOP - column % _TAB_STOP
            case _ if character >= " " and character != _ERASE:
                column += 1
    return column


def _is_of_word(character: str) -> bool:
    """Whether the kernel counts a character to a word; it knows the first byte only, as Latin 1."""
    lead = chr(character.encode()[0])
    return lead == "_" or (lead.isalnum() and lead not in "\xaa\xb5\xba")


def _echo(character: str) -> str:
    if character == "\t" or ord(character) >= ord(_ERASE) or character >= " ":
        return character
    return f"^{chr(ord(character) ^ 0x40)}"
