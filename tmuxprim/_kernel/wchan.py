"""The evidence of a kernel without the right to attach to a process.

Wchan evidence is the kernel function that a thread sleeps in, and the files it has open: every
process of our own user tells them. The functions have other names in other kernels, so an unknown
one is unknown, and never "no". Counters are what every process tells, another user's as well.
"""

import enum
import os
import re
import stat
from contextlib import suppress
from typing import Final, NamedTuple

from tmuxprim._kernel.wait_targets import (
    EPOLL,
    NOT_TOLD,
    PTMX,
    Device,
    Thread,
    ThreadWait,
    Waiting,
    among,
    epoll_targets,
    is_terminal,
    leads_to_another_terminal,
    polls_for_keys,
    shares_pipe,
)
from tmuxprim._values.evidence import Level
from tmuxprim._values.programs import Kind, program_called


class _Sleep(enum.Enum):
    """In what a thread sleeps."""

    UNKNOWN = enum.auto()
    """A function that is in no table of ours."""
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


# How the functions' names begin, in kernels from 3.10 to 6.18, without what names a system call.
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

_MOST_FILES: Final = 256
_MEMORY: Final = 1  # the major number of /dev/null and its like
# Of these a program waits for itself, or for signals; none of them is read like a terminal.
_OWN: Final = ("anon_inode:[eventfd]", "anon_inode:[signalfd]", "anon_inode:[timerfd]")


class _Open(NamedTuple):
    """The files that a process has open, as far as it may be what it waits for.

    Args:
        terminal: Whether the terminal is among it.
        terminals: Whether another terminal, or another device, is.
        woken: Whether something is that is read in ``wait_woken`` as a terminal is.
        own: Whether something is by which its threads, or others of its kind, wake one another.
        pipes: Whether a pipe without a name is, by which a child may answer.
        pass_through: Whether something is that another program's terminal stands behind.
        makes: Whether that is a terminal which it has made itself.
        epolls: Its epoll(7) descriptors.
    """

    terminal: bool = False
    terminals: bool = False
    woken: bool = False
    own: bool = False
    pipes: bool = False
    pass_through: bool = False
    makes: bool = False
    epolls: tuple[int, ...] = ()

    @property
    def is_alone(self) -> bool:
        """Whether nothing but the terminal can wake it, and perhaps a pipe."""
        return not (self.terminals or self.woken or self.own or self.epolls)


class WaitChannels:
    """Tells by ``wchan``, ``fd`` and ``fdinfo``."""

    level: Level = "wchan"

    def describe(self, thread: Thread, device: Device) -> ThreadWait | None:
        """Return what a thread waits for, by where it sleeps and what it has open."""
        try:
            channel = thread.read("wchan").strip()
            if channel in ("", "0"):  # it runs; or it is not ours to know
                works = _is_working(thread) and _are_files_ours(thread)
                return ThreadWait(Waiting.ELSEWHERE) if works else None
            sleep = _sleep_in(channel)
            if sleep is _Sleep.UNKNOWN and _is_working(thread):
                return ThreadWait(Waiting.ELSEWHERE)
            if sleep in _WITHOUT_FILES:
                return ThreadWait(_WITHOUT_FILES[sleep])
            return _by_files(thread, sleep, _open_files(thread, device), device)
        except OSError:  # not permitted, not in this kernel, or the thread has ended
            return None


