"""`FakeClock`: virtual time, in which a wait of a minute takes no real time."""

import heapq
import itertools
from collections.abc import Callable
from typing import Final

from tmuxprim._values.argument_types import check_type

_MOST_AT_ONCE: Final = 1_000_000


class FakeClock:
    """A `Clock` that moves only during a call of its `sleep`.

    All events that were planned for that time happen on the way, in order. So a test runs the same
    way every time and on every machine.

    Examples:
        >>> clock = FakeClock()
        >>> clock.call_later(3.0, lambda: print(f"rings at {clock.now()}"))
        >>> clock.sleep(60.0)
        rings at 3.0
        >>> clock.now()
        60.0
    """

    def __init__(self) -> None:
        self._now = 0.0
        self._order = itertools.count()
        self._planned: list[tuple[float, int, Callable[[], None]]] = []

    def now(self) -> float:
        """Return the virtual time, in seconds; it begins at 0."""
        return self._now

    def sleep(self, seconds: float) -> None:
        """Move the time forward, and carry out all actions that were planned for it.

        Args:
            seconds: How far; a negative number is 0.

        Raises:
            RuntimeError: If too many actions are planned for one moment, so that it never ends.
        """
        check_type("seconds", seconds, int, float)
        until = self._now + max(seconds, 0.0)
        at_once = 0
        while self._planned and self._planned[0][0] <= until:
            at, _, action = heapq.heappop(self._planned)
            at_once = at_once + 1 if at <= self._now else 0
            if at_once > _MOST_AT_ONCE:
                raise RuntimeError(
                    f"{_MOST_AT_ONCE:,} actions ran at {self._now:g} s and no time passed; "
                    "does a program yield Sleep(0) for ever?"
                )
            self._now = max(self._now, at)
            action()
        # An action may itself have slept for longer.
        self._now = max(self._now, until)

    def step(self, seconds: float) -> None:
        """Move the time forward to the next planned action, by *seconds* at most.

        Args:
            seconds: How far at most.
        """
        check_type("seconds", seconds, int, float)
        if self._planned:
            seconds = min(seconds, self._planned[0][0] - self._now)
        self.sleep(seconds)

    def call_later(self, seconds: float, action: Callable[[], None]) -> None:
        """Plan *action* for so many seconds from now.

        Args:
            seconds: The seconds.
            action: The function to call.
        """
        check_type("seconds", seconds, int, float)
        heapq.heappush(self._planned, (self._now + max(seconds, 0.0), next(self._order), action))
