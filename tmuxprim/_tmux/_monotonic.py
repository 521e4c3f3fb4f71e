"""The machine's own clock."""

import time


class MonotonicClock:
    """A `Clock` of real time, which never goes back."""

    def now(self) -> float:
        """Return the seconds since some moment in the past."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Let that many seconds pass."""
        time.sleep(max(seconds, 0.0))
