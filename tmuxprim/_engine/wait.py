"""The wait for a pane, and how often it looks.

`wait_until_ready` is a loop. It asks the kernel (`probe`), which is cheap. It reads the screen
(`observe`) only if that could show something new, asks the chain of strategies about the snapshot,
and lets time pass until the program writes or the next question is due. Four classes share the
work: `PollSchedule` says how often to ask, `LastChanges` since when nothing has changed,
`WaitState` holds all that the loop remembers, and `RawOutput` takes what the program writes.
"""

import math
import operator
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Final

import attrs

from tmuxprim._engine.log import log_snapshot, watcher
from tmuxprim._engine.plan import (
    AnyOutputWatch,
    Deadline,
    Plan,
    TimeLimit,
    begin,
    clock_time,
    look_after_change,
    observe,
    pause,
    probe,
    wait_for_output,
    watch_changes,
    watch_output,
)
from tmuxprim._engine.raw_output import RawOutput
from tmuxprim._readiness.chain import Chain, Judgement, ReadinessStrategy, TimeoutStrategy
from tmuxprim._readiness.front import Front
from tmuxprim._readiness.snapshot import (
    GUESS_SECONDS,
    Busy,
    Outcome,
    Readiness,
    Ready,
    Snapshot,
    same_but_for_clock,
    shows_the_same,
    without_idle_wakeups,
)
from tmuxprim._values.evidence import Activity, Mark, TtyState
from tmuxprim._values.new_text import still_there
from tmuxprim._values.pane import Pane
from tmuxprim._values.screen import Screen
from tmuxprim.errors import PaneNotFoundError, TmuxTimeoutError

if TYPE_CHECKING:
    from tmuxprim._terminal import ChangeWatch

# In a burst of output the pause grows with the time since the burst began: so a wait is late by a
# twentieth of the command's time, and by 10 ms at most. In silence it grows to a tenth of that.
SHORTEST: Final = 0.0005
_LONGEST_IN_BURST: Final = 0.01
_LONGEST_IN_QUIET: Final = 3.0
_SHARE_IN_BURST: Final = 0.05
_SHARE_IN_QUIET: Final = 0.1
# Pauses of a second and more end on the ticks of one clock. A process that is woken for each of a
# thousand panes by itself spends nearly half of its time on waking up.
_LONG: Final = 1.0
_TICK: Final = 0.125
# A burst of output is over when nothing was written for so many seconds.
_QUIET: Final = 0.1


@attrs.define
class PollSchedule:
    """How often one wait asks the kernel; all times are in seconds of the terminal's clock.

    Args:
        burst_at: When the program began to write, or the wait began.
        written_at: When the program was last known to write, or the wait began.
    """

    burst_at: float
    written_at: float

    def note_written(self, now: float) -> None:
        """Note that the program has written since it was last asked."""
        if now - self.written_at > _QUIET:
            self.burst_at = now
        self.written_at = now

    def is_quick(self, now: float) -> bool:
        """Whether the program may be about to read, so that listening for more is too slow."""
        return now - self.written_at <= _QUIET

    def pause(self, now: float) -> float:
        """Return how long to wait before the next question."""
        quick = min(max(SHORTEST, (now - self.burst_at) * _SHARE_IN_BURST), _LONGEST_IN_BURST)
        if self.is_quick(now):
            return quick
        slow = min((now - self.written_at - _QUIET) * _SHARE_IN_QUIET, _LONGEST_IN_QUIET)
        if slow < _LONG:
            return max(quick, slow)
        return math.floor((now + slow) / _TICK) * _TICK - now


# Seconds between two snapshots of a screen that changes all the time.
_SHORTEST_SNAPSHOT: Final = 0.02
# Seconds between two snapshots if no strategy asks for one: while the program writes, or without
# the kernel's evidence; and while nothing at all is seen to happen.
_LONGEST_SNAPSHOT: Final = 5.0
LONGEST_UNSEEN: Final = 60.0
# The same if a person watches: the name on the progress line has to be that of the program that
# runs now.
_LONGEST_WATCHED: Final = 1.0
# A reader that wakes up after the screen has not changed for so many seconds wakes by itself, as
# some REPLs do, and has not been typed at. Without this limit a snapshot would never belong to its
# evidence on a busy machine, where a snapshot takes longer than such a reader sleeps.
_WAKES_BY_ITSELF: Final = 0.25
# A program that looks for keys again and again wakes so often at least, and runs for such a share
# of the time at most. A program that works wakes less often, or runs for longer.
_POLLS_A_SECOND: Final = 4
_IDLE_SHARE: Final = 0.05
# On a busy machine a program that works may get hardly any processor time, and look idle. But it is
# ready to run for more than this share of the time, and a program that looks for keys sleeps.
_STARVED_SHARE: Final = 0.5


