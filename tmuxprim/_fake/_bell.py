"""A bell that rings when a scripted program writes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tmuxprim._fake._clock import FakeClock
from tmuxprim._fake._display import Display


class FakeBell:
    """Rings, in virtual time, when something is written to a display.

    Args:
        display: What is written to.
        clock: What time passes on.
    """

    def __init__(self, display: Display, clock: FakeClock) -> None:
        self._display = display
        self._clock = clock
        self._heard = display.writes

    def wait(self, seconds: float) -> bool:
        """Let time pass until it rings, at most so long; return whether it did."""
        until = self._clock.now() + seconds
        while self._heard == self._display.writes and self._clock.now() < until:
            self._clock.step(until - self._clock.now())
        rang = self._heard != self._display.writes
        self._heard = self._display.writes
        return rang

    @contextmanager
    def calling(self, listener: Callable[[], None]) -> Iterator[None]:
        """Have *listener* called whenever something is written, as long as the block lasts."""
        self._display.listeners.add(listener)
        try:
            yield
        finally:
            self._display.listeners.discard(listener)

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""
