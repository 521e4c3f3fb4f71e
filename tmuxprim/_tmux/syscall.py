"""What a sleeping thread waits for, by the system call that it sleeps in."""

import enum
import os
import re
import stat
import struct
from collections.abc import Iterable
from contextlib import suppress
from typing import Final, NamedTuple


class Waiting(enum.IntEnum):
    """What a thread waits for, as far as the terminal is concerned; more is better known."""

    IDLE = 0
    """It waits for another thread of its program (futex(2)), or for a signal."""
    ELSEWHERE = 1
    """It runs, or waits for something that is not the terminal."""
    UNKNOWN = 2
    """The kernel does not tell."""
    TERMINAL_AND_MORE = 3
    """The terminal is one of several things that would wake it."""
    TERMINAL_AND_RELAY = 4
    """The terminal, and what another program shows on a terminal of its own, here or far away."""
    TERMINAL = 5
    """Nothing but the terminal."""


class _Calls(NamedTuple):
    """The numbers of the system calls in which a program waits for input."""

    read: frozenset[int]
    poll: frozenset[int]
    select: frozenset[int]
    epoll: frozenset[int]
    idle: frozenset[int]


# From the kernel's syscall tables: read readv pread64, poll ppoll, select pselect6,
# epoll_wait epoll_pwait epoll_pwait2, futex futex_wait rt_sigtimedwait.
_CALLS: Final = {
    "x86_64": _Calls(
        frozenset({0, 19, 17}),
        frozenset({7, 271}),
        frozenset({23, 270}),
        frozenset({232, 281, 441}),
        frozenset({202, 455, 128}),
    ),
    "aarch64": _Calls(
        frozenset({63, 65, 67}),
        frozenset({73}),
        frozenset({72}),
        frozenset({22, 441}),
        frozenset({98, 455, 137}),
    ),
}
_MACHINE: Final = os.uname().machine

_DEV_TTY: Final = os.makedev(5, 0)  # /dev/tty, whichever terminal that is for the process
_PTMX: Final = os.makedev(5, 2)  # the other end of a pseudo-terminal
# What a socket is of, as the kernel tells of the open file itself (net/socket.c). Its tables of
# connections tell it, too, but it may take the kernel 90 ms to write them.
_PROTOCOL: Final = "system.sockprotoname"
_NETWORK: Final = (b"TCP", b"UDP", b"MPTCP")  # as they begin: TCPv6, UDPLITE
_MOST_FILES: Final = 1024
_LARGEST_FILE: Final = 65536
_WORDS_OF_A_CALL: Final = 7  # its number and six arguments
_POLLIN: Final = 0x0001
# Milliseconds in which a line editor waits for the rest of a key's sequence: BusyBox throws away
# what is typed then. ppoll's third argument is an address, which no small number is.
_REST_OF_A_KEY: Final = 50
_TARGET: Final = re.compile(r"^tfd:\s*(\d+)", re.MULTILINE)
# Where a thread sleeps that may be waiting for the terminal among others.
_MULTIPLEXERS: Final = ("poll", "select", "wait_woken")


def read_kernel_file(path: str) -> str:
    """Return what a file of ``/proc`` says now; this is the hot path, so no `pathlib`.

    Raises:
        OSError: If it is not there, not ours to read, or its process has ended.
    """
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, _LARGEST_FILE).decode(errors="replace")
    finally:
        os.close(descriptor)


def describe_wait(task: str, device: int) -> Waiting:
    """Return what a thread waits for.

    Args:
        task: The thread's folder, ``/proc/PID/task/TID``.
        device: The terminal's device number.
    """
    calls = _CALLS.get(_MACHINE)
    try:
        words = read_kernel_file(f"{task}/syscall").split() if calls else None
    except OSError:  # not permitted, not in this kernel, or the thread has ended
        words = None
    if calls is None or words is None:
        return _by_wait_channel(task)
    if len(words) < _WORDS_OF_A_CALL:  # "running", or asleep outside any call
        return Waiting.ELSEWHERE
    number, *arguments = int(words[0]), *(int(word, 16) for word in words[1:7])
    if number in calls.idle:
        return Waiting.IDLE
    if number in calls.poll and 0 < arguments[2] <= _REST_OF_A_KEY:
        return Waiting.UNKNOWN
    try:
        files = _awaited_files(task, calls, number, arguments)
    except OSError:  # it has moved on while we looked
        return Waiting.UNKNOWN
    return _among(task, files, device)


