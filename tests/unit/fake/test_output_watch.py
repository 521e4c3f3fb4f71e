"""`FakeOutputWatch`: it rings when a scripted program writes."""

import pytest

from tmuxprim import FakeTerminal, Pane
from tmuxprim._fake.display import Display
from tmuxprim._fake.streams import FakeOutputWatch
from tmuxprim._values.pane import Size
from tmuxprim.testing import FakeClock, FakeTty, Run, Sleep


@pytest.fixture
def clock() -> FakeClock:
    """Give a clock that shows 5."""
    clock = FakeClock()
    clock.sleep(5.0)
    return clock


@pytest.fixture
def display() -> Display:
    """Give a display to which something was written."""
    display = Display(Size(9, 3), 0)
    display.write("before")
    return display


def test_it_rings_when_something_is_written(clock: FakeClock, display: Display) -> None:
    """Once for each time that it is asked, and what was there before does not count."""
    output_watch = FakeOutputWatch(display, clock)
    for seconds in (2.0, 2.0, 7.0):
        clock.call_later(seconds, lambda: display.write("x"))
    assert (output_watch.wait(60.0), clock.now()) == (True, 7.0)
    assert (output_watch.wait(60.0), clock.now()) == (True, 12.0)
    assert (output_watch.wait(60.0), clock.now()) == (False, 72.0)


def test_it_does_not_ring_for_what_comes_too_late(clock: FakeClock, display: Display) -> None:
    """The time is over, and the next one who asks hears it."""
    output_watch = FakeOutputWatch(display, clock)
    clock.call_later(2.0, lambda: display.write("x"))
    assert (output_watch.wait(1.5), clock.now()) == (False, 6.5)
    assert (output_watch.wait(0.5), clock.now()) == (True, 7.0)


def test_it_remembers_what_was_written_meanwhile(clock: FakeClock, display: Display) -> None:
    """Who asks afterwards is told at once, and only once."""
    output_watch = FakeOutputWatch(display, clock)
    display.write("x")
    assert (output_watch.wait(60.0), clock.now()) == (True, 5.0)
    display.write("y")
    assert (output_watch.wait(0.0), output_watch.wait(0.0), clock.now()) == (True, False, 5.0)


@pytest.mark.parametrize("seconds", [0.0, -1.0])
def test_no_time_is_no_time(clock: FakeClock, display: Display, seconds: float) -> None:
    """The clock is not moved, nor set back."""
    assert not FakeOutputWatch(display, clock).wait(seconds)
    assert clock.now() == 5.0


@pytest.mark.parametrize("seconds", [0.1, 0.3, 0.7, 1e-9])
def test_the_time_ends_on_any_clock(display: Display, seconds: float) -> None:
    """Sums of seconds are rounded, and a wait ends all the same."""
    for start in (0.1, 0.2, 12345.6):
        clock = FakeClock()
        clock.sleep(start)
        assert not FakeOutputWatch(display, clock).wait(seconds)
        assert clock.now() == pytest.approx(start + seconds)


def writer(tty: FakeTty) -> Run:
    """Write after three seconds, and again after four."""
    yield Sleep(3.0)
    tty.write("one")
    yield Sleep(4.0)
    tty.write("two")
    yield Sleep(60.0)
    return 0


def test_listen() -> None:
    """A fake terminal rings when its scripted program writes, whatever pane wrote before."""
    terminal = FakeTerminal(programs={"writer": writer}, reaction=0.0)
    output_watch = terminal.watch_output(terminal.open("writer", name="shared"))
    also = terminal.watch_output(Pane("shared"))
    assert output_watch.wait(60.0)
    assert terminal.clock.now() == 3.0
    output_watch.close()
    assert also.wait(0.0)
    assert also.wait(60.0)
    assert terminal.clock.now() == 7.0
    also.close()
