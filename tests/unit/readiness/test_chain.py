"""`Chain`, `AllOf` and `TimeoutStrategy`: how strategies are combined."""

from collections.abc import Callable
from itertools import product
from typing import Any

import attrs
import pytest
from typing_extensions import override

from tests.unit.builders import screen
from tmuxprim import Outcome, PromptStrategy, TimeoutStrategy
from tmuxprim._readiness.chain import Judgement
from tmuxprim.errors import InvalidStrategyError
from tmuxprim.readiness import (
    AllOf,
    Busy,
    Chain,
    ExitStrategy,
    ModeStrategy,
    Pass,
    Ready,
    Snapshot,
    Strategy,
    Verdict,
)

LOOK = Snapshot(screen=screen())
READY = Ready(Outcome.MATCHED, "found")
STABLE = Ready(Outcome.STABLE, "quiet")
BUSY = Busy("works", again_in=0.5)
PASS = Pass("unknown", again_in=0.25)
UP = Ready(Outcome.TIMEOUT, "timed out after 0 s")


@attrs.frozen
class Says(Strategy):
    """Says one thing, whatever it is shown."""

    verdict: Verdict

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say it."""
        return self.verdict


@attrs.frozen
class Foreign:
    """A strategy that does not use the base class."""

    def assess(self, snapshot: Snapshot) -> Verdict:
        """Tell the title."""
        return Pass(snapshot.screen.title)


@pytest.mark.parametrize(
    ("first", "second", "decides"),
    [
        (PASS, BUSY, Busy("works", again_in=0.25)),
        (PASS, Pass("either"), Pass("either")),
        (Pass("a", again_in=9.0), PASS, PASS),
    ],
)
def test_chain_is_asked_again(first: Verdict, second: Verdict, decides: Verdict) -> None:
    """As soon as any of its strategies wants that."""
    assert (Says(first) | Says(second)).assess(LOOK) == decides


def test_chain_with_time_left_keeps_the_veto() -> None:
    """While there is time, it is the Busy that the chain answers, not the time limit's Pass."""
    chain = Says(BUSY) | TimeoutStrategy(1)
    judgement = chain.judge(LOOK)
    assert (judgement.verdict, judgement.strategy) == (BUSY, "Says")


@pytest.mark.parametrize("verdict", [READY, BUSY, PASS])
@pytest.mark.parametrize("seconds", [0, 1])
def test_the_limit_of_a_wait_is_as_if_it_were_in_the_chain(verdict: Verdict, seconds: int) -> None:
    """So a chain is built once, and is asked in each wait with the limit of that wait."""
    chain, limit = Says(PASS) | Says(verdict), TimeoutStrategy(seconds)
    assert chain.judge(LOOK, limit) == (chain | limit).judge(LOOK)


def test_judgement_tells_who_said_what() -> None:
    """A judgement holds the strategies that were asked, in order, and none behind a veto."""
    chain = Says(PASS) | Foreign() | Says(BUSY) | Says(READY) | TimeoutStrategy(2)
    left = Pass("there is time left", again_in=2)
    said = (("Says", PASS), ("Foreign", Pass("")), ("Says", BUSY), ("TimeoutStrategy", left))
    assert chain.judge(LOOK) == Judgement(BUSY, "Says", said)


def test_judgement_is_taken_again_when_the_first_wants_it() -> None:
    """The most impatient strategy says when to look again."""
    chain = Says(PASS) | Says(BUSY) | TimeoutStrategy(2)
    assert chain.judge(LOOK).again_in == 0.25


BOTH_TABLE = {
    (READY, STABLE): Ready(Outcome.MATCHED, "found, and quiet"),
    (READY, BUSY): BUSY,
    (READY, PASS): PASS,
    (BUSY, READY): BUSY,
    (BUSY, Busy("too")): BUSY,
    (BUSY, PASS): BUSY,
    (PASS, READY): PASS,
    (PASS, BUSY): BUSY,
    (PASS, Pass("either")): PASS,
}


@pytest.mark.parametrize(("pair", "verdict"), BOTH_TABLE.items())
def test_both(pair: tuple[Verdict, Verdict], verdict: Verdict) -> None:
    """Both are ready, or the less ready one is heard; the first one's outcome counts."""
    first, second = pair
    assert (Says(first) & Says(second)).assess(LOOK) == verdict


def test_chain_flattens() -> None:
    """However a chain is put together, it is the same chain."""
    a, b, c = ExitStrategy(), ModeStrategy(), PromptStrategy()
    assert a | b | c == Chain((a, b, c))
    assert a | (b | c) == Chain((a, b, c))
    assert Chain((Chain((a, Chain((b,)))), c)) == Chain((a, b, c))


def test_both_is_one_link_of_a_chain() -> None:
    """A pair stays together in a chain, and a chain stays together in a pair."""
    a, b, c = ExitStrategy(), ModeStrategy(), PromptStrategy()
    assert a | b & c == Chain((a, AllOf((b, c))))
    assert ((a | b) & c) == AllOf((Chain((a, b)), c))


