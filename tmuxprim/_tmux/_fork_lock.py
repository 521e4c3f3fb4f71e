"""`ForkLock`: a lock that a forked process finds free."""

import os
import threading


class ForkLock:
    """Is a lock for what all of a process share.

    In a forked process there is only the thread that forked. A lock that another one held just then
    would be held for ever.
    """

    def __init__(self) -> None:
        self._renew()
        os.register_at_fork(after_in_child=self._renew)

    def _renew(self) -> None:
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()
