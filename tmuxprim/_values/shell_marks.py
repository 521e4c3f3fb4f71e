r"""Where a shell's prompt begins in its raw output, by what its line editor writes for terminals.

    CSI ? 2004 l      readline, zsh, fish: a line was accepted (bracketed paste is off)
    CSI ? 2004 h      readline, fish 3: the prompt comes next; zsh, fish 4: the prompt is whole
    % and spaces, CR  zsh (PROMPT_SP): the output is over, and a row begins; fish with its own sign
    CR CSI 0 m ...    zsh: its line editor draws the prompt

The last of them count, since a command writes before its shell does.

Some shells report their commands as well, to terminals that keep track of them (OSC 133; VS Code's
OSC 633 has the same letters). That is exact where a hook prints, and has the exit status:

    OSC 133 ; A ST             the prompt begins
    OSC 133 ; B ST             the prompt ends
    OSC 133 ; C ST             the output of a command begins
    OSC 133 ; D ; STATUS ST    the output ends

A command can print them too, so C and D count only with a proof that the shell sends them. Marks of
our own integration files are numbered: the prompt reports the number of the D that belongs to it.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple, final

from tmuxprim._values.line_editor import LineEditor

_OFF: Final = "\x1b[?2004l"
_ON: Final = "\x1b[?2004h"
_STYLE: Final = r"(?:\x1b\[[0-9;]*m|\x0f)*"
# A row is begun by a sign, so many spaces that the next row is reached, and the wiping of that.
_BY_ZSH: Final = re.compile(r"\r \r")
_BY_FISH: Final = re.compile(r"\r\S \r")
_SIGN: Final = re.compile(rf"{_STYLE}\S?{_STYLE}\Z")
_LONGEST_SIGN: Final = 64
_SPACES: Final = 8
_EDITOR_BEGINS: Final = re.compile(r"\r?\x1b\[0m\x1b\[2[37]m\x1b\[24m\x1b\[J")
_SEQUENCE: Final = re.compile(
    r"\x1b(?:\[[\x20-\x3f]*[\x40-\x7e]|\][^\x07\x1b]*(?:\x07|\x1b\\)|k[^\x1b]*\x1b\\"
    r"|[()*+].|[^\[\]()*+])"
)
# What leaves the cursor where it is. ESC k sets a title, as Oh My Zsh does. fish 4 also asks for
# reports of more keys (CSI > m, CSI = u).
_STAYS: Final = re.compile(
    r"\x1b(?:\[[0-9;:]*[mK]|\[\?[0-9;]*[hl]|\[[<=>][0-9;]*[mu]"
    r"|\][^\x07\x1b]*(?:\x07|\x1b\\)|k[^\x1b]*\x1b\\|[()*+].|[=>])|\x0f"
)
# A prompt is drawn again if a part of it has come late, such as the branch of a repository.
_AGAIN_BY_ZSH: Final = re.compile(r"\r\r?(?:\x1bM)*\x1b\[0m\x1b\[2[37]m\x1b\[24m\x1b\[J")
_AGAIN_BY_FISH: Final = re.compile(r"\r(?:\x1bM)*\x1b\[K")
# A transient prompt: after Enter zsh and fish 4 go up, and draw a shorter prompt and the line. No
# row has ended before that, so it is no output.
_UP: Final = r"(?:\x1bM|\x1b\[[0-9]*A)+"
_LINE_AGAIN: Final = re.compile(
    rf"[^\n]*?(?:\x1b\[\?2004l\r\r{_UP}.*?(?=\r\r\n)"
    rf"|{_UP}[^\n]*(?=\r\n(?:{_STAYS.pattern})*\x1b\]133;C))",
    re.DOTALL,
)
_MOVES: Final = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
# fish goes up and down again where it draws a line of more than one row.
_ROW_END: Final = re.compile(r"(?<!\x1bM\r\r)\n")
_SHOWN: Final = re.compile(r"[^\x00-\x20\x7f]")
_PRINTED: Final = re.compile(r"[^\x00-\x08\x0d-\x1f\x7f]")
_REPORT: Final = re.compile(r"\x1b\](?:133|633);([ABCD])((?:;[^\x07\x1b]*)?)(?:\x07|\x1b\\)")
_STATUS: Final = re.compile(r"[0-9]{1,10}")
NUMBER: Final = "tmuxprim"
"""The parameter with the number of a command, in the marks of our integration files."""
# All that draws a prompt is shorter.
_LONGEST: Final = 1 << 14
# So is all that follows the text that the output ends with.
_LONGEST_END: Final = 1 << 10


class _Report(NamedTuple):
    """One mark of OSC 133.

    Args:
        letter: Its kind.
        words: Its parameters.
        place: Where it begins, in all that was written.
    """

    letter: str
    words: tuple[str, ...]
    place: int

    @property
    def number(self) -> str:
        """The number of the command, if it is a mark of ours; else empty."""
        return self.value(NUMBER)

    @property
    def is_inherited(self) -> bool:
        """Whether it is a mark of ours without a number, from a shell that inherited its prompt."""
        return f"{NUMBER}=" in self.words

    def value(self, key: str) -> str:
        """Return the value of a parameter; empty if there is none."""
        found = (word.partition("=") for word in self.words)
        return next((value for name, _, value in found if name == key), "")

    @property
    def status(self) -> int | None:
        """The exit status in a mark of the output's end, or in our mark of a prompt."""
        status = self.words[0] if self.letter == "D" and self.words else self.value("status")
        return int(status) if _STATUS.fullmatch(status) else None


