"""`Snapshot`, the verdicts `Ready`, `Busy` and `Pass`, and `Readiness`.

A strategy gets a snapshot, and returns a verdict. A wait ends with a readiness. Most strategies end
with `once_settled`: it says ready once the screen has been unchanged for long enough.
"""

import enum
import math
import re
from functools import cached_property
from itertools import zip_longest
from types import NoneType
from typing import Final

import attrs

from tmuxprim._readiness.facts import Facts
from tmuxprim._values.argument_types import check_type
from tmuxprim._values.evidence import Mark, TtyState, command_of
from tmuxprim._values.line_editor import LineEditor
from tmuxprim._values.screen import Screen
from tmuxprim._values.short_repr import cut_repr, short_repr
from tmuxprim._values.signals import NO_SIGNALS, Signals

SOON: Final = 0.05
"""Seconds for `Busy` and `Pass`: look again soon, since the kernel may report no change."""
ON_CHANGE: Final = math.inf
"""Seconds for `Busy` and `Pass`: look again only after a change."""
GUESS_SECONDS: Final = 2.0
"""Seconds without any change before a guess is made, if the reader is not reported."""
REMOTE_SECONDS: Final = 1.5
"""Seconds without change before a remote program's text counts that was not its prompt before."""


class Outcome(enum.Enum):
    """The reason for the end of a wait.

    Examples:
        >>> terminal = FakeTerminal(programs={"rm": question("Remove? [y/N] ", lambda said: said)})
        >>> console = Console(terminal, terminal.open("rm"))
        >>> if console.wait_ready().outcome is Outcome.AWAITING_INPUT:
        ...     _ = console.send("y")
        >>> console.wait_ready().outcome
        <Outcome.EXITED: 'exited'>
    """

    PROMPT = "prompt"
    """A shell or a REPL is at its prompt."""
    CONTINUATION = "continuation"
    """A shell or a REPL waits for the rest of a command, as at ``>`` in an open quote."""
    AWAITING_INPUT = "awaiting input"
    """A program asks something, such as ``Continue? [y/N]``."""
    AWAITING_SECRET = "awaiting secret"  # noqa: S105  # the word, not a password
    """A program reads a line without showing it, such as a password."""
    FULLSCREEN = "full-screen"
    """A full-screen program (alternate screen) has drawn and waits for keys."""
    STABLE = "stable"
    """Nothing has changed for a while: a guess that the pane is ready."""
    MATCHED = "matched"
    """The text that was waited for is on the screen."""
    EXITED = "exited"
    """The pane's program has ended, or the pane is gone."""
    TIMEOUT = "timed out"
    """The time is up, and the pane was not found ready for input."""


QUESTIONS: Final = frozenset((Outcome.AWAITING_INPUT, Outcome.AWAITING_SECRET))
"""Outcomes at which a text answers what a program asks."""


def _check_outcome(_ready: object, _field: "attrs.Attribute[Outcome]", outcome: object) -> None:
    if not isinstance(outcome, Outcome):
        raise TypeError(f"outcome is an Outcome, such as Outcome.PROMPT, got {outcome!r}")


@attrs.frozen
class Ready:
    """Says that the wait is over.

    Args:
        outcome: The outcome of the wait.
        reason: The reason, in plain words.
        is_guess: Whether the evidence has not decided, and the reason says that it is a guess.

    Raises:
        TypeError: If *outcome* is no `Outcome`, such as the text ``"prompt"``.

    Examples:
        >>> print(Ready(Outcome.MATCHED, "the title is 'done'"))
        ready (matched): the title is 'done'
    """

    outcome: Outcome = attrs.field(validator=_check_outcome)
    reason: str = attrs.field(repr=cut_repr)
    is_guess: bool = attrs.field(default=False, kw_only=True)

    def __str__(self) -> str:
        return f"ready ({self.outcome.value}): {self.reason}"