@attrs.define(eq=False)
class LastChanges:
    """The times at which something last changed in a pane; the next wait goes on with them.

    A command that ends may leave the screen as it is until its shell has drawn the prompt. So
    another reader, or another mode of the terminal, also counts as a change. `Snapshot` explains
    the times: `unchanged_for`, `silent_for`, `ticking_for` and `reading_for` are counted from them.
    """

    screen: Screen | None = None
    input_state: object = None
    unchanged_since: float = 0.0
    processes: object = None
    """The program in the foreground and the processes that it has started, at the last snapshot."""
    rows_unchanged_since: float = 0.0
    """Since when no row has changed and no process was started; the reader may have changed."""
    ticking_since: float = 0.0
    """The same, but a clock on the screen may have ticked."""
    reading_since: float | None = None
    """Since when a program has only waited for keys; None if it does not."""
    limit: float | None = None
    """The longest time limit of a read since the last change; see `TtyState.limit`."""
    confirmed: bool = False
    """Whether the last two snapshots found the same."""
    activity: Activity | None = None
    """The counters of the program right after the last change; see `TtyState.activity`."""
    activity_since: float = 0.0
    """When they were read, which may be later: the kernel does not report them at all times."""
    polls: bool = False
    """Whether the program has looked for keys again and again since then, without working."""
    pane_pid: int = 0
    """The pane's own program that is waited for; 0 for the one that runs when a wait begins."""

    def note(self, screen: Screen, tty: TtyState | None, now: float) -> float:
        """Take a snapshot that was begun at *now*; return for how long nothing has changed."""
        before, input_state = self.screen, _input_state(screen, tty)
        processes = tty and (tty.canonical, tty.program, tty.children)
        is_drawn_anew = before is None or not shows_the_same(screen, before)
        self.confirmed = not is_drawn_anew and input_state == self.input_state
        if not self.confirmed:
            self.unchanged_since = now
        if is_drawn_anew or processes != self.processes:
            self.rows_unchanged_since = now
        if before is None or processes != self.processes or not same_but_for_clock(screen, before):
            self.ticking_since = now
        self.screen, self.input_state, self.processes = screen, input_state, processes
        self._note_reader(tty, now)
        self._note_activity(tty, now)
        return now - self.unchanged_since

    def reading_for(self, now: float) -> float:
        """Return for how many seconds each snapshot found that a program only waits for keys."""
        return 0.0 if self.reading_since is None else now - self.reading_since

    def _note_reader(self, tty: TtyState | None, now: float) -> None:
        """Note the time limit of the read, and since when the reader waits only for keys."""
        limit = tty.limit if tty else None
        # A program may read with a short limit now and a longer one next. Only after the longest of
        # them is it certain that it goes on by itself.
        longest = self.limit if self.confirmed and self.limit is not None else 0.0
        self.limit = None if limit is None else max(limit, longest)
        if tty is None or not tty.only_reading:
            self.reading_since = None
        elif self.reading_since is None:
            self.reading_since = now

    def _note_activity(self, tty: TtyState | None, now: float) -> None:
        """Compare the program's counters with those right after the last change; see `polls`.

        A program that looks for keys again and again, such as a game, is never blocked in a read,
        and to the kernel it looks like a program that works.
        """
        done = None if tty is None else tty.activity
        if not self.confirmed or self.activity is None or done is None:
            self.activity, self.activity_since, self.polls = done, now, False
            return
        seconds = now - self.activity_since
        wakeups, ran, waited = map(operator.sub, done, self.activity)
        is_idle = ran < seconds * _IDLE_SHARE * 1e9
        has_run = ran + waited < seconds * _STARVED_SHARE * 1e9
        wakes = seconds >= GUESS_SECONDS and wakeups >= seconds * _POLLS_A_SECOND
        self.polls = is_idle and has_run and wakes


