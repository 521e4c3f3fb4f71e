"""The receipt of a text that was submitted: the rules, and the plan that watches for it.

A text counts as delivered only by what the program did after the Enter. An input box that is empty
proves nothing by itself: it has to have held the text right before. That tmux has taken the keys
also proves nothing. `Judge` has the rules, for the kind of program (`Receiver`) that was in front;
`watch` looks at the pane until a rule decides.
"""

import enum
import re
from math import inf
from typing import Final

import attrs

from tmuxprim._engine.plan import Plan, clock_time, observe, pause, probe
from tmuxprim._readiness.box import AssistantState
from tmuxprim._readiness.chain import ReadinessStrategy
from tmuxprim._readiness.front import Front
from tmuxprim._readiness.snapshot import Snapshot
from tmuxprim._readiness.words import DEFAULT_PROMPT, is_same_prompt, what_follows
from tmuxprim._values.checks import UNDELIVERED
from tmuxprim._values.evidence import Mark, TtyState
from tmuxprim._values.pane import Pane
from tmuxprim._values.receipt import Receipt

# What is not read so many seconds after Enter is called unread.
_UNREAD: Final = 1.0
# A program that sleeps has drawn its answer to an Enter after so many seconds.
_DRAWN: Final = 2.0
# After so many seconds without a sign the receipt is unknown.
_GIVEN_UP: Final = 3.0
# An assistant that runs is slow. Claude Code 2.1.332 needs 2.5 s for its first text at a load of
# 20.
_GIVEN_UP_AT_WORK: Final = 10.0
# Seconds for which a sign has to last. A box that was just emptied may be half drawn, and of a
# program that has just gone to sleep tmux may not have read the last output.
_STAYS: Final = 0.1
# It looks often until so many seconds after the Enter, and less often later.
_FIRST_POLLS: Final = 0.02
_POLL: Final = 0.001
_LATER_POLL: Final = 0.02
# A text of fewer characters may be at the end of a row by chance.
_LONG: Final = 8


class Receiver(enum.Enum):
    """The program that was to take the text, right before the Enter."""

    BOX = enum.auto()
    """The input box of an assistant, which held the text."""
    LINE_EDITOR = enum.auto()
    LINE = enum.auto()
    """A program that reads a whole line, and was blocked in its read."""
    UNKNOWN = enum.auto()


@attrs.frozen
class Times:
    """Times at one look, in seconds.

    Args:
        waited: Since the Enter.
        empty: Since the input box was first seen to be empty; below zero if it is not.
        asleep: Since the program was first seen to sleep; below zero if it runs.
    """

    waited: float
    empty: float
    asleep: float


