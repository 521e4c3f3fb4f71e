"""Full evidence: the system call that a thread sleeps in, and what it was given.

Its files need the right to attach to a process (ptrace(2)), which many machines refuse.
"""

import os
import struct
from contextlib import suppress
from typing import Final, NamedTuple

from tmuxprim._tmux.waiting import Device, Thread, Waiting, among, epoll_targets
from tmuxprim._tmux.wchan import polls
from tmuxprim._values.evidence import Level


class _Calls(NamedTuple):
    """The numbers of the system calls in which a program waits for input."""

    read: frozenset[int]
    poll: frozenset[int]
    select: frozenset[int]
    epoll: frozenset[int]
    idle: frozenset[int]
    milliseconds: frozenset[int]
    restart: int


# From the kernel's syscall tables: read readv pread64, poll ppoll, select pselect6,
# epoll_wait epoll_pwait epoll_pwait2, futex futex_wait rt_sigtimedwait; those of them that are
# given a number of milliseconds, and not the address of a time; and restart_syscall.
_CALLS: Final = {
    "x86_64": _Calls(
        frozenset({0, 19, 17}),
        frozenset({7, 271}),
        frozenset({23, 270}),
        frozenset({232, 281, 441}),
        frozenset({202, 455, 128}),
        frozenset({7, 232, 281}),
        219,
    ),
    "aarch64": _Calls(
        frozenset({63, 65, 67}),
        frozenset({73}),
        frozenset({72}),
        frozenset({22, 441}),
        frozenset({98, 455, 137}),
        frozenset({22}),
        128,
    ),
}
_MACHINE: Final = os.uname().machine

_MOST_FILES: Final = 1024
_WORDS_OF_A_CALL: Final = 7  # its number and six arguments
_NEGATIVE: Final = 0x80000000  # an int's sign
_POLLIN: Final = 0x0001
# Milliseconds in which a line editor waits for the rest of a key's sequence: BusyBox throws away
# what is typed then. ppoll's third argument is an address, which no small number is.
_REST_OF_A_KEY: Final = 50


class SystemCalls:
    """Tells by ``syscall`` and ``mem``."""

    level: Level = "full"

    def describe(self, thread: Thread, device: Device) -> Waiting | None:
        """Return what a thread waits for, exactly."""
        calls = _CALLS.get(_MACHINE)
        try:
            words = thread.read("syscall").split() if calls else None
        except OSError:  # not permitted, not in this kernel, or the thread has ended
            words = None
        if calls is None or words is None:
            return None
        if len(words) < _WORDS_OF_A_CALL:  # "running", or asleep outside any call
            return Waiting.ELSEWHERE
        number, *arguments = int(words[0]), *(int(word, 16) for word in words[1:7])
        if number == calls.restart and polls(thread):
            number = min(calls.poll)
        return _in_call(thread, calls, number, arguments, device)


def _in_call(
    thread: Thread, calls: _Calls, number: int, arguments: list[int], device: Device
) -> Waiting | None:
    if number in calls.idle:
        return Waiting.IDLE
    if number in calls.poll and 0 < arguments[2] <= _REST_OF_A_KEY:
        return Waiting.UNKNOWN
    try:
        files = _awaited_files(thread, calls, number, arguments)
    except PermissionError:  # its memory is closed to us, and its calls are not
        return None
    except OSError:  # it has moved on while we looked
        return Waiting.UNKNOWN
    return among(thread, files, device, is_endless=_is_endless(calls, number, arguments))


def _is_endless(calls: _Calls, number: int, arguments: list[int]) -> bool:
    """Whether a call ends only when one of its files has something, or by a signal."""
    places = ((calls.poll, 2), (calls.epoll, 3), (calls.select, 4))
    place = next((place for numbers, place in places if number in numbers), None)
    if place is None:
        return False
    if number in calls.milliseconds:
        return bool(arguments[place] & _NEGATIVE)
    return arguments[place] == 0  # no address of a time


def stack_pointer(thread: Thread) -> int | None:
    """Return where the stack of a sleeping thread ends; None if the kernel does not tell."""
    with suppress(OSError):
        words = thread.read("syscall").split()
        return int(words[_WORDS_OF_A_CALL], 16) if len(words) > _WORDS_OF_A_CALL else None
    return None


def _awaited_files(thread: Thread, calls: _Calls, number: int, arguments: list[int]) -> set[int]:
    """Return the descriptors whose input would end the call; none for any other call."""
    first, second = arguments[:2]
    if number in calls.read:
        return {first}
    if number in calls.poll:
        entries = struct.iter_unpack("=ihh", _memory(thread, first, 8 * min(second, _MOST_FILES)))
        return {descriptor for descriptor, events, _ in entries if events & _POLLIN}
    if number in calls.select and second:
        count = min(first, _MOST_FILES)
        bits = int.from_bytes(_memory(thread, second, (count + 63) // 64 * 8), "little")
        return {descriptor for descriptor in range(count) if bits >> descriptor & 1}
    if number in calls.epoll:
        return epoll_targets(thread, first)
    return set()


def _memory(thread: Thread, address: int, length: int) -> bytes:
    memory = os.open(f"{thread.folder}/mem", os.O_RDONLY)
    try:
        return os.pread(memory, length, address)
    finally:
        os.close(memory)