def _input_state(screen: Screen, tty: TtyState | None) -> object:
    """Return the facts by which one reader differs from another on the same screen."""
    modes = tty and (tty.canonical, tty.echo, tty.reading, tty.reader_pid, tty.children)
    # Without a report of the reader, the name of the command shows that another one has begun.
    name = screen.command if tty is None or tty.reading is None else None
    return modes, name


def time_limit(deadline: Deadline, idle_timeout: float | None, now: float) -> TimeoutStrategy:
    """Return the strategy that ends a wait when its time is up; the wait begins now.

    Raises:
        InvalidStrategyError: If *idle_timeout* is no number of seconds.
    """
    longest = math.inf if idle_timeout is None else idle_timeout
    return TimeoutStrategy(deadline.left(now), longest, given=deadline.seconds)


def wait_until_ready(
    pane: Pane,
    strategy: ReadinessStrategy,
    *,
    timeout: TimeLimit,
    mark: Mark | None = None,
    last_changes: LastChanges | None = None,
    raw_output: RawOutput | None = None,
    history: int = 0,
    idle_timeout: float | None = None,
) -> Plan[Readiness]:
    """Wait until *strategy* says that the pane is ready, or *timeout* is over.

    The last snapshot is begun after the time is up, so a ready pane never times out.

    Args:
        pane: The pane.
        strategy: Decides by each snapshot.
        timeout: The longest time.
        mark: The state of the pane right before the last send.
        last_changes: The times of the last changes, from an earlier wait since then.
        raw_output: The output that is taken since then. Its tap is closed by an error, and by the
            end of the wait if the wait has made it itself.
        history: How many rows of the history the strategy is to see.
        idle_timeout: The longest time without output, in seconds; None for any.

    Raises:
        InvalidStrategyError: If *strategy* is none, or *timeout* or *idle_timeout* no number of
            seconds.
        PaneNotFoundError: If the pane was gone before it was ever seen.
        TmuxTimeoutError: If tmux hung before the pane was ever seen.
    """
    start = yield from clock_time()
    limit = time_limit(begin(timeout, start), idle_timeout, start)
    chain = strategy if isinstance(strategy, Chain) else Chain((strategy,))
    changes, raw = last_changes or LastChanges(), raw_output or RawOutput()
    wait = WaitState(pane, mark, start, limit.seconds, history, changes, raw)
    # A caller that gave its raw output reads it after the wait, so the tap stays open then.
    with ExitStack() as resources, ExitStack() as at_error:
        at_error.callback(raw.close)
        if chain.hears_signals:
            raw.hears = True
            yield from raw.begin(pane)
        try:
            readiness = yield from _until_decided(wait, chain, limit, resources)
        except (PaneNotFoundError, TmuxTimeoutError) as error:
            # A pane that was seen before has ended, or its tmux hangs. That is an outcome, so that
            # the caller gets the last screen.
            if (screen := wait.last_screen) is None:
                raise
            hangs = isinstance(error, TmuxTimeoutError)
            readiness = Readiness(
                outcome=Outcome.TIMEOUT if hangs else Outcome.EXITED,
                strategy="TimeoutStrategy" if hangs else "ExitStrategy",
                reason=f"the pane cannot be seen: {error.without_advice}",
                screen=screen,
                elapsed=(yield from clock_time()) - start,
            )
        if raw_output is not None:
            at_error.pop_all()
    return readiness


def _until_decided(
    wait: "WaitState", chain: Chain, limit: TimeoutStrategy, resources: ExitStack
) -> Plan[Readiness]:
    """Judge each snapshot that is due until one decides; the caller closes the *resources*."""
    output_watch: AnyOutputWatch | None = None
    wait.change_watch = yield from watch_changes(wait.pane)
    while True:
        snapshot = yield from observe_when_due(wait)
        if snapshot is not None:
            judgement = chain.judge(snapshot, limit)
            log_snapshot(wait.pane, snapshot, judgement)
            if ready := wait.decide(judgement):
                elapsed = (yield from clock_time()) - wait.start
                return _result(snapshot, ready, judgement, elapsed)
            yield from wait.raw_output.begin_late(wait.pane, snapshot)
        # A `ChangeWatch` waits by itself, on the pane's machine, before its next look.
        if not wait.observes_again and wait.change_watch is None:
            # A wait that ends with its first snapshot needs no watch.
            if output_watch is None:
                output_watch = resources.enter_context(
                    closing((yield from watch_output(wait.pane)))
                )
            yield from _rest(wait, output_watch)


