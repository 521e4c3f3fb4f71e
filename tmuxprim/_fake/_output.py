"""`Output`: the way of a fake program's output to the screen, at once or in slow pieces."""

from tmuxprim._fake._clock import FakeClock
from tmuxprim._fake._display import Display


class Output:
    """Writes to a display, and knows how long that takes.

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
