"""Bells that ring when a program writes to its terminal, where the machine tells.

A bell only saves time: nobody relies on it. It may miss a write, as one by way of ``/dev/tty``,
which wakes all who listen, a few times, and rings for none of them.
"""

import select
import time
from typing import Final

from tmuxprim._terminal import Bell
from tmuxprim._tmux._queues import give_back, take_queue
from tmuxprim._tmux._wakings import Wakings

_LONGEST: Final = 1e6  # more milliseconds than these do not fit into poll(2)
# How long one sleeps, in seconds, who does not hear when the program writes: at first, by how much
# longer each time, and at most.
_NAP: Final = 0.02
_GROWTH: Final = 1.02
_LONGEST_NAP: Final = 0.25


def listen_to(tty: str) -> Bell:
    """Return a bell for a terminal device; one that never rings where nothing can be heard."""
    try:
        return InotifyBell(tty)
    except OSError:
        return DeafBell()


class InotifyBell:
    """Rings when a program writes to a terminal.

    Args:
        tty: The terminal device.

    Raises:
        OSError: If this machine cannot tell, or the terminal is gone.
    """

    def __init__(self, tty: str) -> None:
        self._queue = take_queue()
        self._is_closed = False
        try:
            self._watch = self._queue.watch(tty)
        except OSError:
            give_back(self._queue)
            raise
        self._wakings = Wakings()
        self._poll = select.poll()
        self._poll.register(self._queue.number, select.POLLIN)

    def wait(self, seconds: float) -> bool:
        """Wait until it rings, at most so long; return whether it did."""
        now = time.monotonic()
        until = now + max(seconds, 0.0)
        while not self._is_closed:
            pause = max(min(until, self._wakings.next) - now, 0.0)
            if self._poll.poll(min(pause, _LONGEST) * 1000):
                rang, somewhere = self._queue.read()
                if somewhere:
                    self._wakings.hear(time.monotonic())
                if self._watch in rang:
                    return True
            now = time.monotonic()
            if self._wakings.take(now) or now >= until:
                break
        return False

    def close(self) -> None:
        """Stop listening."""
        if not self._is_closed:  # else the queue is somebody else's by now
            self._is_closed = True
            self._queue.unwatch(self._watch)
            give_back(self._queue)


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
