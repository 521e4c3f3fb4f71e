"""Queues of inotify(7) that are kept for the next bell.

To close one takes the kernel some 8 ms, in which it waits for all its readers: longer than all
else that a prompt is waited for. To watch another terminal with it takes some microseconds.
"""

import os
from typing import TYPE_CHECKING, Final

from tmuxprim._tmux._fork_lock import ForkLock

if TYPE_CHECKING:
    from tmuxprim._tmux._inotify import InotifyQueue

# A user may have 128 of them; more threads than this seldom wait at once.
_MOST_IDLE: Final = 4

_idle: Final["list[tuple[int, InotifyQueue]]"] = []
_lock: Final = ForkLock()


def take_queue() -> "InotifyQueue":
    """Return a queue that nobody else has, and in which nothing has happened.

    Raises:
        OSError: If this machine cannot tell who writes.
    """
    while True:
        try:
            with _lock:
                owner, queue = _idle.pop()
        except IndexError:  # there is none, or a signal handler has just taken it
            break
        if owner == os.getpid():
            queue.clear()
            return queue
        queue.close()  # a process that has been forked shares it with its parent
    from tmuxprim._tmux._inotify import InotifyQueue  # noqa: PLC0415  # ctypes: not for all

    return InotifyQueue()


def give_back(queue: "InotifyQueue") -> None:
    """Keep a queue, with no terminal watched, for the next one who listens."""
    with _lock:
        if len(_idle) < _MOST_IDLE:
            _idle.append((os.getpid(), queue))
            return
    queue.close()


def close_idle_queues() -> None:
    """Close those that nobody has."""
    with _lock:
        queues = [queue for _, queue in _idle]
        _idle.clear()
    for queue in queues:
        queue.close()