@attrs.frozen
class Busy:
    """Says that the program works, and vetoes every strategy behind this one.

    Args:
        reason: Why, in plain words.
        again_in: Seconds after which to ask again even if the kernel has seen no change; infinite
            if only a change could lead to another verdict.
        is_stale: Whether the last key has not been taken yet, so that the screen is from before it,
            and does not show the pane's state.

    Examples:
        >>> print(Busy("the title spins", again_in=0.5))
        busy: the title spins
    """

    reason: str = attrs.field(repr=cut_repr)
    again_in: float = SOON
    is_stale: bool = attrs.field(default=False, kw_only=True)

    def __str__(self) -> str:
        return f"busy: {self.reason}"


@attrs.frozen
class Pass:
    """Says that this strategy cannot decide; the next one is asked.

    Args:
        reason: The reason, in plain words.
        again_in: Seconds after which to ask again even if the kernel has seen no change; infinite
            if only a change could lead to another verdict.

    Examples:
        >>> print(Pass("the title is 'make'"))
        pass: the title is 'make'
    """

    reason: str = attrs.field(repr=cut_repr)
    again_in: float = SOON

    def __str__(self) -> str:
        return f"pass: {self.reason}"


Verdict = Ready | Busy | Pass


def _to_tty(tty: TtyState | None) -> TtyState | None:
    check_type("tty", tty, TtyState, NoneType)
    return tty


def _to_mark(mark: Mark | None) -> Mark | None:
    check_type("mark", mark, Mark, NoneType)
    return mark


@attrs.frozen(kw_only=True, slots=False)
class Snapshot:
    """One observation of a pane during a wait.

    Args:
        screen: The screen of the pane.
        tty: The kernel's evidence, or None if there is none.
        mark: The mark of the last send, or None if nothing was sent.
        elapsed: Seconds since the wait began.
        unchanged_for: Seconds for which neither the screen nor the reader was seen to change.
        silent_for: Seconds for which the program has written nothing at all, and started no other
            program. A title that spins or a cursor that moves is also written. The reader may have
            changed: on a busy machine a program that waits for several things is sometimes seen to
            run.
        ticking_for: Seconds for which no row has changed except in a clock, a time of day such as
            14:05:09. The cursor may have moved, and the reader may have changed.
        reading_for: Seconds for which each snapshot found that a program only waited for keys.
        steady: Whether the kernel's evidence was the same before and after the screen was
            read, so that both belong together.
        limit: The longest time in seconds after which the reader was seen to go on by itself since
            the screen last changed; see `TtyState.limit`.
        polls: Whether the program in the foreground seems to poll for keys: no process sleeps in a
            read, and for 2 s or more without a change of the screen the program has woken again and
            again, and has hardly run.
        confirmed: Whether tmux had caught up with the program, or the snapshot right before this
            one found the same.
        standing: The rows of the mark's screen that are still there, as a screen: a text in them is
            not new. A row that an earlier snapshot of this wait has missed is not among them, so
            that it counts as new when it is drawn again. None if no row is known to be there.
        respawned: Whether another program was started in the pane while its program was waited for.
        signals: The signs of its state that the program has written since the wait began. They are
            empty unless a strategy has ``hears_signals = True``, for which the wait takes the
            pane's one ``pipe-pane``.
        editor: The state that a shell's line editor has written since the last line was sent; None
            if it wrote none, or that cannot be determined.

    Examples:
        >>> screen = Screen(size=Size(9, 1), rows=("$",), cursor=Cursor(0, 2))
        >>> print(PromptStrategy().assess(Snapshot(screen=screen, unchanged_for=0.2)))
        pass: a guess: prompt '$' at the cursor, not settled yet
    """

    screen: Screen
    tty: TtyState | None = attrs.field(default=None, converter=_to_tty)
    mark: Mark | None = attrs.field(default=None, converter=_to_mark)
    elapsed: float = 0.0
    unchanged_for: float = 0.0
    silent_for: float = attrs.field()
    ticking_for: float = attrs.field()
    reading_for: float = 0.0
    steady: bool = True
    limit: float | None = attrs.field()
    polls: bool = False
    confirmed: bool = True
    standing: Screen | None = attrs.field()
    respawned: bool = False
    signals: Signals = NO_SIGNALS
    editor: LineEditor | None = None

    @silent_for.default
    @ticking_for.default
    def _as_unchanged(self) -> float:
        return self.unchanged_for

    @limit.default
    def _limit_as_told(self) -> float | None:
        return self.tty.limit if self.tty else None

    @standing.default
    def _stands_as_marked(self) -> Screen | None:
        return self.mark.screen if self.mark else None

    def __repr__(self) -> str:
        return short_repr(self, "screen", "tty", "elapsed", "unchanged_for")

    @property
    def at_rest_for(self) -> float:
        """Seconds for which the program has written nothing, and was not seen to run."""
        return min(self.unchanged_for, self.silent_for)

    @property
    def changed(self) -> bool:
        """Whether the screen differs from that of the mark."""
        return self.mark is None or not shows_the_same(self.screen, self.mark.screen)

    @property
    def command(self) -> str:
        """Name of the command in the foreground, also behind a pass-through program."""
        return command_of(self.screen, self.tty)

    @cached_property
    def facts(self) -> Facts:
        """The facts about the program that takes what is typed; found once."""
        return Facts(
            screen=self.screen,
            tty=self.tty,
            mark=self.mark,
            polls=self.polls,
            seen_limit=self.limit,
        )

    @property
    def consumed(self) -> bool:
        """Whether there is a sign that the program took what was sent at the mark.

        Either it changed the screen or the line discipline, or another process reads now, or
        the reader has run since and sleeps again.
        """
        if self.changed or self.mark is None or self.tty is None or self.mark.tty is None:
            return self.changed
        now, then = without_idle_wakeups(self.tty), without_idle_wakeups(self.mark.tty)
        # Typed bytes that wait in the kernel are no sign: tmux has written them, and none was read.
        return attrs.evolve(now, unread=None) != attrs.evolve(then, unread=None)


