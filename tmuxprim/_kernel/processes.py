"""`Processes`: what ``/proc`` reports of a process: state, family, name, and open files."""

import os
import re
import signal
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, NamedTuple

from tmuxprim._kernel.files import Files
from tmuxprim._kernel.wait_targets import Device, Thread, is_terminal
from tmuxprim._values.evidence import Activity
from tmuxprim._values.programs import is_given_code, program_run_by

# So many processes of a group are asked. A build may have hundreds, but none reads the terminal.
MOST_PROCESSES: Final = 128
# States of a process that C-z or a debugger has stopped. It is still in its read, but reads
# nothing.
_STOPPED: Final = ("T", "t")
_ASLEEP: Final = "S"
_AT_A_DISK: Final = "D"
_FIRST: Final = 1  # the number of the process that all others come from
# The note that the linker of Go writes at the beginning of a program, by its name and type
# (elf(5)).
_GO: Final = re.compile(rb"\x04\0\0\0.\0\0\0\x04\0\0\0Go\0\0", re.DOTALL)
_FIRST_PAGE: Final = 4096
_LARGEST_ENVIRONMENT: Final = 1 << 20
# Signals that a process ignores, a bit each, in ``status``.
_IGNORED: Final = re.compile(r"^SigIgn:\s*([0-9a-f]+)$", re.MULTILINE)
_FLAGS: Final = re.compile(r"^flags:\s*([0-7]+)$", re.MULTILINE)
_STOPS: Final = 1 << (signal.SIGTSTP - 1) | 1 << (signal.SIGTERM - 1)


class Stat(NamedTuple):
    """The fields of ``stat`` that we need (proc_pid_stat(5)).

    Args:
        state: Its state, in a letter.
        parent: The process that has started it.
        group: Its process group.
        session: Its session.
        tty: Its terminal, as the kernel numbers it; 0 for none.
        foreground: The foreground process group of that.
        threads: How many threads it has.
        stack: Where its stack begins.
        started: When it was started, in ticks since the machine was.
    """

    state: str
    parent: int
    group: int
    session: int
    tty: int
    foreground: int
    threads: int
    stack: int
    started: int

    @property
    def is_stopped(self) -> bool:
        """Whether it has been stopped."""
        return self.state in _STOPPED

    @property
    def is_asleep(self) -> bool:
        """Whether it sleeps."""
        return self.state == _ASLEEP

    @property
    def is_at_a_disk(self) -> bool:
        """Whether it waits for a disk, or another device that no signal interrupts."""
        return self.state == _AT_A_DISK

    def has_terminal(self, device: int) -> bool:
        """Whether a device is its terminal; the kernel writes the number in its own way."""
        minor = os.minor(device)
        return self.tty == (minor & 0xFF) | (os.major(device) << 8) | ((minor & ~0xFF) << 12)


