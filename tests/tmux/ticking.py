"""What an event loop is worth: how long it kept others waiting, and what is left open."""

import asyncio
import os
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import attrs

_TICK = 0.002
_PATIENCE = 60.0


@attrs.define
class Ticker:
    """How late a task was that wanted to go on every 2 ms, in seconds, at worst."""

    worst: float = 0.0

    async def tick(self) -> None:
        """Tick until cancelled."""
        while True:
            began = time.monotonic()
            await asyncio.sleep(_TICK)
            self.worst = max(self.worst, time.monotonic() - began - _TICK)


@asynccontextmanager
async def ticking() -> AsyncIterator[Ticker]:
    """Tick as long as the block lasts."""
    ticker = Ticker()
    task = asyncio.create_task(ticker.tick())
    try:
        yield ticker
    finally:
        task.cancel()
        await asyncio.wait([task])


def belongings() -> tuple[list[str], list[str], set[str]]:
    """Return this process's open files, child processes and threads but for the executor's.

    A queue of inotify is kept for the next who listens (`tmuxprim._tmux._queues`).
    """
    files = []
    for path in Path("/proc/self/fd").iterdir():
        try:
            files.append(str(path.readlink()).partition(":[")[0])
        except FileNotFoundError:  # that of the listing itself
            continue
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    threads = {thread.name for thread in threading.enumerate()}
    files = [name for name in files if name != "anon_inode:inotify"]
    return sorted(files), children, {name for name in threads if not name.startswith("asyncio_")}


async def until_as_before(before: tuple[list[str], list[str], set[str]]) -> None:
    """Wait until nothing is open or running that was not before; a cancelled call's client ends.

    What another test has left may end meanwhile.
    """
    deadline = time.monotonic() + _PATIENCE
    while left := more(belongings(), before):
        assert time.monotonic() < deadline, f"{left} are left"
        await asyncio.sleep(_TICK)


def more(now: Iterable[Iterable[str]], then: Iterable[Iterable[str]]) -> list[str]:
    """Return what there is now that there was not, or not so often."""
    kinds = zip(now, then, strict=True)
    return [name for own, old in kinds for name in (Counter(own) - Counter(old)).elements()]
