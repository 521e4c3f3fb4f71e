"""Syscall evidence: the system call that a thread sleeps in, with its arguments.

These show exactly which files the thread waits for, and for how long. To read them takes the right
to attach to the process (ptrace(2)), which many machines refuse.
"""

import enum
import struct
from contextlib import suppress
from typing import Final, NamedTuple

from tmuxprim._kernel.wait_targets import (
    UNREPORTED_LIMIT,
    Device,
    Thread,
    ThreadWait,
    Waiting,
    classify_wait,
    epoll_targets,
    polls_for_keys,
)
from tmuxprim._kernel.wchan import is_in_poll
from tmuxprim._values.evidence import Level
from tmuxprim._values.programs import is_of_runtime


class _Kind(enum.Enum):
    """The kind of object that a system call waits for."""

    READ = enum.auto()
    """One file, which is its first argument."""
    POLL = enum.auto()
    """A list of files."""
    SELECT = enum.auto()
    """A set of files."""
    EPOLL = enum.auto()
    """The files of an epoll(7) descriptor."""
    IDLE = enum.auto()
    """Another thread of the program, or a signal."""
    WORK = enum.auto()
    """A time, a child, a message, a lock: never the input of a terminal."""


class _Call(NamedTuple):
    """A system call in which a thread may sleep.

    Args:
        kind: What it waits for.
        limit: The place of its time limit among its arguments; None if it has none.
        is_count: Whether the limit is a number of milliseconds, and not the address of a time.
        parts: The unit behind the whole seconds of that time: so many make a second.
    """

    kind: _Kind
    limit: int | None = None
    is_count: bool = False
    parts: float = 1e9

    def is_endless(self, arguments: list[int]) -> bool:
        """Whether the call takes a time limit, and was made without one."""
        if self.limit is None:
            return False
        limit = arguments[self.limit]
        return bool(limit & _NEGATIVE) if self.is_count else limit == 0  # no address

    def time_limit(self, thread: Thread, arguments: list[int]) -> float:
        """Return the seconds after which it ends by itself, if it has a limit.

        Raises:
            OSError: If the kernel does not report it.
        """
        limit = arguments[self.limit or 0]
        if self.is_count:
            return limit / 1000
        seconds, parts = struct.unpack("=qq", _memory(thread, limit, _TIME_SIZE))
        return float(seconds + parts / self.parts)


_FUTEX: Final = _Call(_Kind.IDLE, 3)
_WAITS: Final = {
    **dict.fromkeys(("read", "readv", "pread64"), _Call(_Kind.READ)),
    "poll": _Call(_Kind.POLL, 2, is_count=True),
    "ppoll": _Call(_Kind.POLL, 2),
    "select": _Call(_Kind.SELECT, 4, parts=1e6),
    "pselect6": _Call(_Kind.SELECT, 4),
    **dict.fromkeys(("epoll_wait", "epoll_pwait"), _Call(_Kind.EPOLL, 3, is_count=True)),
    "epoll_pwait2": _Call(_Kind.EPOLL, 3),
    "futex": _FUTEX,
    "futex_waitv": _Call(_Kind.IDLE, 3),
    "futex_wait": _Call(_Kind.IDLE, 4),
    "rt_sigtimedwait": _Call(_Kind.IDLE, 2),
}
_WORK: Final = _Call(_Kind.WORK)
# The numbers of system calls, by processor. The calls of `_WAITS`, and those of other work in which
# programs sleep most. A call that is not here may wait for anything: io_uring_enter and splice can
# also read a terminal.
_NUMBERS: Final = {
    "x86_64": (
        "read 0 readv 19 pread64 17 poll 7 ppoll 271 select 23 pselect6 270 epoll_wait 232"
        " epoll_pwait 281 epoll_pwait2 441 futex 202 futex_waitv 449 futex_wait 455"
        " rt_sigtimedwait 128"
        " nanosleep 35 clock_nanosleep 230 pause 34 rt_sigsuspend 130 wait4 61 waitid 247"
        " clone 56 fork 57 vfork 58 clone3 435 write 1 pwrite64 18 writev 20 open 2 openat 257"
        " ioctl 16 fcntl 72 flock 73 fsync 74 fdatasync 75 connect 42 accept 43 accept4 288"
        " sendto 44 sendmsg 46 sendmmsg 307 recvfrom 45 recvmsg 47 recvmmsg 299"
        " semop 65 semtimedop 220 msgsnd 69 msgrcv 70 mq_timedsend 242 mq_timedreceive 243"
    ),
    "aarch64": (
        "read 63 readv 65 pread64 67 ppoll 73 pselect6 72 epoll_pwait 22 epoll_pwait2 441"
        " futex 98 futex_waitv 449 futex_wait 455 rt_sigtimedwait 137"
        " nanosleep 101 clock_nanosleep 115 rt_sigsuspend 133 wait4 260 waitid 95"
        " clone 220 clone3 435 write 64 pwrite64 68 writev 66 openat 56"
        " ioctl 29 fcntl 25 flock 32 fsync 82 fdatasync 83 connect 203 accept 202 accept4 242"
        " sendto 206 sendmsg 211 sendmmsg 269 recvfrom 207 recvmsg 212 recvmmsg 243"
        " semop 193 semtimedop 192 msgsnd 189 msgrcv 188 mq_timedsend 182 mq_timedreceive 183"
    ),
}


