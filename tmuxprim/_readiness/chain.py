"""`ReadinessStrategy`, and how strategies are combined.

``first | second`` is a `Chain`: asked in order, the first `Ready` decides, a `Busy` vetoes all
that follow. ``first & second`` is `AllOf`: ready only when both are. Combining makes a new
value; a strategy has no state, so one may serve many waits at once.
"""

import math
from functools import cached_property
from typing import Final, NamedTuple, Protocol

import attrs
from typing_extensions import override

from tmuxprim._readiness.snapshot import Busy, Outcome, Pass, Ready, Snapshot, Verdict
from tmuxprim._values.short_repr import cut_repr
from tmuxprim.errors import InvalidStrategyError


class ReadinessStrategy(Protocol):
    """Judges one snapshot of a pane; has no state and does no I/O.

    Examples:
        >>> class Spinner:
        ...     def assess(self, snapshot: Snapshot) -> Verdict:
        ...         return Busy("it spins") if snapshot.screen.title == "|" else Pass("it stands")
        >>> terminal = FakeTerminal()
        >>> console = Console(terminal, terminal.open(), strategy=Spinner() | default_chain())
        >>> console.wait_ready().outcome
        <Outcome.PROMPT: 'prompt'>
    """

    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say whether the pane can take input, by this one snapshot.

        Args:
            snapshot: The pane at one moment, and the facts of the wait.

        Returns:
            READY with an outcome, BUSY, which vetoes all strategies behind it, or PASS.
        """
        ...


class Strategy(ReadinessStrategy, Protocol):
    """The base for strategies of your own, with ``|`` and ``&``.

    Examples:
        >>> @attrs.frozen
        ... class DoneInTitle(Strategy):
        ...     title: str
        ...
        ...     def assess(self, snapshot: Snapshot) -> Verdict:
        ...         if snapshot.screen.title == self.title:
        ...             return Ready(Outcome.MATCHED, f"the title is {self.title!r}")
        ...         return Pass(f"the title is {snapshot.screen.title!r}")
        >>> chain = ExitStrategy() | DoneInTitle("done")
    """

    def __or__(self, other: ReadinessStrategy) -> "Chain":
        return Chain((self, other))

    def __ror__(self, other: ReadinessStrategy) -> "Chain":
        return Chain((other, self))

    def __and__(self, other: ReadinessStrategy) -> "AllOf":
        return AllOf((self, other))


def wants_signals(strategy: ReadinessStrategy) -> bool:
    """Whether the strategy is to be given `Snapshot.signals`, which takes the pane's pipe."""
    return getattr(strategy, "hears_signals", False) is True


def name_of(strategy: ReadinessStrategy) -> str:
    """Return the strategy's name as people are shown it: its class."""
    return type(strategy).__name__


QUIET: Final = "no output"
"""How the reason of a TIMEOUT begins that came before the time was up."""


