"""When to wake who listens, after somebody has written to ``/dev/tty``."""

import math
from typing import Final

# Who writes there reads only a moment later, so whoever listens is woken so many seconds after it.
# A program may write there all the time; there are that many seconds between two such rounds.
_WAKINGS: Final = (0.0, 0.002, 0.02, 0.1)
_BETWEEN_ROUNDS: Final = 0.25


class Wakings:
    """Says when to wake who listens.

    Attributes:
        next: When the next one is due, in seconds of the monotonic clock; never is infinity.
    """

    def __init__(self) -> None:
        self.next = math.inf
        self._due: list[float] = []
        self._round = -math.inf

    def hear(self, now: float) -> None:
        """Plan a round for what was written at *now*, unless one is yet to begin."""
        if self._round < now:
            self._round = max(now, self._round + _BETWEEN_ROUNDS)
            self._due = sorted((*self._due, *(self._round + after for after in _WAKINGS)))
            self.next = self._due[0]

    def take(self, now: float) -> bool:
        """Strike off what is due by *now*; return whether anything was."""
        later = [at for at in self._due if at > now]
        is_due = len(later) < len(self._due)
        self._due = later
        self.next = later[0] if later else math.inf
        return is_due
