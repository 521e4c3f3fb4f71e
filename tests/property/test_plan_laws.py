"""A plan is carried out the same, whether it is driven or awaited."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import attrs
from hypothesis import given
from hypothesis import strategies as st

from tmuxprim import FakeTerminal, KeySequence, Pane, TmuxprimError
from tmuxprim._engine.plan import (
    AnyOutputWatch,
    Plan,
    ask,
    clock_time,
    drive,
    drive_async,
    observe,
    pause,
    probe,
    read,
    resolve,
    send,
    wait_for_output,
    watch_output,
)
from tmuxprim._fake.async_fake_terminal import AsyncFakeOutputWatch
from tmuxprim._fake.streams import FakeOutputWatch
from tmuxprim.testing import AsyncFakeTerminal, ScriptedShell, after

PANES = st.sampled_from([Pane("%0"), Pane("%1"), Pane("shared"), Pane("%9"), Pane("none")])
TEXTS = st.sampled_from(["make", "echo hi", "x;", "日"]).map(KeySequence.text)
KEYS = st.sampled_from(["Enter", "C-c", "C-d", "BSpace"]).map(KeySequence.keys)
SECONDS = st.sampled_from([-1.0, 0.0, 0.001, 0.5, 3.0, 60.0])
# A plan is carried out once, so each step is made anew; a number is a rest on the last bell.
Make: TypeAlias = Callable[[], Plan[object]] | float
STEPS: st.SearchStrategy[Make] = st.one_of(
    st.builds(partial, st.sampled_from([resolve, probe, watch_output]), PANES),
    st.builds(partial, st.sampled_from([observe, read]), PANES, st.integers(-1, 9)),
    st.builds(partial, st.just(send), PANES, TEXTS | KEYS, leave_mode=st.booleans()),
    st.builds(partial, st.just(pause), SECONDS),
    SECONDS,
    st.just(clock_time),
)


@attrs.define
class Teller:
    """Makes plans of steps that tell what came of each."""

    told: list[object] = attrs.field(factory=list)
    is_closed: bool = False

    def plan(self, steps: list[Make]) -> Plan[int]:
        """Do the steps; an error is one more result, and a bug of the caller's ends it."""
        bells: list[AnyOutputWatch] = []
        try:
            for step in steps:
                result: object
                try:
                    if not isinstance(step, float):
                        result = yield from step()
                    elif bells:
                        result = yield from wait_for_output(bells[-1], step)
                    else:
                        result = "no bell"
                except TmuxprimError as error:
                    result = repr(error)
                if isinstance(result, FakeOutputWatch | AsyncFakeOutputWatch):
                    bells.append(result)
                    result = "a bell"
                self.told += [result, (yield from clock_time())]
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
def test_driven_or_awaited(steps: list[Make]) -> None:
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
def test_what_breaks_one_breaks_the_other(steps: list[Make], error: type[BaseException]) -> None:
    """An error that is none of ours ends the plan, which gives back what it holds."""

    def fail(_terminal: object) -> object:
        raise error

    broken_step = partial(ask, "fail", fail)
    teller, awaited = Teller(), Teller()
    for broken in (teller, awaited):
        try:
            if broken is teller:
                drive(broken.plan([*steps, broken_step]), fake())
            else:
                plan = broken.plan([*steps, broken_step])
                asyncio.run(drive_async(plan, AsyncFakeTerminal(fake())))
        except error:
            broken.told.append("broken")
    assert teller.told == awaited.told
    assert teller.told[-1] == "broken"
    assert teller.is_closed
    assert awaited.is_closed