def _calls(numbers: str) -> dict[int, _Call]:
    words = iter(numbers.split())
    return {int(number): _WAITS.get(name, _WORK) for name, number in zip(words, words, strict=True)}


_CALLS: Final = {machine: _calls(numbers) for machine, numbers in _NUMBERS.items()}
# In the second argument of futex(2): the bits of the command, and the command to wait for a time.
_FUTEX_COMMAND: Final = 0x7F
_FUTEX_WAIT: Final = 0
# Seconds. Go's runtime sleeps for so long when there is nothing to do (forcegcperiod, halved).
_LONG: Final = 60.0
# Seconds. Runtimes have threads that wake up again and again after a shorter time. That is no sign
# of work: a program that works in such steps prints something, or starts another thread.
_TICK: Final = 0.5
_RESTARTS: Final = {"x86_64": 219, "aarch64": 128}  # restart_syscall

_MOST_FILES: Final = 1024
_WORDS_OF_A_CALL: Final = 7  # its number and six arguments
_NEGATIVE: Final = 0x80000000  # the sign of an int
_TIME_SIZE: Final = 16  # of a timespec and of a timeval: whole seconds, and parts of one
_POLLIN: Final = 0x0001
# The stack of a program is above this address, unless it was built for 32 bits. Then the numbers of
# its system calls are others.
_MOST_OF_32_BITS: Final = 1 << 32
# Seconds. For so long a line editor waits for the rest of a key's escape sequence. That is no wait
# for a command: BusyBox throws away what is typed then.
_REST_OF_A_KEY: Final = 0.05


class SystemCalls:
    """The source that reads ``syscall`` and ``mem``, with the right to attach to the process."""

    level: Level = "syscall"

    def describe(self, thread: Thread, device: Device) -> ThreadWait | None:
        """Return what a thread waits for, exactly; None if that is refused, or the call unknown."""
        calls = _CALLS.get(thread.files.machine)
        try:
            words = thread.read("syscall").split() if calls else None
        except OSError:  # not permitted, not in this kernel, or the thread has ended
            words = None
        if calls is None or words is None:
            return None
        if len(words) <= _WORDS_OF_A_CALL:  # "running", or asleep outside any call
            return ThreadWait(Waiting.ELSEWHERE)
        number, *arguments = int(words[0]), *(int(word, 16) for word in words[1:8])
        if arguments.pop() < _MOST_OF_32_BITS:
            return None
        is_restarted = number == _RESTARTS[thread.files.machine]
        known = _restarted(thread) if is_restarted else calls.get(number)
        return None if known is None else _in_call(thread, known, arguments, device)


