r"""Where a shell's prompt begins in its raw output, by what its line editor writes for terminals.

    CSI ? 2004 l      readline, zsh, fish: a line was accepted (bracketed paste is off)
    CSI ? 2004 h      readline, fish: the prompt comes next; zsh: the prompt is whole
    % and spaces, CR  zsh (PROMPT_SP): the output is over, and a row begins; fish with its own sign
    CR CSI 0 m ...    zsh: its line editor draws the prompt

The last of them count, since a command writes before its shell does.
"""

import re
from typing import Final, final

_OFF: Final = "\x1b[?2004l"
_ON: Final = "\x1b[?2004h"
_STYLE: Final = r"(?:\x1b\[[0-9;]*m|\x0f)*"
# A row is begun by a sign, so many spaces that the next row is reached, and the wiping of that.
_BY_ZSH: Final = re.compile(r"\r \r")
_BY_FISH: Final = re.compile(r"\r\S \r")
_SIGN: Final = re.compile(rf"{_STYLE}\S?{_STYLE}\Z")
_LONGEST_SIGN: Final = 64
_SPACES: Final = 8
_EDITOR_BEGINS: Final = re.compile(r"\r\x1b\[0m\x1b\[2[37]m\x1b\[24m\x1b\[J")
_SEQUENCE: Final = re.compile(
    r"\x1b(?:\[[\x20-\x3f]*[\x40-\x7e]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()*+].|[^\[\]()*+])"
)
# What leaves the cursor where it is.
_STAYS: Final = re.compile(
    r"\x1b(?:\[[0-9;:]*[mK]|\[\?[0-9;]*[hl]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()*+].|[=>])|\x0f"
)
_MOVES: Final = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_SHOWN: Final = re.compile(r"[^\x00-\x20\x7f]")
_PRINTED: Final = re.compile(r"[^\x00-\x08\x0d-\x1f\x7f]")
# All that draws a prompt is shorter.
_LONGEST: Final = 1 << 14
# So is all that follows the text that the output ends with.
_LONGEST_END: Final = 1 << 10


@final
class ShellMarks:
    r"""Reads the marks of a shell out of raw output, which comes in pieces, from before Enter on.

    Examples:
        >>> from tmuxprim._values.shell_marks import ShellMarks
        >>> marks = ShellMarks()
        >>> marks.feed("\r\n\x1b[?2004l\rhi\r\n\x1b[?2004h~\r\n$ ")
        >>> marks.was_taken, marks.prompt, marks.is_silent
        (True, '\x1b[?2004h~\r\n$ ', False)
    """

    __slots__ = ("_text", "was_taken")

    def __init__(self) -> None:
        self._text = ""
        self.was_taken: bool = False
        """Whether a line editor has accepted a line."""

    def feed(self, piece: str) -> None:
        """Take the next piece; only the end of all of it is kept."""
        text = self._text + piece
        self.was_taken = self.was_taken or _OFF in text
        self._text = text[-_LONGEST:]

    @property
    def prompt(self) -> str:
        """All that has drawn the prompt, and the new row before it; empty if that is not known."""
        begins = self._begins()
        return "" if begins is None else self._text[begins:]

    @property
    def last(self) -> str:
        r"""The last text before the prompt: "\n" if a row begins; empty if that is not known."""
        before = _STAYS.sub("", self._text[: self._begins()][-_LONGEST_END:])
        kept = before.rstrip("\r")
        if kept.endswith("\n"):
            return "\n"
        line = before.rpartition("\n")[2].lstrip("\r")
        # What has moved the cursor may have left text behind it.
        return "" if _MOVES.search(line) else line.rpartition("\t")[2]

    @property
    def is_apart(self) -> bool:
        """Whether the shell has begun a row below the output, before its hooks came.

        On a dumb terminal zsh may not reach the next row, and does not wipe it (zshparam(1)).
        """
        begins, (by_zsh, by_fish) = self._begins(), self._new_rows()
        if begins is None or begins not in {by_zsh, by_fish}:
            return False
        return begins == by_fish or _EDITOR_BEGINS.search(self._text, begins) is not None

    @property
    def is_silent(self) -> bool:
        """Whether nothing at all was printed between the end of the line and the prompt."""
        begins, taken = self._begins(), self._text.find(_OFF)
        if begins is None or not 0 <= taken < begins:
            return False
        return not _PRINTED.search(_SEQUENCE.sub("", self._text[taken:begins]))

    def _begins(self) -> int | None:
        text, on = self._text, self._text.rfind(_ON)
        if not self.was_taken or on < text.rfind(_OFF):
            return None
        by_zsh, by_fish = self._new_rows()
        if not _shows(text[on:]):  # it has said so behind its prompt
            editors = [found.start() for found in _EDITOR_BEGINS.finditer(text, 0, on)]
            return by_zsh if by_zsh is not None or not editors else editors[-1]
        is_right_before = by_fish is not None and not _shows(_BY_FISH.split(text[by_fish:on], 1)[1])
        return by_fish if is_right_before else on

    def _new_rows(self) -> tuple[int | None, int | None]:
        """Return where zsh and fish have begun a row last, before their prompt."""
        text, on = self._text, self._text.rfind(_ON)
        return _new_row(text, on, _BY_ZSH), _new_row(text, on, _BY_FISH)


def _new_row(text: str, end: int, wiped: re.Pattern[str]) -> int | None:
    """Return where the last row is begun before *end*, if one is."""
    for found in reversed([*wiped.finditer(text, 0, end)]):
        spaces = len(text[: found.start()].rstrip(" "))
        if found.start() - spaces >= _SPACES:
            before = text[max(spaces - _LONGEST_SIGN, 0) : spaces]
            return spaces - len(before) + len(_SIGN.sub("", before))
    return None


def _shows(text: str) -> bool:
    """Whether a part of raw output shows anything but blanks."""
    return _SHOWN.search(_SEQUENCE.sub("", text)) is not None
