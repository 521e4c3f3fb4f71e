"""The wait engine: looks at a pane until a chain of strategies says that it is ready.

Two kinds of evidence differ in price by a factor of fifty: asking the kernel takes some
microseconds, reading the screen takes a process. So the engine asks the kernel often and reads
the screen when the kernel says that somebody might read from the terminal now, when a strategy
wants to be asked again, and once more when the time is up.

The engine is a plan: it does no I/O and knows no clock but the terminal's.
"""

from typing import Final

import attrs

from tmuxprim._errors import PaneNotFoundError, TmuxServerError
from tmuxprim._mark import Mark
from tmuxprim._pane import Pane
from tmuxprim._plan import Now, Observe, Pause, Plan, Probe
from tmuxprim._readiness._look import Look, same_picture
from tmuxprim._readiness._strategy import (
    Chain,
    Judgement,
    ReadinessStrategy,
    TimeoutStrategy,
)
from tmuxprim._readiness._verdict import Outcome, Ready, Verdict
from tmuxprim._screen import Screen
from tmuxprim._tty import TtyState

# Seconds between two questions to the kernel: short at first, since most waits are short, then
# a share of the time waited so far, so that a long wait costs next to nothing.
_SHORTEST_PAUSE: Final = 0.0005
_LONGEST_PAUSE: Final = 0.01
_PAUSE_SHARE: Final = 0.05


@attrs.frozen(kw_only=True)
class Readiness:
    """Is how a wait ended, and why.

    It is true unless the wait timed out or the program exited, so ``if console.wait_ready():``
    reads as it should.

    Args:
        outcome: What was found.
        strategy: Name of the strategy that decided.
        reason: Why, in plain words.
        screen: The screen it was found on.
        elapsed: How long the wait took, in seconds.
        verdicts: What each strategy said in the last round, with its name, in order.

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
    verdicts: tuple[tuple[str, Verdict], ...] = ()

    def __bool__(self) -> bool:
        return self.outcome not in {Outcome.TIMEOUT, Outcome.EXITED}

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


def wait_until_ready(
    pane: Pane, strategy: ReadinessStrategy, *, mark: Mark | None, timeout: float
) -> Plan[Readiness]:
    """Wait until *strategy* says that the pane is ready, or *timeout* seconds have passed.

    The last look is begun after the time is up, so a ready pane never times out.

    Raises:
        InvalidStrategyError: If *strategy* is none, or *timeout* is no number of seconds.
        PaneNotFoundError: If the pane was gone before it was ever seen.
    """
    chain = Chain((strategy, TimeoutStrategy(timeout)))
    watch = _Watch(pane=pane, mark=mark, start=(yield Now()))
    watch.screen = None if mark is None else mark.screen
    while True:
        try:
            judgement = yield from _judge_when_due(watch, chain, timeout)
        except (PaneNotFoundError, TmuxServerError) as error:
            if watch.screen is None:
                raise
            return watch.exited((yield Now()), watch.screen, f"the pane is gone: {error}")
        if judgement is not None and watch.screen is not None:
            if isinstance(judgement.verdict, Ready):
                return watch.end((yield Now()), watch.screen, judgement, judgement.verdict)
            watch.again_in = judgement.again_in
        yield Pause(watch.pause((yield Now()), timeout))


@attrs.define
class _Watch:
    """What one wait remembers from look to look."""

    pane: Pane
    mark: Mark | None
    start: float
    screen: Screen | None = None
    tty: TtyState | None = None
    looked_at: float | None = None
    unchanged_since: float = 0.0
    again_in: float = 0.0
    steady: bool = True

    def is_due(self, tty: TtyState | None, now: float, timeout: float) -> bool:
        """Whether reading the screen could tell something new."""
        if self.looked_at is None or not self.steady or now - self.start >= timeout:
            return True
        if now - self.looked_at >= self.again_in:
            return True
        return tty != self.tty and (tty is None or tty.reading is not False)

    def note(self, screen: Screen, tty: TtyState | None, began: float, *, steady: bool) -> None:
        """Remember a look that was begun at *began*."""
        if self.looked_at is None or self.screen is None or not same_picture(screen, self.screen):
            self.unchanged_since = began
        self.screen, self.tty, self.looked_at, self.steady = screen, tty, began, steady

    def pause(self, now: float, timeout: float) -> float:
        """Return how many seconds to let pass before the next question to the kernel."""
        waited = now - self.start
        if not self.steady:
            return _SHORTEST_PAUSE
        longest = _LONGEST_PAUSE if self.tty is not None else max(self.again_in, _LONGEST_PAUSE)
        pause = min(max(_SHORTEST_PAUSE, waited * _PAUSE_SHARE), longest)
        return min(pause, max(timeout - waited, 0.0))

    def end(self, now: float, screen: Screen, judgement: Judgement, ready: Ready) -> Readiness:
        """Return the result of a wait that *judgement* ended."""
        reason = ready.reason
        if ready.outcome is Outcome.TIMEOUT and len(judgement.verdicts) > 1:
            name, verdict = judgement.verdicts[-2]
            reason = f"{reason}; {name} said {verdict}"
        return Readiness(
            outcome=ready.outcome,
            strategy=judgement.strategy,
            reason=reason,
            screen=screen,
            elapsed=now - self.start,
            verdicts=judgement.verdicts,
        )

    def exited(self, now: float, screen: Screen, reason: str) -> Readiness:
        """Return the result of a wait whose pane went away."""
        return Readiness(
            outcome=Outcome.EXITED,
            strategy="ExitStrategy",
            reason=reason,
            screen=screen,
            elapsed=now - self.start,
        )


def _judge_when_due(watch: _Watch, chain: Chain, timeout: float) -> Plan[Judgement | None]:
    """Ask the kernel, and the chain if there may be something new."""
    tty: TtyState | None = yield Probe(watch.pane)
    began: float = yield Now()
    if not watch.is_due(tty, began, timeout):
        return None
    screen: Screen = yield Observe(watch.pane)
    after: TtyState | None = yield Probe(watch.pane)
    watch.note(screen, after, began, steady=tty == after)
    look = Look(
        screen=screen,
        tty=after,
        mark=watch.mark,
        elapsed=began - watch.start,
        unchanged_for=began - watch.unchanged_since,
        steady=watch.steady,
    )
    return chain.judge(look)