def _in_call(
    thread: Thread, call: _Call, arguments: list[int], device: Device
) -> ThreadWait | None:
    """Return what a thread waits for in a known call; None if its memory is closed to us."""
    if call.kind is _Kind.WORK:
        return ThreadWait(Waiting.ELSEWHERE)
    try:
        if call.kind is _Kind.IDLE:
            return _in_lock(thread, call, arguments)
        return _for_files(thread, call, arguments, device)
    except PermissionError:  # some machines show the calls, but not the memory
        return None
    except (OSError, struct.error):  # the thread has gone on while we looked
        return ThreadWait(Waiting.UNKNOWN)


def _for_files(thread: Thread, call: _Call, arguments: list[int], device: Device) -> ThreadWait:
    """Return what a thread in a call that waits for files waits for.

    Raises:
        OSError: If the kernel does not report it.
    """
    files, is_endless = _awaited_files(thread, call.kind, arguments), call.is_endless(arguments)
    waiting = classify_wait(thread, files, device, is_endless=is_endless)
    if is_endless or waiting is not Waiting.TERMINAL:
        return ThreadWait(waiting)
    limit = device.limit if call.limit is None else call.time_limit(thread, arguments)
    if limit is not None and limit <= _REST_OF_A_KEY:
        return ThreadWait(Waiting.UNKNOWN)
    # A program that polls for keys again and again waits for keys, whatever the limit of one poll.
    is_for_keys = limit is None or (device.is_raw and polls_for_keys(thread))
    return ThreadWait(waiting, None if is_for_keys else limit)


def _in_lock(thread: Thread, call: _Call, arguments: list[int]) -> ThreadWait:
    """Return whether a thread that waits for another one (futex) is idle, or works.

    With a time limit it may be a sleep in the middle of work: that is how Java sleeps. But threads
    of a runtime that have nothing to do also wait with a limit: Go's until the next tick, or for a
    minute.

    Raises:
        OSError: If the kernel does not report it.
    """
    if call.is_endless(arguments) or is_of_runtime(thread.read("comm").strip()):
        return ThreadWait(Waiting.IDLE)
    if call is not _FUTEX or arguments[1] & _FUTEX_COMMAND != _FUTEX_WAIT:  # until a moment
        return ThreadWait(Waiting.ELSEWHERE, UNREPORTED_LIMIT)
    limit = call.time_limit(thread, arguments)
    is_work = _TICK < limit < _LONG
    return ThreadWait(Waiting.ELSEWHERE, limit) if is_work else ThreadWait(Waiting.IDLE)


def _restarted(thread: Thread) -> _Call | None:
    """Return the call that a thread was stopped in and goes on with; restart_syscall(2) hides it.

    Of the calls with a time limit that go on in this way, only poll(2) has files.
    """
    polls = is_in_poll(thread)
    if polls is None:
        return None
    return _WAITS["poll"] if polls else _WORK


def stack_pointer(thread: Thread) -> int | None:
    """Return the stack pointer of a sleeping thread; None if the kernel does not report it."""
    with suppress(OSError):
        words = thread.read("syscall").split()
        return int(words[_WORDS_OF_A_CALL], 16) if len(words) > _WORDS_OF_A_CALL else None
    return None


def _awaited_files(thread: Thread, kind: _Kind, arguments: list[int]) -> set[int]:
    """Return the descriptors whose input would end the call."""
    first, second = arguments[:2]
    if kind is _Kind.READ:
        return {first}
    if kind is _Kind.POLL:
        entries = struct.iter_unpack("=ihh", _memory(thread, first, 8 * min(second, _MOST_FILES)))
        return {descriptor for descriptor, events, _ in entries if events & _POLLIN}
    if kind is _Kind.EPOLL:
        return epoll_targets(thread, first)
    if not second:  # select(2) as a sleep
        return set()
    count = min(first, _MOST_FILES)
    bits = int.from_bytes(_memory(thread, second, (count + 63) // 64 * 8), "little")
    return {descriptor for descriptor in range(count) if bits >> descriptor & 1}


def _memory(thread: Thread, address: int, length: int) -> bytes:
    return thread.files.memory(f"{thread.directory}/mem", address, length)
