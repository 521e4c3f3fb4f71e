"""`Wakings`: when those are woken who listen, after somebody wrote to /dev/tty."""

import math
import time

import pytest

from tests.unit.tmux.ptys import open_pty
from tmuxprim._tmux._bell import InotifyBell
from tmuxprim._tmux._wakings import Wakings

LONG = 60.0


def woken(wakings: Wakings, until: float) -> list[float]:
    """Return the moments of all wakings that are due until then."""
    times = []
    while wakings.next <= until:
        times.append(wakings.next)
        assert wakings.take(wakings.next)
    return times


def test_nobody_is_woken_for_nothing() -> None:
    """Without a write there is nothing to wake anybody for."""
    wakings = Wakings()
    assert wakings.next == math.inf
    assert not wakings.take(1000.0)


def test_a_write_wakes_at_once_and_some_times_after() -> None:
    """The program may read only a moment after it has written; then there is silence."""
    wakings = Wakings()
    wakings.hear(5.0)
    assert woken(wakings, 1000.0) == [5.0, 5.002, 5.02, 5.1]
    assert wakings.next == math.inf


def test_those_that_are_over_wake_once() -> None:
    """Whoever was busy with something else is not woken for each of them."""
    wakings = Wakings()
    wakings.hear(5.0)
    assert wakings.take(6.0)
    assert not wakings.take(6.0)


def test_a_write_soon_after_another_is_not_lost() -> None:
    """It is told a little later, and the first one's wakings stay."""
    wakings = Wakings()
    wakings.hear(5.0)
    wakings.take(5.0)
    wakings.hear(5.01)
    assert woken(wakings, 1000.0) == [5.002, 5.02, 5.1, 5.25, 5.252, 5.27, 5.35]


def test_who_writes_all_the_time_wakes_rarely() -> None:
    """Four rounds a second at most, however much is written, and the last write has one."""
    wakings, times = Wakings(), []
    for number in range(1000):
        now = 5.0 + number / 100
        times += woken(wakings, now)
        wakings.hear(now)
    times += woken(wakings, 1000.0)
    assert len(times) == pytest.approx(4 * 4 * 10, abs=4)
    assert times == sorted(times)
    assert times[-1] > 5.0 + 999 / 100


def wakes(bell: InotifyBell) -> bool:
    """Return whether a wait ends early, and without a ring."""
    began = time.monotonic()
    return not bell.wait(LONG) and time.monotonic() - began < LONG / 2


@pytest.mark.needs("setsid")
def test_a_bell_wakes_and_does_not_ring() -> None:
    """It is not known on which terminal the program wrote; who waits is woken a few times."""
    with open_pty() as pty, open_pty() as other:
        bell, second = InotifyBell(pty.path), InotifyBell(other.path)
        pty.write_somewhere()
        assert wakes(bell)
        assert wakes(second)
        pty.write()
        assert any(bell.wait(LONG) for _ in range(5))  # those of above may wake it first
        bell.close()
        bell.close()
        second.close()


@pytest.mark.needs("setsid")
def test_a_bell_that_rings_wakes_afterwards() -> None:
    """What was written elsewhere at the same time is not forgotten."""
    with open_pty() as pty:
        bell = InotifyBell(pty.path)
        pty.write_somewhere()
        pty.write()
        assert bell.wait(LONG)
        assert wakes(bell)
        bell.close()


@pytest.mark.needs("setsid")
def test_what_wakes_nobody_does_not_end_a_wait() -> None:
    """A write for which another round is planned already is no reason to go on."""
    with open_pty() as pty:
        bell = InotifyBell(pty.path)
        bell._wakings._round = time.monotonic() + LONG  # noqa: SLF001
        pty.write_somewhere()
        began = time.monotonic()
        assert not bell.wait(0.05)
        assert time.monotonic() - began >= 0.05
        bell.close()
