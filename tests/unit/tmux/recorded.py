"""Programs that wait, as /proc told of them on Linux 6.18; addresses of memory are moved to 0."""

from typing import Final, NamedTuple

from tests.unit.kernel.kernel import Kernel

_STACK = "0x7ffe42146b98 0x7fa3a4326ef3"
_STACK_OF_32_BITS = "0xffb77d30 0x8048080"
_TERMINAL: Final = "/dev/null"  # the terminal of `Kernel`
_EPOLL: Final = "anon_inode:[eventpoll]"


class Recorded(NamedTuple):
    """A program that waits, with one thread.

    Args:
        name: What it is.
        syscall: The system call, with the stack pointer.
        wchan: The function of the kernel.
        reads: Whether a key would end its wait.
        is_raw: Whether it has made the terminal raw.
        files: What it has open.
        watched: The files that each of its epoll descriptors waits for.
        memory: What the addresses of the call lead to.
    """

    name: str
    syscall: str
    wchan: str
    reads: bool
    is_raw: bool = False
    files: tuple[str, ...] = (_TERMINAL,)
    watched: tuple[tuple[int, str], ...] = ()
    memory: bytes = b""

    def add_to(self, kernel: Kernel, pid: int, *, children: str = "", told: bool = True) -> None:
        """Let it run, in the group of process 10; *told* is whether its system call is."""
        syscall = self.syscall if told else None
        kernel.process(pid, group=10, syscall=syscall, wchan=self.wchan, children=children)
        for number, file in enumerate(self.files):
            kernel.file(pid, number, file)
        for number, targets in self.watched:
            kernel.epoll(pid, number, targets)
        kernel.memory(pid, self.memory)


_POLLS = "poll_schedule_timeout.constprop.0"
_NO_TIMEOUT = "0xffffffff"

RECORDED: Final = (
    Recorded("cat", f"0 0x0 0x0 0x20000 0x0 0x0 0x0 {_STACK}", "wait_woken", reads=True),
    Recorded(
        "bash at its prompt",
        f"270 0x1 0x8 0x0 0x0 0x0 0x0 {_STACK}",
        _POLLS,
        reads=True,
        is_raw=True,
        memory=bytes(8) + (1).to_bytes(8, "little"),
    ),
    Recorded(
        "a program of 32 bits reads",
        f"3 0x0 0x8048090 0x40 0x0 0x0 0x0 {_STACK_OF_32_BITS}",
        "wait_woken",
        reads=True,
    ),
    Recorded(
        "a line editor of 32 bits",
        f"142 0x1 0x8 0x0 0x0 0x0 0x0 {_STACK_OF_32_BITS}",
        _POLLS,
        reads=True,
        is_raw=True,
    ),
    Recorded(
        "splice from the terminal",
        f"275 0x0 0x0 0x4 0x0 0x64 0x0 {_STACK}",
        "wait_woken",
        reads=True,
        files=(_TERMINAL, _TERMINAL, _TERMINAL, "pipe:[4]", "pipe:[4]"),
    ),
    Recorded(
        "io_uring reads the terminal",
        f"426 0x3 0x1 0x1 0x1 0x0 0x0 {_STACK}",
        "io_cqring_wait",
        reads=True,
        files=(_TERMINAL, _TERMINAL, _TERMINAL, "anon_inode:[io_uring]"),
    ),
    Recorded(
        "epoll in epoll",
        f"232 0x4 0x0 0x3ff {_NO_TIMEOUT} 0x0 0x0 {_STACK}",
        "do_epoll_wait",
        reads=True,
        files=(_TERMINAL, _TERMINAL, _TERMINAL, _EPOLL, _EPOLL),
        watched=((3, "0"), (4, "3")),
    ),
    Recorded(
        "a poll of an epoll descriptor",
        f"270 0x4 0x8 0x0 0x0 0x0 0x0 {_STACK}",
        _POLLS,
        reads=True,
        files=(_TERMINAL, _TERMINAL, _TERMINAL, _EPOLL),
        watched=((3, "0"),),
        memory=bytes(8) + (8).to_bytes(8, "little"),
    ),
    Recorded(
        "sleep", f"230 0x0 0x0 0x7000 0x7100 0x0 0x0 {_STACK}", "hrtimer_nanosleep", reads=False
    ),
    Recorded(
        "a program of 32 bits sleeps",
        f"162 0x8048068 0x0 0x0 0x0 0x0 0x0 {_STACK_OF_32_BITS}",
        "hrtimer_nanosleep",
        reads=False,
    ),
    Recorded("perl's select", f"270 0x0 0x0 0x0 0x0 0x7000 0x0 {_STACK}", _POLLS, reads=False),
    Recorded(
        "sh and its child", f"61 0xffffffff 0x7000 0x0 0x0 0x2 0x1 {_STACK}", "do_wait", reads=False
    ),
    Recorded(
        "a socket is read",
        f"45 0x3 0x7000 0x1 0x0 0x0 0x0 {_STACK}",
        "unix_stream_read_generic",
        reads=False,
        files=(_TERMINAL, _TERMINAL, _TERMINAL, "socket:[3]", "socket:[4]"),
    ),
    Recorded(
        "Python waits for an event, for 9 s",
        f"202 0x7000 0x89 0x0 0x7100 0x0 0xffffffff {_STACK}",
        "futex_do_wait",
        reads=False,
    ),
    Recorded("a loop", "running", "0", reads=False),
)