@final
class ShellMarks:
    r"""Reads the marks of a shell out of raw output, which comes in pieces, from before Enter on.

    Args:
        reports: Whether the shell is known to report the beginning and the end of each command.

    Examples:
        >>> from tmuxprim._values.shell_marks import ShellMarks
        >>> marks = ShellMarks()
        >>> marks.feed("\r\n\x1b[?2004l\rhi\r\n\x1b[?2004h~\r\n$ ")
        >>> marks.was_taken, marks.prompt, marks.is_silent
        (True, '\x1b[?2004h~\r\n$ ', False)
    """

    __slots__ = (
        "_begun",
        "_dropped",
        "_end",
        "_ends",
        "_reports",
        "_scanned",
        "_start",
        "_starts",
        "_text",
        "is_on",
        "line_again",
        "was_taken",
    )

    def __init__(self, *, reports: bool = False) -> None:
        self._text = ""
        self._dropped = self._scanned = self._starts = self._ends = 0
        self._start: _Report | None = None
        self._end: _Report | None = None
        self._begun: str | None = ""
        self._reports = reports
        self.is_on: bool = False
        """Whether a line editor has begun to edit a line, and not accepted it."""
        self.was_taken: bool = False
        """Whether a line editor has accepted a line."""
        self.line_again: str = ""
        """All that was written up to the end of a line that its editor has drawn again after Enter,
        in a higher row; empty if it has not."""

    def feed(self, piece: str) -> None:
        """Take the next piece; only the end of all of it is kept."""
        text = self._text + piece
        off, on = text.rfind(_OFF), text.rfind(_ON)
        self.was_taken = self.was_taken or off >= 0
        if not (self.line_again or self._dropped) and (again := _LINE_AGAIN.match(text)):
            self.line_again = again[0]
        if max(off, on) >= 0:
            self.is_on = on > off
        for report, end in _reports_in(text, max(self._scanned - self._dropped, 0)):
            self._scanned = self._dropped + end
            self._note(report._replace(place=self._dropped + report.place), text)
        self._text = text[-_LONGEST:]
        self._dropped += len(text) - len(self._text)

    def _note(self, report: _Report, text: str) -> None:
        """Count a report, if it may be one of the command's beginning or end."""
        start = self._start
        if report.letter == "C":
            # The first counts, or the first that is numbered.
            if start is None or (report.number and not start.number):
                self._begun = None if self._dropped else text[: report.place]
                self._start, self._end, self._starts, self._ends = report, None, 0, 0
                start = report
            self._starts += report.number == start.number
        elif report.letter == "D" and start is not None and report.number == _next(start.number):
            self._end, self._ends = report, self._ends + 1

    @property
    def is_empty(self) -> bool:
        """Whether nothing was taken yet."""
        return not self._text

    @property
    def editor(self) -> LineEditor | None:
        """The state of the line editor; None if it has neither accepted a line nor begun one.

        A program that was started by the shell, such as Python, may end without a mark. So what
        begins a line counts alone.
        """
        if not self.is_on:
            return LineEditor.OFF if self.was_taken else None
        text = self._as_first_drawn()
        is_at_prompt = self.is_apart and not _shows(text[text.rfind(_ON) :])
        return LineEditor.AT_PROMPT if is_at_prompt else LineEditor.ON

    @property
    def prompt(self) -> str:
        """All that has drawn the prompt, and the new row before it; empty if that is not known."""
        begins = self._begins()
        return "" if begins is None else self._text[begins:]

    @property
    def prompts(self) -> tuple[str, ...]:
        """All that has drawn each state of the prompt that was complete, the newest first.

        A prompt is drawn again when what it shows has come late. A snapshot may show it from
        before.
        """
        begins, text = self._begins(), self._text
        if begins is None:
            return ()
        return tuple(text[begins:end] for end in (len(text), *reversed(_redraws(self._text))))

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
    def status(self) -> int | None:
        """The exit status of the command; None if the shell has not reported it for certain."""
        prompt, end = self._numbered_prompt(), self._certain_end()
        if prompt is not None:
            return prompt.status
        return end.status if end is not None else None

    @property
    def reports_commands(self) -> bool | None:
        """Whether the shell reports the beginning and the end of each command.

        None if this command does not tell: it may have printed the reports itself.
        """
        if self.is_numbered:
            return True
        if not self._ends:
            return False
        return True if self._starts == self._ends == 1 and self._is_bare() else None

    @property
    def is_numbered(self) -> bool:
        """Whether the line editor has written a mark of our integration with the prompt."""
        return any(report.number for report in self._in_prompt())

    @property
    def reports_end(self) -> bool:
        """Whether it is certain that the shell has reported where the output ends."""
        return self._certain_end() is not None

    @property
    def is_unclear(self) -> bool:
        """Whether the output holds such a report as the shell writes at its end."""
        has_report = self._reports and self._ends > 0
        return has_report and not (self.reports_end or self.is_apart)

    @property
    def before_output(self) -> str | None:
        r"""The text that a hook has printed below the command line, before the output.

        None if that is not certain.
        """
        is_known = self._is_known()
        if self._begun is not None:
            # The line editor ends the row of the line itself.
            row_end = _ROW_END.search(self._begun)
            below = self._begun[row_end.end() :] if row_end else ""
            if is_known or not _prints(below):
                return below if _prints(below) else ""
        return None if is_known or self._reports or self._ends else ""

    @property
    def is_apart(self) -> bool:
        """Whether the shell has begun a row below the output, before its hooks came.

        On a dumb terminal zsh may not reach the next row, and does not wipe it (zshparam(1)).
        """
        begins, (by_zsh, by_fish) = self._shell_begins(), self._new_rows()
        if begins is None or begins not in {by_zsh, by_fish}:
            return False
        return begins == by_fish or _EDITOR_BEGINS.search(self._text, begins) is not None

    @property
    def is_silent(self) -> bool:
        """Whether nothing at all was printed between the end of the line and the prompt."""
        begins, taken = self._shell_begins(), self._text.find(_OFF)
        if begins is None or not 0 <= taken < begins:
            return False
        return not _prints(self._text[taken:begins])

    def _certain_end(self) -> _Report | None:
        """Return the shell's report of where the output ends, if it is certain that it is its own.

        A job in the background may write behind the marks of a line editor, so they are no proof.
        """
        end = self._end
        if end is None or self._ends != 1 or end.place < self._dropped or not self._is_known():
            return None
        return end

    def _is_known(self) -> bool:
        """Whether the shell reports each command, so that the only report of a kind is its own."""
        if self._start is None or self._start.number:
            return self._numbered_prompt() is not None
        return self._reports and self._starts == 1 and self._has_marked_prompt()

    def _is_bare(self) -> bool:
        """Whether nothing was printed between the reports of a command's beginning and its end."""
        start, end, begins = self._start, self._end, self._shell_begins()
        if start is None or end is None or begins is None or start.place < self._dropped:
            return False
        ends = min(end.place - self._dropped, begins)
        output = self._text[start.place - self._dropped : ends]
        return self._has_marked_prompt() and not _prints(output)

    def _numbered_prompt(self) -> _Report | None:
        """Return our integration's mark of the prompt, if it is of the command that was taken."""
        if self._start is None or not self._start.number:
            return None
        expected = _next(self._start.number)
        return next((report for report in self._in_prompt() if report.number == expected), None)

    def _has_marked_prompt(self) -> bool:
        """Whether the line editor has written marks of a prompt with it, and they are not ours."""
        return bool(self._in_prompt()) and not self.is_numbered

    def _in_prompt(self) -> list[_Report]:
        """Return the marks of the prompt that the line editor has written with it."""
        begins = self._shell_begins()
        if begins is None:
            return []
        return [one for one, _ in _reports_in(self._text, begins) if one.letter in "AB"]

    def _begins(self) -> int | None:
        begins, end = self._shell_begins(), self._certain_end()
        return begins if begins is None or end is None else min(begins, end.place - self._dropped)

    def _shell_begins(self) -> int | None:
        text = self._as_first_drawn()
        on = text.rfind(_ON)
        if not self.was_taken or on < text.rfind(_OFF):
            return None
        by_zsh, by_fish = self._new_rows()
        if not _shows(text[on:]):  # it has said so behind its prompt
            edited = _latest(*(found.start() for found in _EDITOR_BEGINS.finditer(text, 0, on)))
            # The line editor of zsh draws its prompt behind its row. So a row of fish that is the
            # last of these is no output of a command in zsh.
            if by_fish == _latest(by_zsh, by_fish, edited):
                return by_fish
            return edited if by_zsh is None else by_zsh
        is_right_before = by_fish is not None and not _shows(_BY_FISH.split(text[by_fish:on], 1)[1])
        return by_fish if is_right_before else on

    def _as_first_drawn(self) -> str:
        """Return the text up to where the prompt was drawn again, if it was."""
        return self._text[: next(iter(_redraws(self._text)), None)]

    def _new_rows(self) -> tuple[int | None, int | None]:
        """Return where zsh and fish have begun a row before their prompt, since the last line.

        For the rest of a command they begin none.
        """
        text = self._as_first_drawn()
        on = text.rfind(_ON)
        line_end = max(text.rfind(_OFF, 0, on), 0)
        return _new_row(text, line_end, on, _BY_ZSH), _new_row(text, line_end, on, _BY_FISH)


