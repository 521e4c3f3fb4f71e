"""Shared and counted evidence: who reads, where a system call is not ours to know."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.kernel.kernel import NO_LIMIT, POLL, Kernel, call
from tmuxprim._kernel.files import LocalFiles
from tmuxprim._kernel.procfs import Foreground
from tmuxprim._kernel.wait_targets import Device, Thread, Waiting
from tmuxprim._kernel.wchan import WaitChannels

EPOLL = "anon_inode:[eventpoll]"
PLAIN = __file__
OTHER_TERMINAL = "/dev/ptmx"
READS, POLLS, EPOLLS = "wait_woken", "poll_schedule_timeout.constprop.0", "do_epoll_wait"


def waits(
    kernel: Kernel, channel: str, *files: str, is_raw: bool = False, children: str = ""
) -> Waiting | None:
    """Let a program with the terminal and other files open sleep in a function of the kernel."""
    kernel.process(10, syscall=None, wchan=channel, children=children)
    for number, target in enumerate((os.devnull, *files)):
        kernel.file(10, number, target)
    return asked(kernel, is_raw=is_raw)


def asked(kernel: Kernel, thread: int = 10, *, is_raw: bool = False) -> Waiting | None:
    """Ask the source."""
    device = Device(Path(os.devnull).stat().st_rdev, is_raw)
    wait = WaitChannels().describe(Thread(LocalFiles(str(kernel.root)), 10, thread), device)
    return wait and wait.what


@pytest.fixture
def connection() -> Iterator[str]:
    """Give the path of an open network connection."""
    with socket.socket() as opened:
        yield f"/proc/self/fd/{opened.fileno()}"


@pytest.mark.parametrize(
    ("channel", "waiting"),
    [
        ("hrtimer_nanosleep", Waiting.ELSEWHERE),
        ("do_wait", Waiting.ELSEWHERE),
        ("pipe_read", Waiting.ELSEWHERE),
        ("anon_pipe_read", Waiting.ELSEWHERE),
        ("unix_stream_read_generic", Waiting.ELSEWHERE),
        ("__x64_sys_pause", Waiting.ELSEWHERE),
        ("__arm64_sys_rt_sigsuspend", Waiting.ELSEWHERE),
        ("sigsuspend", Waiting.ELSEWHERE),
        ("futex_do_wait", Waiting.IDLE),
        ("futex_wait_queue_me.isra.0", Waiting.IDLE),
        ("do_sigtimedwait", Waiting.IDLE),
        ("a_function_of_another_kernel", Waiting.UNKNOWN),
        ("io_cqring_wait", Waiting.UNKNOWN),
        ("n_tty_read", Waiting.TERMINAL),
        (READS, Waiting.TERMINAL),
        (POLLS, Waiting.UNKNOWN),
        ("do_select", Waiting.UNKNOWN),
        (EPOLLS, Waiting.UNKNOWN),
        ("ep_poll", Waiting.UNKNOWN),
    ],
)
def test_functions_of_the_kernel(kernel: Kernel, channel: str, waiting: Waiting) -> None:
    """A name that is not known says nothing, and never no."""
    assert waits(kernel, channel) is waiting


@pytest.mark.parametrize(
    ("other", "waiting"),
    [
        (PLAIN, Waiting.TERMINAL),
        ("/dev/zero", Waiting.TERMINAL),
        ("pipe:[1]", Waiting.TERMINAL),
        ("anon_inode:[eventfd]", Waiting.TERMINAL),
        (EPOLL, Waiting.TERMINAL),
        ("anon_inode:inotify", Waiting.UNKNOWN),
        (OTHER_TERMINAL, Waiting.UNKNOWN),
        ("/gone", Waiting.TERMINAL),
    ],
)
def test_a_read_that_may_be_of_something_else(kernel: Kernel, other: str, waiting: Waiting) -> None:
    """Some files are read in the same function as a terminal, and most are not."""
    assert waits(kernel, READS, other) is waiting


def test_a_read_with_a_connection(kernel: Kernel, connection: str) -> None:
    """It may be the connection that is read; older kernels have a function for the terminal."""
    assert waits(kernel, READS, connection) is Waiting.UNKNOWN


def test_a_read_of_a_terminal_by_its_own_name(kernel: Kernel, connection: str) -> None:
    """Then a connection does not matter."""
    assert waits(kernel, "n_tty_read", connection) is Waiting.TERMINAL


@pytest.mark.parametrize("channel", [READS, POLLS])
def test_who_has_not_opened_the_terminal_does_not_read_it(kernel: Kernel, channel: str) -> None:
    """Whatever it waits for."""
    kernel.process(10, syscall=None, wchan=channel)
    kernel.file(10, 0, PLAIN)
    assert asked(kernel, is_raw=True) is Waiting.ELSEWHERE


def test_many_files_are_not_all_looked_at(kernel: Kernel) -> None:
    """One of the others may be what is waited for."""
    assert waits(kernel, READS, *[PLAIN] * 300) is Waiting.UNKNOWN


@pytest.mark.parametrize(
    ("other", "waiting"),
    [
        (PLAIN, Waiting.TERMINAL),
        ("anon_inode:[eventfd]", Waiting.TERMINAL_AND_MORE),
        ("anon_inode:inotify", Waiting.TERMINAL_AND_MORE),
        ("pipe:[1]", Waiting.UNKNOWN),
    ],
)
def test_a_poll_in_raw_mode(kernel: Kernel, other: str, waiting: Waiting) -> None:
    """A line editor; but one with a pipe may wait for what a child says, as fish does.

    Of a loop it is not told whether it goes on after a time.
    """
    assert waits(kernel, POLLS, other, is_raw=True) is waiting


@pytest.mark.parametrize(
    ("name", "other", "children", "waiting"),
    [
        ("bash", PLAIN, "", Waiting.TERMINAL),
        ("mksh", PLAIN, "", Waiting.UNKNOWN),
        ("bash", "anon_inode:[eventfd]", "", Waiting.UNKNOWN),
        ("bash", "pipe:[1]", "", Waiting.UNKNOWN),
        ("bash", "pipe:[1]", "20", Waiting.UNKNOWN),
        ("python3", "pipe:[1]", "20", Waiting.ELSEWHERE),
        ("python3", "pipe:[2]", "20", Waiting.UNKNOWN),
        ("python3", "pipe:[1]", "", Waiting.UNKNOWN),
        ("python3", "anon_inode:inotify", "20", Waiting.UNKNOWN),
    ],
)
def test_a_poll_for_lines(
    kernel: Kernel, name: str, other: str, children: str, waiting: Waiting
) -> None:
    """Some shells read so; who shares a pipe with a child waits for what that says."""
    kernel.process(20)
    kernel.file(20, 1, "pipe:[1]")
    waits(kernel, POLLS, other, children=children)
    (kernel.root / "10/task/10/comm").write_text(f"{name}\n")
    assert asked(kernel) is waiting


def test_a_poll_with_a_pipe_that_has_a_name(kernel: Kernel, tmp_path: Path) -> None:
    """By such a one fish hears of other shells."""
    os.mkfifo(tmp_path / "notifier")
    found = waits(kernel, POLLS, str(tmp_path / "notifier"), is_raw=True)
    assert found is Waiting.TERMINAL_AND_MORE


def test_a_poll_with_a_connection(kernel: Kernel, connection: str) -> None:
    """As ssh."""
    assert waits(kernel, POLLS, connection, is_raw=True) is Waiting.TERMINAL_AND_PASS_THROUGH


@pytest.mark.parametrize(
    ("targets", "waiting"),
    [("0", Waiting.TERMINAL), ("0 2", Waiting.TERMINAL_AND_MORE), ("2", Waiting.ELSEWHERE)],
)
def test_epoll_is_told_exactly(kernel: Kernel, targets: str, waiting: Waiting) -> None:
    """The kernel tells what it waits for, and not for how long."""
    kernel.process(10, syscall=None, wchan=EPOLLS)
    kernel.file(10, 0)
    kernel.file(10, 1, EPOLL)
    kernel.file(10, 2, "pipe:[1]")
    kernel.epoll(10, 1, targets)
    assert asked(kernel) is waiting


def runtime(kernel: Kernel, first: str) -> None:
    """Start a program with two epoll descriptors and two threads, as node."""
    kernel.process(10, syscall=None, wchan=first)
    for number, target in enumerate((os.devnull, EPOLL, EPOLL, "pipe:[1]")):
        kernel.file(10, number, target)
    kernel.epoll(10, 1, "3")
    kernel.epoll(10, 2, "0 3")
    kernel.thread(10, 11, wchan=EPOLLS)
    for name in ("fd", "fdinfo"):
        (kernel.root / f"10/task/11/{name}").symlink_to(kernel.root / f"10/task/10/{name}")


def test_the_first_thread_waits_for_the_terminal(kernel: Kernel) -> None:
    """A thread that helps has its own epoll; in canonical mode nobody can tell."""
    runtime(kernel, EPOLLS)
    assert asked(kernel, is_raw=True) is Waiting.TERMINAL_AND_MORE
    assert asked(kernel) is Waiting.UNKNOWN
    assert asked(kernel, 11, is_raw=True) is Waiting.IDLE


def test_a_first_thread_that_works_is_believed(kernel: Kernel) -> None:
    """The one that helps waits for it meanwhile."""
    runtime(kernel, "hrtimer_nanosleep")
    assert kernel.foreground(is_raw=True).reading is False


def test_a_first_thread_that_waits_for_the_others(kernel: Kernel) -> None:
    """Then one of them may read."""
    runtime(kernel, "futex_do_wait")
    assert asked(kernel, 11, is_raw=True) is Waiting.UNKNOWN


@pytest.mark.parametrize(("state", "waiting"), [("R", Waiting.ELSEWHERE), ("S", None)])
def test_no_function_at_all(kernel: Kernel, state: str, waiting: Waiting | None) -> None:
    """Who runs sleeps in none; of who sleeps it may not be ours to know."""
    kernel.process(10, syscall=None, wchan="0", state=state)
    assert asked(kernel) is waiting


@pytest.mark.parametrize("syscall", [None, call(21, 0)])
@pytest.mark.parametrize(("state", "reading"), [("D", False), ("R", False), ("S", None)])
def test_a_wait_for_a_disk_is_work(
    kernel: Kernel, state: str, syscall: str | None, *, reading: bool | None
) -> None:
    """As when zsh looks for a command by access(2), which is in no table, nor is its function."""
    kernel.process(10, syscall=syscall, wchan="__ext4_get_inode_loc", state=state)
    found = kernel.foreground()
    assert (found.leader, found.reading, found.level) == (10, reading, "wchan")


def test_files_that_are_not_ours_to_know(kernel: Kernel) -> None:
    """As those of another user's program."""
    kernel.process(10, syscall=None, wchan=READS)
    (kernel.root / "10/task/10/fd").rmdir()
    assert asked(kernel) is None


@pytest.mark.parametrize(("state", "reading"), [("R", False), ("D", False), ("S", None)])
def test_counters_tell_who_runs(kernel: Kernel, state: str, *, reading: bool | None) -> None:
    """And of who sleeps nothing more."""
    kernel.process(10, syscall=None, state=state)
    found = kernel.foreground()
    assert (found.leader, found.reading, found.level) == (10, reading, "stat")


def test_a_thread_that_ends_meanwhile(kernel: Kernel) -> None:
    """Nothing is known of it."""
    kernel.process(10, syscall=None)
    (kernel.root / "10/task/10/stat").unlink()
    assert kernel.foreground() == Foreground(10, level="stat")


def test_memory_that_is_closed_to_us(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    """A poll whose memory cannot be read is told by where it sleeps."""
    kernel.process(10, syscall=call(POLL, 0, 1, NO_LIMIT), wchan=POLLS)
    kernel.file(10, 0)

    def refuse(path: str, *args: int) -> int:
        if path.endswith("/mem"):
            raise PermissionError
        return os_open(path, *args)

    os_open = os.open
    monkeypatch.setattr(os, "open", refuse)
    found = kernel.foreground(is_raw=True)
    assert (found.reading, found.level) == (True, "wchan")
