"""Wchan evidence, which needs no right to attach to a process; and the thread states below that.

Wchan evidence is the kernel function that a thread sleeps in, and the files that its process has
open. The kernel reports both for the processes of our own user. It does not report which of the
files a thread waits for, so the rules here conclude that. Kernels differ in the names of their
functions: an unknown name means "unknown", and never "no".
"""

import enum
import operator
import os
import re
import stat
from contextlib import suppress
from typing import Final, NamedTuple

from tmuxprim._kernel.wait_targets import (
    EPOLL,
    PTMX,
    UNREPORTED_LIMIT,
    Device,
    Thread,
    ThreadWait,
    Waiting,
    classify_wait,
    epoll_targets,
    is_terminal,
    leads_to_another_terminal,
    polls_for_keys,
    shares_pipe,
)
from tmuxprim._values.evidence import Level
from tmuxprim._values.programs import Kind, program_called


class _Sleep(enum.Enum):
    """The kind of kernel function in which a thread sleeps."""

    UNKNOWN = enum.auto()
    """A function that is not in our table."""
    LINE = enum.auto()
    """A read of a terminal."""
    READ = enum.auto()
    """A read of a terminal, of a network connection, or of inotify(7)."""
    POLL = enum.auto()
    """poll(2) or select(2): for files, for a time, or for both."""
    EPOLL = enum.auto()
    """epoll_wait(2)."""
    IDLE = enum.auto()
    """futex(2), or a wait for a signal."""
    WORK = enum.auto()
    """Something that is not the terminal."""


# Beginnings of the functions' names, in kernels from 3.10 to 6.18, without the prefix of a system
# call (`_SYSTEM_CALL`).
_BEGINNINGS: Final = {
    _Sleep.LINE: "n_tty_read",
    _Sleep.READ: "wait_woken",
    _Sleep.POLL: "poll_schedule_timeout|do_select|core_sys_select|do_pselect|do_poll|do_sys_poll",
    _Sleep.EPOLL: "ep_poll|do_epoll|sys_epoll",
    _Sleep.IDLE: "futex|__futex|do_futex|sys_futex|do_sigtimedwait|sys_rt_sigtimedwait",
    _Sleep.WORK: "hrtimer_nanosleep|do_nanosleep|common_nsleep|sys_nanosleep|do_wait|kernel_wait"
    "|sigsuspend|sys_rt_sigsuspend|sys_pause|do_signal_stop|ptrace_stop|wait_for_vfork"
    "|kernel_clone|do_fork|_do_fork|wait_for_completion"
    "|pipe_|anon_pipe_|fifo_open|wait_for_partner"
    "|unix_|sk_|__skb_|skb_|inet_|tcp_|udp_|io_schedule|wait_on_page|folio_wait"
    "|locks_lock|flock_lock|fuse_|request_wait_answer|rpc_wait|n_tty_write|do_msg|do_semtimedop"
    "|inotify_read|eventfd_read|signalfd_|timerfd_read",
}
_SYSTEM_CALL: Final = re.compile(r"^__(?:x64|ia32|arm64|riscv|s390x?|se|do)_(?=(?:compat_)?sys_)")
_SLEEPS: Final = tuple((sleep, tuple(names.split("|"))) for sleep, names in _BEGINNINGS.items())

NOT_FOR_KEYS: Final = tuple(f"{_BEGINNINGS[_Sleep.WORK]}|{_BEGINNINGS[_Sleep.IDLE]}".split("|"))
"""Beginnings of the names of functions in which no thread waits for a key."""

_MOST_FILES: Final = 256
_MEMORY: Final = 1  # the major number of /dev/null and its like
# By these a program wakes itself, or gets signals. None of them is read like a terminal.
_OWN: Final = ("anon_inode:[eventfd]", "anon_inode:[signalfd]", "anon_inode:[timerfd]")


class _OpenFiles(NamedTuple):
    """The open files of a process for which it may wait, by their kinds.

    Args:
        epolls: Its epoll(7) descriptors.
        terminal: Whether it has the terminal open.
        terminals: Whether it has another terminal or another device open.
        woken: Whether it has a socket or the like open, which is read in ``wait_woken``, as a
            terminal is.
        own: Whether it has a file open by which its threads, or other processes of its program,
            wake one another.
        pipes: Whether it has a pipe without a name open, by which a child may answer.
        pass_through: Whether it has a file open that leads to another program's terminal.
        makes: Whether it has made a terminal itself.
    """

    epolls: tuple[int, ...] = ()
    terminal: bool = False
    terminals: bool = False
    woken: bool = False
    own: bool = False
    pipes: bool = False
    pass_through: bool = False
    makes: bool = False

    def merge(self, other: "_OpenFiles") -> "_OpenFiles":
        """Return both together."""
        return _OpenFiles(self.epolls + other.epolls, *map(operator.or_, self[1:], other[1:]))

    @property
    def is_alone(self) -> bool:
        """Whether nothing but the terminal can wake it, and perhaps a pipe."""
        return not (self.terminals or self.woken or self.own or self.epolls)


