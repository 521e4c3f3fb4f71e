"""`Clock`: the one thing the library knows of time.

Time belongs to the terminal: a real one has the machine's monotonic clock, the fake one a
virtual clock on which a minute passes in microseconds.
"""

from typing import Protocol


class Clock(Protocol):
    """Tells the time and lets it pass, both in seconds.

    Examples:
        >>> clock = FakeTerminal().clock  # a virtual one: no second passes
        >>> clock.sleep(60.0)
        >>> clock.now()
        60.0
    """

    def now(self) -> float:
        """Return the seconds since some fixed moment; never goes back."""
        ...

    def sleep(self, seconds: float) -> None:
        """Let that many seconds pass."""
        ...
