"""Bells for asyncio: one inotify queue for all panes, read by the event loop."""

import asyncio
from collections.abc import Callable

from tmuxprim._tmux.bell import Backoff
from tmuxprim._tmux.inotify import InotifyQueue


def settle(future: asyncio.Future[None]) -> None:
    """Wake the waiter of *future*, if there still is one; on a closed loop there is none."""
    if not future.done() and not future.get_loop().is_closed():
        future.set_result(None)


class InotifyHub:
    """One inotify queue for all bells of an event loop."""

    def __init__(self) -> None:
        self._queue: InotifyQueue | None = None
        self._bells: dict[int, set[ListeningBell]] = {}

    def listen_to(self, tty: str) -> "ListeningBell | AsyncPollingBell":
        """Return a bell for a terminal device, or one that polls where inotify is not to be had."""
        try:
            return self._listen_to(tty)
        except OSError:
            return AsyncPollingBell()

    def stop(self) -> Callable[[], None]:
        """Stop watching, until the next bell is made.

        Returns:
            A function that closes the queue, which takes the kernel some 8 ms.
        """
        queue, self._queue, self._bells = self._queue, None, {}
        if queue is None:
            return lambda: None
        asyncio.get_running_loop().remove_reader(queue.number)
        return queue.close

    def _listen_to(self, tty: str) -> "ListeningBell":
        watch = self._open_queue().watch(tty)
        bells = self._bells.setdefault(watch, set())
        bell = ListeningBell(lambda bell: self._forget(watch, bell))
        bells.add(bell)
        return bell

    def _open_queue(self) -> InotifyQueue:
        if self._queue is None:
            self._queue = InotifyQueue()
            asyncio.get_running_loop().add_reader(self._queue.number, self._ring, self._queue)
        return self._queue

    def _ring(self, queue: InotifyQueue) -> None:
        """Read the events, and ring the bells of their devices."""
        for watch in queue.read():
            for bell in self._bells.get(watch, ()):
                bell.ring()

    def _forget(self, watch: int, bell: "ListeningBell") -> None:
        bells = self._bells.get(watch, set())
        bells.discard(bell)
        if not bells and self._bells.pop(watch, None) is not None and self._queue is not None:
            self._queue.unwatch(watch)


class ListeningBell:
    """Rings when a program writes to a terminal."""

    def __init__(self, forget: Callable[["ListeningBell"], None]) -> None:
        self._forget = forget
        self._rang = False
        self._waiting: asyncio.Future[None] | None = None

    def ring(self) -> None:
        """Ring, and wake the waiter."""
        self._rang = True
        if self._waiting is not None:
            settle(self._waiting)

    async def wait(self, seconds: float) -> bool:
        """Wait until it rings, *seconds* at most; return whether it did."""
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


class AsyncPollingBell:
    """A bell that never rings: each wait ends after a short pause, and the waiter looks."""

    def __init__(self) -> None:
        self._backoff = Backoff()

    async def wait(self, seconds: float) -> bool:
        """Pause for a short time."""
        await asyncio.sleep(self._backoff.next(seconds))
        return False

    def close(self) -> None:
        """Do nothing."""
