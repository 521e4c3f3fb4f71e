"""Who reads from a terminal, told by a made-up /proc."""

import shutil
import struct
from pathlib import Path

import pytest

from tests.unit.kernel.kernel import (
    EPOLL,
    FUTEX,
    NANOSLEEP,
    NO_LIMIT,
    PIPE,
    POLL,
    READ,
    RESTART,
    SELECT,
    SIGTIMEDWAIT,
    STACK,
    TTY,
    Kernel,
    call,
)
from tmuxprim._kernel.files import LocalFiles
from tmuxprim._kernel.processes import Processes
from tmuxprim._kernel.procfs import Foreground, Procfs
from tmuxprim._kernel.syscall import stack_pointer
from tmuxprim._kernel.wait_targets import Device, Thread


def test_a_read_on_the_terminal_reads(kernel: Kernel) -> None:
    """A process asleep in read on the terminal waits for nothing else."""
    kernel.process(10, syscall=call(READ))
    kernel.file(10, 0)
    assert kernel.foreground() == Foreground(
        leader=10,
        reading=True,
        only_reading=True,
        passes_on=False,
        reader=10,
        wakeups=77,
        read_site=(STACK, 1),
        level="syscall",
    )


@pytest.mark.parametrize(
    ("syscall", "pointer"), [(call(READ), STACK - 1), ("running\n", None), (None, None)]
)
def test_a_stack_pointer(kernel: Kernel, syscall: str | None, pointer: int | None) -> None:
    """It is told of who sleeps in a call, unless that is not told at all."""
    kernel.process(10, syscall=syscall)
    assert stack_pointer(Thread(LocalFiles(str(kernel.root)), 10, 10)) == pointer


