"""A bell that rings when a program writes to its terminal, as Linux tells by inotify(7).

Watching holds no terminal open and says nothing to its programs. Of a program that writes by way
of ``/dev/tty``, as those do that ask for a password, the kernel tells, but not on which terminal:
that wakes all who listen, and rings for none of them. A bell only saves time: nobody relies on it.
"""

import ctypes
import os
import select
import struct
import sys
import time
from functools import cache
from typing import Final

from tmuxprim._terminal import Bell

_MODIFY: Final = 0x2  # IN_MODIFY: somebody wrote
_FLAGS: Final = os.O_NONBLOCK | os.O_CLOEXEC  # which IN_NONBLOCK and IN_CLOEXEC are
_EVENT: Final = struct.Struct("iIII")  # struct inotify_event; that of a file has no name behind it
_MOST_EVENTS: Final = 65536
_LONGEST: Final = 1e6  # more milliseconds than these do not fit into poll(2)
_ANY_TERMINAL: Final = "/dev/tty"
# A full-screen program may write there all the time; who listens is woken no more often than this.
_SHORTEST_SLEEP: Final = 0.25
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


class Naps:
    """Says how long to sleep, each time a little longer: some hundredths of the whole time."""

    def __init__(self) -> None:
        self._next = _NAP

    def next(self, seconds: float) -> float:
        """Return the next one, which takes no longer than *seconds*."""
        nap, self._next = self._next, min(self._next * _GROWTH, _LONGEST_NAP)
        return min(max(seconds, 0.0), nap)


class InotifyQueue:
    """Is where the kernel puts what happens to the terminals that are watched.

    Attributes:
        number: Its descriptor, which is readable when something has happened.

    Raises:
        OSError: If this machine cannot tell.
    """

    def __init__(self) -> None:
        self._libc = _libc()
        self.number: int = self._libc.inotify_init1(_FLAGS)
        if self.number < 0:
            raise OSError(ctypes.get_errno(), "inotify is not to be had")
        self._somewhere = self._add(_ANY_TERMINAL)
        self._woken_at = -_SHORTEST_SLEEP

    def watch(self, tty: str) -> int:
        """Watch a terminal device, and return the number of the watch: one for each device.

        Raises:
            OSError: If it is gone, or may not be watched.
        """
        watch = self._add(tty)
        if watch < 0:
            raise OSError(ctypes.get_errno(), "inotify does not watch this terminal", tty)
        return watch

    def unwatch(self, watch: int) -> None:
        """Watch it no more; it may have gone by itself."""
        self._libc.inotify_rm_watch(self.number, watch)

    def read(self) -> tuple[set[int], bool]:
        """Take in what has happened, which is something.

        Returns:
            Which watches rang, and whether whoever listens is to be woken without.
        """
        rang = {event[0] for event in _EVENT.iter_unpack(os.read(self.number, _MOST_EVENTS))}
        now = time.monotonic()
        wakes = self._somewhere in rang and now - self._woken_at >= _SHORTEST_SLEEP
        if wakes:
            self._woken_at = now
        return rang - {self._somewhere}, wakes

    def close(self) -> None:
        """Give it back; once, for the number may soon be another file's."""
        number, self.number = self.number, -1
        if number >= 0:
            os.close(number)

    def _add(self, path: str) -> int:
        watch: int = self._libc.inotify_add_watch(self.number, os.fsencode(path), _MODIFY)
        return watch


class InotifyBell:
    """Rings when a program writes to a terminal.

    Args:
        tty: The terminal device.

    Raises:
        OSError: If this machine cannot tell, or the terminal is gone.
    """

    def __init__(self, tty: str) -> None:
        self._queue = InotifyQueue()
        try:
            self._queue.watch(tty)
        except OSError:
            self.close()
            raise
        self._poll = select.poll()
        self._poll.register(self._queue.number, select.POLLIN)

    def wait(self, seconds: float) -> bool:
        """Wait until it rings, at most so long; return whether it did."""
        until = time.monotonic() + seconds
        while self._poll.poll(min(max(seconds, 0.0), _LONGEST) * 1000):
            rang, wakes = self._queue.read()
            if rang or wakes:
                return bool(rang)
            seconds = until - time.monotonic()
        return False

    def close(self) -> None:
        """Stop listening."""
        self._queue.close()


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


@cache
def _libc() -> ctypes.CDLL:
    if not sys.platform.startswith("linux"):
        raise OSError("inotify is of Linux")
    return ctypes.CDLL(None, use_errno=True)
