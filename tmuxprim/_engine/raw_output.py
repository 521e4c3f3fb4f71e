"""`RawOutput`: the raw output of a pane's program, as far as a tap takes it.

tmux shows the screen, but not the escape sequences that have drawn it. A tap also gets these. They
are of use for three things. The marks of a shell's line editor show where the prompt below the
output begins, and whether the editor edits a line. Some programs report their own state. And rows
that the pane has thrown away can be drawn again, on the screen from when the tap was opened. Such
rows count only if the drawing ends like the pane: with the same screen, cursor and history.
"""

from itertools import repeat
from typing import TYPE_CHECKING, Final

import attrs

from tmuxprim._engine.plan import Plan, observe, pause, send, tap
from tmuxprim._engine.prompt_start import PromptStart, find_start, rows_of
from tmuxprim._readiness.snapshot import Snapshot
from tmuxprim._values.evidence import Mark, TtyState
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.line_editor import EditorFlag, LineEditor
from tmuxprim._values.pane import Pane
from tmuxprim._values.screen import Screen
from tmuxprim._values.shell_marks import ShellMarks
from tmuxprim._values.signals import NO_SIGNALS, SignalReader, Signals
from tmuxprim.errors import PaneBusyError, PaneDeadError, TapUnavailableError

if TYPE_CHECKING:
    from tmuxprim._terminal import Tap

_GONE: Final = "its beginning is gone from the pane, and"
_UNPROVEN: Final = "the raw output, drawn anew, may differ from the pane"
# So many characters are drawn at once, in some milliseconds; then other tasks have a turn.
_PIECE: Final = 1 << 14
# Pauses in seconds: what the screen shows may come through the tap a moment later.
_SOON: Final = (*(0.0005 * 1.5**n for n in range(12)), *repeat(0.1, 10))
# A tap that was silent for so many seconds has taken all of a prompt. On a busy machine its process
# may not run for nearly as long, in the middle of a prompt.
_QUIET: Final = 0.25
_REFUSALS: Final = (PaneBusyError, PaneDeadError, TapUnavailableError)


