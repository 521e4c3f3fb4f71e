"""inotify(7): Linux reports writes to a terminal device.

A watch does not keep the terminal open, and its programs do not notice it. Programs that ask for a
password write through ``/dev/tty``, and those writes are not reported for the terminal.
"""

import ctypes
import os
import struct
import sys
import weakref
from contextlib import suppress
from functools import cache
from typing import Final

_MODIFY: Final = 0x2  # IN_MODIFY: a write
_FLAGS: Final = os.O_NONBLOCK | os.O_CLOEXEC  # the same as IN_NONBLOCK and IN_CLOEXEC
_EVENT: Final = struct.Struct("iIII")  # struct inotify_event; for a file no name follows
_MOST_EVENTS: Final = 65536


class InotifyQueue:
    """A queue of events of the terminals that are watched.

    Attributes:
        number: Its file descriptor, which is readable while there are events.

    Raises:
        OSError: If this machine has no inotify, or gives us no more queues.
    """

    def __init__(self) -> None:
        self._libc = _libc()
        self.number: int = self._libc.inotify_init1(_FLAGS)
        if self.number < 0:
            raise OSError(ctypes.get_errno(), "inotify is not available")
        # A user may drop a terminal without disconnecting it. At the end of Python the kernel
        # closes it.
        self._end = weakref.finalize(self, os.close, self.number)
        self._end.atexit = False

    def watch(self, tty: str) -> int:
        """Watch a terminal device; return the number of its watch, the same for the same device.

        Raises:
            OSError: If the device is gone, or may not be watched.
        """
        watch: int = self._libc.inotify_add_watch(self.number, os.fsencode(tty), _MODIFY)
        if watch < 0:
            raise OSError(ctypes.get_errno(), "inotify does not watch this terminal", tty)
        return watch

    def unwatch(self, watch: int) -> None:
        """End a watch; it may have ended by itself."""
        self._libc.inotify_rm_watch(self.number, watch)

    def read(self) -> set[int]:
        """Take all events, of which there has to be one; return the numbers of their watches."""
        return {event[0] for event in _EVENT.iter_unpack(os.read(self.number, _MOST_EVENTS))}

    def clear(self) -> None:
        """Drop all events."""
        with suppress(BlockingIOError):
            while True:
                os.read(self.number, _MOST_EVENTS)

    def close(self) -> None:
        """Close it. A second call does nothing: the descriptor may be another file's by then."""
        self.number = -1
        self._end()


@cache
def _libc() -> ctypes.CDLL:
    if not sys.platform.startswith("linux"):
        raise OSError("only Linux has inotify")
    return ctypes.CDLL(None, use_errno=True)
