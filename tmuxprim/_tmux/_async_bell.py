"""Bells for asyncio: one inotify queue for all panes, read by the event loop."""

import asyncio
import math
import os
import time
from collections.abc import Callable

from tmuxprim._tmux._bell import Naps
from tmuxprim._tmux._inotify import InotifyQueue
from tmuxprim._tmux._queues import give_back, take_queue
from tmuxprim._tmux._settle import settle
from tmuxprim._tmux._wakings import Wakings


class Ears:
    """Hears which terminals are written to, and rings the bells of those who listen.

    The queue is kept, for to close it would keep the event loop waiting, until it is closed.
    """

    def __init__(self) -> None:
        self._queue: InotifyQueue | None = None
        self._process = 0  # whose queue it is
        self._loop: asyncio.AbstractEventLoop | None = None
        self._bells: dict[int, set[ListeningBell]] = {}
        self._wakings = Wakings()
        self._timer: asyncio.TimerHandle | None = None

    def listen_to(self, tty: str) -> "ListeningBell | AsyncDeafBell":
        """Return a bell for a terminal device; one that never rings where nothing is heard."""
        try:
            return self._listen_to(tty)
        except OSError:
            return AsyncDeafBell()

    def close(self) -> None:
        """Hear nothing any more, until somebody listens again."""
        queue, loop, watches = self._queue, self._loop, list(self._bells)
        self._queue, self._loop, self._bells = None, None, {}
        if queue is not None and self._process != os.getpid():
            queue.close()  # what it watches, and the loop's epoll, are the parent's as well
        elif queue is not None:
            if loop is not None and not loop.is_closed():
                loop.remove_reader(queue.number)
            for watch in watches:
                queue.unwatch(watch)
            give_back(queue)
        self._stop_timer()
        self._wakings = Wakings()

    def _listen_to(self, tty: str) -> "ListeningBell":
        watch = self._open_queue().watch(tty)
        bells = self._bells.setdefault(watch, set())
        bell = ListeningBell(lambda bell: self._forget(watch, bell))
        bells.add(bell)
        return bell

    def _open_queue(self) -> InotifyQueue:
        loop = asyncio.get_running_loop()
        if self._loop is not loop:  # the loop of an earlier asyncio.run is closed
            self.close()
        if self._queue is None:
            self._queue, self._loop, self._process = take_queue(), loop, os.getpid()
            loop.add_reader(self._queue.number, self._ring, self._queue)
        return self._queue

    def _ring(self, queue: InotifyQueue) -> None:
        """Take in who has written, and tell those who listen."""
        rang, somewhere = queue.read()
        for watch in rang:
            for bell in self._bells.get(watch, ()):
                bell.wake(rings=True)
        if somewhere:
            self._wakings.hear(time.monotonic())
            self._wake()

    def _wake(self) -> None:
        """Wake all, if that is due, and see to it that they are woken when it is due next."""
        now = time.monotonic()
        if self._wakings.take(now):
            for bells in self._bells.values():
                for bell in bells:
                    bell.wake(rings=False)
        self._stop_timer()
        if self._loop is not None and self._wakings.next < math.inf:
            self._timer = self._loop.call_later(self._wakings.next - now, self._wake)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None

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

    def wake(self, *, rings: bool) -> None:
        """Wake who waits; if it rings, keep that in mind."""
        self._rang = self._rang or rings
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
