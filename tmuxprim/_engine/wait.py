"""The wait for a pane, and how often it looks."""

import math
from typing import Final

import attrs

from tmuxprim._engine.plan import Listen, Now, Observe, Pause, Plan, Probe, Rest
from tmuxprim._readiness.chain import Chain, Judgement, ReadinessStrategy, TimeoutStrategy
from tmuxprim._readiness.look import (
    Busy,
    Look,
    Outcome,
    Readiness,
    Ready,
    Verdict,
    same_picture,
    without_idle_wakeups,
)
from tmuxprim._terminal import Bell
from tmuxprim._values.evidence import Mark, TtyState
from tmuxprim._values.new_text import still_there
from tmuxprim._values.pane import Pane
from tmuxprim._values.screen import Screen
from tmuxprim.errors import PaneNotFoundError, TmuxprimError, TmuxServerError, TmuxTimeoutError

SHORTEST: Final = 0.0005
_LONGEST_IN_BURST: Final = 0.01
_LONGEST_IN_QUIET: Final = 3.0
_SHARE_IN_BURST: Final = 0.05
_SHARE_IN_QUIET: Final = 0.1
# Waits that have become so slow ask on the ticks of one clock, many panes after one another: who
# is woken for each of a thousand panes by itself spends nearly half of its time on waking up.
_LONG: Final = 1.0
_TICK: Final = 0.125
# Who has written nothing for so long has ended its burst of output, in seconds.
_QUIET: Final = 0.1


@attrs.define
class Pace:
    """The pace of one wait; all times are in seconds of the terminal's clock.

    Args:
        burst: When the program began to write, or the wait began.
        rang: When it was last known to write, or the wait began.
    """

    burst: float
    rang: float

    def ring(self, now: float) -> None:
        """Note that the program has written since it was last asked."""
        if now - self.rang > _QUIET:
            self.burst = now
        self.rang = now

    def is_quick(self, now: float) -> bool:
        """Whether the program may be about to read, so that listening for more is too slow."""
        return now - self.rang <= _QUIET

    def pause(self, now: float) -> float:
        """Return how long to wait before the next question."""
        quick = min(max(SHORTEST, (now - self.burst) * _SHARE_IN_BURST), _LONGEST_IN_BURST)
        if self.is_quick(now):
            return quick
        quiet = now - self.rang - _QUIET
        slow = min(quiet * _SHARE_IN_QUIET, _LONGEST_IN_QUIET)
        if slow < _LONG:
            return max(quick, slow)
        return math.floor((now + slow) / _TICK) * _TICK - now


# Seconds between two looks at a screen that changes all the time.
_SHORTEST_LOOK: Final = 0.02
# Between two looks if no strategy asks for one: while the program writes, or the kernel tells
# nothing, and when nothing at all is seen to happen.
_LONGEST_LOOK: Final = 5.0
_LONGEST_UNSEEN: Final = 60.0

# Seconds of stillness after which a reader that has woken meanwhile is taken for one that wakes by
# itself. Some REPLs do, and on a busy machine a look takes longer than they sleep.
_WAKES_BY_ITSELF: Final = 0.25

_NEEDS_NO_EVIDENCE: Final = (Outcome.EXITED, Outcome.MATCHED)


@attrs.define(eq=False)
class Stillness:
    """Since when nothing has changed in a pane; outlives a wait, so that the next one knows, too.

    A command that ends may leave the screen as it is for a moment, until its shell has drawn the
    prompt. So another reader, or another line discipline, is a change as well.
    """

    screen: Screen | None = None
    mood: object = None
    since: float = 0.0
    reading_since: float | None = None
    confirmed: bool = False
    """Whether the last two looks found the same."""

    def note(self, screen: Screen, tty: TtyState | None, now: float) -> float:
        """Take a look that was begun at *now*; return for how long nothing has changed."""
        mood: object = tty and (tty.canonical, tty.echo, tty.reading, tty.reader_pid)
        if tty is None or tty.reading is None:
            mood = (mood, screen.command)  # nobody tells who reads; another program is news
        before = self.screen
        self.confirmed = before is not None and mood == self.mood and same_picture(screen, before)
        if not self.confirmed:
            self.since = now
        self.screen, self.mood = screen, mood
        if tty is None or not tty.only_reading:
            self.reading_since = None
        elif self.reading_since is None:
            self.reading_since = now
        return now - self.since


