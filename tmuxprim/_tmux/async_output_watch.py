"""Bells for asyncio: one inotify queue for all panes, read by the event loop."""

import asyncio
import weakref
from collections.abc import Awaitable, Callable, Collection

from tmuxprim._kernel.inotify import InotifyQueue
from tmuxprim._tmux.output_watch import Backoff
from tmuxprim._values.pane import Pane


def settle(future: asyncio.Future[None]) -> None:
    """Wake the waiter of *future*, if there still is one; on a closed loop there is none."""
    if not future.done() and not future.get_loop().is_closed():
        future.set_result(None)


class InotifyHub:
    """One inotify queue for all output watches of an event loop."""

    def __init__(self) -> None:
        self._queue: InotifyQueue | None = None
        self._watches: dict[int, set[AsyncInotifyWatch]] = {}

    def watch_tty(
        self, tty: str, on_write: Callable[[], None] | None = None
    ) -> "AsyncInotifyWatch | AsyncPollingWatch":
        """Return a watch on a terminal device, or one that polls where inotify is not to be had.

        *on_write* is called at each write.
        """
        try:
            return self._watch_tty(tty, on_write)
        except OSError:
            return AsyncPollingWatch()

    def stop(self) -> Callable[[], None]:
        """Stop watching, until the next watch is made.

        Returns:
            A function that closes the queue, which takes the kernel some 8 ms.
        """
        queue, self._queue, self._watches = self._queue, None, {}
        if queue is None:
            return lambda: None
        asyncio.get_running_loop().remove_reader(queue.number)
        return queue.close

    def _watch_tty(self, tty: str, on_write: Callable[[], None] | None) -> "AsyncInotifyWatch":
        if self._queue is None:
            self._queue = InotifyQueue()
            asyncio.get_running_loop().add_reader(self._queue.number, self._ring, self._queue)
        watch = self._queue.watch(tty)
        watches = self._watches.setdefault(watch, set())
        output_watch = AsyncInotifyWatch(lambda closed: self._forget(watch, closed), on_write)
        watches.add(output_watch)
        return output_watch

    def _ring(self, queue: InotifyQueue) -> None:
        """Read the events, and wake the watches of their devices."""
        for watch in queue.read():
            for output_watch in self._watches.get(watch, ()):
                output_watch.ring()

    def _forget(self, watch: int, output_watch: "AsyncInotifyWatch") -> None:
        watches = self._watches.get(watch, set())
        watches.discard(output_watch)
        if not watches and self._watches.pop(watch, None) is not None and self._queue is not None:
            self._queue.unwatch(watch)


class AsyncInotifyWatch:
    """Ends a wait when a program writes to a terminal."""

    def __init__(
        self,
        forget: Callable[["AsyncInotifyWatch"], None],
        on_write: Callable[[], None] | None = None,
    ) -> None:
        self._forget = forget
        self._on_write = on_write
        self._rang = False
        self._waiting: asyncio.Future[None] | None = None

    def ring(self) -> None:
        """Note that the program has written, and wake the waiter."""
        self._rang = True
        if self._waiting is not None:
            settle(self._waiting)
        if self._on_write is not None:
            self._on_write()

    async def wait(self, seconds: float) -> bool:
        """Wait until the program writes, *seconds* at most; return whether it did."""
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
        """Stop watching."""
        self._forget(self)


class AsyncPollingWatch:
    """A watch without events: each wait ends after a short pause, and the waiter observes."""

    def __init__(self) -> None:
        self._backoff = Backoff()

    async def wait(self, seconds: float) -> bool:
        """Pause for a short time."""
        await asyncio.sleep(self._backoff.next(seconds))
        return False

    def close(self) -> None:
        """Do nothing."""


class AsyncInotifyOutputHub:
    """Reports which of several panes' programs have written, by the queue of the event loop.

    Args:
        find_tty: Returns the terminal device of a pane; None if its writes cannot be watched.
        hub: The queue.
    """

    def __init__(self, find_tty: Callable[[Pane], Awaitable[str | None]], hub: InotifyHub) -> None:
        self._find_tty = find_tty
        self._hub = hub
        self._watches: dict[Pane, AsyncInotifyWatch] = {}
        self._written: set[Pane] = set()
        self._waiting: asyncio.Future[None] | None = None

    async def add(self, pane: Pane) -> bool:
        """Watch a pane as well; return whether its output can be watched."""
        tty = await self._find_tty(pane)
        if tty is None:
            return False
        # The queue shall not keep a hub that nobody has closed, as after a break.
        me = weakref.proxy(self)
        watch = self._hub.watch_tty(tty, lambda: me.note(pane))
        if isinstance(watch, AsyncPollingWatch):
            return False
        self._watches[pane] = watch
        return True

    def discard(self, pane: Pane) -> None:
        """Stop watching a pane."""
        self._written.discard(pane)
        if (watch := self._watches.pop(pane, None)) is not None:
            watch.close()

    async def wait(self, seconds: float) -> Collection[Pane]:
        """Wait for a write, *seconds* at most; return the panes that may have changed."""
        if not self._written:
            loop = asyncio.get_running_loop()
            self._waiting = loop.create_future()
            timer = loop.call_later(seconds, settle, self._waiting)
            try:
                await self._waiting
            finally:
                timer.cancel()
                self._waiting = None
        written, self._written = self._written, set()
        return written

    def note(self, pane: Pane) -> None:
        """Note that a pane's program has written, and wake the tasks that wait for it."""
        self._written.add(pane)
        if self._waiting is not None:
            settle(self._waiting)

    def close(self) -> None:
        """Stop watching all panes."""
        for pane in tuple(self._watches):
            self.discard(pane)

    # A loop over changes may be left by a break.
    __del__ = close