class WaitChannels:
    """The source that reads ``wchan``, ``fd`` and ``fdinfo``, as the process's own user may."""

    level: Level = "wchan"

    def describe(self, thread: Thread, device: Device) -> ThreadWait | None:
        """Return what a thread waits for, by where it sleeps and what it has open."""
        try:
            channel = thread.read("wchan").strip()
            if channel in ("", "0"):  # it runs, or the kernel hides it from us
                if not _is_working(thread):
                    return None
                # Raises an error for another user's process, which `ThreadStates` then judges.
                thread.files.names(f"{thread.directory}/fd")
                return ThreadWait(Waiting.ELSEWHERE)
            sleep = _sleep_in(channel)
            if sleep is _Sleep.UNKNOWN and _is_working(thread):
                return ThreadWait(Waiting.ELSEWHERE)
            if sleep in _WITHOUT_FILES:
                return ThreadWait(_WITHOUT_FILES[sleep])
            return _by_files(thread, sleep, _open_files(thread, device), device)
        except OSError:  # not permitted, not in this kernel, or the thread has ended
            return None


class ThreadStates:
    """The source that reads ``stat``, as everybody may: only whether a thread runs or sleeps."""

    level: Level = "stat"

    def describe(self, thread: Thread, device: Device) -> ThreadWait:
        """Return that a thread works, or that this cannot be determined."""
        del device  # a thread that sleeps may wait for the terminal, or not
        try:
            return ThreadWait(Waiting.ELSEWHERE if _is_working(thread) else Waiting.UNKNOWN)
        except OSError:
            return ThreadWait(Waiting.UNKNOWN)


_WITHOUT_FILES: Final = {
    _Sleep.UNKNOWN: Waiting.UNKNOWN,
    _Sleep.IDLE: Waiting.IDLE,
    _Sleep.WORK: Waiting.ELSEWHERE,
}


def _is_working(thread: Thread) -> bool:
    """Whether a thread does not sleep where a key would wake it.

    It runs (``R``), or waits for a disk (``D``): a shell that looks for a command in cold
    directories sleeps in functions of the file system, which no table names. See proc_pid_stat(5).

    Raises:
        OSError: If the kernel does not report it, or the thread has ended.
    """
    return thread.read("stat").rpartition(")")[2].split()[0] != "S"


def is_in_poll(thread: Thread) -> bool | None:
    """Whether a thread sleeps in poll(2) or select(2); None if that cannot be determined."""
    with suppress(OSError):
        sleep = _sleep_in(thread.read("wchan").strip())
        return None if sleep is _Sleep.UNKNOWN else sleep is _Sleep.POLL
    return None


def _sleep_in(channel: str) -> _Sleep:
    name = _SYSTEM_CALL.sub("", channel)
    return next((sleep for sleep, names in _SLEEPS if name.startswith(names)), _Sleep.UNKNOWN)


def _by_files(thread: Thread, sleep: _Sleep, files: _OpenFiles, device: Device) -> ThreadWait:
    """Return what a thread waits for, by its kind of sleep and the open files."""
    if sleep is _Sleep.EPOLL:
        return ThreadWait(_in_epoll(thread, files.epolls, device))
    # What it does not have open it does not wait for.
    if not files.terminal:
        return ThreadWait(Waiting.ELSEWHERE)
    if sleep is not _Sleep.POLL:
        is_other = files.terminals or (sleep is _Sleep.READ and files.woken)
        return ThreadWait(Waiting.UNKNOWN if is_other else Waiting.TERMINAL, device.limit)
    if not device.is_raw:
        return _in_poll_for_lines(thread, files)
    waiting = _in_poll_for_keys(files)
    is_for_keys = waiting is Waiting.TERMINAL_AND_PASS_THROUGH or _edits(thread, device)
    return ThreadWait(waiting, None if is_for_keys else UNREPORTED_LIMIT)


