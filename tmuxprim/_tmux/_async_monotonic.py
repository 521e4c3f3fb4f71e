"""The machine's own clock, for asyncio."""

import asyncio
import time


class AsyncMonotonicClock:
    """An `AsyncClock` of real time, the same as `MonotonicClock`."""

    def now(self) -> float:
        """Return the seconds since some moment in the past."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Let that many seconds pass, while others go on."""
        await asyncio.sleep(seconds)