def test_a_program_that_takes_the_place_of_another_has_its_own_stack(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a shell that a shell becomes by exec, between two questions to the kernel."""
    kernel.process(10, syscall=call(READ))
    kernel.file(10, 0)
    procfs, device = Procfs(LocalFiles(str(kernel.root))), Device(TTY, is_raw=False)
    assert procfs.foreground(10, device) == kernel.foreground()
    wakeups = Processes.wakeups

    def become_another(self: Processes, process: int, thread: int) -> int | None:
        monkeypatch.setattr(Processes, "wakeups", wakeups)
        stat = kernel.root / "10/stat"
        stat.write_text(stat.read_text().replace(str(STACK), str(STACK + 4096)))
        kernel.sleeps(10, call(READ, pointer=STACK + 4095))
        (kernel.root / "10/task/10/schedstat").write_text("1 2 99\n")
        return wakeups(self, process, thread)

    monkeypatch.setattr(Processes, "wakeups", become_another)
    found = procfs.foreground(10, device)
    assert found is not None
    assert found.read_site == (STACK + 4096, 1)


def test_a_thread_has_a_stack_of_its_own(kernel: Kernel) -> None:
    """Where the process's begins says nothing of it."""
    kernel.process(10, syscall=call(FUTEX))
    kernel.file(10, 0)
    kernel.thread(10, 11, syscall=call(READ))
    (kernel.root / "10/task/11/fd").symlink_to(kernel.root / "10/task/10/fd")
    assert kernel.foreground().reading is True
    assert kernel.foreground().read_site is None


@pytest.mark.parametrize(
    ("status", "ignores"),
    [
        ("Name:\tdash\nSigIgn:\t0000000000284004\n", True),  # a shell that takes commands
        ("Name:\tdash\nSigIgn:\t0000000000004004\n", True),  # without job control
        ("Name:\tdash\nSigIgn:\t0000000000000004\nSigCgt:\t0000000000284004\n", False),
        ("Name:\tdash\n", None),
        (None, None),
    ],
)
def test_which_signals_the_reader_ignores(
    kernel: Kernel, status: str | None, *, ignores: bool | None
) -> None:
    """A shell does not let itself be stopped while it takes commands; its script does."""
    kernel.process(10, syscall=call(READ))
    kernel.file(10, 0)
    if status is not None:
        (kernel.root / "10/status").write_text(status)
    assert kernel.foreground().ignores_stop is ignores


def test_a_read_on_another_file_does_not(kernel: Kernel) -> None:
    """A process asleep in read on a pipe does not read from the terminal."""
    kernel.process(10, syscall=call(READ, 3))
    kernel.file(10, 3, PIPE)
    nobody = Foreground(10, reading=False, only_reading=False, passes_on=False, level="syscall")
    assert kernel.foreground() == nobody


@pytest.mark.parametrize("state", ["running\n", "-1 0x7ffe 0x7f00\n", call(NANOSLEEP), call(61)])
def test_work_does_not_read(kernel: Kernel, state: str) -> None:
    """A process that runs, sleeps for a time or waits for a child does not read."""
    kernel.process(10, syscall=state)
    assert kernel.foreground().reading is False


def test_a_poll_reads_if_the_terminal_is_among_its_files(kernel: Kernel) -> None:
    """What poll was given is read from the process's memory; output does not count."""
    entries = struct.pack("=ihh", 0, 1, 0) + struct.pack("=ihh", 5, 1, 0)
    kernel.process(10, syscall=call(POLL, 0, 2, NO_LIMIT))
    kernel.file(10, 0)
    kernel.file(10, 5, PIPE)
    kernel.memory(10, entries)
    assert kernel.foreground().reading is True
    assert kernel.foreground().only_reading is False


@pytest.mark.parametrize(
    ("milliseconds", "reading"), [(1, None), (50, None), (51, True), (0xFFFFFFFF, True)]
)
def test_a_poll_for_the_rest_of_a_key(
    kernel: Kernel, milliseconds: int, *, reading: bool | None
) -> None:
    """BusyBox throws away what is typed meanwhile, so it is not said to read."""
    kernel.process(10, syscall=call(POLL, 0, 1, milliseconds))
    kernel.file(10, 0)
    kernel.memory(10, struct.pack("=ihh", 0, 1, 0))
    assert kernel.foreground().reading is reading


@pytest.mark.parametrize(
    ("wchan", "reading"),
    [("poll_schedule_timeout.constprop.0", True), ("hrtimer_nanosleep", False), (None, None)],
)
def test_who_was_stopped_goes_on_in_its_call(
    kernel: Kernel, wchan: str | None, *, reading: bool | None
) -> None:
    """The kernel calls it restart_syscall then, and where it sleeps tells the two apart."""
    kernel.process(10, syscall=call(RESTART, 0, 1, 0xFFFFFFFF), wchan=wchan)
    kernel.file(10, 0)
    kernel.memory(10, struct.pack("=ihh", 0, 1, 0))
    assert kernel.foreground().reading is reading


def test_a_poll_for_output_does_not_read(kernel: Kernel) -> None:
    """A program that waits until it can write to the terminal does not read."""
    kernel.process(10, syscall=call(POLL, 0, 1, NO_LIMIT))
    kernel.file(10, 0)
    kernel.memory(10, struct.pack("=ihh", 0, 4, 0))
    assert kernel.foreground().reading is False


def test_a_select_reads_if_the_terminal_is_in_its_set(kernel: Kernel) -> None:
    """Readline sleeps in pselect with nothing but descriptor 0."""
    kernel.process(10, syscall=call(SELECT, 1, 16))
    kernel.file(10, 0)
    kernel.memory(10, bytes(16) + (1).to_bytes(8, "little"))
    assert kernel.foreground().only_reading is True


def test_a_select_without_readers_is_a_sleep(kernel: Kernel) -> None:
    """Select with no set of readers is a way to sleep."""
    kernel.process(10, syscall=call(SELECT, 0, 0))
    assert kernel.foreground().reading is False


def test_an_epoll_reads_if_the_terminal_is_a_target(kernel: Kernel) -> None:
    """What epoll waits for is told by the kernel itself."""
    kernel.process(10, syscall=call(EPOLL, 4))
    kernel.file(10, 0)
    kernel.file(10, 9, PIPE)
    info = kernel.root / "10/task/10/fdinfo/4"
    info.write_text("pos:\t0\ntfd:        0 events:       19\ntfd:        9 events:       19\n")
    assert kernel.foreground().reading is True
    assert kernel.foreground().only_reading is False


def test_memory_that_cannot_be_read_is_unknown(kernel: Kernel) -> None:
    """What the kernel does not tell is None, never no."""
    kernel.process(10, syscall=call(POLL, 0, 1, NO_LIMIT))
    assert kernel.foreground() == Foreground(leader=10, level="syscall")


def test_a_file_that_was_closed_meanwhile_is_no_terminal(kernel: Kernel) -> None:
    """A descriptor without a file behind it is not the terminal."""
    kernel.process(10, syscall=call(READ, 3))
    assert kernel.foreground().reading is False


def test_a_child_of_the_group_may_read(kernel: Kernel) -> None:
    """In sh -c 'dash; true' the leader waits and its child reads."""
    kernel.process(10, syscall=call(61), foreground=10, children="11 12")
    kernel.process(11, group=11, syscall=call(READ))  # a background job is not in the group
    kernel.file(11, 0)
    kernel.process(12, group=10, syscall=call(READ))
    kernel.file(12, 0)
    assert kernel.foreground().reader == 12


def test_who_reads_beside_the_leader_is_found(kernel: Kernel) -> None:
    """In yes | less the leader writes, and another child of the shell reads."""
    kernel.process(10, foreground=20, children="19 20 21 22 23")
    kernel.process(19, foreground=20, syscall=call(READ), children="30")
    kernel.file(19, 0)  # it was sent to the background
    kernel.process(30, group=20, foreground=20, syscall=call(READ))
    kernel.file(30, 0)  # so was all that it has started
    kernel.process(20, foreground=20)
    kernel.process(21, group=20, foreground=20, children="31")
    kernel.process(31, group=20, foreground=20, syscall=call(READ))
    kernel.file(31, 0)
    found = kernel.foreground()
    assert (found.leader, found.reading, found.reader) == (20, True, 31)


def test_who_reads_beside_the_panes_program_is_of_another_pane(kernel: Kernel) -> None:
    """The parent of that is tmux."""
    kernel.process(1, children="10 11")
    kernel.process(10)
    kernel.process(11, syscall=call(READ))
    kernel.file(11, 0)
    assert kernel.foreground().reading is False


def test_who_reads_in_another_session_is_found(kernel: Kernel) -> None:
    """As what ``su -c`` and ``setsid -w`` start: job control does not hold them back."""
    kernel.process(10, foreground=20, children="20 30")
    kernel.process(20, foreground=20, children="21")
    kernel.process(21, syscall=call(READ))
    kernel.leaves(21)
    kernel.file(21, 0)
    found = kernel.foreground()
    assert (found.leader, found.reading, found.reader) == (20, True, 21)


def test_who_reads_in_another_session_than_the_pane_is_found(kernel: Kernel) -> None:
    """As where the pane was opened with ``su -c``."""
    kernel.process(10, children="21")
    kernel.process(21, syscall=call(READ))
    kernel.leaves(21)
    kernel.file(21, 0)
    assert kernel.foreground().reader == 21


def test_who_has_a_terminal_of_its_own_reads_that(kernel: Kernel) -> None:
    """As what ``script`` starts, and getpass in it, which opens ``/dev/tty``."""
    kernel.process(10, syscall="running", children="21")
    kernel.process(21, syscall=call(READ), device=Path(PIPE).stat().st_rdev)
    kernel.leaves(21, has_terminal=True)
    kernel.file(21, 0, "/dev/tty")
    assert kernel.foreground().reading is False


@pytest.mark.parametrize(
    "sleeps", [call(READ, 3), call(POLL, 0, 1, NO_LIMIT)], ids=["work", "unknown"]
)
def test_others_of_another_session_tell_nothing(kernel: Kernel, sleeps: str) -> None:
    """It may be a daemon."""
    kernel.process(10, children="21")
    kernel.process(21, syscall=sleeps)
    kernel.leaves(21)
    assert kernel.foreground().reading is False


def test_a_group_without_its_leader_is_found(kernel: Kernel) -> None:
    """The leader may have ended before the others of its group."""
    kernel.process(10, foreground=20, children="21")
    kernel.process(21, group=20, syscall=call(READ))
    kernel.file(21, 0)
    assert kernel.foreground().reader == 21


def test_many_processes_are_not_all_asked(kernel: Kernel) -> None:
    """A build with thousands of processes does not make a snapshot slow."""
    children = " ".join(str(pid) for pid in range(100, 1100))
    kernel.process(10, children=children)
    kernel.process(100, group=10, children="5000")
    kernel.process(5000, group=10, syscall=call(READ))
    assert kernel.foreground().reading is False


def test_another_terminal_is_not_ours(kernel: Kernel) -> None:
    """The path of a terminal may be given to a new pane; it is not this pane's any more."""
    kernel.process(10, device=Path(PIPE).stat().st_rdev)
    assert Procfs(LocalFiles(str(kernel.root))).foreground(10, Device(TTY)) is None


def test_no_proc_tells_nothing(tmp_path: Path) -> None:
    """Without /proc, as on macOS, nothing is known."""
    assert Procfs(LocalFiles(str(tmp_path / "none"))).foreground(10, Device(TTY)) == Foreground()


def test_a_process_that_ends_meanwhile_has_no_threads(kernel: Kernel) -> None:
    """A child that is gone when it is looked at does not count."""
    kernel.process(10, children="11 12", syscall=call(61))
    kernel.process(12, group=10, syscall=call(READ))
    kernel.file(12, 0)
    kernel.thread(12, 13, syscall="running")
    shutil.rmtree(kernel.root / "12/task")
    assert kernel.foreground().reading is False


def test_a_kernel_without_schedstat_does_not_tell_wakeups(kernel: Kernel) -> None:
    """Not every kernel counts how often a thread ran."""
    kernel.process(10, syscall=call(READ))
    kernel.file(10, 0)
    (kernel.root / "10/task/10/schedstat").unlink()
    assert kernel.foreground().wakeups is None


def test_an_unknown_machine_has_only_the_wait_channel(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """System calls have other numbers on other machines, so they say nothing there."""
    monkeypatch.setattr("tmuxprim._kernel.files.LocalFiles.machine", "riscv64")
    kernel.process(10, syscall=call(READ), wchan="do_wait")
    assert kernel.foreground().reading is False


@pytest.mark.parametrize(
    ("other", "only_reading"),
    [
        (call(FUTEX), True),
        (call(SIGTIMEDWAIT), True),
        ("running\n", False),
        (call(NANOSLEEP), False),
        (call(READ, 3), False),
    ],
    ids=["idle", "waits for a signal", "runs", "sleeps", "reads a pipe"],
)
def test_a_thread_that_reads_does_not_speak_for_those_that_work(
    kernel: Kernel,
    other: str,
    only_reading: bool,  # noqa: FBT001  # a case of the table
) -> None:
    """A client with a thread for its input, as docker run -i, works in the others."""
    kernel.process(10, syscall=call(READ))
    kernel.file(10, 0)
    kernel.thread(10, 11, syscall=other)
    assert kernel.foreground().reading is True
    assert kernel.foreground().only_reading is only_reading


@pytest.mark.parametrize("state", ["T", "t"])
def test_a_stopped_process_does_not_read(kernel: Kernel, state: str) -> None:
    """Whom C-z or a debugger has stopped is in read still, and would take no key."""
    kernel.process(10, state=state, syscall=call(READ))
    kernel.file(10, 0)
    assert not kernel.foreground().reading


def test_a_stopped_process_does_not_hide_another(kernel: Kernel) -> None:
    """The others of its group may read."""
    kernel.process(10, state="T", syscall=call(READ), children="11")
    kernel.process(11, group=10, syscall=call(READ))
    for process in (10, 11):
        kernel.file(process, 0)
    assert (kernel.foreground().reading, kernel.foreground().reader) == (True, 11)


def asked(procfs: Procfs) -> Foreground:
    """Ask what the library asks."""
    foreground = procfs.foreground(10, Device(TTY))
    assert foreground is not None
    return foreground


@pytest.fixture
def reader(kernel: Kernel) -> Path:
    """Start a program that reads from the terminal; return where its system call is told."""
    kernel.process(10, syscall=call(READ))
    kernel.file(10, 0)
    return kernel.root / "10" / "task" / "10" / "syscall"


def test_who_has_not_run_since_is_not_asked_again(kernel: Kernel, reader: Path) -> None:
    """It sleeps in the same call, once its wake-ups were the same before and after asking."""
    procfs = Procfs(LocalFiles(str(kernel.root)))
    first, second = asked(procfs), asked(procfs)
    reader.write_text("running")
    assert asked(procfs) == second == first
    assert Procfs(LocalFiles(str(kernel.root))).foreground(10, Device(TTY)) != first


def test_one_answer_is_not_enough(kernel: Kernel, reader: Path) -> None:
    """It may have run between the question for its call and that for its wake-ups."""
    procfs = Procfs(LocalFiles(str(kernel.root)))
    asked(procfs)
    reader.write_text("running")
    assert asked(procfs).reading is False


def test_who_has_run_since_is_asked_again(kernel: Kernel, reader: Path) -> None:
    """So is who has been given a processor, and any other who comes to the foreground."""
    procfs = Procfs(LocalFiles(str(kernel.root)))
    asked(procfs), asked(procfs)
    reader.write_text("running")
    (reader.parent / "schedstat").write_text("1 2 78\n")
    assert asked(procfs).reading is False


def test_another_in_the_foreground_is_asked(kernel: Kernel, reader: Path) -> None:
    """The shell's wake-ups tell nothing of what it runs."""
    procfs = Procfs(LocalFiles(str(kernel.root)))
    asked(procfs), asked(procfs)
    kernel.process(11)
    stat = reader.parents[2] / "stat"
    stat.write_text(stat.read_text().replace(" 10 0 0", " 11 0 0", 1))
    nobody = Foreground(11, reading=False, only_reading=False, passes_on=False, level="syscall")
    assert asked(procfs) == nobody


@pytest.mark.parametrize("state", ["R", "T"])
def test_who_has_been_woken_is_asked_again(kernel: Kernel, reader: Path, state: str) -> None:
    """C-c wakes a reader before it is given a processor, which is what wake-ups count."""
    procfs = Procfs(LocalFiles(str(kernel.root)))
    asked(procfs), asked(procfs)
    reader.write_text("running")
    stat = reader.parents[2] / "stat"
    stat.write_text(stat.read_text().replace(") S ", f") {state} ", 1))
    assert asked(procfs).reading is False


def test_a_reader_within_the_shell_is_remembered(kernel: Kernel) -> None:
    """Its own state counts, not that of the pane's program."""
    kernel.process(10, foreground=20, children="20")
    kernel.process(20, foreground=20, syscall=call(READ))
    kernel.file(20, 0)
    procfs = Procfs(LocalFiles(str(kernel.root)))
    first, second = asked(procfs), asked(procfs)
    task = kernel.root / "20" / "task" / "20"
    (task / "syscall").write_text("running")
    assert asked(procfs) == second == first
    (kernel.root / "20" / "stat").unlink()
    assert asked(procfs).reading is not True


def test_hundreds_of_jobs_are_not_all_asked(kernel: Kernel) -> None:
    """What is of one pipeline was started in a row."""
    jobs = [*range(100, 160), 20, *range(200, 260)]
    kernel.process(10, foreground=20, children=" ".join(map(str, jobs)))
    kernel.process(20, foreground=20)
    for job in (100, 259):
        kernel.process(job, group=20, syscall=call(READ))
        kernel.file(job, 0)
    assert kernel.foreground().reading is False
    kernel.process(210, group=20, syscall=call(READ))
    kernel.file(210, 0)
    assert kernel.foreground().reader == 210


def test_several_threads_are_asked_each_time(kernel: Kernel, reader: Path) -> None:
    """What the others do is not told by the wake-ups of the one that reads."""
    kernel.thread(10, 12, syscall=call(FUTEX))
    procfs = Procfs(LocalFiles(str(kernel.root)))
    asked(procfs), asked(procfs)
    (reader.parents[1] / "12" / "syscall").write_text("running")
    assert asked(procfs).only_reading is False


def test_a_wake_up_while_it_is_asked(
    kernel: Kernel, reader: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then its call and its wake-ups may not belong together, and it is asked the next time."""
    procfs = Procfs(LocalFiles(str(kernel.root)))
    counts = iter([77, 77, 78, 78, 78])
    monkeypatch.setattr(Processes, "wakeups", lambda *_: next(counts))
    assert [asked(procfs).wakeups for _ in range(2)] == [77, 78]
    reader.write_text("running")
    assert asked(procfs).reading is False


ENDLESS = 0xFFFFFFFF


def loop(kernel: Kernel, *others: str, limit: int = ENDLESS) -> None:
    """Let a process wait in epoll for the terminal and for *others*."""
    kernel.process(10, syscall=f"232 0x4 0x0 0x400 {limit:#x} 0x0 0x0 {STACK:#x} 0x7f00\n")
    kernel.file(10, 0)
    for number, file in enumerate(others, 5):
        kernel.file(10, number, file)
    kernel.epoll(10, 4, " ".join(map(str, (0, *range(5, 5 + len(others))))))


def holds_other_end(kernel: Kernel, pipe: str, flags: str = "0100001") -> None:
    """Let the process have one more descriptor of a pipe: to write to it, or not."""
    kernel.file(10, 9, pipe)
    (kernel.root / "10/task/10/fdinfo/9").write_text(f"pos:\t0\nflags:\t{flags}\n")
    for number in (5, 6):
        (kernel.root / f"10/task/10/fdinfo/{number}").write_text("pos:\t0\nflags:\t0100000\n")


EVENTS, OWN_PIPE = "anon_inode:[eventfd]", "pipe:[5]"


def test_a_loop_that_only_the_terminal_can_wake_reads(kernel: Kernel) -> None:
    """As node's, while nothing is to be done: what is besides, it writes to itself."""
    loop(kernel, EVENTS, OWN_PIPE)
    holds_other_end(kernel, OWN_PIPE)
    assert kernel.foreground().only_reading is True


@pytest.mark.parametrize(
    ("others", "limit"),
    [
        ((EVENTS,), 2000),
        ((EVENTS, "socket:[1]"), ENDLESS),
        (("anon_inode:[timerfd]",), ENDLESS),
        (("pipe:[7]",), ENDLESS),
    ],
    ids=["a time", "a socket", "a timer", "another's pipe"],
)
def test_a_loop_that_others_can_wake(kernel: Kernel, others: tuple[str, ...], limit: int) -> None:
    """It may go on by itself."""
    loop(kernel, *others, limit=limit)
    holds_other_end(kernel, OWN_PIPE)
    assert (kernel.foreground().reading, kernel.foreground().only_reading) == (True, False)


def test_a_pipe_that_is_only_read_is_anothers(kernel: Kernel) -> None:
    """It may be open twice, and still has no writer of its own."""
    loop(kernel, OWN_PIPE)
    holds_other_end(kernel, OWN_PIPE, "0100000")
    assert kernel.foreground().only_reading is False


def test_a_loop_with_children_may_go_on_when_they_end(kernel: Kernel) -> None:
    """A signal tells it, which it writes into a pipe of its own."""
    loop(kernel, EVENTS)
    (kernel.root / "10/task/10/children").write_text("11")
    assert kernel.foreground().only_reading is False


@pytest.mark.parametrize(
    ("number", "arguments", "ends"),
    [
        (7, "0x0 0x2 0xffffffff 0x0 0x0 0x0", False),
        (7, "0x0 0x2 0x3e8 0x0 0x0 0x0", True),
        (271, "0x0 0x2 0x0 0x0 0x0 0x0", False),
        (271, "0x0 0x2 0x7ffe 0x0 0x0 0x0", True),
        (270, "0x2 0x10 0x0 0x0 0x0 0x0", False),
        (270, "0x2 0x10 0x0 0x0 0x7ffe 0x0", True),
    ],
)
def test_a_time_limit(kernel: Kernel, number: int, arguments: str, *, ends: bool) -> None:
    """A number of milliseconds, or where a time is kept."""
    kernel.process(10, syscall=f"{number} {arguments} {STACK:#x} 0x7f00\n")
    kernel.file(10, 0)
    kernel.file(10, 1, EVENTS)
    pair = struct.pack("=ihh", 0, 1, 0) + struct.pack("=ihh", 1, 1, 0)
    is_poll = number in (7, 271)
    kernel.memory(10, pair if is_poll else bytes(16) + (3).to_bytes(8, "little"))
    assert kernel.foreground().only_reading is not ends


def helper(kernel: Kernel, syscall: str) -> None:
    """Give the process a second thread, with its files."""
    kernel.thread(10, 11, syscall=syscall)
    for name in ("fd", "fdinfo"):
        (kernel.root / "10/task/11" / name).symlink_to(kernel.root / "10/task/10" / name)
    (kernel.root / "10/task/11/children").write_text("")
    (kernel.root / "10/task/11/schedstat").write_text("1 2 3\n")


def test_a_thread_that_waits_for_the_others_does_no_work(kernel: Kernel) -> None:
    """As node's, which runs its timers."""
    loop(kernel, EVENTS)
    helper(kernel, f"232 0x8 0x0 0x400 {ENDLESS:#x} 0x0 0x0 {STACK:#x} 0x7f00\n")
    kernel.epoll(10, 8, "5")
    assert kernel.foreground().only_reading is True


@pytest.mark.parametrize(("is_line", "only"), [(True, True), (False, False)])
def test_a_first_thread_that_reads_a_line_asks(
    kernel: Kernel, *, is_line: bool, only: bool
) -> None:
    """It asks, whatever its helpers do meanwhile; one that reads keys may work in them."""
    kernel.process(10, syscall=call(READ))
    kernel.file(10, 0)
    helper(kernel, "running")
    found = Procfs(LocalFiles(str(kernel.root))).foreground(10, Device(TTY, not is_line, is_line))
    assert found is not None
    assert (found.reading, found.only_reading) == (True, only)


def test_docker_does_not_ask_while_it_works(kernel: Kernel) -> None:
    """Any of its threads may be the one that passes lines on."""
    kernel.process(10, syscall=call(READ))
    kernel.file(10, 0)
    (kernel.root / "10/comm").write_text("docker\n")
    helper(kernel, "running")
    found = Procfs(LocalFiles(str(kernel.root))).foreground(10, Device(TTY, is_for_lines=True))
    assert found is not None
    assert found.only_reading is False


def test_a_thread_that_runs_meanwhile_may_have_got_work(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All have to have slept while all were asked."""
    kernel.process(10, syscall=call(READ))
    kernel.file(10, 0)
    helper(kernel, call(FUTEX))
    assert kernel.foreground().only_reading is True
    counts = iter(range(100))
    monkeypatch.setattr(Processes, "wakeups", lambda *_: next(counts))
    assert kernel.foreground().only_reading is False


def test_the_command_of_a_reader_that_does_not_lead(kernel: Kernel) -> None:
    """As of ``seq 5 | fzf``, or of fzf at a key of bash: tmux tells the shell's name of both."""
    kernel.process(10, foreground=20, children="21")
    kernel.process(21, group=20, syscall=call(READ))
    kernel.file(21, 0)
    (kernel.root / "21/comm").write_text("fzf\n")
    procfs = Procfs(LocalFiles(str(kernel.root)))
    assert procfs.reader_command(kernel.foreground()) == "fzf"
    kernel.process(20, foreground=20)
    assert procfs.reader_command(Foreground(leader=20, reader=21)) == "fzf"
    assert procfs.reader_command(Foreground(leader=20, reader=20)) is None
    assert procfs.reader_command(Foreground(leader=20)) is None
    assert procfs.reader_command(Foreground()) is None


@pytest.mark.parametrize(
    ("name", "is_raw", "menu"), [("fzf", True, 21), ("seq", True, None), ("fzf", False, None)]
)
def test_a_menu_is_found_where_no_reader_is_told(
    kernel: Kernel, name: str, menu: int | None, *, is_raw: bool
) -> None:
    """Who leads the group, as bash at a key of which fzf was started, takes no keys then."""
    kernel.process(10, foreground=10, children="21", syscall=None, wchan=None)
    kernel.process(21, group=10, syscall=None, wchan=None)
    (kernel.root / "21/comm").write_text(f"{name}\n")
    found = kernel.foreground(is_raw=is_raw)
    assert (found.reading, found.menu) == (None, menu)
    assert Procfs(LocalFiles(str(kernel.root))).reader_command(found) == (name if menu else None)


@pytest.mark.parametrize(
    ("flags", "state", "reading", "may_poll"),
    [
        ("0100002", "S", False, False),
        ("0104002", "S", False, True),  # O_NONBLOCK
        ("0104002", "D", False, False),
        ("0120002", "S", None, False),  # O_ASYNC
        ("0120002", "R", False, False),
    ],
)
def test_who_may_be_told_of_lines_while_it_sleeps_elsewhere(
    kernel: Kernel, flags: str, state: str, *, reading: bool | None, may_poll: bool
) -> None:
    """The flags of its input say that it looks for lines, or that a signal tells it of them."""
    kernel.process(10, syscall=call(NANOSLEEP), state=state)
    kernel.file(10, 0)
    (kernel.root / "10/task/10/fdinfo/0").write_text(f"pos:\t0\nflags:\t{flags}\nmnt_id:\t25\n")
    foreground = kernel.foreground()
    assert (foreground.reading, foreground.may_poll) == (reading, may_poll)
    assert kernel.foreground(is_raw=True).may_poll is (reading is False and state != "D")


def test_the_flags_of_another_file_do_not_tell(kernel: Kernel) -> None:
    """A pipe that does not block is no terminal, and what is not told is no flag."""
    kernel.process(10, syscall=call(NANOSLEEP))
    kernel.file(10, 0, PIPE)
    (kernel.root / "10/task/10/fdinfo/0").write_text("flags:\t0124002\n")
    assert kernel.foreground().reading is False
    kernel.process(11, group=10, syscall=call(NANOSLEEP))
    (kernel.root / "10/task/10/fd/0").unlink()
    kernel.file(10, 0)
    (kernel.root / "10/task/10/fdinfo/0").unlink()
    assert kernel.foreground().may_poll is False


def test_epoll_descriptors_that_watch_one_another(kernel: Kernel) -> None:
    """What the inner one waits for ends the wait, as deep as the kernel lets them be nested."""
    epoll = "anon_inode:[eventpoll]"
    kernel.process(10, syscall=call(EPOLL, 3, 0, 0, NO_LIMIT))
    kernel.file(10, 0)
    for number in (3, 4, 5):
        kernel.file(10, number, epoll)
    kernel.epoll(10, 3, "4")
    kernel.epoll(10, 4, "5")
    kernel.epoll(10, 5, "0")
    assert kernel.foreground().only_reading is True
    kernel.epoll(10, 5, "4")  # which the kernel refuses
    assert kernel.foreground().only_reading is False


def test_a_nested_epoll_that_is_not_told(kernel: Kernel) -> None:
    """Then the reader cannot be determined."""
    kernel.process(10, syscall=call(EPOLL, 3))
    kernel.file(10, 0)
    kernel.file(10, 4, "anon_inode:[eventpoll]")
    kernel.epoll(10, 3, "0 4")
    assert kernel.foreground().reading is None


@pytest.mark.parametrize(
    ("number", "wchan", "reading"),
    [(3, "wait_woken", True), (162, "hrtimer_nanosleep", False), (3, "strange", None)],
)
def test_a_program_of_32_bits(
    kernel: Kernel, number: int, wchan: str, *, reading: bool | None
) -> None:
    """Its stack is below 4 GiB, and its calls have other numbers: where it sleeps tells."""
    kernel.process(10, syscall=call(number, pointer=0xFFB7_7D30), wchan=wchan)
    kernel.file(10, 0)
    assert kernel.foreground().reading is reading


def test_signals_are_nothing_that_is_waited_for_besides(kernel: Kernel) -> None:
    """They wake who sleeps in read as well."""
    loop(kernel, "anon_inode:[signalfd]", limit=2000)
    assert kernel.foreground().only_reading is True


@pytest.mark.parametrize(("state", "reading"), [("S", True), ("R", False)])
def test_an_orphan_of_the_group_reads(kernel: Kernel, state: str, *, reading: bool) -> None:
    """What has started it has ended, so it is a child of the first process, and of no member.

    A leader that runs has not left the terminal to it.
    """
    kernel.process(1, children="9 10 30", state=state)
    kernel.process(10, syscall=call(NANOSLEEP), state=state)
    kernel.process(30, group=10, syscall=call(READ))
    kernel.file(30, 0)
    found = kernel.foreground()
    assert (found.reading, found.reader) == (reading, 30 if reading else None)


def test_an_orphan_is_left_to_an_ancestor_that_has_asked_for_it(kernel: Kernel) -> None:
    """As systemd does for a user, whose processes the first one never gets."""
    kernel.process(5, children="10 30")
    kernel.process(10, syscall=call(NANOSLEEP))
    kernel.process(30, group=10, syscall=call(READ))
    kernel.file(30, 0)
    for process, parent in ((5, 1), (10, 5)):
        stat = kernel.root / f"{process}/stat"
        head, _, rest = stat.read_text().partition(" S ")
        stat.write_text(f"{head} S {parent} {rest.partition(' ')[2]}")
    assert kernel.foreground().reader == 30


def test_an_orphan_whose_leader_has_ended_reads(kernel: Kernel) -> None:
    """Its group has the terminal still."""
    kernel.process(1, children="10 30")
    kernel.process(10, foreground=20, syscall=call(NANOSLEEP))
    kernel.process(30, group=20, syscall=call(READ))
    kernel.file(30, 0)
    assert kernel.foreground().reader == 30


def test_a_process_that_is_no_orphan_of_the_group(kernel: Kernel) -> None:
    """It has nothing to do with the terminal, and is asked for its group only once."""
    kernel.process(1, children="10 30")
    kernel.process(10, syscall=call(NANOSLEEP))
    kernel.process(30, syscall=call(READ))
    kernel.file(30, 0)
    procfs = Procfs(LocalFiles(str(kernel.root)))
    assert asked(procfs).reading is False
    (kernel.root / "30/stat").unlink()
    assert asked(procfs).reading is False
