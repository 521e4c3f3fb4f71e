"""Event loops of the test's own, in threads."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

import attrs
from typing_extensions import override

from tmuxprim import ReadinessStrategy, default_chain
from tmuxprim.readiness import Chain, Pass, Snapshot, Strategy

T = TypeVar("T")

# Real seconds after which a test that hangs is ended; nobody waits for them.
LONG = 30.0


@attrs.frozen
class Looking(Strategy):
    """Knows nothing, and tells that a wait has looked, and has seen a command run.

    A shell that has not started it yet takes no notice of C-c.
    """

    runs: str
    examined: threading.Event = attrs.field(factory=threading.Event)

    @override
    def assess(self, snapshot: Snapshot) -> Pass:
        """Note it."""
        if snapshot.command == self.runs:
            self.examined.set()
        return Pass("nothing is known", 0.01)

    def before_others(self) -> ReadinessStrategy:
        """Return the usual chain, behind this."""
        return Chain((self, *default_chain().strategies))

    async def wait(self) -> None:
        """Wait until a wait has looked."""
        assert await asyncio.to_thread(self.examined.wait, LONG)


def at_once(*mains: Callable[[], Awaitable[T]]) -> list[T]:
    """Run each of them in an event loop and a thread of its own, all at the same time."""
    together = threading.Barrier(len(mains))

    async def limited(main: Callable[[], Awaitable[T]]) -> T:
        async with asyncio.timeout(LONG):
            return await main()

    def run(main: Callable[[], Awaitable[T]]) -> T:
        together.wait(LONG)
        return asyncio.run(limited(main))

    with ThreadPoolExecutor(len(mains)) as threads:
        return list(threads.map(run, mains))


class Loop:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Have it do something, and return what comes of that."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(LONG)

    def close(self) -> None:
        """End the loop."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(LONG)
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()


@contextmanager
def event_loop() -> Iterator[Loop]:
    """Give an event loop in a thread of its own, which is closed in the end."""
    loop = Loop()
    try:
        yield loop
    finally:
        loop.close()