def without_idle_wakeups(tty: TtyState) -> TtyState:
    """Return the evidence without the wake-ups of a program that waits for other things as well.

    It may have woken for those, or be a pass-through program such as ssh, which has only passed
    keys on.
    """
    return tty if tty.only_reading else attrs.evolve(tty, wakeups=None)


def shows_the_same(one: Screen, other: Screen) -> bool:
    """Whether two screens show the same; a title may spin and a name may flip meanwhile."""
    return (
        one.rows == other.rows
        and one.cursor == other.cursor
        and one.history_size == other.history_size
        and one.alternate == other.alternate
        and one.dead == other.dead
    )


# A time of day. A duration, such as 00:05:09, is no clock: it shows that a program works, and
# begins with no hours nearly always.
_CLOCK: Final = re.compile(r"\b(?:0[1-9]|1\d|2[0-3]):[0-5]\d:[0-5]\d\b")


def same_but_for_clock(one: Screen, other: Screen) -> bool:
    """Whether two screens show the same, except for a time of day and the cursor's place."""
    return one.alternate == other.alternate and all(
        row == its or _CLOCK.sub("", row) == _CLOCK.sub("", its)
        for row, its in zip_longest(one.rows, other.rows, fillvalue="")
    )


@attrs.frozen(kw_only=True, slots=False)
class Readiness:
    """How a wait ended, and why.

    It is true unless the wait timed out or the program exited, so ``if console.wait_ready():``
    reads as it should.

    Args:
        outcome: How the wait ended.
        strategy: Name of the strategy that decided.
        reason: The reason, in plain words.
        screen: The screen that was judged.
        elapsed: How long the wait took, in seconds.
        tty: The kernel's evidence at that moment, or None where there was none.
        verdicts: The verdict of each strategy in the last round, with its name, in order.
        is_guess: Whether the evidence does not decide that the program takes input. The reason says
            why, as in "a guess: ..." or "(without kernel evidence)". It is always true for STABLE.

    Examples:
        >>> screen = Screen(size=Size(9, 1), rows=("$",), cursor=Cursor(0, 2))
        >>> readiness = Readiness(
        ...     outcome=Outcome.PROMPT, strategy="PromptStrategy",
        ...     reason="prompt '$' at the cursor", screen=screen, elapsed=0.0042,
        ... )
        >>> print(readiness)
        ready after 0.004 s: prompt '$' at the cursor (prompt, PromptStrategy)
    """

    outcome: Outcome
    strategy: str
    reason: str
    screen: Screen
    elapsed: float
    tty: TtyState | None = None
    verdicts: tuple[tuple[str, Verdict], ...] = ()
    is_guess: bool = False

    @property
    def command(self) -> str:
        """Name of the command in the foreground: of the one that reads, if that is known."""
        return command_of(self.screen, self.tty)

    @cached_property
    def snapshot(self) -> Snapshot:
        """The screen and the evidence as a snapshot without a mark, whose facts are found once."""
        return Snapshot(screen=self.screen, tty=self.tty)

    def __bool__(self) -> bool:
        return self.outcome not in {Outcome.TIMEOUT, Outcome.EXITED}

    def __repr__(self) -> str:
        return short_repr(self, "outcome", "reason", "strategy", "elapsed", "screen")

    def __str__(self) -> str:
        head = "ready" if self else "not ready"
        lines = [
            (
                f"{head} after {self.elapsed:.3f} s: {self.reason} "
                f"({self.outcome.value}, {self.strategy})"
            )
        ]
        if not self:
            lines += [f"  {name} said {verdict}" for name, verdict in self.verdicts[:-1]]
            lines += [f"  | {row}" for row in self.screen.text.splitlines()]
        return "\n".join(lines)


