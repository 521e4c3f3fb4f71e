"""The wait for a pane, and how often it looks."""

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
    look,
    observe,
    pause,
    probe,
    rest,
    watch_changes,
    watch_output,
)
from tmuxprim._engine.raw_output import RawOutput
from tmuxprim._readiness.chain import Chain, Judgement, ReadinessStrategy, TimeoutStrategy
from tmuxprim._readiness.front import Front
from tmuxprim._readiness.snapshot import (
    GUESS,
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
from tmuxprim.errors import PaneNotFoundError, TmuxprimError, TmuxTimeoutError

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


# Seconds between two snapshots at a screen that changes all the time.
_SHORTEST_SNAPSHOT: Final = 0.02
# Between two snapshots if no strategy asks for one: while the program writes, or the kernel tells
# nothing; and when nothing at all is seen to happen.
_LONGEST_SNAPSHOT: Final = 5.0
LONGEST_UNSEEN: Final = 60.0
# And if a person watches, who is shown the program that runs now, and not its parent.
_LONGEST_WATCHED: Final = 1.0
# A reader that has woken up, while the screen stood still for so many seconds, wakes by itself, as
# some REPLs do. On a busy machine a snapshot takes longer than they sleep.
_WAKES_BY_ITSELF: Final = 0.25
# Who looks for a key again and again wakes so often at least, and runs for such a share of the time
# at most. Who works wakes less often, or runs.
_POLLS_A_SECOND: Final = 4
_IDLE_SHARE: Final = 0.05
# A program that could have run for more of the time than this, and was given no processor, works:
# one that looks for keys sleeps between two snapshots.
_STARVED_SHARE: Final = 0.5


@attrs.define(eq=False)
class Stillness:
    """Since when nothing has changed in a pane; the next wait goes on with it.

    A command that ends may leave the screen as it is until its shell has drawn the prompt. So
    another reader, or another line discipline, is a change as well.
    """

    screen: Screen | None = None
    input_state: object = None
    since: float = 0.0
    doings: object = None
    """The program in the foreground, and the processes that it has started."""
    drawn_since: float = 0.0
    """Since when no row has changed, and no process been started; readers may have changed."""
    ticking_since: float = 0.0
    """Since when, but for a clock that ticks, no row has changed, and no process been started."""
    reading_since: float | None = None
    limit: float | None = None
    """The longest time after which the reader was seen to go on by itself; `TtyState.limit`."""
    confirmed: bool = False
    """Whether the last two snapshots found the same."""
    activity: Activity | None = None
    """The first counters of the program in this stillness; see `TtyState.activity`."""
    activity_since: float = 0.0
    """When they were read. They may be told later than the stillness has begun."""
    polls: bool = False
    """Whether it has woken again and again since then, for long enough, and hardly run."""
    pane_pid: int = 0
    """The program of the pane that is waited for; 0 for the one that runs when a wait begins."""

    def note(self, screen: Screen, tty: TtyState | None, now: float) -> float:
        """Take a snapshot that was begun at *now*; return for how long nothing has changed."""
        before, input_state = self.screen, _input_state(screen, tty)
        doings = tty and (tty.canonical, tty.program, tty.children)
        is_drawn_anew = before is None or not shows_the_same(screen, before)
        self.confirmed = not is_drawn_anew and input_state == self.input_state
        if not self.confirmed:
            self.since = now
        if is_drawn_anew or doings != self.doings:
            self.drawn_since = now
        if before is None or doings != self.doings or not same_but_for_clock(screen, before):
            self.ticking_since = now
        self.screen, self.input_state, self.doings = screen, input_state, doings
        self._note_reader(tty, now)
        self._note_activity(tty, now)
        return now - self.since

    def reading_for(self, now: float) -> float:
        """Return for how many seconds each snapshot found that a program only waits for keys."""
        return 0.0 if self.reading_since is None else now - self.reading_since

    def _note_reader(self, tty: TtyState | None, now: float) -> None:
        """Note how the reader waits: until when at most, and whether for anything else."""
        limit = tty.limit if tty else None
        longest = self.limit if self.confirmed and self.limit is not None else 0.0
        self.limit = None if limit is None else max(limit, longest)
        if tty is None or not tty.only_reading:
            self.reading_since = None
        elif self.reading_since is None:
            self.reading_since = now

    def _note_activity(self, tty: TtyState | None, now: float) -> None:
        done = None if tty is None else tty.activity
        if not self.confirmed or self.activity is None or done is None:
            self.activity, self.activity_since, self.polls = done, now, False
            return
        seconds = now - self.activity_since
        wakeups, ran, waited = map(operator.sub, done, self.activity)
        is_idle = ran < seconds * _IDLE_SHARE * 1e9
        # Who is kept from running by others looks idle, and does not look for keys.
        has_run = ran + waited < seconds * _STARVED_SHARE * 1e9
        wakes = seconds >= GUESS and wakeups >= seconds * _POLLS_A_SECOND
        self.polls = is_idle and has_run and wakes


def _input_state(screen: Screen, tty: TtyState | None) -> object:
    """Return the facts that differ between readers: another one is news on the same screen."""
    modes = tty and (tty.canonical, tty.echo, tty.reading, tty.reader_pid, tty.children)
    # Where the kernel does not report the reader, the name of the program has to tell it.
    name = screen.command if tty is None or tty.reading is None else None
    return modes, name


def time_limit(deadline: Deadline, idle_timeout: float | None, now: float) -> TimeoutStrategy:
    """Return the strategy that ends a wait in any case, which begins now.

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
    stillness: Stillness | None = None,
    written: RawOutput | None = None,
    history: int = 0,
    idle_timeout: float | None = None,
) -> Plan[Readiness]:
    """Wait until *strategy* says that the pane is ready, or *timeout* is over.

    The last snapshot is begun after the time is up, so a ready pane never times out.

    Args:
        pane: The pane.
        strategy: What decides.
        timeout: Longest wait.
        mark: What was there before the last send.
        stillness: What is known of the screen from an earlier wait since then.
        written: What takes the raw output since then. An error closes its tap, as the end of the
            wait does if it is not given.
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
    still, raw = stillness or Stillness(), written or RawOutput()
    watch = PaneWatch(pane, mark, start, limit.seconds, history, still, raw)
    with ExitStack() as held, ExitStack() as at_error:
        at_error.callback(raw.close)
        if chain.hears_signals:
            raw.hears = True
            yield from raw.begin(pane)
        try:
            readiness = yield from _until_decided(watch, chain, limit, held)
        except (PaneNotFoundError, TmuxTimeoutError) as error:
            if (screen := watch.last_screen) is None:
                raise
            readiness = _blind_result(screen, error, (yield from clock_time()) - start)
        if written is not None:
            at_error.pop_all()
    return readiness


def _until_decided(
    watch: "PaneWatch", chain: Chain, limit: TimeoutStrategy, held: ExitStack
) -> Plan[Readiness]:
    """Judge each snapshot that is due until one decides; what is *held* is to be closed then."""
    output_watch: AnyOutputWatch | None = None
    watch.changes = yield from watch_changes(watch.pane)
    while True:
        snapshot = yield from observe_when_due(watch)
        if snapshot is not None:
            judgement = chain.judge(snapshot, limit)
            log_snapshot(watch.pane, snapshot, judgement)
            if ready := watch.decide(judgement):
                elapsed = (yield from clock_time()) - watch.start
                return _result(snapshot, ready, judgement, elapsed)
            yield from watch.written.begin_late(watch.pane, snapshot)
        if not watch.observes_again and watch.changes is None:
            if output_watch is None:
                output_watch = held.enter_context(closing((yield from watch_output(watch.pane))))
            yield from _rest(watch, output_watch)


def _rest(watch: "PaneWatch", output_watch: AnyOutputWatch) -> Plan[None]:
    """Let time pass until the program writes, or the next question is due."""
    now = yield from clock_time()
    seconds = watch.pause(now)
    # A program that has just written may be about to read. An output watch does not report that, so
    # the kernel is asked soon, whether more is written or not.
    if watch.schedule.is_quick(now) and watch.tty is not None:
        yield from pause(seconds)
        seconds = 0.0
    if (yield from rest(output_watch, seconds)):
        watch.has_written = True
        watch.schedule.note_written((yield from clock_time()))


def _result(snapshot: Snapshot, ready: Ready, judgement: Judgement, elapsed: float) -> Readiness:
    reason = judgement.explain(ready)
    if Front.seen(snapshot).needs_evidence(judgement):
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
    )