def _rest(wait: "WaitState", output_watch: AnyOutputWatch) -> Plan[None]:
    """Let time pass until the program writes, or the next question to the kernel is due."""
    now = yield from clock_time()
    seconds = wait.pause(now)
    # A program that has just written may be about to read. An output watch does not report that, so
    # the kernel is asked soon, whether more is written or not.
    if wait.schedule.is_quick(now) and wait.tty is not None:
        yield from pause(seconds)
        seconds = 0.0
    if (yield from wait_for_output(output_watch, seconds)):
        wait.has_written = True
        wait.schedule.note_written((yield from clock_time()))


def _result(snapshot: Snapshot, ready: Ready, judgement: Judgement, elapsed: float) -> Readiness:
    """Return how a wait ended, with the evidence that was missing in the reason."""
    reason = judgement.explain(ready)
    # A verdict that rests on the reader is weaker without the kernel's full report: say so.
    front = Front.seen(snapshot)
    if front.needs_evidence(judgement):
        missing = snapshot.facts.missing_evidence
        reason += f" ({missing})" if missing else ""
    return Readiness(
        outcome=ready.outcome,
        strategy=judgement.strategy,
        reason=reason,
        screen=snapshot.screen,
        elapsed=elapsed,
        tty=snapshot.tty,
        verdicts=judgement.verdicts,
        is_guess=front.is_guess(judgement),
    )


