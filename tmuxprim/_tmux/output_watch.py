"""Output watches by inotify: a wait ends when a program writes to its terminal.

A watch only saves time, nothing depends on it. It misses writes through ``/dev/tty``.
"""

import os
import select
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from tmuxprim._terminal import OutputWatch
from tmuxprim._values.pane import Pane, is_meant

if TYPE_CHECKING:
    from tmuxprim._kernel.inotify import InotifyQueue


_LONGEST: Final = 1e6  # seconds; more milliseconds do not fit into poll(2)
# The backoff of polling: the first pause in seconds, its growth, and the longest pause.
_FIRST_PAUSE: Final = 0.02
_GROWTH: Final = 1.02
_LONGEST_PAUSE: Final = 0.25


class Queues:
    """The inotify queues of a terminal, which watches use one after another.

    Closing a queue takes the kernel some 8 ms, which is longer than most prompts take. Watching
    another device takes some microseconds. Threads that wait at the same time have a queue each.
    """

    def __init__(self) -> None:
        self._idle: list[InotifyQueue] = []
        self._process = os.getpid()

    def watch_tty(self, tty: str) -> OutputWatch:
        """Return a watch on a terminal device, or one that polls where inotify is not to be had."""
        try:
            return InotifyWatch(tty, self)
        except OSError:
            return PollingWatch()

    def take(self) -> "InotifyQueue":
        """Return a queue that no other watch has, with no events in it.

        Raises:
            OSError: If this machine has no inotify.
        """
        if self._process != os.getpid():  # each event is read once, by the parent or its fork
            self._idle, self._process = [], os.getpid()
        try:
            queue = self._idle.pop()
        except IndexError:
            from tmuxprim._kernel.inotify import InotifyQueue  # noqa: PLC0415  # ctypes: not for all

            return InotifyQueue()
        queue.clear()
        return queue

    def give_back(self, queue: "InotifyQueue") -> None:
        """Keep a queue that watches nothing for the next watch."""
        self._idle.append(queue)

    def close(self) -> None:
        """Close the queues that no watch has."""
        idle, self._idle = self._idle, []
        for queue in idle:
            queue.close()


class InotifyWatch:
    """Ends a wait when a program writes to a terminal.

    Raises:
        OSError: If this machine has no inotify, or the terminal is gone.
    """

    def __init__(self, tty: str, queues: Queues) -> None:
        self._queues = queues
        self._queue = queues.take()
        self._is_closed = False
        try:
            self._watch = self._queue.watch(tty)
        except OSError:
            queues.give_back(self._queue)
            raise
        self._poll = select.poll()
        self._poll.register(self._queue.number, select.POLLIN)

    def wait(self, seconds: float) -> bool:
        """Wait until the program writes, *seconds* at most; return whether it did."""
        until = time.monotonic() + max(seconds, 0.0)
        while not self._is_closed:
            pause = max(until - time.monotonic(), 0.0)
            if not self._poll.poll(min(pause, _LONGEST) * 1000):
                return False
            if self._watch in self._queue.read():
                return True
        return False

    def close(self) -> None:
        """Stop watching."""
        if not self._is_closed:  # else another watch has the queue by now
            self._is_closed = True
            self._queue.unwatch(self._watch)
            self._queues.give_back(self._queue)


class InotifyOutputHub:
    """Reports which of several panes' programs have written.

    Args:
        find_tty: Returns the terminal device of a pane; None if its writes cannot be watched.
        queues: The queues of the terminal.
    """

    def __init__(self, find_tty: Callable[[Pane], str | None], queues: Queues) -> None:
        self._find_tty = find_tty
        self._queues = queues
        self._panes: dict[int, Pane] = {}
        self._queue: InotifyQueue | None = None
        with suppress(OSError):
            self._queue = queues.take()

    def add(self, pane: Pane) -> bool:
        """Watch a pane as well; return whether its output can be watched."""
        tty = self._find_tty(pane)
        if tty is None or self._queue is None:
            return False
        try:
            self._panes[self._queue.watch(tty)] = pane
        except OSError:  # gone
            return False
        return True

    def discard(self, pane: Pane) -> None:
        """Stop watching a pane; the kernel does so itself if its terminal is gone."""
        queue = self._queue
        if queue is None:
            return
        for watch in [watch for watch, its in self._panes.items() if is_meant(its, pane)]:
            del self._panes[watch]
            queue.unwatch(watch)

    def wait(self, seconds: float) -> Collection[Pane]:
        """Wait for a write, *seconds* at most; return the panes that may have changed."""
        if self._queue is None:
            time.sleep(seconds)
            return ()
        poll = select.poll()
        poll.register(self._queue.number, select.POLLIN)
        if not poll.poll(min(seconds, _LONGEST) * 1000):
            return ()
        return {self._panes[watch] for watch in self._queue.read() if watch in self._panes}

    def close(self) -> None:
        """Stop watching all panes."""
        queue, self._queue = self._queue, None
        if queue is not None:
            for watch in self._panes:
                queue.unwatch(watch)
            self._queues.give_back(queue)
        self._panes.clear()


class Backoff:
    """Pauses that grow by some hundredths of the whole time."""

    def __init__(self) -> None:
        self._next = _FIRST_PAUSE

    def next(self, seconds: float) -> float:
        """Return the length of the next pause, *seconds* at most."""
        pause, self._next = self._next, min(self._next * _GROWTH, _LONGEST_PAUSE)
        return min(max(seconds, 0.0), pause)


class PollingWatch:
    """A watch without events: each wait ends after a short pause, and the waiter observes."""

    def __init__(self) -> None:
        self._backoff = Backoff()

    def wait(self, seconds: float) -> bool:
        """Pause for a short time."""
        time.sleep(self._backoff.next(seconds))
        return False

    def close(self) -> None:
        """Do nothing."""