def _in_poll_for_keys(files: _OpenFiles) -> Waiting:
    """Return the wait of a thread that polls in raw mode."""
    # It may wait for a child's answer through the pipe, and not for a key.
    if files.pipes and not files.makes:
        return Waiting.UNKNOWN
    if files.pass_through:
        return Waiting.TERMINAL_AND_PASS_THROUGH
    return Waiting.TERMINAL if files.is_alone else Waiting.TERMINAL_AND_MORE


def _edits(thread: Thread, device: Device) -> bool:
    """Whether a thread that polls in raw mode is known to edit a line there.

    Any other program may have made the terminal raw, and use the poll as a sleep.
    """
    if polls_for_keys(thread):
        return True
    # A shell's ``read -e`` also edits in code that the shell was given (``bash -c``), so that its
    # name counts here.
    program = program_called(thread.first.read("comm").strip())
    return device.is_edited and program.kind is Kind.SHELL


def _in_poll_for_lines(thread: Thread, files: _OpenFiles) -> ThreadWait:
    """Return the wait of a thread that polls in canonical mode; it may be a sleep, as in perl."""
    program = program_called(thread.first.read("comm").strip())
    is_shell = program.polls_to_read
    if files.pipes:  # it may poll for a child's answer, and not for a key
        awaits_child = not (is_shell or files.woken) and shares_pipe(thread)
        return ThreadWait(Waiting.ELSEWHERE if awaits_child else Waiting.UNKNOWN)
    if not (files.is_alone and is_shell):
        return ThreadWait(Waiting.UNKNOWN)
    return ThreadWait(Waiting.TERMINAL, None if program.polls_for_lines else UNREPORTED_LIMIT)


def _in_epoll(thread: Thread, epolls: tuple[int, ...], device: Device) -> Waiting:
    """Return what a thread waits for in one of its process's epoll descriptors.

    The kernel does not report in which one. Of several, as in node, that of the terminal belongs to
    the first thread, unless that one waits for the others.
    """
    targets = {epoll: epoll_targets(thread, epoll) for epoll in epolls}
    # A descriptor that another one watches is waited for through that one.
    watched = set[int]().union(*targets.values())
    awaited = [files for epoll, files in targets.items() if files and epoll not in watched]
    found = [classify_wait(thread, files, device) for files in awaited]
    most = max(found, default=Waiting.UNKNOWN)
    if len(found) <= 1 or most is Waiting.ELSEWHERE:
        return most
    if thread != thread.first:
        is_idle = _sleep_in(thread.first.read("wchan").strip()) is _Sleep.IDLE
        return Waiting.UNKNOWN if is_idle else Waiting.IDLE
    return min(most, Waiting.TERMINAL_AND_PASS_THROUGH) if device.is_raw else Waiting.UNKNOWN


def _open_files(thread: Thread, device: Device) -> _OpenFiles:
    """Return the open files of a process.

    Raises:
        OSError: If the kernel does not report it to us.
    """
    directory = f"{thread.directory}/fd"
    numbers = thread.files.names(directory)
    # Of too many files only the first are read. Then the rest may hold a socket or a pipe.
    found = _OpenFiles(woken=len(numbers) > _MOST_FILES, pipes=len(numbers) > _MOST_FILES)
    for number in numbers[:_MOST_FILES]:
        with suppress(FileNotFoundError):  # closed while we looked
            found = found.merge(_open_file(thread, int(number), device))
    return found


def _open_file(thread: Thread, number: int, device: Device) -> _OpenFiles:
    """Return the kind of one open file; plain files and directories are never waited for."""
    file = f"{thread.directory}/fd/{number}"
    kind = thread.files.link(file)
    if kind == EPOLL:
        return _OpenFiles(epolls=(number,))
    if kind.startswith("anon_inode:"):
        return _OpenFiles(own=True) if kind in _OWN else _OpenFiles(woken=True)
    if kind.startswith("pipe:"):
        return _OpenFiles(pipes=True)
    if is_terminal(thread, file, device):
        return _OpenFiles(terminal=True)
    status = thread.files.status(file)
    mode, is_memory = status.st_mode, os.major(status.st_rdev) == _MEMORY
    return _OpenFiles(
        terminals=stat.S_ISCHR(mode) and not is_memory,
        woken=stat.S_ISSOCK(mode),
        # A named pipe, such as the one by which fish learns of changes in other shells.
        own=stat.S_ISFIFO(mode),
        pass_through=leads_to_another_terminal(thread, file),
        makes=status.st_rdev == PTMX,
    )
