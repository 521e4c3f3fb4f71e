"""Bells that ring when a program writes to its terminal, where the machine tells.

A bell only saves time: nobody relies on it. It misses a write by way of ``/dev/tty``.
"""

import select
import time
from typing import TYPE_CHECKING, Final

from tmuxprim._terminal import Bell

if TYPE_CHECKING:
    from tmuxprim._tmux.inotify import InotifyQueue


_LONGEST: Final = 1e6  # more milliseconds than these do not fit into poll(2)
# How long one sleeps, in seconds, who does not hear when the program writes: at first, by how much
# longer each time, and at most.
_NAP: Final = 0.02
_GROWTH: Final = 1.02
_LONGEST_NAP: Final = 0.25


class Queues:
    """The inotify queues of a terminal, kept for the next bell.

    To close one takes the kernel some 8 ms: longer than all else that a prompt is waited for. To
    watch another device with it takes some microseconds. Threads that wait at once have one each.
    """

    def __init__(self) -> None:
        self._idle: list[InotifyQueue] = []

    def listen_to(self, tty: str) -> Bell:
        """Return a bell for a terminal device; one that never rings where nothing can be heard."""
        try:
            return InotifyBell(tty, self)
        except OSError:
            return DeafBell()

    def take(self) -> "InotifyQueue":
        """Return a queue that nobody else has, and in which nothing has happened.

        Raises:
            OSError: If this machine cannot tell who writes.
        """
        try:
            queue = self._idle.pop()
        except IndexError:
            from tmuxprim._tmux.inotify import InotifyQueue  # noqa: PLC0415  # ctypes: not for all

            return InotifyQueue()
        queue.clear()
        return queue

    def give_back(self, queue: "InotifyQueue") -> None:
        """Keep a queue, with no terminal watched, for the next one who listens."""
        self._idle.append(queue)

    def close(self) -> None:
        """Close those that no bell has."""
        idle, self._idle = self._idle, []
        for queue in idle:
            queue.close()


class InotifyBell:
    """Rings when a program writes to a terminal.

    Args:
        tty: The terminal device.
        queues: Where it has its queue from.

    Raises:
        OSError: If this machine cannot tell, or the terminal is gone.
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
        """Wait until it rings, at most so long; return whether it did."""
        until = time.monotonic() + max(seconds, 0.0)
        while not self._is_closed:
            pause = max(until - time.monotonic(), 0.0)
            if not self._poll.poll(min(pause, _LONGEST) * 1000):
                return False
            if self._watch in self._queue.read():
                return True
        return False

    def close(self) -> None:
        """Stop listening."""
        if not self._is_closed:  # else the queue is somebody else's by now
            self._is_closed = True
            self._queue.unwatch(self._watch)
            self._queues.give_back(self._queue)


class Naps:
    """Says how long to sleep, each time a little longer: some hundredths of the whole time."""

    def __init__(self) -> None:
        self._next = _NAP

    def next(self, seconds: float) -> float:
        """Return the next one, which takes no longer than *seconds*."""
        nap, self._next = self._next, min(self._next * _GROWTH, _LONGEST_NAP)
        return min(max(seconds, 0.0), nap)


class DeafBell:
    """Never rings; whoever waits for it is woken soon."""

    def __init__(self) -> None:
        self._naps = Naps()

    def wait(self, seconds: float) -> bool:
        """Let a short time pass."""
        time.sleep(self._naps.next(seconds))
        return False

    def close(self) -> None:
        """Do nothing."""
