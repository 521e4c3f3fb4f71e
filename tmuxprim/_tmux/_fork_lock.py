"""`ForkLock`: a lock that a forked process, and a signal handler, finds free."""

import os
import threading


class ForkLock:
    """Is a lock for what all of a process share.

    In a forked process there is only the thread that forked. A lock that another one held just then
    would be held for ever. A signal handler interrupts the very thread that may hold it, which goes
    on only afterwards; so that thread may take it once more, and what it guards is whole at any
    time.
    """

    def __init__(self) -> None:
        self._renew()
        os.register_at_fork(after_in_child=self._renew)

    def _renew(self) -> None:
        self._lock = threading.RLock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()
