"""Tests of readers of whose program another part may work."""

import struct
from itertools import count
from pathlib import Path

import pytest

from tests.unit.kernel.kernel import (
    EPOLL,
    FUTEX,
    NANOSLEEP,
    READ,
    SIGTIMEDWAIT,
    STACK,
    TTY,
    Kernel,
    call,
)
from tmuxprim._kernel.files import LocalFiles
from tmuxprim._kernel.processes import Processes
from tmuxprim._kernel.procfs import Procfs
from tmuxprim._kernel.wait_targets import Device

_LIMIT = 0x7100  # where a time limit is kept
_WAIT, _WAIT_UNTIL = 0x80, 0x189
_ENDLESS = 0xFFFF_FFFF


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kernel:
    """Give a made-up /proc of a machine whose system calls are known."""
    monkeypatch.setattr("tmuxprim._kernel.files.LocalFiles.machine", "x86_64")
    return Kernel(tmp_path)


def lock(command: int, limit: int = _LIMIT) -> str:
    """Return the system call of a thread that waits for another one."""
    return f"{FUTEX} 0x5000 {command:#x} 0x0 {limit:#x} 0x0 0x0 {STACK - 1:#x} 0x7f00\n"


def reader_beside(kernel: Kernel, first: str, *, wchan: str = "", name: str = "program") -> None:
    """Let the second thread of a program read lines, and its first one be in a system call."""
    is_told = bool(first)
    kernel.process(10, syscall=first if is_told else None, wchan=wchan or None)
    kernel.file(10, 0)
    thread(kernel, 11, call(READ) if is_told else None, "wait_woken")
    for directory in ("10", "10/task/10", "10/task/11"):
        (kernel.root / directory / "comm").write_text(f"{name}\n")


def thread(kernel: Kernel, number: int, syscall: str | None, wchan: str) -> None:
    """Add a thread with the files of its process."""
    kernel.thread(10, number, syscall=syscall, wchan=wchan)
    task = kernel.root / f"10/task/{number}"
    for name in ("fd", "fdinfo"):
        (task / name).symlink_to(kernel.root / "10/task/10" / name)
    (task / "children").write_text("")
    (task / "schedstat").write_text("1 2 3\n")
    (task / "comm").write_text("program\n")


def remember(kernel: Kernel, seconds: float) -> None:
    """Keep a time where `lock` says that it is."""
    time = struct.pack("=qq", int(seconds), int(seconds % 1 * 1e9))
    with (kernel.root / "10/task/10/mem").open("wb") as memory:
        memory.seek(_LIMIT)
        memory.write(time)


@pytest.mark.parametrize(
    ("seconds", "is_sure"), [(0.1, True), (0.5, True), (0.6, False), (9.0, False), (60.0, True)]
)
def test_a_lock_with_a_time_limit_is_a_sleep(
    kernel: Kernel, seconds: float, *, is_sure: bool
) -> None:
    """But for a tick, and for the minute that Go's runtime sleeps when there is nothing to do."""
    reader_beside(kernel, lock(_WAIT))
    remember(kernel, seconds)
    found = kernel.foreground()
    assert (found.reading, found.only_reading, found.may_work) == (True, is_sure, not is_sure)


@pytest.mark.parametrize(
    ("first", "is_sure"),
    [
        (lock(_WAIT, 0), True),
        (lock(_WAIT_UNTIL, 0), True),
        (lock(_WAIT_UNTIL), False),
        (call(SIGTIMEDWAIT), True),
        (call(SIGTIMEDWAIT, 1, 2, 3), False),
    ],
    ids=["no limit", "no moment", "a moment", "a signal", "a signal, for a time"],
)
def test_a_wait_for_another_thread_or_a_signal(
    kernel: Kernel, first: str, *, is_sure: bool
) -> None:
    """It is idle, and with a time limit asleep, as Java's main thread in ``Thread.sleep``."""
    reader_beside(kernel, first)
    assert kernel.foreground().only_reading is is_sure


@pytest.mark.parametrize("name", ["VM Periodic Tas", "G1 Service", "C2 CompilerThre", ".NET Timer"])
def test_a_runtime_keeps_house(kernel: Kernel, name: str) -> None:
    """Its threads wake for themselves, and the program does no work."""
    reader_beside(kernel, lock(_WAIT, 0))
    thread(kernel, 12, lock(_WAIT_UNTIL), "futex_do_wait")
    assert kernel.foreground().only_reading is False
    (kernel.root / "10/task/12/comm").write_text(f"{name}\n")
    assert kernel.foreground().only_reading is True


def test_a_lock_whose_time_is_not_told(kernel: Kernel) -> None:
    """The memory of a program that has moved on says nothing."""
    reader_beside(kernel, lock(_WAIT))
    (kernel.root / "10/task/10/mem").write_bytes(b"")
    assert kernel.foreground().reading is True


