"""Bells for asyncio: one inotify queue for all panes, read by the event loop."""

import asyncio
from collections.abc import Callable

from tmuxprim._tmux.bell import Naps
from tmuxprim._tmux.inotify import InotifyQueue


def settle(future: asyncio.Future[None]) -> None:
    """Let whoever waits for *future* go on, if anybody still does: on a closed loop nobody can."""
    if not future.done() and not future.get_loop().is_closed():
        future.set_result(None)


class Ears:
    """Hears which terminals are written to, and rings the bells of those who listen.

    There is one queue for all, of the event loop that runs, for as long as somebody may listen.
    """

    def __init__(self) -> None:
        self._queue: InotifyQueue | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._bells: dict[int, set[ListeningBell]] = {}

    def listen_to(self, tty: str) -> "ListeningBell | AsyncDeafBell":
        """Return a bell for a terminal device; one that never rings where nothing is heard."""
        try:
            return self._listen_to(tty)
        except OSError:
            return AsyncDeafBell()

    def stop(self) -> Callable[[], None]:
        """Hear nothing any more, until somebody listens again.

        Returns:
            What closes the queue, which takes the kernel some 8 ms.
        """
        queue, loop = self._queue, self._loop
        self._queue, self._loop, self._bells = None, None, {}
        if queue is None:
            return lambda: None
        if loop is not None and not loop.is_closed():
            loop.remove_reader(queue.number)
        return queue.close

    def _listen_to(self, tty: str) -> "ListeningBell":
        watch = self._open_queue().watch(tty)
        bells = self._bells.setdefault(watch, set())
        bell = ListeningBell(lambda bell: self._forget(watch, bell))
        bells.add(bell)
        return bell

    def _open_queue(self) -> InotifyQueue:
        loop = asyncio.get_running_loop()
        if self._loop is not loop:  # the loop of an earlier asyncio.run is closed
            self.stop()()
        if self._queue is None:
            self._queue, self._loop = InotifyQueue(), loop
            loop.add_reader(self._queue.number, self._ring, self._queue)
        return self._queue

    def _ring(self, queue: InotifyQueue) -> None:
        """Take in who has written, and tell those who listen."""
        for watch in queue.read():
            for bell in self._bells.get(watch, ()):
                bell.ring()

    def _forget(self, watch: int, bell: "ListeningBell") -> None:
        bells = self._bells.get(watch, set())
        bells.discard(bell)
        if not bells and self._bells.pop(watch, None) is not None and self._queue is not None:
            self._queue.unwatch(watch)


class ListeningBell:
    """Rings when a program writes to a terminal.

    Args:
        forget: Called when it is closed.
    """

    def __init__(self, forget: Callable[["ListeningBell"], None]) -> None:
        self._forget = forget
        self._rang = False
        self._waiting: asyncio.Future[None] | None = None

    def ring(self) -> None:
        """Ring, and wake who waits."""
        self._rang = True
        if self._waiting is not None:
            settle(self._waiting)

    async def wait(self, seconds: float) -> bool:
        """Wait until it rings, at most so long; return whether it did."""
        if not self._rang:
            loop = asyncio.get_running_loop()
            self._waiting = loop.create_future()
            timer = loop.call_later(max(seconds, 0.0), settle, self._waiting)
            try:
                await self._waiting
            finally:
                timer.cancel()
                self._waiting = None
        rang, self._rang = self._rang, False
        return rang

    def close(self) -> None:
        """Stop listening."""
        self._forget(self)


class AsyncDeafBell:
    """Never rings; whoever waits for it is woken soon."""

    def __init__(self) -> None:
        self._naps = Naps()

    async def wait(self, seconds: float) -> bool:
        """Let a short time pass."""
        await asyncio.sleep(self._naps.next(seconds))
        return False

    def close(self) -> None:
        """Do nothing."""