def test_foreign_strategy_is_combined() -> None:
    """A strategy needs no base class to stand in a chain or in a pair."""
    assert ExitStrategy() | Foreign() == Chain((ExitStrategy(), Foreign()))
    assert Foreign() | ExitStrategy() == Chain((Foreign(), ExitStrategy()))
    assert ExitStrategy() & Foreign() == AllOf((ExitStrategy(), Foreign()))


@pytest.mark.parametrize(
    ("elapsed", "verdict"),
    [
        (0.0, Pass("there is time left", again_in=1.5)),
        (1.0, Pass("there is time left", again_in=0.5)),
        (1.5, Ready(Outcome.TIMEOUT, "timed out after 1.5 s")),
        (9.0, Ready(Outcome.TIMEOUT, "timed out after 1.5 s")),
    ],
)
def test_timeout(elapsed: float, verdict: Verdict) -> None:
    """Time is up at the limit, and until then the limit says how much is left."""
    assert TimeoutStrategy(1.5).assess(Snapshot(screen=screen(), elapsed=elapsed)) == verdict


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0, "0"), (30, "30"), (1800, "1800"), (1e6, "1000000"), (0.25, "0.25"), (12.3456, "12.3")],
)
def test_seconds_are_told_as_people_write_them(seconds: float, told: str) -> None:
    """Half an hour is no power of ten."""
    up = TimeoutStrategy(seconds).assess(Snapshot(screen=screen(), elapsed=seconds))
    assert up == Ready(Outcome.TIMEOUT, f"timed out after {told} s")


@pytest.mark.parametrize("seconds", [-1, -0.001, float("nan"), float("-inf"), "10", b"1", None, 1j])
def test_timeout_refused(seconds: float) -> None:
    """No wait is shorter than none, and what is no number is no time."""
    with pytest.raises(InvalidStrategyError) as caught:
        TimeoutStrategy(seconds)
    assert str(caught.value) == f"timeout is None, or 0 or more seconds, got {seconds!r}"


def test_timeout_may_be_endless() -> None:
    """Infinity is a time limit that never comes."""
    verdict = TimeoutStrategy(float("inf")).assess(Snapshot(screen=screen(), elapsed=1e9))
    assert verdict == Pass("there is time left", again_in=float("inf"))


def test_empty_chain_refused() -> None:
    """A chain without strategies could never decide."""
    with pytest.raises(InvalidStrategyError) as caught:
        Chain(())
    assert str(caught.value) == "Chain needs at least one strategy, got none"


@pytest.mark.parametrize("strategies", ["prompt", None, PromptStrategy(), {ExitStrategy()}])
def test_chain_of_no_tuple_refused(strategies: object) -> None:
    """A strategy that is not in a tuple, or something without an order, makes no chain."""
    with pytest.raises(InvalidStrategyError) as caught:
        Chain(strategies)  # type: ignore[arg-type]  # the point of the test
    assert str(caught.value) == f"Chain takes a tuple of strategies, got {strategies!r}"


WAYS_TO_COMBINE: dict[str, Callable[[Any], object]] = {
    "|": lambda other: ExitStrategy() | other,
    "| from the left": lambda other: other | ExitStrategy(),
    "&": lambda other: ExitStrategy() & other,
    "AllOf": lambda other: AllOf((other, ExitStrategy())),
    "Chain": lambda other: Chain((other,)),
}


@pytest.mark.parametrize("wrong", [ExitStrategy, "prompt", None, r"\$ $"])
@pytest.mark.parametrize("way", WAYS_TO_COMBINE)
def test_what_cannot_assess_is_refused(way: str, wrong: object) -> None:
    """A class without its brackets, or a bare pattern, is refused where it is combined."""
    with pytest.raises(InvalidStrategyError) as caught:
        WAYS_TO_COMBINE[way](wrong)
    assert str(caught.value) == (
        f"a strategy has a method assess(snapshot), got {wrong!r}"
        f"{'; call it first' * callable(wrong)}"
    )


def test_strategy_serves_many_waits() -> None:
    """Asking leaves no trace: the same look gets the same answer, in any order."""
    chain = PromptStrategy() | TimeoutStrategy(1)
    looks = [Snapshot(screen=screen(text), elapsed=at) for text, at in product(("$ ", "x"), (0, 1))]
    there = [chain.assess(snapshot) for snapshot in looks]
    back = [chain.assess(snapshot) for snapshot in reversed(looks)]
    assert there == back[::-1]


class Forgets(Strategy):
    """Looks, and says nothing."""

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Forget to return."""
        return None  # type: ignore[return-value]  # the point of the test


@pytest.mark.parametrize(
    "chain", [Forgets() | ExitStrategy(), Forgets() & ExitStrategy(), ExitStrategy() & Forgets()]
)
def test_a_strategy_that_says_nothing(chain: Chain | AllOf) -> None:
    """Who said what is told, and what is valid."""
    with pytest.raises(InvalidStrategyError) as caught:
        chain.assess(LOOK)
    assert str(caught.value) == (
        "assess(snapshot) returns Ready(...), Busy(...) or Pass(...), got None from Forgets"
    )