@attrs.define(eq=False)
class WaitState:
    """All that a wait remembers from snapshot to snapshot; `StateWatcher` has one for each pane."""

    pane: Pane
    mark: Mark | None
    start: float
    timeout: float = math.inf
    history: int = 0
    last_changes: LastChanges = attrs.field(factory=LastChanges)
    raw_output: RawOutput = attrs.field(factory=RawOutput)
    pane_pid: int = attrs.field(init=False)
    """The pane's own program that is waited for; 0 until one was seen."""
    old_rows: Screen | None = attrs.field(init=False)
    """The rows of the mark's screen that every snapshot so far has shown; see `still_there`."""
    schedule: PollSchedule = attrs.field(init=False)
    tty: TtyState | None = None
    """The evidence of the last snapshot."""
    looked_at: float | None = None
    """When the last snapshot was begun; None if the next one is due at once."""
    again_in: float = 0.0
    """Seconds after which the strategies want the next snapshot, without any sign of a change."""
    is_vetoed: bool = False
    """Whether a strategy has said `Busy`: it saw the program work."""
    steady: bool = True
    """Whether the evidence was the same before and after the last snapshot."""
    reader_appeared: bool = False
    """Whether a process began to read from the terminal during the last snapshot."""
    observes_again: bool = False
    """Whether the next snapshot follows at once, to confirm the last one or to see the reader."""
    has_written: bool = False
    """Whether the program has written since the last snapshot."""
    brings_evidence: bool = False
    """Whether the kernel's evidence came with the last screen, as from a pane behind ssh."""
    longest_unseen: float = LONGEST_UNSEEN
    """Seconds between two snapshots if nothing at all is seen to happen."""
    change_watch: "ChangeWatch | None" = None
    """Waits for a change on the pane's machine; None if that is this machine, or it cannot."""

    def __attrs_post_init__(self) -> None:
        self.schedule = PollSchedule(self.start, self.start)
        self.old_rows = self.mark.screen if self.mark else None
        self.pane_pid = self.last_changes.pane_pid

    def note_evidence(
        self, screen: Screen, before: TtyState | None, after: TtyState | None, began: float
    ) -> bool:
        """Note the evidence from before and after a screen; return whether both are the same."""
        self.tty, self.brings_evidence = after, screen.evidence is not None
        unchanged_for = self.last_changes.note(screen, after, began)
        # No output watch reports what a pane behind ssh writes: a change is the only sign of it.
        if self.brings_evidence and after is not None and not self.last_changes.confirmed:
            self.schedule.note_written(began)
        self.reader_appeared = _is_working(before) and after is not None and bool(after.reading)
        # Two probes of a reader that wakes by itself differ, though the screen belongs to both.
        is_unchanged = unchanged_for >= _WAKES_BY_ITSELF
        return before == after or (is_unchanged and _has_only_woken(before, after))

    def take(self, screen: Screen, began: float, *, is_steady: bool) -> Snapshot:
        """Return the snapshot of a screen: with its evidence, and the times since each change."""
        self.looked_at, self.has_written, self.steady = began, False, is_steady
        self.pane_pid = self.pane_pid or screen.pane_pid
        changes, raw_output = self.last_changes, self.raw_output
        mark, old_rows = self.mark, self.old_rows
        # A mark from JSON holds no text: what the pane shows now fills it in, row by row.
        if mark is not None and mark.hidden is not None:
            old_rows = old_rows and mark.hidden.reveal_rows(old_rows, screen)
            mark = mark.seen_on(screen)
        if old_rows is not None:
            self.old_rows = still_there(old_rows, screen, typed=_shows_typed(mark))
        return Snapshot(
            screen=screen,
            tty=self.tty,
            mark=mark,
            elapsed=began - self.start,
            unchanged_for=began - changes.unchanged_since,
            silent_for=began - max(changes.rows_unchanged_since, self.schedule.written_at),
            ticking_for=began - changes.ticking_since,
            reading_for=changes.reading_for(began),
            steady=is_steady,
            limit=changes.limit,
            polls=changes.polls,
            confirmed=screen.caught_up or changes.confirmed,
            standing=old_rows,
            # 0 is a terminal that does not report its program.
            respawned=screen.pane_pid not in {0, self.pane_pid},
            signals=raw_output.signals(screen, self.tty),
            editor=raw_output.note_editor(screen, mark, is_same=changes.confirmed),
        )

    def decide(self, judgement: Judgement) -> Ready | None:
        """Plan the next snapshot as the chain wants it; return the verdict if it ends the wait."""
        verdict = judgement.verdict
        self.plan_next(judgement.again_in, is_vetoed=isinstance(verdict, Busy))
        if not isinstance(verdict, Ready):
            return None
        # The time may be up right before the last snapshot is confirmed.
        is_timeout = verdict.outcome is Outcome.TIMEOUT
        return None if is_timeout and self.observes_again else verdict

    def plan_next(self, again_in: float, *, is_vetoed: bool) -> None:
        """Remember after how many seconds the next snapshot is due, and whether a program works."""
        self.again_in, self.is_vetoed = again_in, is_vetoed
        # A strategy that wants another look at once has all it needs but the second snapshot.
        is_unconfirmed = again_in == 0.0 and not self.last_changes.confirmed and self.steady
        # Not twice in a row: a screen that changes each time would be read without any rest.
        self.observes_again = (self.reader_appeared or is_unconfirmed) and not self.observes_again

    @property
    def last_screen(self) -> Screen | None:
        """The screen of the last snapshot; before the first, that of the mark."""
        if self.last_changes.screen is not None or self.mark is None:
            return self.last_changes.screen
        screen, hidden = self.mark.screen, self.mark.hidden
        return screen if hidden is None else hidden.blank(screen)

    def is_due(self, tty: TtyState | None, now: float) -> bool:
        """Whether the screen may show something new, so that it is worth reading."""
        if self.looked_at is None or not self.steady or self.brings_evidence:
            return True
        passed = now - self.looked_at
        if passed >= self._until_asked() or now - self.start >= self.timeout:
            return True
        # A long build writes all the time. While it works, its output decides nothing.
        may_show_more = self.has_written and passed >= _SHORTEST_SNAPSHOT
        if may_show_more and not (self.is_vetoed and _is_working(tty)):
            return True
        return _may_end_wait(self.tty, tty)

    def _until_asked(self) -> float:
        """Return the seconds between the last snapshot and the next, if nothing seems to change."""
        is_seen = self.tty is not None and not self.has_written
        longest = self.longest_unseen if is_seen else _LONGEST_SNAPSHOT
        return min(self.again_in, _LONGEST_WATCHED if watcher.get() else longest)

    def until_due(self, now: float) -> float:
        """Return in how many seconds the next snapshot is due, if the kernel reports no change."""
        return self._until_asked() - (0.0 if self.looked_at is None else now - self.looked_at)

    @property
    def works_on(self) -> bool:
        """Whether output decides nothing: a strategy saw the program work, and no process reads."""
        return self.is_vetoed and _is_working(self.tty)

    def pause_there(self, now: float) -> float:
        """Return how many seconds a watch on another machine may wait before the next look."""
        if self.looked_at is None or self.observes_again:
            return 0.0
        # The program ran while the screen was read, so its prompt may be there by now.
        if not self.steady:
            return self.pause(now)
        longest = _LONGEST_SNAPSHOT if self.works_on else math.inf
        return max(min(self.until_due(now), longest, self.start + self.timeout - now), 0.0)

    def pause(self, now: float) -> float:
        """Return how many seconds to let pass before the next question to the kernel."""
        until_asked = self.until_due(now)
        seconds = self.schedule.pause(now)
        if self.tty is None and self.steady:
            seconds = max(seconds, until_asked)  # without the kernel there is nothing else to ask
        # Never so short that the clock, which counts in floats, would stand still.
        return max(min(seconds, until_asked, self.start + self.timeout - now), SHORTEST)