def stack_pointer(task: str) -> int | None:
    """Return where the stack of a sleeping thread ends; None if the kernel does not tell.

    Args:
        task: The thread's folder, ``/proc/PID/task/TID``.
    """
    with suppress(OSError):
        words = read_kernel_file(f"{task}/syscall").split()
        return int(words[_WORDS_OF_A_CALL], 16) if len(words) > _WORDS_OF_A_CALL else None
    return None


def _awaited_files(task: str, calls: _Calls, number: int, arguments: list[int]) -> set[int]:
    """Return the descriptors whose input would end the call; none for any other call."""
    first, second = arguments[:2]
    if number in calls.read:
        return {first}
    if number in calls.poll:
        entries = struct.iter_unpack("=ihh", _memory(task, first, 8 * min(second, _MOST_FILES)))
        return {descriptor for descriptor, events, _ in entries if events & _POLLIN}
    if number in calls.select and second:
        count = min(first, _MOST_FILES)
        bits = int.from_bytes(_memory(task, second, (count + 63) // 64 * 8), "little")
        return {descriptor for descriptor in range(count) if bits >> descriptor & 1}
    if number in calls.epoll:
        targets = _TARGET.findall(read_kernel_file(f"{task}/fdinfo/{first}"))
        return {int(descriptor) for descriptor in targets}
    return set()


def _memory(task: str, address: int, length: int) -> bytes:
    memory = os.open(f"{task}/mem", os.O_RDONLY)
    try:
        return os.pread(memory, length, address)
    finally:
        os.close(memory)


def _among(task: str, files: Iterable[int], device: int) -> Waiting:
    """Return whether the terminal is among *files*, and alone."""
    paths = [path for file in files if not _is_signals(path := f"{task}/fd/{file}")]
    are_terminal = {_is_terminal(path, device) for path in paths}
    if True not in are_terminal:
        return Waiting.ELSEWHERE
    if are_terminal == {True}:
        return Waiting.TERMINAL
    relays = any(map(_leads_to_another_terminal, paths))
    return Waiting.TERMINAL_AND_RELAY if relays else Waiting.TERMINAL_AND_MORE


def _leads_to_another_terminal(file: str) -> bool:
    """Whether a file is the other end of a pseudo-terminal, or a network connection."""
    with suppress(OSError):
        status = os.stat(file)  # noqa: PTH116  # hot path
        if status.st_rdev == _PTMX:
            return True
        if stat.S_ISSOCK(status.st_mode):
            return os.getxattr(file, _PROTOCOL).startswith(_NETWORK)
    return False


def _is_terminal(file: str, device: int) -> bool:
    with suppress(OSError):
        return os.stat(file).st_rdev in (device, _DEV_TTY)  # noqa: PTH116  # hot path
    return False


def _is_signals(file: str) -> bool:
    """Whether it is a signalfd(2): who waits in ``read`` is woken by signals just as well."""
    with suppress(OSError):
        return os.readlink(file) == "anon_inode:[signalfd]"  # noqa: PTH115  # hot path
    return False


def _by_wait_channel(task: str) -> Waiting:
    """Judge by the kernel function that the thread sleeps in, where no more is told."""
    with suppress(OSError):
        channel = read_kernel_file(f"{task}/wchan")
        if channel.startswith("n_tty_read"):
            return Waiting.TERMINAL
        if channel in ("", "0") or any(word in channel for word in _MULTIPLEXERS):
            return Waiting.UNKNOWN
        return Waiting.ELSEWHERE
    return Waiting.UNKNOWN
