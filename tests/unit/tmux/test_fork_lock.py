"""`ForkLock`: nobody waits for who never goes on."""

import os
import signal
import sys
import threading
from collections.abc import Callable

import pytest

from tmuxprim._tmux import _queues, _quiet
from tmuxprim._tmux._fork_lock import ForkLock
from tmuxprim._tmux._launch import make_prefix
from tmuxprim._tmux._queues import take_queue
from tmuxprim._tmux._quiet import quiet_of

needs_inotify = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="is of Linux")


def held_by_another_thread() -> ForkLock:
    """Return one that a thread has taken; the thread is over, as Python warns of forks with one."""
    lock = ForkLock()
    holder = threading.Thread(target=lock.__enter__)
    holder.start()
    holder.join()
    return lock


def ends_in_a_child(work: Callable[[], object]) -> bool:
    """Whether a forked process does some work to its end."""
    child = os.fork()
    if not child:
        signal.alarm(5)  # which ends it
        work()
        os._exit(7)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def ask_quiet() -> None:
    """Do what each call does that types."""
    quiet_of(make_prefix("a", None, None, "tmux", ()))


def test_threads_wait_for_each_other() -> None:
    """It is a lock for all that."""
    lock = held_by_another_thread()
    assert not vars(lock)["_lock"].acquire(blocking=False)


@pytest.mark.parametrize(
    ("module", "name", "work"),
    [
        (_quiet, "_LOCK", ask_quiet),
        pytest.param(_queues, "_lock", take_queue, marks=needs_inotify),
    ],
)
def test_a_forked_process_finds_it_free(
    monkeypatch: pytest.MonkeyPatch, module: object, name: str, work: Callable[[], object]
) -> None:
    """Whoever held it is not there, and would never let it go."""
    monkeypatch.setattr(module, name, held_by_another_thread())
    assert ends_in_a_child(work)


def test_a_signal_handler_does_not_wait_for_the_thread_that_it_interrupts() -> None:
    """That one goes on only when the handler is done."""

    def work() -> None:
        signal.signal(signal.SIGUSR1, lambda *_: ask_quiet())
        with vars(_quiet)["_LOCK"]:
            signal.raise_signal(signal.SIGUSR1)

    assert ends_in_a_child(work)
