"""`Quiet`: while a client in control mode attaches there is no news for one.

tmux up to 3.5 crashes if it has news, of a session that begins or ends, of a client that leaves,
for a client in control mode that has not told yet all about itself.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final
from weakref import WeakValueDictionary

from tmuxprim._errors import TmuxTimeoutError
from tmuxprim._refusals import NOTHING
from tmuxprim._tmux._fork_lock import ForkLock
from tmuxprim._tmux._launch import Prefix


class Quiet:
    """Lets any number of calls make news at a time, or one client attach."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._is_attaching = False
        # The threads that make some, and whether it still counts.
        self._news: list[tuple[int, Callable[[], bool]]] = []

    @property
    def is_broken_here(self) -> bool:
        """Whether this very thread is making news: it would wait for itself in vain.

        So does a signal handler, and who uses another terminal between two steps of an event loop.
        """
        return any(maker == threading.get_ident() and counts() for maker, counts in self._news)

    @contextmanager
    def news(
        self, timeout: float, *, insists: bool = False, counts: Callable[[], bool] = lambda: True
    ) -> Iterator[None]:
        """Make news, but not while a client attaches.

        Args:
            timeout: Longest time to wait for that, in seconds.
            insists: Whether to go on when the time is up.
            counts: Whether it still is news, while nothing has ended it.

        Raises:
            TmuxTimeoutError: If the time is up.
        """
        with self._changed:
            is_free = self._changed.wait_for(lambda: not self._is_attaching, timeout)
            if not is_free and not insists:
                raise too_late(timeout)
            maker = threading.get_ident(), counts
            self._news.append(maker)
        try:
            yield
        finally:
            with self._changed:
                self._news.remove(maker)
                self._changed.notify_all()

    @property
    def _is_any_news(self) -> bool:
        return any(counts() for _, counts in self._news)

    @contextmanager
    def attaching(self, timeout: float) -> Iterator[None]:
        """Attach a client once there is no news any more, and let nobody make some meanwhile.

        Raises:
            TmuxTimeoutError: If that takes longer than so many seconds.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: not self._is_attaching, timeout):
                raise too_late(timeout)
            self._is_attaching = True
        try:
            with self._changed:
                if not self._changed.wait_for(lambda: not self._is_any_news, timeout):
                    raise too_late(timeout)
            yield
        finally:
            with self._changed:
                self._is_attaching = False
                self._changed.notify_all()


def quiet_of(prefix: Prefix) -> Quiet:
    """Return what all terminals of this process share that use one server."""
    # What another thread of the parent held when it forked is none of the child's business.
    with _LOCK:
        return _QUIETS.setdefault((os.getpid(), prefix.server), Quiet())


_QUIETS: WeakValueDictionary[tuple[int, tuple[str, ...]], Quiet] = WeakValueDictionary()
_LOCK: Final = ForkLock()


def too_late(timeout: float) -> TmuxTimeoutError:
    """Return the error for a wait that took longer than so many seconds."""
    return TmuxTimeoutError(
        f"{NOTHING}: for {timeout:g} s another client has been about to attach to this server, or "
        "to open and close panes while this one wanted to attach"
    )