# The share of the usual patience for a screen that is the same as at the mark.
_SHARE_IF_UNCHANGED: Final = 0.6
# Seconds that each pass-through program may take to show the last output of the program behind it.
# The kernel reports that as reading before.
_PASSED_ON: Final = 0.03


def once_settled(
    snapshot: Snapshot, seconds: float, outcome: Outcome, reason: str, *, is_guess: bool = False
) -> Verdict:
    """Return ready if the screen has not changed for so long, and belongs to the evidence.

    Args:
        snapshot: The snapshot.
        seconds: How long the screen must have been unchanged; 0 if the evidence is enough.
        outcome: What was found.
        reason: Why, in plain words.
        is_guess: Whether it is a guess, which the reason then says.
    """
    if is_guess:
        reason = f"a guess: {reason}"
    # The evidence of another moment may be of another program than the screen's.
    if not snapshot.steady:
        return Pass(f"{reason}, but the program worked meanwhile", again_in=0.0)
    if snapshot.tty is not None:
        seconds = max(seconds, snapshot.tty.pass_through_count * _PASSED_ON)
    if snapshot.unchanged_for < seconds:
        return Pass(f"{reason}, not settled yet", again_in=seconds - snapshot.unchanged_for)
    # The kernel reports the reader as soon as the program has written all, but tmux may not have
    # read that yet. Between two snapshots tmux reads from all terminals, so a second one that shows
    # the same is proof.
    if snapshot.tty is not None and not snapshot.confirmed:
        return Pass(f"{reason}, not seen twice yet", again_in=0.0)
    return Ready(outcome, reason, is_guess=is_guess)


def patience_for_text(snapshot: Snapshot, settled: float, *, known: bool) -> float:
    """Return for how many seconds a text that looks like a prompt must have been there.

    Args:
        snapshot: The snapshot.
        settled: Seconds without change that count for as much as a report of the reader. The
            strategy gives them, and the result is a multiple.
        known: Whether the text has been seen as a prompt before.
    """
    if snapshot.tty is None or (snapshot.tty.canonical and not snapshot.tty.only_reading):
        # No line editor: text of a command without a line break at its end may look like a prompt.
        return settled * (3 if known else 10)
    if snapshot.facts.is_pass_through:
        # The program behind it may work, perhaps far away, and the kernel does not report that.
        return settled if known else max(settled * 10, REMOTE_SECONDS)
    if snapshot.tty.reading is None:
        return settled
    # The kernel reports the reader. But where nothing has changed since the last key, that key may
    # not be handled yet. The time is shorter than `AwaitingInputStrategy` takes, which would call a
    # prompt that was typed at and emptied again a question.
    return 0.0 if snapshot.changed else settled * _SHARE_IF_UNCHANGED
