"""`Tapping`: what a pane's program writes while a command runs, and what that tells.

It tells where the prompt behind the output begins, by the marks of the shell's line editor. And
from it the rows are drawn again that the pane has thrown away, beginning with the screen of when
the tap was opened. They count only if what the pane still keeps is the same: the screen, the cursor
and all of the history.
"""

from contextlib import suppress
from itertools import repeat
from typing import TYPE_CHECKING, Final

import attrs

from tmuxprim._engine.plan import Plan, observe, pause, send, tap
from tmuxprim._engine.prompt_start import PromptStart, find_start, rows_of
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.line_editor import LineEditor
from tmuxprim._values.pane import Pane
from tmuxprim._values.screen import Screen
from tmuxprim._values.shell_marks import ShellMarks
from tmuxprim.errors import PaneBusyError, TapUnavailableError

if TYPE_CHECKING:
    from tmuxprim._terminal import Tap

_GONE: Final = "its beginning is gone from the pane, and"
_UNPROVEN: Final = f"{_GONE} what was written, drawn anew, is not for sure what the pane shows"
# So many characters are drawn in some milliseconds.
_PIECE: Final = 1 << 14
# What the screen shows may come through the tap a moment later.
_SOON: Final = (*(0.0005 * 1.5**n for n in range(12)), *repeat(0.1, 10))
# The marks of a line that was taken come long before its prompt is found.
_FEW: Final = 12


@attrs.define(eq=False)
class Tapping:
    """The tap of one line of a command.

    Attributes:
        draws: Whether the rows are wanted that the pane throws away.
        reports: Whether the shell is known to report each command (`ShellMarks`).
        is_for_wait: Whether it is closed when the wait for the line has ended.
        is_late: Whether it was opened after Enter, so that marks may have been written before.
        doubt: Why what it took does not tell all rows.
        marks: The marks of the shell that it has taken.
    """

    draws: bool = False
    reports: bool = False
    is_for_wait: bool = False
    is_late: bool = False
    doubt: str = attrs.field(default=_UNPROVEN, init=False)
    marks: ShellMarks = attrs.field(factory=ShellMarks, init=False)
    _tap: "Tap | None" = attrs.field(default=None, init=False)

    @property
    def is_open(self) -> bool:
        """Whether there is a tap."""
        return self._tap is not None

    def begin(self, pane: Pane) -> Plan[None]:
        """Take what is written from now on, if that is to be had."""
        with suppress(PaneBusyError, TapUnavailableError):
            self._tap = yield from tap(pane)

    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool, seen: Screen | None = None
    ) -> Plan[Screen]:
        """Type keys, and take what is written from then on; the tap before is closed.

        There is one key besides a text, so that tmux takes them in one turn, or none of them.

        Returns:
            The screen from right before.
        """
        self.close()
        try:
            opened = yield from tap(pane, keys, leave_mode=leave_mode, seen=seen)
        except (PaneBusyError, TapUnavailableError) as error:
            self.doubt = f"{_GONE} {error}"
            return (yield from send(pane, keys, leave_mode=leave_mode, seen=seen))
        if opened.unavailable:
            self.doubt = f"{_GONE} {opened.unavailable}"
        else:
            self._tap = opened
        return opened.screen

    def close(self) -> None:
        """Close the tap, if there is one, and forget what it has told."""
        if self._tap is not None:
            self._tap.close()
        self._tap, self.marks = None, ShellMarks(reports=self.reports)

    def editor(self) -> Plan[LineEditor | None]:
        """Return the state of the shell's line editor; None if it cannot be determined."""
        if self._tap is None or self.draws:  # what is drawn is read in one go, in the end
            return None
        while self._read():
            yield from pause(0.0)  # so that other tasks go on
        return self.marks.editor

    # A console may be thrown away between a send and the wait for what comes of it.
    __del__ = close

    def find_prompt(self, screen: Screen) -> Plan[PromptStart | None]:
        """Return where the prompt at the cursor begins; None if that is not told for certain."""
        for seconds in _SOON[:_FEW]:
            while self._read():
                yield from pause(0.0)  # so that other tasks go on
            marks = self.marks
            start = find_start(marks.prompt, screen, last=marks.last)
            if start is not None or (marks.prompt and not marks.last):
                return start
            yield from pause(seconds)
        return None

    def _read(self) -> str:
        text = self._tap.read() if self._tap is not None else ""
        self.marks.feed(text)
        return text

    def rows_above_output(self, screen: Screen) -> tuple[str, ...] | None:
        """Return the rows that a hook has printed between the command line and its output.

        None if there may be some, and how many is not certain.
        """
        text = self.marks.before_output
        return rows_of(text, screen.size) if text else None if text is None else ()

    def draw(self, pane: Pane, screen: Screen) -> Plan[Screen | None]:
        """Return a screen with all rows since the tap was opened; None if that is not sure.

        *screen* is what the pane shows now.
        """
        if self._tap is None:
            return None
        begun = self._tap.screen
        if begun.alternate or not self._tap.is_as_new:
            return None
        from tmuxprim._engine.drawing import Drawing  # noqa: PLC0415  # few draw

        drawing = Drawing(begun)
        for seconds in _SOON:
            while text := self._read():
                for start in range(0, len(text), _PIECE):
                    drawing.add(text[start : start + _PIECE])
                    if not drawing.is_sure:
                        return None
                    yield from pause(0.0)  # so that other tasks go on
            if drawing.shows(screen):
                screen = yield from observe(pane, screen.history_size)
                return drawing.whole(screen) if drawing.shows(screen) else None
            yield from pause(seconds)
            screen = yield from observe(pane)
        return None
