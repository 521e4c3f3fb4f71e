"""inotify(7): Linux tells when somebody writes to a terminal.

Watching holds no terminal open and says nothing to its programs. Of a program that writes by way
of ``/dev/tty``, as those do that ask for a password, the kernel does not tell on which terminal.
"""

import ctypes
import os
import struct
import sys
import weakref
from contextlib import suppress
from functools import cache
from typing import Final

_MODIFY: Final = 0x2  # IN_MODIFY: somebody wrote


_FLAGS: Final = os.O_NONBLOCK | os.O_CLOEXEC  # which IN_NONBLOCK and IN_CLOEXEC are


_EVENT: Final = struct.Struct("iIII")  # struct inotify_event; that of a file has no name behind it


_MOST_EVENTS: Final = 65536


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
        # A terminal may go that was not disconnected. At the program's end the kernel closes it.
        self._end = weakref.finalize(self, os.close, self.number)
        self._end.atexit = False

    def watch(self, tty: str) -> int:
        """Watch a terminal device, and return the number of the watch: one for each device.

        Raises:
            OSError: If it is gone, or may not be watched.
        """
        watch: int = self._libc.inotify_add_watch(self.number, os.fsencode(tty), _MODIFY)
        if watch < 0:
            raise OSError(ctypes.get_errno(), "inotify does not watch this terminal", tty)
        return watch

    def unwatch(self, watch: int) -> None:
        """Watch it no more; it may have gone by itself."""
        self._libc.inotify_rm_watch(self.number, watch)

    def read(self) -> set[int]:
        """Take in what has happened, which is something, and return which watches rang."""
        return {event[0] for event in _EVENT.iter_unpack(os.read(self.number, _MOST_EVENTS))}

    def clear(self) -> None:
        """Forget what has happened."""
        with suppress(BlockingIOError):
            while True:
                os.read(self.number, _MOST_EVENTS)

    def close(self) -> None:
        """Give it back; once, for the number may soon be another file's."""
        self.number = -1
        self._end()


@cache
def _libc() -> ctypes.CDLL:
    if not sys.platform.startswith("linux"):
        raise OSError("inotify is of Linux")
    return ctypes.CDLL(None, use_errno=True)
