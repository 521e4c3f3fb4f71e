"""The object that a sleeping thread waits for: the terminal, something else, or both.

A thread that sleeps in a read of the terminal waits for a key. But most programs wait for several
files at once, by poll(2) or epoll(7). So `classify_wait` looks at each file: is it the terminal,
and do the others matter? A `Source` finds the files.
"""

import enum
import os
import re
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final, NamedTuple, Protocol

from tmuxprim._kernel.files import Files
from tmuxprim._values.evidence import Level
from tmuxprim._values.programs import Kind, KnownProgram, program_itself

_DEV_TTY: Final = os.makedev(5, 0)  # /dev/tty, whichever terminal that is for the process
PTMX: Final = os.makedev(5, 2)  # the other end of a pseudo-terminal
_NETWORK: Final = (b"TCP", b"UDP", b"MPTCP")  # beginnings of protocols, such as TCPv6, UDPLITE
_SIGNALS: Final = "anon_inode:[signalfd]"
_EVENTS: Final = "anon_inode:[eventfd]"
EPOLL: Final = "anon_inode:[eventpoll]"
# So deep may epoll descriptors watch one another (EP_MAX_NESTS of fs/eventpoll.c).
_MOST_EPOLLS: Final = 4
_WRITES: Final = re.compile(r"^flags:\s*\d*1$", re.MULTILINE)  # O_WRONLY
_TARGET: Final = re.compile(r"^tfd:\s*(\d+)", re.MULTILINE)


class Waiting(enum.IntEnum):
    """The relation of a thread's wait to the terminal.

    Of several threads the highest one counts, since it is the reader if any is.
    """

    IDLE = 0
    """It waits for another thread of its program (futex(2)), or for a signal."""
    ELSEWHERE = 1
    """It runs, or waits for something that is not the terminal."""
    UNKNOWN = 2
    """The kernel does not report it."""
    TERMINAL_AND_MORE = 3
    """The terminal, and it may go on without it: it waits for others, for a time, or works."""
    TERMINAL_AND_PASS_THROUGH = 4
    """The terminal, and what another program shows on a terminal of its own, here or far away."""
    TERMINAL = 5
    """Nothing but the terminal."""


UNREPORTED_LIMIT: Final = 0.0
"""The limit of a wait that may have a time limit, which the kernel does not report."""


class ThreadWait(NamedTuple):
    """The object that a thread waits for, and for how long.

    Args:
        what: What it waits for.
        limit: Seconds after which it goes on by itself; `UNREPORTED_LIMIT` if it may, and the
            kernel does not report when; None if only the file ends the wait.
    """

    what: Waiting
    limit: float | None = None


class Device(NamedTuple):
    """A terminal, with the modes that decide how it is waited for.

    Args:
        number: Its device number.
        is_raw: Whether a program gets each key at once.
        is_for_lines: Whether lines are read from it: the kernel collects them, or a line editor
            does that leaves C-c to the kernel.
        is_edited: Whether a line editor has set it, even one that takes C-c itself.
        limit: Seconds after which a read of it ends by itself (VTIME of termios(3)); None for none.
    """

    number: int
    is_raw: bool = False
    is_for_lines: bool = False
    is_edited: bool = False
    limit: float | None = None


class Thread(NamedTuple):
    """A thread of a process; the first one has the number of its process."""

    files: Files
    process: int
    number: int

    @property
    def directory(self) -> str:
        """The directory of its files in ``/proc``."""
        return f"{self.files.root}/{self.process}/task/{self.number}"

    @property
    def first(self) -> "Thread":
        """The first thread of its process."""
        return self._replace(number=self.process)

    @property
    def program(self) -> KnownProgram:
        """The facts about its program, by its name; none if that carries out a script.

        Raises:
            OSError: As `read` does.
        """
        return program_itself(self.first.read("cmdline").rstrip("\0").split("\0"))

    def read(self, name: str) -> str:
        """Return the text of a file of its directory now.

        Raises:
            OSError: If it is not ours to read, not in this kernel, or the thread has ended.
        """
        return self.files.read(f"{self.directory}/{name}")


class Source(Protocol):
    """Finds what a thread waits for. Each source reads files that need another permission."""

    level: Level
    """Its level of evidence."""

    def describe(self, thread: Thread, device: Device) -> ThreadWait | None:
        """Return what a thread waits for, or None if this source is closed to us."""
        ...