@attrs.define(eq=False)
class RawOutput:
    """The raw output of a pane's program from one send on; the tap has to be closed.

    Attributes:
        is_wanted: Whether a tap is to be opened with the next Enter.
        is_for_run: Whether the tap is for `run`, which reads it after the wait for each line. A
            wait closes any other tap at its end.
        draws: Whether rows that the pane throws away are wanted (``all_output``).
        hears: Whether the program's reports of its own state are wanted (`Snapshot.signals`).
        reports: Whether the shell is known to report each command (`ShellMarks`).
        is_whole: Whether the tap was open right before Enter, so that no mark is missing.
        may_begin_late: Whether a wait is to open a tap when it finds a shell behind ssh.
        unavailable: Why there is no tap, if one was wanted.
        editor: The state of the shell's line editor at the last snapshot; None if not determined.
        marks: The marks of the shell that were taken.
    """

    is_wanted: bool = False
    is_for_run: bool = False
    draws: bool = False
    hears: bool = False
    reports: bool = False
    is_whole: bool = attrs.field(default=False, init=False)
    may_begin_late: bool = attrs.field(default=False, init=False)
    unavailable: str = attrs.field(default="", init=False)
    editor: LineEditor | None = attrs.field(default=None, init=False)
    marks: ShellMarks = attrs.field(init=False)
    _tap: "Tap | None" = attrs.field(default=None, init=False)
    _flag: EditorFlag | None = attrs.field(default=None, init=False)
    _signals: SignalReader = attrs.field(factory=SignalReader, init=False)
    _program: object = attrs.field(default=None, init=False)
    _undrawn: list[str] = attrs.field(factory=list, init=False)

    @marks.default
    def _no_marks(self) -> ShellMarks:
        return ShellMarks(reports=self.reports)

    @property
    def is_open(self) -> bool:
        """Whether there is a tap."""
        return self._tap is not None

    @property
    def doubt(self) -> str:
        """Why not all rows can be drawn."""
        return f"{_GONE} {self.unavailable or _UNPROVEN}"

    def begin(self, pane: Pane, *, is_whole: bool = False) -> Plan[None]:
        """Open a tap for the output from now on, if there is none and one can be had."""
        if self._tap is None:
            try:
                self._tap = yield from tap(pane)
            except _REFUSALS as error:
                self.unavailable = error.without_advice
            self.is_whole = is_whole and self.is_open

    def begin_late(self, pane: Pane, snapshot: Snapshot) -> Plan[None]:
        """Open a tap if a line has started a pass-through program, behind which a shell may be."""
        facts = snapshot.facts
        mark, is_reported = snapshot.mark, snapshot.screen.bracketed_paste is not None
        may_begin = self.may_begin_late and not self.unavailable
        # ssh passes nothing on until it has connected, so it is known by its name.
        may_begin = may_begin and (facts.is_pass_through or facts.named.passes_on)
        if may_begin and not is_reported and mark and mark.ends_line:
            yield from self.begin(pane)

    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Plan[Screen]:
        """Type keys, and take the output from then on if that is wanted.

        The tap of the line before is closed. The keys are at most a text and one key, which tmux
        takes in one call, all of them or none.

        Returns:
            The screen from right before.
        """
        self.close()
        if not self.is_wanted:
            return (yield from send(pane, keys, leave_mode=leave_mode, seen=seen))
        try:
            opened = yield from tap(pane, keys, leave_mode=leave_mode, seen=seen)
        except _REFUSALS as error:
            self.unavailable = error.without_advice
            return (yield from send(pane, keys, leave_mode=leave_mode, seen=seen))
        self.unavailable, self.is_whole = opened.unavailable, not opened.unavailable
        self._tap = None if opened.unavailable else opened
        return opened.screen

    def close(self) -> None:
        """Close the tap, if there is one, and forget its output, but for the editor's state."""
        if self._tap is None:
            return
        self._tap.close()
        self._tap, self.marks, self._signals = None, self._no_marks(), SignalReader()
        self.is_whole = False
        self._undrawn.clear()

    # A user may drop the console between a send and its wait, and the pane has only one pipe.
    __del__ = close

    def take(self) -> Plan[bool]:
        """Take all output since the last call; return whether there was any."""
        was_written = False
        while self._tap is not None and (text := self._tap.read()):
            was_written = True
            self.marks.feed(text)
            if self.hears:
                self._signals.feed(text)
            if self.draws:
                self._undrawn.append(text)
            yield from pause(0.0)  # so that other tasks go on
        return was_written

    def signals(self, screen: Screen, tty: TtyState | None) -> Signals:
        """Return the reports so far of the program that has the terminal."""
        if self._tap is None:
            is_missed = self.hears and self.unavailable
            return Signals(unavailable=self.unavailable) if is_missed else NO_SIGNALS
        program = screen.command if tty is None else tty.foreground_pid
        if self._program not in (None, program):
            # Its reports may be of the program before.
            self._signals.forget()
        self._program = program
        return self._signals.feed("")

    def note_editor(self, screen: Screen, mark: Mark | None, *, is_same: bool) -> LineEditor | None:
        """Return the state of the line editor, by its marks or else by tmux's own flag.

        If neither reports one now, and the pane *is_same* as before, the state is that of before.
        """
        reported = self.marks.editor
        if screen.bracketed_paste is not None:
            was_on = bool(mark and mark.screen.bracketed_paste)
            self._flag = self._flag or EditorFlag(was_on=was_on)
            by_flag = self._flag.note(is_on=screen.bracketed_paste)
            reported = reported or by_flag
        if reported is not None or not is_same:
            self.editor = reported
        return self.editor

    def find_prompt(self, screen: Screen, *, has_marks: bool) -> Plan[PromptStart | None]:
        """Return where the prompt at the cursor begins; None if that is not certain.

        It waits for the marks of a shell that is known to write some, and for the first output.
        """
        marks, quiet_for = self.marks, 0.0
        for seconds in _SOON:
            quiet_for = 0.0 if (yield from self.take()) else quiet_for + seconds
            found = (find_start(drawn, screen, last=marks.last) for drawn in marks.prompts)
            start = next(filter(None, found), None)
            if start is not None or (marks.prompt and not marks.last):
                return start
            is_late = marks.is_empty or (has_marks and not marks.prompt)
            if quiet_for > _QUIET and not is_late:
                return None
            yield from pause(seconds)
        return None

    def at_line_again(self, mark: Mark, line: str) -> tuple[Mark, bool]:
        """Return the mark at the line that was typed, and whether its place is certain.

        After Enter a transient prompt has drawn the line again, higher up.
        """
        text = self.marks.line_again
        if self._tap is None or not text:
            return mark, True
        from tmuxprim._engine.drawing import Drawing  # noqa: PLC0415  # few draw

        drawing = Drawing(self._tap.screen)
        drawing.add(text)
        is_certain = self.is_whole and self._tap.is_as_new and drawing.is_sure
        if not (is_certain and drawing.screen.line_before_cursor.endswith(line)):
            return mark, False
        return attrs.evolve(mark, screen=drawing.screen), True

    def rows_above_output(self, screen: Screen) -> tuple[str, ...] | None:
        """Return the rows that a hook has printed between the command line and its output.

        None if there may be some, but their number is not certain.
        """
        text = self.marks.before_output if self.is_open else ""
        return rows_of(text, screen.size) if text else None if text is None else ()

    def draw(self, pane: Pane, screen: Screen) -> Plan[Screen | None]:
        """Return a screen with all rows since the tap was opened, drawn again; None if not certain.

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
            yield from self.take()
            text = "".join(self._undrawn)
            self._undrawn.clear()
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
