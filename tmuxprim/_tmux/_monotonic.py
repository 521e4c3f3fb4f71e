"""The machine's own clock."""

import asyncio
import time

import attrs


@attrs.frozen
class MonotonicClock:
    """Is a `Clock` of real time, which never goes back."""

    def now(self) -> float:
        """Return the seconds since some moment in the past."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Let that many seconds pass."""
        time.sleep(max(seconds, 0.0))


@attrs.frozen
class AsyncMonotonicClock:
    """Is an `AsyncClock` of real time, the same as the one above."""

    def now(self) -> float:
        """Return the seconds since some moment in the past."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Let that many seconds pass, while others go on."""
        await asyncio.sleep(seconds)
