"""A plan is carried out the same, whether it is driven or awaited."""

import asyncio
from typing import Any

import attrs
from hypothesis import given
from hypothesis import strategies as st

from tmuxprim import FakeTerminal, KeySequence, Pane, TmuxprimError
from tmuxprim._engine.plan import (
    Listen,
    Now,
    Observe,
    Pause,
    Plan,
    Probe,
    Read,
    Resolve,
    Rest,
    Send,
    Step,
    drive,
    drive_async,
)
from tmuxprim.testing import AsyncFakeTerminal, Bell, ScriptedShell, after

PANES = st.sampled_from([Pane("%0"), Pane("%1"), Pane("shared"), Pane("%9"), Pane("none")])
TEXTS = st.sampled_from(["make", "echo hi", "x;", "日"]).map(KeySequence.text)
KEYS = st.sampled_from(["Enter", "C-c", "C-d", "BSpace"]).map(KeySequence.keys)
SECONDS = st.sampled_from([-1.0, 0.0, 0.001, 0.5, 3.0, 60.0])
STEPS = st.one_of(
    PANES.map(Resolve),
    PANES.map(Probe),
    PANES.map(Listen),
    st.builds(Observe, PANES, st.integers(-1, 9)),
    st.builds(Read, PANES, st.integers(-1, 9)),
    st.builds(Send, PANES, TEXTS | KEYS, st.booleans(), st.none()),
    SECONDS.map(Pause),
    SECONDS,  # a rest of so many seconds on the last bell
    st.just(Now()),
)


@attrs.define
class Teller:
    """Makes plans of steps that tell what came of each."""

    told: list[object] = attrs.field(factory=list)
    is_closed: bool = False

    def plan(self, steps: list[Step | float]) -> Plan[int]:
        """Do the steps; an error is one more result, and a bug of the caller's ends it."""
        bells: list[Bell] = []
        try:
            for step in steps:
                if isinstance(step, float):
                    step = Rest(bells[-1], step) if bells else Pause(step)  # noqa: PLW2901
                try:
                    result: Any = yield step
                except TmuxprimError as error:
                    result = repr(error)
                if isinstance(step, Listen) and not isinstance(result, str):
                    bells.append(result)
                    result = "a bell"
                self.told += [result, (yield Now())]
            return len(steps)
        finally:
            self.is_closed = True


def fake() -> FakeTerminal:
    """Return a fake with two shells, which have a command that takes a while."""
    terminal = FakeTerminal(programs={"sh": ScriptedShell({"make": after(3.0, "done")})})
    terminal.open()
    terminal.open(name="shared")
    return terminal


@given(st.lists(STEPS, max_size=30))
def test_driven_or_awaited(steps: list[Step | float]) -> None:
    """Every step has the same result, at the same virtual time; so has the plan."""
    teller, awaited = Teller(), Teller()
    terminal = fake()
    count = drive(teller.plan(steps), terminal)
    other = fake()
    assert asyncio.run(drive_async(awaited.plan(steps), AsyncFakeTerminal(other))) == count
    assert awaited.told == teller.told
    assert other.sent() == terminal.sent()
    assert awaited.is_closed


@given(st.lists(STEPS, max_size=10), st.sampled_from([ZeroDivisionError, KeyboardInterrupt]))
def test_what_breaks_one_breaks_the_other(
    steps: list[Step | float], error: type[BaseException]
) -> None:
    """An error that is none of ours ends the plan, which gives back what it holds."""

    class Broken:
        def perform(self, _terminal: object) -> object:
            raise error

    teller, awaited = Teller(), Teller()
    for broken in (teller, awaited):
        try:
            if broken is teller:
                drive(broken.plan([*steps, Broken()]), fake())
            else:
                plan = broken.plan([*steps, Broken()])
                asyncio.run(drive_async(plan, AsyncFakeTerminal(fake())))
        except error:
            broken.told.append("broken")
    assert teller.told == awaited.told
    assert teller.told[-1] == "broken"
    assert teller.is_closed
    assert awaited.is_closed