@pytest.mark.parametrize(
    ("name", "others", "is_sure"),
    [("program", False, False), ("java", False, True), ("java", True, False)],
)
def test_a_first_thread_in_a_lock_may_sleep_where_no_limit_is_told(
    kernel: Kernel, name: str, *, others: bool, is_sure: bool
) -> None:
    """Where only the kernel's function is told. Java's first thread just waits for its main one."""
    reader_beside(kernel, "", wchan="futex_do_wait", name=name)
    thread(kernel, 12, None, "futex_do_wait")
    if others:  # the main thread is in a lock, and another one reads
        (kernel.root / "10/task/12/wchan").write_text("wait_woken")
        (kernel.root / "10/task/11/wchan").write_text("futex_do_wait")
    found = kernel.foreground()
    assert (found.level, found.reading, found.only_reading) == ("wchan", True, is_sure)


@pytest.mark.parametrize("is_raw", [False, True])
@pytest.mark.parametrize("reader", ["main", "another"])
def test_threads_that_wake_while_they_are_asked(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch, reader: str, *, is_raw: bool
) -> None:
    """One may have given its work to another: that moment says nothing, as Java's start does."""
    reader_beside(kernel, "", wchan="futex_do_wait", name="java")
    thread(kernel, 12, None, "futex_do_wait")
    if reader == "another":
        (kernel.root / "10/task/12/wchan").write_text("wait_woken")
        (kernel.root / "10/task/11/wchan").write_text("futex_do_wait")
    wakeups = count()
    monkeypatch.setattr(Processes, "wakeups", lambda *_: next(wakeups))
    found = kernel.foreground(is_raw=is_raw)
    assert (found.reading, found.only_reading, found.may_work) == (True, False, True)


@pytest.mark.parametrize(("reader", "is_sure"), [(11, True), (3, False)])
def test_numbers_of_threads_begin_anew(kernel: Kernel, reader: int, *, is_sure: bool) -> None:
    """The main thread of Java is the one that was started next, not that of the least number."""
    kernel.process(10, syscall=None, wchan="futex_do_wait")
    kernel.file(10, 0)
    for number in (3, 11):
        thread(kernel, number, None, "wait_woken" if number == reader else "futex_do_wait")
    (kernel.root / "10/comm").write_text("java\n")
    found = kernel.foreground()
    assert (found.reading, found.only_reading, found.may_work) == (True, is_sure, not is_sure)


# What the linker of Go writes into a program's first page, and another one.
_NOTE_OF_GO = b"\x7fELF" + b"\0" * 60 + b"\x04\0\0\0\x53\0\0\0\x04\0\0\0Go\0\0czSz"
_NOTE_OF_GNU = b"\x7fELF" + b"\0" * 60 + b"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0czSz"


@pytest.mark.parametrize(
    ("program", "other", "is_sure"),
    [
        (_NOTE_OF_GNU, call(NANOSLEEP), True),
        (_NOTE_OF_GNU, lock(_WAIT), False),
        (_NOTE_OF_GO, lock(_WAIT), False),
        (_NOTE_OF_GO, call(NANOSLEEP), False),
        (_NOTE_OF_GO, lock(_WAIT, 0), True),
        (_NOTE_OF_GNU, None, True),
        (_NOTE_OF_GO, None, False),
    ],
    ids=[
        "a chat",
        "its time is limited, by Ruby",
        "Go sleeps",
        "Go works",
        "Go is idle",
        "not told",
        "not told of Go",
    ],
)
def test_no_thread_of_go_is_the_main_one(
    kernel: Kernel, program: bytes, other: str | None, *, is_sure: bool
) -> None:
    """Its first thread may read for a function of the program while the main one sleeps."""
    is_told = other is not None
    kernel.process(10, syscall=call(READ) if is_told else None, wchan="wait_woken")
    kernel.file(10, 0)
    thread(kernel, 11, other, "futex_do_wait")
    remember(kernel, 4.0)
    (kernel.root / "10/task/11/mem").symlink_to(kernel.root / "10/task/10/mem")
    (kernel.root / "10/exe").write_bytes(program)
    device = Device(TTY, is_for_lines=True)
    found = Procfs(LocalFiles(str(kernel.root))).foreground(10, device)
    assert found is not None
    assert (found.reading, found.only_reading, found.may_work) == (True, is_sure, not is_sure)


@pytest.mark.parametrize(("name", "is_sure"), [("program", False), ("fzf", True)])
def test_a_first_thread_in_a_lock_while_keys_are_read(
    kernel: Kernel, name: str, *, is_sure: bool
) -> None:
    """It may sleep, in raw mode as well; of a menu it is known that it waits for a choice."""
    reader_beside(kernel, "", wchan="futex_do_wait", name=name)
    found = kernel.foreground(is_raw=True)
    assert (found.reading, found.only_reading, found.may_work) == (True, is_sure, not is_sure)


@pytest.mark.parametrize("limit", [_ENDLESS, 500, 1500])
def test_a_loop_may_go_on(kernel: Kernel, limit: int) -> None:
    """The other end of a socket may answer at any time, with or without a limit."""
    syscall = f"{EPOLL} 0x3 0x0 0x400 {limit:#x} 0x0 0x0 {STACK - 1:#x} 0x7f00\n"
    kernel.process(10, syscall=syscall)
    kernel.file(10, 0)
    kernel.file(10, 4, "socket:[1]")
    kernel.epoll(10, 3, "0 4")
    found = kernel.foreground(is_raw=True)
    assert (found.reading, found.only_reading, found.may_work) == (True, False, True)
