"""`FakeClock`: virtual time, and what is planned for it."""

import pytest

from tmuxprim import Console, FakeTerminal
from tmuxprim._fake import clock
from tmuxprim.testing import FakeClock, FakeTty, Run, Sleep


@pytest.mark.parametrize("seconds", [0.0, -1.0])
def test_sleep_of_nothing_does_not_move_the_time(seconds: float) -> None:
    """No sleep sets the clock back."""
    clock = FakeClock()
    clock.sleep(2.0)
    clock.sleep(seconds)
    assert clock.now() == 2.0


def test_the_same_time_keeps_the_order_of_planning() -> None:
    """Two actions for one moment happen first come, first served."""
    clock = FakeClock()
    seen: list[str] = []
    clock.call_later(1.0, lambda: seen.append("first"))
    clock.call_later(1.0, lambda: seen.append("second"))
    clock.sleep(1.0)
    assert seen == ["first", "second"]


def test_an_action_that_sleeps_does_not_set_the_time_back() -> None:
    """Time that passes within an action also passes for the sleeper."""
    clock = FakeClock()
    clock.call_later(1.0, lambda: clock.sleep(10.0))
    clock.sleep(5.0)
    assert clock.now() == 11.0


def test_what_is_planned_for_the_past_happens_now() -> None:
    """A negative delay is none; the clock is not set back for it."""
    clock = FakeClock()
    clock.sleep(5.0)
    seen: list[float] = []
    clock.call_later(-3.0, lambda: seen.append(clock.now()))
    clock.sleep(1.0)
    assert seen == [5.0]


def test_a_program_that_lets_no_time_pass_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test of it would hang for good otherwise."""
    monkeypatch.setattr(clock, "_MOST_AT_ONCE", 1000)

    def restless(_: FakeTty) -> Run:
        while True:
            yield Sleep(0)

    terminal = FakeTerminal(programs={"restless": restless})
    pane = terminal.open("restless")
    with pytest.raises(RuntimeError, match=r"1,000 actions ran at .* s and no time"):
        Console(terminal, pane).wait_ready()


def test_a_step_goes_to_what_is_planned_next() -> None:
    """It is done, and nothing that comes after it."""
    clock = FakeClock()
    seen: list[float] = []
    for seconds in (3.0, 1.0, 2.0):
        clock.call_later(seconds, lambda: seen.append(clock.now()))
    for now in (1.0, 2.0):
        clock.step(60.0)
        assert clock.now() == now
    assert seen == [1.0, 2.0]


@pytest.mark.parametrize("planned", [[], [9.0]])
def test_a_step_is_no_longer_than_it_may_be(planned: list[float]) -> None:
    """If nothing is planned until then, it is a sleep."""
    clock = FakeClock()
    seen: list[float] = []
    for seconds in planned:
        clock.call_later(seconds, lambda: seen.append(clock.now()))
    clock.step(2.0)
    assert (clock.now(), seen) == (2.0, [])