class Processes:
    """Reads ``/proc``; an answer is None, or empty, where the kernel does not report it."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self.root = files.root
        self._groups: dict[int, int] = {}

    def thread(self, process: int, number: int | None = None) -> Thread:
        """Return a thread of a process, by default the first."""
        return Thread(self._files, process, process if number is None else number)

    def stat(self, process: int) -> Stat | None:
        """Return its state and its family."""
        text = self._read(process, "stat")
        if not text:
            return None
        words = text.rpartition(")")[2].split()  # the name may hold blanks
        parent, group, session, tty, foreground = map(int, words[1:6])
        threads, started, stack = int(words[17]), int(words[19]), int(words[25])
        return Stat(words[0], parent, group, session, tty, foreground, threads, stack, started)

    def name(self, process: int) -> str:
        """Return its name, which it may change."""
        return self._read(process, "comm").strip()

    def program(self, process: int) -> str | None:
        """Return the name of the program that it runs, by its command line.

        It is empty for code that an interpreter was given, which has no name.
        """
        words = self._read(process, "cmdline").rstrip("\0").split("\0")
        name, is_code = program_run_by(words), is_given_code(words)
        return "" if is_code else name or None

    def environment(self, process: int) -> dict[str, str]:
        """Return the environment that it was started with."""
        with suppress(OSError):
            text = self._files.head(f"{self.root}/{process}/environ", _LARGEST_ENVIRONMENT)
            parts = (os.fsdecode(part).partition("=") for part in text.split(b"\0"))
            return {name: value for name, _, value in parts}
        return {}

    def activity(self, process: int, thread: int) -> Activity | None:
        """Return what a thread has done so far."""
        words = self._read(process, f"task/{thread}/schedstat").split()
        return Activity(int(words[2]), int(words[0]), int(words[1])) if words else None

    def wakeups(self, process: int, thread: int) -> int | None:
        """Return how often a thread was given a processor."""
        activity = self.activity(process, thread)
        return activity.wakeups if activity else None

    def ignores_stop(self, process: int) -> bool | None:
        """Return whether it ignores SIGTSTP or SIGTERM."""
        ignored = _IGNORED.search(self._read(process, "status"))
        return None if ignored is None else bool(int(ignored[1], 16) & _STOPS)

    def has_main_thread(self, process: int) -> bool:
        """Return whether the first thread of a program is its main thread, as in all but Go's.

        Go carries out each function of a program on any of its threads.
        """
        with suppress(OSError):
            return _GO.search(self._files.head(f"{self.root}/{process}/exe", _FIRST_PAGE)) is None
        return True

    def threads(self, process: int, stat: Stat | None) -> list[int]:
        """Return its threads; the first has its own number, and most have no other."""
        if stat is not None and stat.threads == 1:
            return [process]
        with suppress(OSError):
            return [int(name) for name in self._files.names(f"{self.root}/{process}/task")]
        return []

    def children(self, process: int, stat: Stat | None) -> list[int]:
        """Return the processes that it has started, and that have not ended."""
        threads = self.threads(process, stat)
        lists = (self._read(process, f"task/{thread}/children") for thread in threads)
        return [int(child) for text in lists for child in text.split()]

    def descendants(self, process: int) -> Iterator[tuple[int, Stat | None]]:
        """Yield its children, their children, and so on; of very many, not all."""
        queue = self.children(process, self.stat(process))
        for child in queue:
            its_stat = self.stat(child)
            yield child, its_stat
            room = max(MOST_PROCESSES - len(queue), 0)
            queue.extend(self.children(child, its_stat)[:room])

    def orphans(self, stat: Stat, group: int) -> Iterator[tuple[int, Stat | None]]:
        """Yield the processes of a group whose parent has ended.

        Such a process becomes a child of the first process of all, or of an ancestor that has asked
        for it (PR_SET_CHILD_SUBREAPER). *stat* is that of a process with the same ancestors. An
        ancestor may have many other children, so the group of each is asked for only once.
        """
        before, self._groups = self._groups, {}
        for ancestor, ancestor_stat in self._ancestors(stat):
            for child in self.children(ancestor, ancestor_stat):
                its_stat = None if child in before else self.stat(child)
                self._groups[child] = before.get(child, its_stat.group if its_stat else 0)
                if self._groups[child] == group:
                    yield child, its_stat or self.stat(child)

    def _ancestors(self, stat: Stat) -> Iterator[tuple[int, Stat | None]]:
        """Yield the ancestors of the process with this ``stat``, up to the first process of all."""
        number = stat.parent
        while number > _FIRST and (its_stat := self.stat(number)) is not None:
            yield number, its_stat
            number = its_stat.parent
        yield _FIRST, self.stat(_FIRST)

    def called(self, name: str) -> Iterator[int]:
        """Yield all processes of this machine whose names begin with *name*."""
        for process in self._files.names(self.root):
            if process.isdigit() and self.name(int(process)).startswith(name):
                yield int(process)

    def files(self, process: int, device: int) -> Iterator[str]:
        """Yield the descriptors of a process that are of one device."""
        directory = f"{self.thread(process).directory}/fd"
        with suppress(OSError):  # another user's
            for number in self._files.names(directory):
                with suppress(FileNotFoundError):  # closed while we looked
                    if self._files.status(f"{directory}/{number}").st_rdev == device:
                        yield number

    def input_flags(self, process: int, device: Device) -> int:
        """Return the flags of open(2) of a process's input if that is a terminal, else 0."""
        thread = self.thread(process)
        is_tty = is_terminal(thread, f"{thread.directory}/fd/0", device)
        flags = _FLAGS.search(self._read(process, f"task/{process}/fdinfo/0")) if is_tty else None
        return int(flags[1], 8) if flags else 0

    def _read(self, process: int, name: str) -> str:
        """Return the text of a file of a process; empty if it is refused."""
        with suppress(OSError):
            return self._files.read(f"{self.root}/{process}/{name}")
        return ""
