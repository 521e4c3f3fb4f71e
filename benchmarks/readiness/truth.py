"""The truth about readiness, seen from outside: when did the program last write to its tty?

A program that ends a command, or asks a question, writes its prompt and then reads. The kernel
reports each ``write`` to the terminal device to those who watch it with inotify. That says nothing
to the pane and asks nothing of it, is the same for tmux's panes and for pexpect's pty, and is no
evidence by which any of the designs decides; ours is woken by it. The line that is typed does not
change, and no shell needs a hook that would take time. The time is noted when the program writes,
before tmux has read it, so nobody can seem early by being quick; nor because the watch itself had
to wait for a processor, which the kernel tells as well.

What a program writes on its own once it is ready, as htop and clocks do, is none of it. So the
watch also remembers after which writes there was silence.
"""

import ctypes
import multiprocessing
import os
import pty
import signal
import struct
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, MutableSequence
    from multiprocessing.context import ForkProcess

_MODIFY = 0x2  # IN_MODIFY
_GONE = 0x8000  # IN_IGNORED: the terminal is gone, since its program has ended
_POLL = 0.01

# A silence of so many seconds is a rest; the last ones are remembered.
REST = 0.2
_MOST_RESTS = 256
_STATE, _LAST, _COUNT, _RESTS = range(4)  # places in what the two processes share


class TtyWatch:
    """Notes when the programs on one terminal write to it.

    A process of its own does it: a thread would wait for the interpreter's lock just when the
    design at work is busy.

    Args:
        tty: The terminal device.
    """

    def __init__(self, tty: str) -> None:
        fork = multiprocessing.get_context("fork")
        # Is it watching (1.0, or the negative errno)? The time of the last write, the number of
        # rests, and the times of the writes before them.
        self._shared: MutableSequence[float] = fork.RawArray("d", _RESTS + _MOST_RESTS)
        # A daemon ends with us, should Ctrl-C come before anybody can close this.
        self._process: ForkProcess = fork.Process(
            target=_watch, args=(tty, self._shared), daemon=True
        )
        self._process.start()
        while not self._shared[_STATE] and self._process.is_alive():
            time.sleep(0.0005)
        if self._shared[_STATE] <= 0:
            self.close()
            raise OSError(-int(self._shared[_STATE]), "inotify does not watch terminals here", tty)
        self._start = time.monotonic()

    @property
    def last_write(self) -> float:
        """The monotonic time of the last write, or of the terminal's end; 0 if there was none."""
        return self._shared[_LAST]

    def first_rest(self, not_before: float) -> float | None:
        """Return when the program wrote for the first time after which it rested, if it did."""
        count = min(int(self._shared[_COUNT]), _MOST_RESTS)
        rests = [time_ for time_ in self._shared[_RESTS : _RESTS + count] if time_ >= not_before]
        last = self.last_write
        if last >= not_before and time.monotonic() - last >= REST:
            rests.append(last)
        return min(rests, default=None)

    def settle(self, *, not_before: float = 0.0, quiet: float, limit: float) -> float | None:
        """Wait for a write after *not_before* that nothing follows for *quiet* seconds.

        Returns:
            When that was, or None if it did not happen in *limit* seconds.
        """
        deadline = time.monotonic() + limit
        while time.monotonic() < deadline:
            last = self.last_write
            silent_for = time.monotonic() - max(last, self._start)
            if last >= not_before and silent_for >= quiet:
                return last
            time.sleep(_POLL)
        return None

    def close(self) -> None:
        """Stop watching."""
        self._process.kill()
        self._process.join()
        self._process.close()


@contextmanager
def watching(tty: str) -> "Iterator[TtyWatch]":
    """Watch a terminal for the length of a ``with`` block."""
    watch = TtyWatch(tty)
    try:
        yield watch
    finally:
        watch.close()


def why_no_truth() -> str:
    """Try the watch on a terminal of our own; return why it does not work, or nothing."""
    if not sys.platform.startswith("linux"):
        return "it needs Linux: elsewhere nothing tells when a program writes to its terminal"
    master, slave = pty.openpty()
    try:
        with watching(os.ttyname(slave)) as watch:
            begin = time.monotonic()
            os.write(slave, b"x")
            seen = watch.settle(not_before=begin, quiet=0.01, limit=1.0)
    except OSError as error:
        return str(error)
    else:
        return "" if seen else "inotify does not tell of writes to a terminal here"
    finally:
        os.close(master)
        os.close(slave)


def _watch(tty: str, shared: "MutableSequence[float]") -> None:
    """Write the time of each write into *wchan*, until killed."""
    # The parent decides when this ends, on Ctrl-C as well.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    libc = ctypes.CDLL(None, use_errno=True)
    queue = libc.inotify_init1(0)
    if queue < 0 or libc.inotify_add_watch(queue, tty.encode(), _MODIFY) < 0:
        shared[_STATE] = -float(ctypes.get_errno())
        return
    shared[_STATE] = 1.0
    waited = os.open("/proc/thread-self/schedstat", os.O_RDONLY)
    while True:
        begin, before = time.monotonic(), _seconds_without_processor(waited)
        events = os.read(queue, 65536)
        late = _seconds_without_processor(waited) - before
        now, last = max(begin, time.monotonic() - late), shared[_LAST]
        if any(mask & (_MODIFY | _GONE) for _, mask, _, _ in struct.iter_unpack("iIII", events)):
            if last and now - last >= REST:
                count = int(shared[_COUNT])
                shared[_RESTS + count % _MOST_RESTS] = last
                shared[_COUNT] = count + 1
            shared[_LAST] = now


def _seconds_without_processor(schedstat: int) -> float:
    """Return for how long this thread was to run, and others ran (proc_pid_schedstat(5))."""
    return int(os.pread(schedstat, 100, 0).split()[1]) / 1e9
