"""Plans and `drive`: what steps do, and how a plan is told of their results and errors."""

import asyncio
import math
from collections.abc import Generator
from contextlib import nullcontext

import attrs
import pytest

from tests.unit.builders import AT_PROMPT, PANE, Frame, ScriptedTerminal, screen
from tmuxprim import (
    AsyncConsole,
    Console,
    FakeTerminal,
    KeySequence,
    Outcome,
    Pane,
    PaneBusyError,
    PaneNotFoundError,
    Screen,
    Size,
)
from tmuxprim._engine.plan import (
    Plan,
    Step,
    begin,
    clock_time,
    drive,
    observe,
    pause,
    probe,
    resolve,
    send,
    wait_for_output,
    watch_output,
)
from tmuxprim.errors import InvalidStrategyError
from tmuxprim.testing import AsyncFakeTerminal, ScriptedShell, after

KEYS = KeySequence.keys("Enter")


@pytest.mark.parametrize(
    ("plan", "result"),
    [
        (resolve(PANE), PANE),
        (observe(PANE), screen("$ ")),
        (probe(PANE), AT_PROMPT),
        (send(PANE, KEYS), screen("$ ")),
        (pause(2.5), None),
        (clock_time(), 0.0),
    ],
)
def test_step(plan: Plan[object], result: object) -> None:
    """It answers what the terminal returned."""
    terminal = ScriptedTerminal(Frame(0, screen("$ "), AT_PROMPT))
    assert drive(plan, terminal) == result


def test_steps_reach_the_terminal() -> None:
    """What a plan yields is done on the terminal it is driven on, in order."""

    def plan() -> Plan[float]:
        yield from send(PANE, KEYS)
        yield from pause(2.5)
        now = yield from clock_time()
        return now

    terminal = ScriptedTerminal(Frame(0, screen("$ ")))
    assert drive(plan(), terminal) == 2.5
    assert terminal.sent == [(0.0, KEYS)]


def test_observe_asks_for_history() -> None:
    """As many rows of history are read as the step says."""
    terminal = FakeTerminal()
    pane = terminal.open(size=Size(9, 2))
    terminal.clock.sleep(1)
    terminal.send(pane, KEYS * 9)
    terminal.clock.sleep(1)
    screen = drive(observe(pane, history=3), terminal)
    assert isinstance(screen, Screen)
    assert screen.history == ("$",) * 3


@pytest.mark.parametrize("leave_mode", [True, False])
def test_send_leaves_a_mode_only_if_told_to(*, leave_mode: bool) -> None:
    """Whether copy mode is left is up to the step."""
    reading = attrs.evolve(screen(), mode="copy-mode")
    terminal = ScriptedTerminal(Frame(0, reading))
    with nullcontext() if leave_mode else pytest.raises(PaneBusyError):
        drive(send(PANE, KEYS, leave_mode=leave_mode), terminal)
    assert len(terminal.sent) == leave_mode


def test_resolve_asks_the_terminal() -> None:
    """A name becomes an id there."""
    terminal = FakeTerminal()
    pane = terminal.open(name="shared")
    assert drive(resolve(Pane("shared")), terminal) == pane


def test_rest_ends_with_what_the_program_writes() -> None:
    """A plan listens, rests until the bell rings, and is told whether it did."""

    def plan() -> Plan[list[tuple[bool, float]]]:
        output_watch = yield from watch_output(PANE)
        rests = []
        for seconds in (9.0, 1.0):
            rang = yield from wait_for_output(output_watch, seconds)
            rests.append((rang, (yield from clock_time())))
        return rests

    terminal = ScriptedTerminal(Frame(0, screen("$ ")), Frame(2.5, screen("$ x")))
    assert drive(plan(), terminal) == [(True, 2.5), (False, 3.5)]


def test_error_is_raised_at_the_step() -> None:
    """A plan can catch an error of a step, and go on."""

    def plan() -> Plan[str]:
        try:
            yield from observe(PANE)
        except PaneNotFoundError:
            yield from pause(1)
            return "gone"
        return "there"

    terminal = ScriptedTerminal(Frame(0, None))
    assert drive(plan(), terminal) == "gone"
    assert terminal.clock.now() == 1


def test_error_that_the_plan_does_not_catch() -> None:
    """An error that no plan expects reaches the caller."""
    with pytest.raises(PaneNotFoundError, match="no pane %7"):
        drive(observe(PANE), ScriptedTerminal(Frame(0, None)))


def test_foreign_error_ends_the_plan() -> None:
    """An error that is none of ours is a bug, and no plan gets to see it."""
    seen: list[BaseException] = []

    class Broken:
        def perform(self, terminal: object) -> object:
            raise ZeroDivisionError(repr(terminal))

    def plan() -> Generator[Step, object, None]:
        try:
            yield Broken()
        except Exception as error:
            seen.append(error)
            raise

    with pytest.raises(ZeroDivisionError):
        drive(plan(), ScriptedTerminal())
    assert seen == []


def test_plan_without_steps() -> None:
    """A plan that has nothing to do does nothing."""

    def plan() -> Plan[str]:
        yield from ()
        return "done"

    assert drive(plan(), ScriptedTerminal()) == "done"


# Time limits: which one a timeout names, and none.

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
        async for shown in pane.watch(None):
            if "built" in shown.rows:
                break
        return (await pane.wait_ready(None)).outcome

    assert asyncio.run(main()) is Outcome.PROMPT


@pytest.mark.parametrize("timeout", [-1.0, math.nan, "3"])
def test_what_is_no_number_of_seconds(timeout: float) -> None:
    """It is refused before anything is typed, or waited for."""
    pane = console()
    for waits in (pane.run, pane.wait_for):
        with pytest.raises(
            InvalidStrategyError, match="timeout is None, or 0 or more seconds, got"
        ):
            waits("make", timeout)
    for waits_on in (pane.wait_ready, pane.learn_prompt):
        with pytest.raises(
            InvalidStrategyError, match="timeout is None, or 0 or more seconds, got"
        ):
            waits_on(timeout)
    with pytest.raises(InvalidStrategyError, match="timeout is None, or 0 or more seconds, got"):
        next(pane.watch(timeout))
    assert "make" not in pane.read()


@pytest.mark.parametrize("seconds", [0.7, 2.0, math.inf])
def test_what_has_just_begun_has_all_of_its_time(seconds: float) -> None:
    """However sums of seconds are rounded; and what is over has none."""
    deadline = begin(seconds, 12345.6)
    assert begin(deadline, 99999.9) == deadline
    assert deadline.left(12345.6) == seconds
    assert begin(1.0, 12345.6).left(12350.0) == 0.0
