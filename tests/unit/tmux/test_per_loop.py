"""What each event loop has of its own."""

import asyncio
import os
from itertools import count

import pytest

from tests.event_loops import event_loop
from tmuxprim._tmux.async_terminal import PerLoop


def numbered() -> PerLoop[int]:
    """Return numbers for event loops, counted from 0."""
    numbers = count()
    return PerLoop(lambda: next(numbers))


async def get(per_loop: PerLoop[int]) -> int:
    """Return what the running loop has."""
    return per_loop.get()


async def in_reach(per_loop: PerLoop[int]) -> list[int]:
    """Return what the running loop can end."""
    return per_loop.in_reach()


def test_loops_that_run_at_the_same_time() -> None:
    """Each has one of its own, and keeps it."""
    per_loop = numbered()
    with event_loop() as first, event_loop() as second:
        assert [loop.do(get(per_loop)) for loop in (first, second, first)] == [0, 1, 0]
        assert second.do(in_reach(per_loop)) == [1]


def test_loops_that_run_one_after_the_other() -> None:
    """What one has left is the next one's, whether it was closed or only stopped."""
    per_loop = numbered()
    with event_loop() as first, event_loop() as second:
        assert [loop.do(get(per_loop)) for loop in (first, second)] == [0, 1]
        first.stop()
        assert second.do(in_reach(per_loop)) == [1, 0]
        assert asyncio.run(get(per_loop)) == 0
        first.go_on()
        assert first.do(get(per_loop)) == 0
        with event_loop() as third:
            assert third.do(get(per_loop)) == 2
    assert sorted(asyncio.run(in_reach(per_loop))) == [0, 1, 2]


def test_a_forked_process_leaves_all_to_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a stopped loop has left is in use there."""
    per_loop = numbered()
    with event_loop() as first, event_loop() as second:
        assert first.do(get(per_loop)) == 0
        first.stop()
        monkeypatch.setattr(os, "getpid", os.getppid)
        assert second.do(in_reach(per_loop)) == [1]
        first.go_on()
        assert first.do(get(per_loop)) == 2


def test_the_first_is_there_before_any_loop_runs() -> None:
    """What it was made with is checked at once."""

    def refuse() -> int:
        raise ValueError

    assert numbered().first == 0
    with pytest.raises(ValueError, match=r"^$"):
        PerLoop(refuse)
