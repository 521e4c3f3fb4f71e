"""`MatchStrategy`: the text that is waited for."""

import re

import pytest

from tests.unit.builders import MARK, screen
from tmuxprim import (
    Console,
    FakeTerminal,
    InvalidPatternError,
    Look,
    MatchStrategy,
    Outcome,
    Pass,
    Ready,
)
from tmuxprim.testing import ScriptedShell, after, question


@pytest.mark.parametrize("pattern", ["done (1)", re.compile(r"^done \(\d\)$", re.MULTILINE)])
def test_match(pattern: str | re.Pattern[str]) -> None:
    """A text is taken literally, a compiled pattern is searched."""
    look = Look(screen=screen("$ make\ndone (1)\n"), mark=MARK)
    expected = Ready(Outcome.MATCHED, "'done (1)' is on the screen")
    assert MatchStrategy(pattern).assess(look) == expected


def test_what_was_there_before_does_not_match() -> None:
    """Neither what was typed, nor the prompt."""
    look = Look(screen=screen("$ make\n"), mark=MARK)
    assert MatchStrategy("make").assess(look) == Pass("nothing new matches 'make'", 0.02)


@pytest.mark.parametrize(("elapsed", "again_in"), [(0.0, 0.02), (2.0, 0.1), (60.0, 0.25)])
def test_looks_less_often_with_time(elapsed: float, again_in: float) -> None:
    """A long wait costs little."""
    verdict = MatchStrategy("x").assess(Look(screen=screen(), elapsed=elapsed))
    assert isinstance(verdict, Pass)
    assert verdict.again_in == pytest.approx(again_in)


@pytest.mark.parametrize("pattern", ["", b"x", re.compile(b"x"), 3])
def test_pattern_refused(pattern: object) -> None:
    """A text that is always there, and what is no text."""
    with pytest.raises(InvalidPatternError):
        MatchStrategy(pattern)  # type: ignore[arg-type]


def test_a_text_that_comes_late_is_waited_for() -> None:
    """And is found even if it has scrolled off the screen by then."""
    flood = "\n".join(["the needle", *map(str, range(200))])
    shell = ScriptedShell({"make": [after(1.0, "begun"), after(1.0, flood), after(9.0)]})
    terminal = FakeTerminal(programs={"sh": shell})
    console = Console(terminal, terminal.open("sh"))
    console.send("make")
    readiness = console.wait_for("needle")
    assert readiness.outcome is Outcome.MATCHED
    assert readiness.elapsed == pytest.approx(2.0, abs=0.15)
    assert console.wait_for("begun", 0.0).outcome is Outcome.MATCHED
    assert console.wait_ready(20.0).outcome is Outcome.PROMPT


def test_a_text_that_does_not_come() -> None:
    """The time is up, or the program ends."""
    terminal = FakeTerminal(programs={"ask": question("Sure? ")}, remain_on_exit=True)
    console = Console(terminal, terminal.open("ask"))
    assert console.wait_for("never", 1.0).outcome is Outcome.TIMEOUT
    console.send("y")
    assert console.wait_for("never").outcome is Outcome.EXITED


def test_an_earlier_mark_may_be_given() -> None:
    """Then what came before the last one counts, too."""
    terminal = FakeTerminal(programs={"sh": ScriptedShell({"a": "first", "b": "second"})})
    console = Console(terminal, terminal.open("sh"))
    mark = console.send("a")
    console.wait_ready()
    console.send("b")
    assert console.wait_for("first", 0.5).outcome is Outcome.TIMEOUT
    assert console.wait_for("first", 0.5, since=mark).outcome is Outcome.MATCHED
