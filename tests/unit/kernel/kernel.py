"""A made-up /proc, for tests of who reads from a terminal."""

import os
from pathlib import Path

from tmuxprim._kernel.files import LocalFiles
from tmuxprim._kernel.procfs import Foreground, Procfs
from tmuxprim._kernel.wait_targets import Device

TTY = Path(os.devnull).stat().st_rdev  # /dev/null plays the terminal: any device does
PIPE = "/dev/zero"
_PANE = 10  # the program that a pane was opened with
STACK = 0x7FFF_0000_7FFF  # where the stacks begin
_BEFORE_STACK = "0 " * 7
READ, POLL, SELECT, EPOLL, NANOSLEEP, FUTEX, SIGTIMEDWAIT = 0, 7, 270, 232, 35, 202, 128
RESTART = 219
NO_LIMIT = 0xFFFFFFFF  # of a poll: -1


class Kernel:
    """Writes a /proc with the processes that a test is about."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def process(
        self,
        pid: int,
        *,
        group: int | None = None,
        foreground: int = 10,
        children: str = "",
        state: str = "S",
        syscall: str | None = "running",
        wchan: str | None = None,
        device: int = TTY,
    ) -> None:
        """Add a process with one thread, unless others are added."""
        directory = self.root / str(pid)
        task = directory / "task" / str(pid)
        (task / "fd").mkdir(parents=True)
        (task / "fdinfo").mkdir()
        minor, major = os.minor(device), os.major(device)
        number = (minor & 0xFF) | major << 8 | (minor & ~0xFF) << 12
        parent = 1 if pid == _PANE else _PANE  # but for those that are told as children
        stat = f"{pid} (a) b) {state} {parent} {group or pid} 1 {number} {foreground} {'0 ' * 11}"
        (directory / "stat").write_text(f"{stat}1 {_BEFORE_STACK}{STACK} 0\n")
        (task / "stat").write_text(f"{stat}1 {_BEFORE_STACK}{STACK} 0\n")
        (task / "children").write_text(children)
        (task / "schedstat").write_text("1 2 77\n")
        (task / "comm").write_text("program\n")
        (task / "cmdline").write_text("program\0")
        if syscall is not None:
            (task / "syscall").write_text(syscall)
        if wchan is not None:
            (task / "wchan").write_text(wchan)

    def leaves(self, pid: int, *, has_terminal: bool = False) -> None:
        """Give a process that leads its group a session of its own."""
        stat = self.root / str(pid) / "stat"
        state, _, rest = stat.read_text().partition(f" {pid} 1 ")
        terminal, _, others = rest.partition(" ")
        stat.write_text(f"{state} {pid} {pid} {terminal if has_terminal else 0} {others}")

    def file(self, pid: int, number: int, target: str = os.devnull) -> None:
        """Open a file in a process: the terminal, or another."""
        (self.root / str(pid) / "task" / str(pid) / "fd" / str(number)).symlink_to(target)

    def passes_on(self, pid: int, near: str, far: str, leader: str = "") -> None:
        """Let a process pass on what a remote terminal shows to a near one, as script does."""
        index = far.rpartition("/")[2]
        self.process(pid, device=Path(near).stat().st_rdev, foreground=pid, children=leader)
        self.file(pid, 0, near)
        self.file(pid, 5, "/dev/ptmx")
        self.epoll(pid, 4, "0 5")
        self.sleeps(pid, call(EPOLL, 4))
        (self.root / f"{pid}/task/{pid}/fdinfo/5").write_text(f"pos:\t0\ntty-index:\t{index}\n")
        device = self.root / f"{pid}/root/dev/pts/{index}"
        device.parent.mkdir(parents=True)
        device.symlink_to(far)

    def serves(self, pid: int, near: str, far: str, leader: str, name: str) -> None:
        """Let a process of another session pass a remote terminal on, as tmux's server does."""
        self.passes_on(pid, near, far, leader)
        self.leaves(pid)
        (self.root / f"{pid}/comm").write_text(f"{name}\n")

    def sleeps(self, pid: int, syscall: str) -> None:
        """Let a process sleep in a system call from now on."""
        (self.root / str(pid) / "task" / str(pid) / "syscall").write_text(syscall)

    def epoll(self, pid: int, number: int, targets: str) -> None:
        """Tell what an epoll descriptor waits for."""
        lines = "".join(f"tfd: {target:>8} events:  19\n" for target in targets.split())
        info = self.root / str(pid) / "task" / str(pid) / "fdinfo" / str(number)
        info.write_text(f"pos:\t0\n{lines}")

    def thread(
        self, pid: int, thread: int, *, syscall: str | None = None, wchan: str = "0"
    ) -> None:
        """Add a thread to a process, once."""
        stat = self.root / str(pid) / "stat"
        stat.write_text(stat.read_text().replace(f"1 {_BEFORE_STACK}", f"2 {_BEFORE_STACK}"))
        task = self.root / str(pid) / "task" / str(thread)
        task.mkdir()
        (task / "wchan").write_text(wchan)
        if syscall is not None:
            (task / "syscall").write_text(syscall)

    def memory(self, pid: int, content: bytes) -> None:
        """Put bytes at address 0 of a process."""
        (self.root / str(pid) / "task" / str(pid) / "mem").write_bytes(content)

    def foreground(self, *, is_raw: bool = False) -> Foreground:
        """Ask what the library asks of a pane that is there."""
        foreground = Procfs(LocalFiles(str(self.root))).foreground(_PANE, Device(TTY, is_raw))
        assert foreground is not None
        return foreground


def call(
    number: int,
    first: int = 0,
    second: int = 0,
    third: int = 0,
    fourth: int = 0,
    fifth: int = 0,
    *,
    pointer: int = STACK - 1,
) -> str:
    """Return how /proc/PID/syscall names a system call, with the stack pointer."""
    arguments = " ".join(f"{one:#x}" for one in (first, second, third, fourth, fifth))
    return f"{number} {arguments} 0x0 {pointer:#x} 0x7f00\n"
