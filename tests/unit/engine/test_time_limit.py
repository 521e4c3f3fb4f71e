"""Time limits: which one a timeout names, and none."""

import asyncio
import math

import pytest

from tmuxprim import AsyncConsole, Console, FakeTerminal, Outcome
from tmuxprim._engine.plan import begin
from tmuxprim.errors import InvalidStrategyError
from tmuxprim.testing import AsyncFakeTerminal, ScriptedShell, after

LONG = 60.0
SHELL = ScriptedShell({"nap": after(4.0), "make": after(LONG, "built")})


def console() -> Console:
    """Return a console on a shell whose commands take their time."""
    terminal = FakeTerminal(programs={"sh": SHELL})
    return Console(terminal, terminal.open("sh"))


def test_a_timeout_names_the_time_limit_that_was_given() -> None:
    """And not what is left of it for the last of several waits."""
    readiness = console().run("nap\nmake", 10.0).readiness
    assert readiness.reason.startswith("timed out after 10 s; ")
    assert readiness.elapsed == pytest.approx(6.0, abs=0.1)


def test_none_is_for_ever() -> None:
    """As everywhere else in Python, in whatever waits."""
    pane = console()
    assert pane.run("make", None).output == "built\n"
    pane.run("make", 1.0)
    assert pane.resume(None).output == "built\n"
    pane.send("make")
    assert pane.wait_for("built", None)
    assert pane.wait_ready(None).outcome is Outcome.PROMPT
    pane.send("make")
    assert pane.interrupt(None).outcome is Outcome.PROMPT
    assert pane.learn_prompt(None) == 1
    pane.send("make")
    assert any("built" in screen.rows for screen in pane.watch(None))


def test_none_is_for_ever_in_a_coroutine() -> None:
    """The same, where others go on meanwhile."""

    async def main() -> Outcome:
        terminal = AsyncFakeTerminal(FakeTerminal(programs={"sh": SHELL}))
        pane = AsyncConsole(terminal, await terminal.open("sh"))
        assert (await pane.run("make", None)).output == "built\n"
        await pane.send("make")
        async for screen in pane.watch(None):
            if "built" in screen.rows:
                break
        return (await pane.wait_ready(None)).outcome

    assert asyncio.run(main()) is Outcome.PROMPT


@pytest.mark.parametrize("timeout", [-1.0, math.nan, "3"])
def test_what_is_no_number_of_seconds(timeout: float) -> None:
    """It is refused before anything is typed, or waited for."""
    pane = console()
    for waits in (pane.run, pane.wait_for):
        with pytest.raises(InvalidStrategyError, match="a timeout is 0 or more seconds, got"):
            waits("make", timeout)
    for waits_on in (pane.wait_ready, pane.learn_prompt):
        with pytest.raises(InvalidStrategyError, match="a timeout is 0 or more seconds, got"):
            waits_on(timeout)
    with pytest.raises(InvalidStrategyError, match="a timeout is 0 or more seconds, got"):
        next(pane.watch(timeout))
    assert "make" not in pane.read()


@pytest.mark.parametrize("seconds", [0.7, 2.0, math.inf])
def test_what_has_just_begun_has_all_of_its_time(seconds: float) -> None:
    """However sums of seconds are rounded; and what is over has none."""
    deadline = begin(seconds, 12345.6)
    assert begin(deadline, 99999.9) == deadline
    assert deadline.left(12345.6) == seconds
    assert begin(1.0, 12345.6).left(12350.0) == 0.0
