"""A fake program's output: on its way to the screen, and as heard by who waits for it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tmuxprim._fake._clock import FakeClock
from tmuxprim._fake._display import Display


class Output:
    """The way to a display, at once or in slow pieces.

    Args:
        display: What is written to.
        clock: What time passes on.
    """

    def __init__(self, display: Display, clock: FakeClock) -> None:
        self._display = display
        self._clock = clock
        self._size: int | None = None
        self._delay = 0.0
        self._until = 0.0

    def in_pieces(self, size: int, delay: float) -> None:
        """Let what is written from now on come in pieces of *size*, each after a delay."""
        self._size, self._delay = size, delay

    def write(self, text: str) -> None:
        """Show *text*, behind all that was written before."""
        if self._size is None and self.seconds_left == 0:
            self._display.write(text)
            return
        size, delay = self._size or len(text), self._delay if self._size else 0.0
        for start in range(0, len(text), size):
            self._plan(text[start : start + size], delay)

    @property
    def seconds_left(self) -> float:
        """How long it takes until all is shown."""
        return max(self._until - self._clock.now(), 0.0)

    def _plan(self, piece: str, delay: float) -> None:
        seconds = self.seconds_left + delay
        self._until = self._clock.now() + seconds
        self._clock.call_later(seconds, lambda: self._display.write(piece))


class FakeBell:
    """A bell that rings, in virtual time, when something is written to a display.

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