def _may_end_wait(before: TtyState | None, tty: TtyState | None) -> bool:
    """Whether the evidence has changed since the last snapshot in a way that may end the wait."""
    if tty is None or before is None:
        return tty is not before
    if _is_working(before) and before.activity is None and tty.activity is not None:
        return True  # it may have begun to look for keys
    # A program that begins to work ends no wait. But one that leaves raw mode, or enters it, may
    # be another one, whose screen is to be seen.
    may_be_ready = tty.reading is not False or tty.canonical != before.canonical
    return may_be_ready and without_idle_wakeups(tty) != without_idle_wakeups(before)


def _has_only_woken(before: TtyState | None, after: TtyState | None) -> bool:
    """Whether the same reader has woken and waits again: nothing else differs."""
    if before is None or after is None or not after.reading:
        return False
    return attrs.evolve(before, wakeups=None) == attrs.evolve(after, wakeups=None)


def _is_working(tty: TtyState | None) -> bool:
    """Whether the kernel reports that no process reads from the terminal."""
    return tty is not None and tty.reading is False


def observe_when_due(wait: WaitState) -> Plan[Snapshot | None]:
    """Ask the kernel, and read the screen if it may show something new; None if it may not."""
    # The question is spared where the answer is known: the snapshot is wanted in any case, or the
    # evidence comes with the screen.
    is_asked = not (wait.observes_again or wait.brings_evidence or wait.change_watch)
    before = (yield from probe(wait.pane)) if is_asked else wait.tty
    began = yield from clock_time()
    if wait.change_watch is None and not wait.is_due(before, began):
        return None
    # The screen is read between two probes: it belongs to their evidence if both report the same.
    # The raw output is taken before and after as well. If a prompt's marks came in between, the
    # screen may not show that prompt yet.
    yield from wait.raw_output.take()
    if wait.change_watch is None:
        screen = yield from observe(wait.pane, wait.history)
    else:
        screen, waited = yield from look_after_change(
            *(wait.change_watch, wait.pause_there(began), wait.history),
            hears_output=not wait.works_on,
        )
        began += waited
    if screen.evidence is None:
        after = yield from probe(wait.pane)
    else:
        before, after = screen.evidence
    draws_prompt = (yield from wait.raw_output.take()) and wait.raw_output.marks.is_on
    is_steady = wait.note_evidence(screen, before, after, began) and not draws_prompt
    return wait.take(screen, began, is_steady=is_steady)


def _shows_typed(mark: Mark | None) -> bool:
    """Whether the cursor's row of a mark shows a text that was typed at a prompt."""
    prompt = mark.prompt.text if mark and mark.prompt else ""
    line = mark.screen.line_before_cursor if mark else ""
    return bool(prompt.strip()) and line.startswith(prompt) and line != prompt