def _blind_result(screen: Screen, error: TmuxprimError, elapsed: float) -> Readiness:
    """Return the result of a wait in which the pane could not be seen any more."""
    hangs = isinstance(error, TmuxTimeoutError)
    return Readiness(
        outcome=Outcome.TIMEOUT if hangs else Outcome.EXITED,
        strategy="TimeoutStrategy" if hangs else "ExitStrategy",
        reason=f"the pane cannot be seen: {error.without_advice}",
        screen=screen,
        elapsed=elapsed,
    )


@attrs.define(eq=False)
class PaneWatch:
    """The memory of one wait from snapshot to snapshot, or of a watch that does not end."""

    pane: Pane
    mark: Mark | None
    start: float
    timeout: float = math.inf
    history: int = 0
    stillness: Stillness = attrs.field(factory=Stillness)
    written: RawOutput = attrs.field(factory=RawOutput)
    pane_pid: int = attrs.field(init=False)
    """The program that is waited for; 0 until one was seen."""
    standing: Screen | None = attrs.field(init=False)
    """The rows of the mark's screen that have been there in every snapshot so far."""
    schedule: PollSchedule = attrs.field(init=False)
    tty: TtyState | None = None
    """The evidence of the last snapshot."""
    looked_at: float | None = None
    again_in: float = 0.0
    """After how many seconds the strategies want another look."""
    is_vetoed: bool = False
    """Whether a strategy saw the program work."""
    steady: bool = True
    """Whether the evidence was the same before and after the last snapshot."""
    reader_appeared: bool = False
    """Whether somebody began to read from the terminal during the last snapshot."""
    observes_again: bool = False
    """Whether the next snapshot follows without a rest, to confirm the last or find the reader."""
    has_written: bool = False
    """Whether the program has written since the last snapshot."""
    brings_evidence: bool = False
    """Whether the last look at the screen has brought the evidence as well."""
    longest_unseen: float = LONGEST_UNSEEN
    """Seconds between two snapshots if nothing at all is seen to happen."""
    changes: "ChangeWatch | None" = None
    """The watch that waits before each look, where the pane is; None if it is here."""

    def __attrs_post_init__(self) -> None:
        self.schedule = PollSchedule(self.start, self.start)
        self.standing = self.mark.screen if self.mark else None
        self.pane_pid = self.stillness.pane_pid

    def note_evidence(
        self, screen: Screen, before: TtyState | None, after: TtyState | None, began: float
    ) -> bool:
        """Note the evidence from before and after a screen; return whether both are the same."""
        self.tty, self.brings_evidence = after, screen.evidence is not None
        unchanged_for = self.stillness.note(screen, after, began)
        if self.brings_evidence and after is not None and not self.stillness.confirmed:
            self.schedule.note_written(began)
        self.reader_appeared = _is_working(before) and after is not None and bool(after.reading)
        wakes_by_itself = unchanged_for >= _WAKES_BY_ITSELF and _have_only_woken(before, after)
        return before == after or wakes_by_itself

    def take(self, screen: Screen, began: float, *, is_steady: bool) -> Snapshot:
        """Return a screen as a snapshot, with all that is known of the time before it."""
        self.looked_at, self.has_written, self.steady = began, False, is_steady
        self.pane_pid = self.pane_pid or screen.pane_pid
        still, written = self.stillness, self.written
        mark, standing = self.mark, self.standing
        if mark is not None and mark.hidden is not None:
            standing = standing and mark.hidden.reveal_rows(standing, screen)
            mark = mark.seen_on(screen)
        if standing is not None:
            self.standing = still_there(standing, screen, typed=_shows_typed(mark))
        return Snapshot(
            screen=screen,
            tty=self.tty,
            mark=mark,
            elapsed=began - self.start,
            unchanged_for=began - still.since,
            silent_for=began - max(still.drawn_since, self.schedule.written_at),
            ticking_for=began - still.ticking_since,
            reading_for=still.reading_for(began),
            steady=is_steady,
            limit=still.limit,
            polls=still.polls,
            confirmed=screen.caught_up or still.confirmed,
            standing=standing,
            respawned=screen.pane_pid not in {0, self.pane_pid},
            signals=written.signals(screen, self.tty),
            editor=written.note_editor(screen, mark, is_same=still.confirmed),
        )

    def decide(self, judgement: Judgement) -> Ready | None:
        """Remember what a round of the chain asked for; return the verdict that ends the wait."""
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
        is_unconfirmed = again_in == 0.0 and not self.stillness.confirmed and self.steady
        # Not twice in a row: a screen that changes each time would be read without any rest.
        self.observes_again = (self.reader_appeared or is_unconfirmed) and not self.observes_again

    @property
    def last_screen(self) -> Screen | None:
        """The screen of the last snapshot; before the first, that of the mark."""
        if self.stillness.screen is not None or self.mark is None:
            return self.stillness.screen
        screen, hidden = self.mark.screen, self.mark.hidden
        return screen if hidden is None else hidden.blank(screen)

    def is_due(self, tty: TtyState | None, now: float) -> bool:
        """Whether reading the screen could tell something new."""
        if self.looked_at is None or not self.steady or self.brings_evidence:
            return True
        passed = now - self.looked_at
        if passed >= self._until_asked() or now - self.start >= self.timeout:
            return True
        # What a program writes that a strategy has seen at work, and that works on, is no news.
        may_show_more = self.has_written and passed >= _SHORTEST_SNAPSHOT
        if may_show_more and not (self.is_vetoed and _is_working(tty)):
            return True
        return _is_news(self.tty, tty)

    def _until_asked(self) -> float:
        """Seconds from the last snapshot to the next, whatever the kernel says."""
        is_seen = self.tty is not None and not self.has_written
        longest = self.longest_unseen if is_seen else _LONGEST_SNAPSHOT
        return min(self.again_in, _LONGEST_WATCHED if watcher.get() else longest)

    def until_due(self, now: float) -> float:
        """Return in how many seconds the next snapshot is due, whatever the kernel says."""
        return self._until_asked() - (0.0 if self.looked_at is None else now - self.looked_at)

    @property
    def works_on(self) -> bool:
        """Whether output is no news: a strategy has seen the program work, and no one reads."""
        return self.is_vetoed and _is_working(self.tty)

    def pause_there(self, now: float) -> float:
        """Return how many seconds a watch on another machine may wait before the next look."""
        if self.looked_at is None or self.observes_again:
            return 0.0
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