@attrs.frozen
class TimeoutStrategy(Strategy):
    """Ends the wait when the time is up; a chain asks it even after a veto.

    Args:
        seconds: The longest wait, in seconds.
        idle_timeout: The longest time in which the program writes nothing, in seconds.
        given: The time limit that a timeout names: several waits may share one, and then *seconds*
            is what is left of it. None is *seconds*.

    Raises:
        InvalidStrategyError: If one of them is no such number of seconds.

    Examples:
        >>> terminal = FakeTerminal()
        >>> console = Console(terminal, terminal.open())
        >>> print(console.wait_ready(strategy=ExitStrategy() | TimeoutStrategy(2.0)).reason)
        timed out after 2 s; the program lives
    """

    seconds: float = attrs.field()
    idle_timeout: float = attrs.field(default=math.inf)
    given: float | None = attrs.field(default=None, kw_only=True)

    @seconds.validator
    def _check_seconds(self, _field: object, seconds: object) -> None:
        # Written so that NaN, which compares false with everything, is refused as well.
        if not isinstance(seconds, (int, float)) or not seconds >= 0:
            raise InvalidStrategyError(f"timeout is None, or 0 or more seconds, got {seconds!r}")

    @idle_timeout.validator
    def _check_idle_timeout(self, _field: object, idle_timeout: object) -> None:
        if not isinstance(idle_timeout, (int, float)) or not idle_timeout > 0:
            raise InvalidStrategyError(f"idle_timeout is more than 0 seconds, got {idle_timeout!r}")

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say TIMEOUT once the wait has taken so long, or the program was silent for so long."""
        if snapshot.elapsed >= self.seconds:
            given = self.seconds if self.given is None else self.given
            return Ready(Outcome.TIMEOUT, f"timed out after {_format_seconds(given)} s")
        if snapshot.silent_for >= self.idle_timeout:
            return Ready(Outcome.TIMEOUT, f"{QUIET} for {_format_seconds(self.idle_timeout)} s")
        again_in = min(self.seconds - snapshot.elapsed, self.idle_timeout - snapshot.silent_for)
        return Pass("there is time left", again_in=again_in)


# From here on seconds are shown whole: with three digits, 1800 would be 1.8e+03.
_WHOLE: Final = 999.5


def _format_seconds(seconds: float) -> str:
    return f"{seconds:.3g}" if seconds < _WHOLE else f"{seconds:.0f}"


class Judgement(NamedTuple):
    """The outcome of one round of a chain.

    Args:
        verdict: What was decided.
        strategy: Name of the strategy that decided.
        verdicts: What each strategy said that was asked, with its name, in order.
    """

    verdict: Verdict
    strategy: str
    verdicts: tuple[tuple[str, Verdict], ...]

    @property
    def again_in(self) -> float:
        """Seconds after which to ask again even if the kernel has seen no change."""
        # The earliest of all, since any of the strategies may decide then.
        waits = [verdict.again_in for _, verdict in self.verdicts if not isinstance(verdict, Ready)]
        return min(waits, default=0.0)

    def explain(self, ready: Ready) -> str:
        """Return the reason of *ready*; for a timeout also the obstacle."""
        is_timeout = ready.outcome is Outcome.TIMEOUT and len(self.verdicts) > 1
        return f"{ready.reason}; {self.obstacle}" if is_timeout else ready.reason

    @property
    def obstacle(self) -> str:
        """The obstacle: the veto, or the reason of the last strategy that wanted to look again.

        A strategy that asks for no snapshot until something changes (`ON_CHANGE`) waits for
        nothing.
        """
        # The last verdict is that of the time limit itself.
        said = [verdict for _, verdict in self.verdicts[:-1] if not isinstance(verdict, Ready)]
        awaited = [one for one in said if isinstance(one, Busy) or one.again_in < math.inf]
        return (awaited or said)[-1].reason


def _members(strategies: object, *, of: type["Chain | AllOf"]) -> tuple[ReadinessStrategy, ...]:
    """Return the strategies one by one: a chain in a chain is replaced by its members."""
    if not isinstance(strategies, (tuple, list)):
        raise InvalidStrategyError(f"{of.__name__} takes a tuple of strategies, got {strategies!r}")
    # So that `first | second | third` is one chain, in which a veto holds for all that follow.
    flat: list[ReadinessStrategy] = []
    for strategy in strategies:
        flat.extend(strategy.strategies if isinstance(strategy, of) else (strategy,))
    if not flat:
        raise InvalidStrategyError(f"{of.__name__} needs at least one strategy, got none")
    for strategy in flat:
        check_strategy(strategy)
    return tuple(flat)


def _of_a_chain(strategies: tuple[ReadinessStrategy, ...]) -> tuple[ReadinessStrategy, ...]:
    return _members(strategies, of=Chain)


def _of_all(strategies: tuple[ReadinessStrategy, ...]) -> tuple[ReadinessStrategy, ...]:
    return _members(strategies, of=AllOf)


# Without slots, as `Screen`: a cached property of attrs would slow each access down.
@attrs.frozen(slots=False)
class Chain(Strategy):
    """Asks strategies in order: the first `Ready` decides, a `Busy` ends the round.

    A `TimeoutStrategy` is asked even after a `Busy`, so that nothing can veto the time limit.

    Args:
        strategies: At least one strategy. A chain in a chain is taken apart.

    Raises:
        InvalidStrategyError: If it is empty, or something in it cannot assess a snapshot.

    Examples:
        >>> chain = ExitStrategy() | ForegroundStrategy() | PromptStrategy()
        >>> chain == Chain((ExitStrategy(), ForegroundStrategy(), PromptStrategy()))
        True
        >>> terminal = FakeTerminal()
        >>> Console(terminal, terminal.open(), strategy=chain).wait_ready().strategy
        'PromptStrategy'
    """

    strategies: tuple[ReadinessStrategy, ...] = attrs.field(converter=_of_a_chain, repr=cut_repr)

    @cached_property
    def hears_signals(self) -> bool:
        """Whether one of them is to be given `Snapshot.signals`."""
        return any(map(wants_signals, self.strategies))

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Return the deciding verdict, with the earliest `again_in` that any strategy asked for."""
        judgement = self.judge(snapshot)
        verdict = judgement.verdict
        if isinstance(verdict, Ready):
            return verdict
        return attrs.evolve(verdict, again_in=judgement.again_in)

    def judge(self, snapshot: Snapshot, *limits: TimeoutStrategy) -> Judgement:
        """Return the verdict of each strategy, and of the time limits of one wait.

        Args:
            snapshot: The pane at one moment.
            limits: Time limits, which are always asked.
        """
        said: list[tuple[str, Verdict]] = []
        veto: tuple[str, Verdict] | None = None
        for strategy in (*self.strategies, *limits):
            # After a veto only the time limits are asked: a program may work for ever.
            if veto is not None and not isinstance(strategy, TimeoutStrategy):
                continue
            name, verdict = name_of(strategy), _verdict_of(strategy, snapshot)
            said.append((name, verdict))
            if isinstance(verdict, Ready):
                return Judgement(verdict, name, tuple(said))
            if isinstance(verdict, Busy):
                veto = name, verdict
        name, verdict = veto or said[-1]
        return Judgement(verdict, name, tuple(said))