def wait_until_ready(
    pane: Pane,
    strategy: ReadinessStrategy,
    *,
    timeout: float,
    mark: Mark | None = None,
    stillness: Stillness | None = None,
    history: int = 0,
    pane_pid: int = 0,
) -> Plan[Readiness]:
    """Wait until *strategy* says that the pane is ready, or *timeout* seconds have passed.

    The last look is begun after the time is up, so a ready pane never times out.

    Args:
        pane: The pane.
        strategy: What decides.
        timeout: Longest wait, in seconds.
        mark: What was there before the last send.
        stillness: What is known of the screen from an earlier wait since then.
        history: How many rows of the history the strategy is to see.
        pane_pid: The program of the pane that is waited for; 0 for the one that runs now.

    Raises:
        InvalidStrategyError: If *strategy* is none, or *timeout* is no number of seconds.
        PaneNotFoundError: If the pane was gone before it was ever seen; so TmuxServerError.
        TmuxTimeoutError: If tmux hung before the pane was ever seen.
    """
    chain = Chain((strategy, TimeoutStrategy(timeout)))
    start: float = yield Now()
    watch = _Watch(pane, mark, start, timeout, history, stillness or Stillness(), pane_pid)
    bell: Bell | None = None
    try:
        while True:
            look = yield from _look_when_due(watch)
            if look is not None:
                judgement = chain.judge(look)
                watch.note(judgement)
                if isinstance(judgement.verdict, Ready) and not watch.gives_up_too_soon:
                    return _result(look, judgement.verdict, judgement, (yield Now()) - start)
            if not watch.at_once:
                bell = bell or (yield Listen(pane))
                yield from _rest(watch, bell)
    except (PaneNotFoundError, TmuxServerError, TmuxTimeoutError) as error:
        screen = watch.last_screen
        if screen is None:
            raise
        return _blind_result(screen, error, (yield Now()) - start)
    finally:
        if bell is not None:
            bell.close()


def _rest(watch: "_Watch", bell: Bell) -> Plan[None]:
    """Let time pass, until the program writes or there is something to ask."""
    now: float = yield Now()
    pause = watch.pause(now)
    if watch.pace.is_quick(now) and watch.tty is not None:
        yield Pause(pause)
        pause = 0.0
    rang: bool = yield Rest(bell, pause)
    if rang:
        watch.has_written = True
        watch.pace.ring((yield Now()))


def _result(look: Look, ready: Ready, judgement: Judgement, elapsed: float) -> Readiness:
    reason = judgement.explain(ready)
    if look.missing_evidence and ready.outcome not in _NEEDS_NO_EVIDENCE:
        reason += f" ({look.missing_evidence})"
    return Readiness(
        outcome=ready.outcome,
        strategy=judgement.strategy,
        reason=reason,
        screen=look.screen,
        elapsed=elapsed,
        tty=look.tty,
        verdicts=judgement.verdicts,
    )


def _blind_result(screen: Screen, error: TmuxprimError, elapsed: float) -> Readiness:
    """Return the result of a wait in which the pane could not be seen any more."""
    hangs = isinstance(error, TmuxTimeoutError)
    return Readiness(
        outcome=Outcome.TIMEOUT if hangs else Outcome.EXITED,
        strategy="TimeoutStrategy" if hangs else "ExitStrategy",
        reason=f"the pane cannot be seen: {error}",
        screen=screen,
        elapsed=elapsed,
    )