def _reports_in(text: str, begins: int) -> Iterator[tuple[_Report, int]]:
    """Give each report in a text, with the place where it ends."""
    for found in _REPORT.finditer(text, begins):
        report = _Report(found[1], tuple(found[2].split(";")[1:]), found.start())
        if not report.is_inherited:
            yield report, found.end()


def report(letter: str, number: int, *words: str) -> str:
    """Return a mark of a command with a number, as our integration files write it."""
    return f"\x1b]133;{';'.join((letter, *words, f'{NUMBER}={number}'))}\x07"


def _next(number: str) -> str:
    """Return the number behind a number of a command; empty behind none."""
    return str(int(number) + 1) if _STATUS.fullmatch(number) else ""


def _new_row(text: str, start: int, end: int, wiped: re.Pattern[str]) -> int | None:
    """Return where the last row is begun between *start* and *end*, if one is."""
    for found in reversed([*wiped.finditer(text, start, end)]):
        spaces = len(text[: found.start()].rstrip(" "))
        if found.start() - spaces >= _SPACES:
            before = text[max(spaces - _LONGEST_SIGN, 0) : spaces]
            return spaces - len(before) + len(_SIGN.sub("", before))
    return None


def _redraws(text: str) -> list[int]:
    """Return where a prompt was drawn again, each time right behind all of it."""
    on = text.rfind(_ON)
    if on < 0:
        return []
    by_zsh = [found.start() for found in _AGAIN_BY_ZSH.finditer(text, on)]
    if by_zsh and not _STAYS.sub("", text[on : by_zsh[0]]):
        return by_zsh
    return [] if _shows(text[on:]) else [*_redraws_by_fish(text, on)][::-1]