def classify_wait(
    thread: Thread, files: Iterable[int], device: Device, *, is_endless: bool = False
) -> Waiting:
    """Return whether the terminal is among the files that a thread waits for, and alone.

    Args:
        thread: The thread.
        files: The numbers of the files.
        device: The terminal.
        is_endless: Whether its wait has no time limit.

    Raises:
        OSError: If the kernel does not report what an epoll descriptor among them waits for.
    """
    paths = list(_sources(thread, files))
    others = [path for path in paths if not is_terminal(thread, path, device)]
    is_among = len(others) < len(paths)
    if not others:
        return Waiting.TERMINAL if is_among else Waiting.ELSEWHERE
    # While the process sleeps, it writes nothing. So files that no other process can write to do
    # not end its wait, if there is no time limit either.
    if is_endless and _has_only_own_writers(thread, others):
        return Waiting.TERMINAL if is_among else Waiting.IDLE
    if not is_among:
        return Waiting.ELSEWHERE
    passes_on = any(leads_to_another_terminal(thread, path) for path in paths)
    return Waiting.TERMINAL_AND_PASS_THROUGH if passes_on else Waiting.TERMINAL_AND_MORE


def _sources(thread: Thread, files: Iterable[int], depth: int = 0) -> Iterator[str]:
    """Yield the files of some descriptors; for an epoll(7) descriptor, the files that it watches.

    A signalfd(2) does not count: a signal would also end a plain ``read``.
    """
    for number in files:
        file = f"{thread.directory}/fd/{number}"
        kind = _kind(thread, file)
        if kind == EPOLL and depth <= _MOST_EPOLLS:
            yield from _sources(thread, epoll_targets(thread, number), depth + 1)
        elif kind != _SIGNALS:
            yield file


def _has_only_own_writers(thread: Thread, files: list[str]) -> bool:
    """Whether only the process itself can write to files that it waits for.

    If it has a child, others can: the child has inherited the files. Its end may also be reported
    through such a pipe, by a signal handler (signal(7)).
    """
    with suppress(OSError):
        kinds = {thread.files.link(file) for file in files}
        pipes = {kind for kind in kinds if kind.startswith("pipe:")}
        if kinds - pipes <= {_EVENTS}:
            return pipes <= _write_ends(thread, pipes) and not _children(thread)
    return False


def _write_ends(thread: Thread, pipes: set[str]) -> set[str]:
    """Return those of some pipes whose writing end the process itself has open."""
    found = set()
    for number in thread.files.names(f"{thread.directory}/fd") if pipes else ():
        kind = thread.files.link(f"{thread.directory}/fd/{number}")
        if kind in pipes and _WRITES.search(thread.read(f"fdinfo/{number}")):
            found.add(kind)
    return found


def shares_pipe(thread: Thread) -> bool:
    """Whether a process that a thread's process has started has one of its pipes open.

    Raises:
        OSError: If the kernel does not report it.
    """
    children = _children(thread)
    own = _pipes(thread) if children else set()
    theirs = (Thread(thread.files, int(child), int(child)) for child in children)
    return any(own & _pipes(child) for child in theirs)


def _pipes(thread: Thread) -> set[str]:
    """Return the pipes that a thread's process has open."""
    directory = f"{thread.directory}/fd"
    kinds = (thread.files.link(f"{directory}/{number}") for number in thread.files.names(directory))
    return {kind for kind in kinds if kind.startswith("pipe:")}


def _children(thread: Thread) -> list[str]:
    """Return the processes that a thread's process has started, and that have not ended."""
    threads = f"{thread.files.root}/{thread.process}/task"
    numbers = thread.files.names(threads)
    texts = (thread.files.read(f"{threads}/{number}/children") for number in numbers)
    return [child for text in texts for child in text.split()]


def epoll_targets(thread: Thread, epoll: int) -> set[int]:
    """Return the files that an epoll(7) descriptor waits for.

    Raises:
        OSError: If the kernel does not report it.
    """
    return {int(file) for file in _TARGET.findall(thread.read(f"fdinfo/{epoll}"))}


def leads_to_another_terminal(thread: Thread, file: str) -> bool:
    """Whether a file is the other end of a pseudo-terminal, or a network connection."""
    with suppress(OSError):
        status = thread.files.status(file)
        if status.st_rdev == PTMX:
            return True
        if stat.S_ISSOCK(status.st_mode):
            return thread.files.protocol(file).startswith(_NETWORK)
    return False


def polls_for_keys(thread: Thread) -> bool:
    """Whether a thread's program is known to poll for keys in raw mode, and not as a sleep.

    A shell is not: its ``read -t`` polls with a time limit that ends the read.

    Raises:
        OSError: If the kernel does not report it.
    """
    program = thread.program
    return program.polls_for_keys or program.passes_on or program.kind is Kind.REPL


def is_terminal(thread: Thread, file: str, device: Device) -> bool:
    """Whether a file that a thread has open is the terminal."""
    with suppress(OSError):
        return thread.files.status(file).st_rdev in (device.number, _DEV_TTY)
    return False


def _kind(thread: Thread, file: str) -> str:
    """Return the kernel's name of an open file, such as ``pipe:[12]``; empty if it has none."""
    with suppress(OSError):
        return thread.files.link(file)
    return ""
