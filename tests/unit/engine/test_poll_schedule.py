"""`PollSchedule`: how often a wait asks the kernel."""

import pytest

from tmuxprim._engine.wait import SHORTEST, PollSchedule

START = 1024.0
TICK = 0.125


@pytest.mark.parametrize(
    ("passed", "pause"),
    [
        (0.0, 0.0005),
        (0.009, 0.0005),
        (0.02, 0.001),
        (0.1, 0.005),
    ],
)
def test_pause_at_the_beginning(passed: float, pause: float) -> None:
    """Most waits are short: a share of what has passed, and never nothing."""
    schedule = PollSchedule(START, START)
    assert schedule.pause(START + passed) == pytest.approx(pause)
    assert pause >= SHORTEST


@pytest.mark.parametrize(
    ("passed", "pause"),
    [
        (0.15, 0.0075),
        (0.2, 0.01),
        (0.3, 0.02),
        (1.1, 0.1),
        (2.6, 0.25),
        (20.1, 1.9),
        (30.1, 2.9),
        (60.0, 3.0),
        (1e9, 3.0),
    ],
)
def test_pause_in_quiet(passed: float, pause: float) -> None:
    """The longer nothing is written, the less often, but every third second."""
    assert PollSchedule(START, START).pause(START + passed) == pytest.approx(pause)


@pytest.mark.parametrize("passed", [11.0, 11.3, 30.01, 60.0, 61.7])
def test_slow_waits_ask_at_the_same_moments(passed: float) -> None:
    """A process that waits for a thousand panes is woken a few times a second, and no more."""
    asked = START + passed + PollSchedule(START, START).pause(START + passed)
    assert asked % TICK == pytest.approx(0.0, abs=1e-9)


def test_pause_after_a_silence() -> None:
    """Who writes after a silence may be about to read: it asks as often as in the beginning."""
    schedule = PollSchedule(START, START)
    schedule.note_written(START + 30.0)
    assert schedule.pause(START + 30.0) == SHORTEST
    assert schedule.pause(START + 30.1) == pytest.approx(0.005)
    assert schedule.pause(START + 31.1) == pytest.approx(0.1)


def test_pause_while_a_program_writes_on_and_on() -> None:
    """That is one burst, in which the kernel is asked a hundred times in a second."""
    schedule = PollSchedule(START, START)
    for number in range(1, 101):
        schedule.note_written(START + number / 20)
    assert schedule.burst_at == START
    assert schedule.pause(START + 5.0) == 0.01


@pytest.mark.parametrize(
    ("since", "is_new"), [(0.0, False), (0.05, False), (0.1, False), (0.11, True), (9.0, True)]
)
def test_burst_ends_with_a_tenth_of_a_second_of_silence(since: float, *, is_new: bool) -> None:
    """A shorter silence is part of it."""
    schedule = PollSchedule(0.0, 0.0)
    schedule.note_written(since)
    assert schedule == PollSchedule(since if is_new else 0.0, since)


@pytest.mark.parametrize(
    ("passed", "is_quick"), [(0.0, True), (0.1, True), (0.11, False), (60.0, False)]
)
def test_quick(passed: float, *, is_quick: bool) -> None:
    """Listening is too slow only right after something was written."""
    assert PollSchedule(0.0, 0.0).is_quick(passed) is is_quick


def test_cost_of_a_minute() -> None:
    """In a minute of silence hardly two hundred questions are asked."""
    schedule, now, count = PollSchedule(0.0, 0.0), 0.0, 0
    while now < 60.0:
        now += schedule.pause(now)
        count += 1
    assert 100 < count < 200