def _redraws_by_fish(text: str, on: int) -> Iterator[int]:
    """Yield where fish has drawn its prompt again, the last time first, up to the last mark *on*.

    It switches its editor off and on for that. Between the two it begins no row, as at a new
    prompt.
    """
    off = text.rfind(_OFF, 0, on)
    before, again = text.rfind(_ON, 0, max(off, 0)), _AGAIN_BY_FISH.search(text, max(off, 0), on)
    if before < 0 or again is None or _begins_prompt(text, again.end(), on):
        return
    if not _STAYS.sub("", text[before:off] + text[off : again.start()]):
        yield off
        yield from _redraws_by_fish(text, before)


def _begins_prompt(text: str, start: int, end: int) -> bool:
    """Whether a shell has begun a row or a line between *start* and *end*."""
    patterns = (_BY_ZSH, _BY_FISH, _EDITOR_BEGINS)
    return any(pattern.search(text, start, end) for pattern in patterns)


def _latest(*places: int | None) -> int | None:
    return max((place for place in places if place is not None), default=None)


def _prints(text: str) -> bool:
    """Whether a part of raw output prints anything, such as a blank or a line break."""
    return _PRINTED.search(_SEQUENCE.sub("", text)) is not None


def _shows(text: str) -> bool:
    """Whether a part of raw output shows anything but blanks."""
    return _SHOWN.search(_SEQUENCE.sub("", text)) is not None