@attrs.define(eq=False)
class _Watch:
    """What one wait remembers from look to look."""

    pane: Pane
    mark: Mark | None
    start: float
    timeout: float
    history: int
    stillness: Stillness
    pane_pid: int
    standing: Screen | None = attrs.field(init=False)
    """What of the mark's screen has been there in every look so far."""
    tty: TtyState | None = None
    looked_at: float | None = None
    again_in: float = 0.0
    steady: bool = True
    came_back: bool = False
    """Whether somebody began to read from the terminal during the last look."""
    at_once: bool = False
    """Whether the next look follows without a rest, to confirm the last or to see who reads."""
    gives_up_too_soon: bool = False
    """Whether the time is up, and what is there only has to be seen twice."""
    is_vetoed: bool = False
    has_written: bool = False
    pace: Pace = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.pace = Pace(self.start, self.start)
        self.standing = self.mark.screen if self.mark else None

    def note(self, judgement: Judgement) -> None:
        """Remember what a round of the chain asked for."""
        self.again_in = judgement.again_in
        wants_another = self.again_in == 0.0 and not self.stillness.confirmed
        self.at_once = (self.came_back or (wants_another and self.steady)) and not self.at_once
        self.is_vetoed = isinstance(judgement.verdict, Busy)
        self.gives_up_too_soon = self.at_once and _is_timeout(judgement.verdict)

    @property
    def last_screen(self) -> Screen | None:
        """The last screen that is known, be it that of the mark."""
        return self.stillness.screen or (self.mark.screen if self.mark else None)

    def is_due(self, tty: TtyState | None, now: float) -> bool:
        """Whether reading the screen could tell something new."""
        if self.looked_at is None or not self.steady:
            return True
        if now - self.looked_at >= self._until_asked() or now - self.start >= self.timeout:
            return True
        if self.has_written and now - self.looked_at >= _SHORTEST_LOOK and not self._works(tty):
            return True
        if tty is None or self.tty is None:
            return tty is not self.tty
        # Who begins to work is of no interest; who goes raw may have handed the terminal on.
        is_news = tty.reading is not False or tty.canonical != self.tty.canonical
        return is_news and without_idle_wakeups(tty) != without_idle_wakeups(self.tty)

    def _until_asked(self) -> float:
        """How many seconds after the last look the next one is due, whatever the kernel says."""
        is_seen = self.tty is not None and not self.has_written
        return min(self.again_in, _LONGEST_UNSEEN if is_seen else _LONGEST_LOOK)

    def _works(self, tty: TtyState | None) -> bool:
        """Whether the kernel sees a program work, and the chain waits for its end."""
        return self.is_vetoed and _is_working(tty)

    def pause(self, now: float) -> float:
        """Return how many seconds to let pass before the next question to the kernel."""
        asked_for = 0.0 if self.looked_at is None else now - self.looked_at
        until_asked = self._until_asked() - asked_for
        pause = self.pace.pause(now)
        if self.tty is None and self.steady:
            pause = max(pause, until_asked)  # without the kernel there is nothing else to ask
        # Never so short that the clock, which counts in floats, would stand still.
        return max(min(pause, until_asked, self.start + self.timeout - now), SHORTEST)


def _is_working(tty: TtyState | None) -> bool:
    """Whether the kernel says that nobody reads from the terminal."""
    return tty is not None and tty.reading is False


def _is_timeout(verdict: Verdict) -> bool:
    return isinstance(verdict, Ready) and verdict.outcome is Outcome.TIMEOUT


def _look_when_due(watch: _Watch) -> Plan[Look | None]:
    """Ask the kernel, and read the screen if that could tell something new."""
    tty: TtyState | None = watch.tty if watch.at_once else (yield Probe(watch.pane))
    began: float = yield Now()
    if not watch.is_due(tty, began):
        return None
    screen: Screen = yield Observe(watch.pane, watch.history)
    watch.tty = yield Probe(watch.pane)
    unchanged_for = watch.stillness.note(screen, watch.tty, began)
    watch.looked_at, watch.has_written = began, False
    watch.steady = tty == watch.tty or (
        unchanged_for >= _WAKES_BY_ITSELF and _have_only_woken(tty, watch.tty)
    )
    watch.came_back = _is_working(tty) and watch.tty is not None and bool(watch.tty.reading)
    reading_since = watch.stillness.reading_since
    watch.pane_pid = watch.pane_pid or screen.pane_pid
    standing = watch.standing
    if standing is not None:
        watch.standing = still_there(standing, screen, typed=_shows_typed(watch.mark))
    return Look(
        screen=screen,
        tty=watch.tty,
        mark=watch.mark,
        elapsed=began - watch.start,
        unchanged_for=unchanged_for,
        reading_for=0.0 if reading_since is None else began - reading_since,
        steady=watch.steady,
        confirmed=screen.caught_up or watch.stillness.confirmed,
        standing=standing,
        respawned=screen.pane_pid not in {0, watch.pane_pid},
    )


def _shows_typed(mark: Mark | None) -> bool:
    """Whether the cursor's row of a mark shows what was typed at a prompt."""
    prompt = mark.prompt.text if mark and mark.prompt else ""
    line = mark.screen.line_before_cursor if mark else ""
    return bool(prompt.strip()) and line.startswith(prompt) and line != prompt


def _have_only_woken(before: TtyState | None, after: TtyState | None) -> bool:
    """Whether who reads was given a processor between two questions, and nothing else happened."""
    if before is None or after is None or not after.reading:
        return False
    return attrs.evolve(before, wakeups=None) == attrs.evolve(after, wakeups=None)