def _is_news(before: TtyState | None, tty: TtyState | None) -> bool:
    """Whether the evidence differs from that of the last snapshot, so that a wait may be over."""
    if tty is None or before is None:
        return tty is not before
    if _is_working(before) and before.activity is None and tty.activity is not None:
        return True  # it has begun to look for keys, perhaps
    # A program that begins to work is no reason to look; raw mode may be another program's.
    may_be_ready = tty.reading is not False or tty.canonical != before.canonical
    return may_be_ready and without_idle_wakeups(tty) != without_idle_wakeups(before)


def _is_working(tty: TtyState | None) -> bool:
    """Whether the kernel reports that no process reads from the terminal."""
    return tty is not None and tty.reading is False


def observe_when_due(watch: PaneWatch) -> Plan[Snapshot | None]:
    """Ask the kernel, and read the screen if that could tell something new."""
    is_asked = not (watch.observes_again or watch.brings_evidence or watch.changes)
    before = (yield from probe(watch.pane)) if is_asked else watch.tty
    began = yield from clock_time()
    if watch.changes is None and not watch.is_due(before, began):
        return None
    # The screen is read between two probes: it belongs to their evidence if both report the same.
    # It may lack a prompt whose marks have come through the tap since it was read.
    yield from watch.written.take()
    if watch.changes is None:
        screen = yield from observe(watch.pane, watch.history)
    else:
        screen, waited = yield from look(
            *(watch.changes, watch.pause_there(began), watch.history),
            hears_output=not watch.works_on,
        )
        began += waited
    if screen.evidence is None:
        after = yield from probe(watch.pane)
    else:
        before, after = screen.evidence
    draws_prompt = (yield from watch.written.take()) and watch.written.marks.is_on
    is_steady = watch.note_evidence(screen, before, after, began) and not draws_prompt
    return watch.take(screen, began, is_steady=is_steady)


def _shows_typed(mark: Mark | None) -> bool:
    """Whether the cursor's row of a mark shows a text that was typed at a prompt."""
    prompt = mark.prompt.text if mark and mark.prompt else ""
    line = mark.screen.line_before_cursor if mark else ""
    return bool(prompt.strip()) and line.startswith(prompt) and line != prompt


def _have_only_woken(before: TtyState | None, after: TtyState | None) -> bool:
    """Whether the reader woke up between two probes, and nothing else happened."""
    if before is None or after is None or not after.reading:
        return False
    return attrs.evolve(before, wakeups=None) == attrs.evolve(after, wakeups=None)