@attrs.frozen
class Judge:
    """Judges what became of a text, by what was in front right before its Enter.

    Args:
        front: What was in front then.
        text: The text. The box may also hold an older text in front of it.
    """

    front: Front
    text: str

    @property
    def receiver(self) -> Receiver:
        """The kind of program that was to take the text; UNKNOWN if it did not wait for one."""
        front, facts = self.front, self.front.snapshot.facts
        # Behind ssh or sudo any program may take it. But a password is asked for by these
        # themselves.
        if front.has_inner_program and not facts.hides_input:
            return Receiver.UNKNOWN
        if front.assistant is not None:
            receiver, takes = Receiver.BOX, front.shown.holds(self.text)
        elif facts.is_canonical:
            receiver, takes = Receiver.LINE, facts.reads
        else:
            is_alone = facts.reads and facts.only_reads and not front.snapshot.screen.alternate
            takes = facts.has_line_editor or (facts.is_edited and is_alone)
            receiver = Receiver.LINE_EDITOR
        return receiver if takes else Receiver.UNKNOWN

    def is_empty(self, now: Front) -> bool:
        """Whether the assistant shows its input box, and the text is not in it any more."""
        shown = now.shown
        is_box = now.assistant == self.front.assistant and bool(shown.box)
        return (
            is_box
            and shown.state is not AssistantState.ASKS
            and not (shown.typed or self._is_in(now))
        )

    def judge(self, now: Front, times: Times) -> Receipt | None:
        """Return what became of the text; None if that is not clear yet.

        Args:
            now: What is in front now.
            times: How long the program has had, and for what.
        """
        tty = now.snapshot.tty
        if tty is None or tty.unread is None:
            return Receipt.UNKNOWN
        if tty.unread:
            # An assistant that runs is about to read, as OpenCode is while it starts.
            is_slow = self.front.assistant is not None and times.asleep < _STAYS
            patience = _GIVEN_UP_AT_WORK if is_slow else _UNREAD
            return Receipt.UNREAD if times.waited >= patience else None
        return self._of_what_is_read(now, tty, times)

    def _of_what_is_read(self, now: Front, tty: TtyState, times: Times) -> Receipt | None:
        """Judge a text that the program has read, by the kind of the program."""
        before = self.front.snapshot.tty
        # A reader that has taken the Enter has woken up, so its count of wake-ups differs.
        has_woken = tty != before
        match self.receiver:
            case Receiver.BOX:
                return self._of_box(now, times)
            case Receiver.LINE_EDITOR:
                # The shell has begun to carry out the line: it left its line editor, or started a
                # program.
                if tty.canonical or tty.foreground_pid != (before and before.foreground_pid):
                    return Receipt.DELIVERED
                return self._of_line_editor(now.snapshot, tty, times.waited, has_woken=has_woken)
            case Receiver.LINE if has_woken:
                return Receipt.DELIVERED
            case _:
                return Receipt.UNKNOWN if has_woken or times.waited >= _UNREAD else None

    def _of_box(self, now: Front, times: Times) -> Receipt | None:
        """Judge an assistant, whose input box held the text."""
        if times.empty >= _STAYS:
            return Receipt.QUEUED if self.front.works else Receipt.DELIVERED
        sleeps = times.asleep >= _STAYS
        if sleeps and times.waited >= _DRAWN and now.shown.typed and self._is_in(now):
            return Receipt.IN_BOX
        patience = _GIVEN_UP if sleeps else _GIVEN_UP_AT_WORK
        return Receipt.UNKNOWN if times.waited >= patience else None

    def _of_line_editor(
        self, snapshot: Snapshot, tty: TtyState, waited: float, *, has_woken: bool
    ) -> Receipt | None:
        """Judge a line editor that reads on, as after a command that is built into the shell."""
        shown = snapshot.screen.line_before_cursor
        is_behind = self._is_at_cursor(shown) and not is_same_prompt(shown, self._prompt)
        if has_woken and tty.reading is True and self._is_prompt(shown) and not is_behind:
            return Receipt.DELIVERED
        if waited < _DRAWN:
            return None
        # In another row the program may have printed the same text.
        line_number = self.front.snapshot.screen.cursor_line_number
        is_its_row = snapshot.screen.cursor_line_number == line_number
        return Receipt.IN_BOX if is_behind and is_its_row and tty.reading else Receipt.UNKNOWN

    def _is_in(self, now: Front) -> bool:
        """Whether the box of the same assistant holds the text."""
        return now.assistant == self.front.assistant and now.shown.holds(self.text)

    def _is_at_cursor(self, shown: str) -> bool:
        """Whether the text left of the cursor ends with the last line of the text."""
        line = self.text.rpartition("\n")[2]
        is_end = len(shown) >= _LONG and line.endswith(shown)  # the line has wrapped
        return bool(line) and (shown.endswith(line) or is_end)

    def _is_prompt(self, shown: str) -> bool:
        """Whether a text is the prompt from before, or another one, or asks for the rest."""
        known = self._prompt
        is_other = DEFAULT_PROMPT.search(shown) or re.search(what_follows(known), shown)
        return is_other is not None or is_same_prompt(shown, known)

    @property
    def _prompt(self) -> str:
        """The prompt behind which the text was typed; empty if that is not known."""
        mark = self.front.snapshot.mark
        return mark.prompt.text if mark and mark.prompt else ""


@attrs.frozen
class Submitted:
    """A text that was submitted.

    Args:
        receipt: What became of it.
        mark: The mark of its Enter.
        front: What was in front right before that.
    """

    receipt: Receipt
    mark: Mark
    front: Front


def watch(
    pane: Pane, mark: Mark, text: str, strategy: ReadinessStrategy | None = None
) -> Plan[Submitted]:
    """Watch what becomes of a text whose Enter has the *mark*."""
    before = Front.seen(Snapshot(screen=mark.screen, tty=mark.tty, mark=mark), strategy)
    try:
        receipt = yield from _watch(pane, Judge(before, text), strategy)
    except UNDELIVERED:  # the text has been sent; the next call will say what is wrong
        receipt = Receipt.UNKNOWN
    return Submitted(receipt, mark, before)


def _watch(pane: Pane, judge: Judge, strategy: ReadinessStrategy | None) -> Plan[Receipt]:
    """Look at the pane again and again until the judge has a receipt."""
    mark = judge.front.snapshot.mark
    start = yield from clock_time()
    empty_from = asleep_from = inf  # until the first such look
    while True:
        # On a busy machine a look takes long. What it finds to have lasted is counted from the end
        # of the first such look to the beginning of this one, so never for too long.
        at = yield from clock_time()
        tty = yield from probe(pane)
        now = Front.seen(Snapshot(screen=(yield from observe(pane)), tty=tty, mark=mark), strategy)
        seen_at = yield from clock_time()
        sleeps = tty is None or tty.reading is not False
        empty_from = min(empty_from, seen_at) if judge.is_empty(now) else inf
        asleep_from = min(asleep_from, seen_at) if sleeps else inf
        found = judge.judge(now, Times(at - start, at - empty_from, at - asleep_from))
        if found is not None:
            return found
        yield from pause(_POLL if at - start < _FIRST_POLLS else _LATER_POLL)
