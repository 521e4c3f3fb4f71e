"""A bell that rings when a program writes to its terminal, as Linux tells by inotify(7).

Watching holds no terminal open and says nothing to its programs. A program that writes by way
of ``/dev/tty`` is not heard, so a bell only saves time: nobody relies on it.
"""

import ctypes
import os
import select
import sys
import time
from functools import cache
from typing import Final

from tmuxprim._terminal import Bell

_MODIFY: Final = 0x2  # IN_MODIFY: somebody wrote
_FLAGS: Final = os.O_NONBLOCK | os.O_CLOEXEC  # which IN_NONBLOCK and IN_CLOEXEC are
_MOST_EVENTS: Final = 65536
_LONGEST: Final = 1e6  # more milliseconds than these do not fit into poll(2)
# How long one may sleep who does not hear when the program writes, in seconds.
_NAP: Final = 0.02


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
        libc = _libc()
        self._queue: int = libc.inotify_init1(_FLAGS)
        if self._queue < 0:
            raise OSError(ctypes.get_errno(), "inotify is not to be had")
        if libc.inotify_add_watch(self._queue, os.fsencode(tty), _MODIFY) < 0:
            self.close()
            raise OSError(ctypes.get_errno(), "inotify does not watch this terminal", tty)
        self._poll = select.poll()
        self._poll.register(self._queue, select.POLLIN)

    def wait(self, seconds: float) -> bool:
        """Wait until it rings, at most so long; return whether it did."""
        if not self._poll.poll(min(max(seconds, 0.0), _LONGEST) * 1000):
            return False
        os.read(self._queue, _MOST_EVENTS)
        return True

    def close(self) -> None:
        """Stop listening."""
        os.close(self._queue)


class DeafBell:
    """Never rings; whoever waits for it is woken soon."""

    def wait(self, seconds: float) -> bool:
        """Let a short time pass."""
        time.sleep(min(max(seconds, 0.0), _NAP))
        return False

    def close(self) -> None:
        """Do nothing."""


@cache
def _libc() -> ctypes.CDLL:
    if not sys.platform.startswith("linux"):
        raise OSError("inotify is of Linux")
    return ctypes.CDLL(None, use_errno=True)