class States:
    """Tells by ``stat``: who runs reads nothing, and of who sleeps no more is known."""

    level: Level = "stat"

    def describe(self, thread: Thread, device: Device) -> ThreadWait:
        """Return that a thread works, or that this cannot be determined."""
        del device  # who sleeps may wait for it, or not
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
        OSError: If the kernel does not tell, or the thread has ended.
    """
    return thread.read("stat").rpartition(")")[2].split()[0] != "S"


def _are_files_ours(thread: Thread) -> bool:
    thread.files.names(f"{thread.directory}/fd")
    return True


def is_in_poll(thread: Thread) -> bool | None:
    """Whether a thread sleeps in poll(2) or select(2); None if the kernel does not tell."""
    with suppress(OSError):
        sleep = _sleep_in(thread.read("wchan").strip())
        return None if sleep is _Sleep.UNKNOWN else sleep is _Sleep.POLL
    return None


def _sleep_in(channel: str) -> _Sleep:
    name = _SYSTEM_CALL.sub("", channel)
    return next((sleep for sleep, names in _SLEEPS if name.startswith(names)), _Sleep.UNKNOWN)


def _by_files(thread: Thread, sleep: _Sleep, files: _Open, device: Device) -> ThreadWait:
    if sleep is _Sleep.EPOLL:
        return ThreadWait(_in_epoll(thread, files.epolls, device))
    if not files.terminal:
        return ThreadWait(Waiting.ELSEWHERE)
    if sleep is not _Sleep.POLL:
        is_other = files.terminals or (sleep is _Sleep.READ and files.woken)
        return ThreadWait(Waiting.UNKNOWN if is_other else Waiting.TERMINAL, device.limit)
    if not device.is_raw:
        return _in_poll_for_lines(thread, files)
    waiting = _in_poll_for_keys(files)
    is_told = waiting is Waiting.TERMINAL_AND_PASS_THROUGH or _edits(thread, device)
    return ThreadWait(waiting, None if is_told else NOT_TOLD)


def _in_poll_for_keys(files: _Open) -> Waiting:
    """Return what a thread polls in raw mode."""
    if files.pipes and not files.makes:
        return Waiting.UNKNOWN
    if files.pass_through:
        return Waiting.TERMINAL_AND_PASS_THROUGH
    return Waiting.TERMINAL if files.is_alone else Waiting.TERMINAL_AND_MORE


def _edits(thread: Thread, device: Device) -> bool:
    """Whether what polls in raw mode is known to edit lines, and not to sleep like that.

    Any program can make the terminal as line editors do, and poll it for a time.
    """
    if polls_for_keys(thread):
        return True
    # Its ``read -e`` edits in code that it was given (``bash -c``) as well.
    program = program_called(thread.first.read("comm").strip())
    return device.is_edited and program.kind is Kind.SHELL


def _in_poll_for_lines(thread: Thread, files: _Open) -> ThreadWait:
    """Return what a thread polls in whole lines, or whether it sleeps for a time, as perl may."""
    program = program_called(thread.first.read("comm").strip())
    is_shell = program.polls_to_read
    if files.pipes:  # what a program awaits of its children is no key
        awaits_child = not (is_shell or files.woken) and shares_pipe(thread)
        return ThreadWait(Waiting.ELSEWHERE if awaits_child else Waiting.UNKNOWN)
    if not (files.is_alone and is_shell):
        return ThreadWait(Waiting.UNKNOWN)
    return ThreadWait(Waiting.TERMINAL, None if program.polls_for_lines else NOT_TOLD)


def _in_epoll(thread: Thread, epolls: tuple[int, ...], device: Device) -> Waiting:
    """Return what a thread waits for in one of its process's epoll descriptors.

    With several, as node has, the terminal's is that of the first thread, unless that waits for
    the others. One that another one watches is a part of that.
    """
    targets = {epoll: epoll_targets(thread, epoll) for epoll in epolls}
    watched = set[int]().union(*targets.values())
    awaited = [files for epoll, files in targets.items() if files and epoll not in watched]
    found = [among(thread, files, device) for files in awaited]
    most = max(found, default=Waiting.UNKNOWN)
    if len(found) <= 1 or most is Waiting.ELSEWHERE:
        return most
    if thread != thread.first:
        is_idle = _sleep_in(thread.first.read("wchan").strip()) is _Sleep.IDLE
        return Waiting.UNKNOWN if is_idle else Waiting.IDLE
    return min(most, Waiting.TERMINAL_AND_PASS_THROUGH) if device.is_raw else Waiting.UNKNOWN


def _open_files(thread: Thread, device: Device) -> _Open:
    """Look at what a process has open.

    Raises:
        OSError: If it is not ours to know.
    """
    directory = f"{thread.directory}/fd"
    numbers = thread.files.names(directory)
    found = _Open(woken=len(numbers) > _MOST_FILES, pipes=len(numbers) > _MOST_FILES)
    for number in numbers[:_MOST_FILES]:
        with suppress(FileNotFoundError):  # closed while we looked
            found = _with(found, thread, int(number), device)
    return found


def _with(found: _Open, thread: Thread, number: int, device: Device) -> _Open:
    """Add an open file to what was found; plain files and directories are never waited for."""
    file = f"{thread.directory}/fd/{number}"
    kind = thread.files.link(file)
    if kind.startswith("anon_inode:"):
        epolls = (*found.epolls, number) if kind == EPOLL else found.epolls
        is_own, is_woken = kind in _OWN, kind not in (*_OWN, EPOLL)
        return found._replace(epolls=epolls, own=found.own or is_own, woken=found.woken or is_woken)
    if kind.startswith("pipe:"):
        return found._replace(pipes=True)
    if is_terminal(thread, file, device):
        return found._replace(terminal=True)
    status = thread.files.status(file)
    mode, is_memory = status.st_mode, os.major(status.st_rdev) == _MEMORY
    return found._replace(
        terminals=found.terminals or (stat.S_ISCHR(mode) and not is_memory),
        woken=found.woken or stat.S_ISSOCK(mode),
        own=found.own or stat.S_ISFIFO(mode),  # with a name: fish hears by it of other shells
        pass_through=found.pass_through or leads_to_another_terminal(thread, file),
        makes=found.makes or status.st_rdev == PTMX,
    )