@attrs.frozen
class AllOf(Strategy):
    """Several strategies at once: ready only when all are; the first one's outcome counts.

    Args:
        strategies: At least one strategy. Those of an `AllOf` among them are taken one by one.

    Raises:
        InvalidStrategyError: If it is empty, or something in it cannot assess a snapshot.

    Examples:
        >>> terminal = FakeTerminal()
        >>> console = Console(terminal, terminal.open())
        >>> print(console.wait_ready(strategy=PromptStrategy() & StabilityStrategy(1.0)).reason)
        prompt '$' at the cursor, and a guess: nothing has changed for 1 s
    """

    strategies: tuple[ReadinessStrategy, ...] = attrs.field(converter=_of_all, repr=cut_repr)

    @property
    def hears_signals(self) -> bool:
        """Whether one of them is to be given `Snapshot.signals`."""
        return any(map(wants_signals, self.strategies))

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Return the least ready of the verdicts."""
        verdicts = [_verdict_of(strategy, snapshot) for strategy in self.strategies]
        # A veto counts more than a pass, as it does in a chain.
        for kind in (Busy, Pass):
            for verdict in verdicts:
                if isinstance(verdict, kind):
                    return verdict
        reasons = (verdict.reason for verdict in verdicts)
        return attrs.evolve(verdicts[0], reason=", and ".join(reasons))


def _verdict_of(strategy: ReadinessStrategy, snapshot: Snapshot) -> Verdict:
    """Return what a strategy says.

    Raises:
        InvalidStrategyError: If that is no verdict: in Python it is easily forgotten.
    """
    verdict: object = strategy.assess(snapshot)
    if not isinstance(verdict, (Ready, Busy, Pass)):
        raise InvalidStrategyError(
            f"assess(snapshot) returns Ready(...), Busy(...) or Pass(...), got {verdict!r} from "
            f"{name_of(strategy)}"
        )
    return verdict


def check_strategy(strategy: object) -> None:
    """Refuse what cannot assess a snapshot, when a chain is built rather than when it waits.

    Raises:
        InvalidStrategyError: If *strategy* has no ``assess`` method.
    """
    if isinstance(strategy, type) or not callable(getattr(strategy, "assess", None)):
        advice = "; call it first" * callable(strategy)
        raise InvalidStrategyError(
            f"a strategy has a method assess(snapshot), got {strategy!r}{advice}"
        )
