"""What processes take of the machine, as Linux tells it in ``/proc`` (proc(5))."""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import attrs

_TICKS: Final = os.sysconf("SC_CLK_TCK")
_CUTIME, _CSTIME = 13, 14  # places in ``stat``, counted from the state: of children that ended


@attrs.frozen(kw_only=True)
class Reading:
    """What a process and the tmux server take at one moment.

    Args:
        at: When that was, in seconds.
        cpu: Processor time of the process so far, in seconds, with that of its children.
        memory: What it holds of the machine's memory, in MiB (RSS); without its children.
        threads: How many it has.
        files: How many descriptors it has open.
        children: How many processes it has started that are there yet.
        server_cpu: Processor time of the server so far.
        server_memory: What the server holds of memory.
    """

    at: float
    cpu: float
    memory: float
    threads: int
    files: int
    children: int
    server_cpu: float
    server_memory: float

    def share(self, earlier: "Reading") -> float:
        """Return what the process took of a core since then, in percent."""
        return 100 * (self.cpu - earlier.cpu) / (self.at - earlier.at)

    def server_share(self, earlier: "Reading") -> float:
        """Return what the server took of a core since then, in percent."""
        return 100 * (self.server_cpu - earlier.server_cpu) / (self.at - earlier.at)

    def left_over(self, before: "Reading") -> str:
        """Return what there is more of than there was before, if anything."""
        more = {
            "threads": self.threads - before.threads,
            "descriptors": self.files - before.files,
            "processes": self.children - before.children,
        }
        return ", ".join(f"{count} {name}" for name, count in more.items() if count > 0)


@attrs.frozen
class Meter:
    """Reads what a process and the tmux server take.

    Args:
        pid: The process.
        server: The server.
    """

    pid: int
    server: int

    def read(self) -> Reading:
        """Look at both; the server may have gone."""
        own, server = Path("/proc", str(self.pid)), Path("/proc", str(self.server))
        started = [Path("/proc", str(child)) for child in children(self.pid)]
        return Reading(
            at=time.monotonic(),
            cpu=_cpu(own) + sum(map(_cpu, started)),
            memory=_memory(own),
            threads=len(_names(own / "task")),
            # Looking at them opens one itself, which is not there any more.
            files=len([name for name in _names(own / "fd") if (own / "fd" / name).is_symlink()]),
            children=len(started),
            server_cpu=_cpu(server),
            server_memory=_memory(server),
        )


def children(pid: int) -> Iterator[int]:
    """Yield the processes that a process has started and that are there yet."""
    tasks = Path("/proc", str(pid), "task")
    for thread in _names(tasks):
        with suppress(OSError):
            yield from map(int, (tasks / thread / "children").read_text("ascii").split())


def _cpu(proc: Path) -> float:
    """Return the time on a processor, in nanoseconds unlike ``stat``; that of children is not."""
    seconds = 0.0
    for thread in _names(proc / "task"):
        with suppress(OSError):  # it has just ended
            text = (proc / "task" / thread / "schedstat").read_text(encoding="ascii")
            seconds += int(text.split()[0]) / 1e9
    with suppress(OSError):
        fields = (proc / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        seconds += (int(fields[_CUTIME]) + int(fields[_CSTIME])) / _TICKS
    return seconds


def _memory(proc: Path) -> float:
    with suppress(OSError):
        for line in (proc / "status").read_text(encoding="utf-8").splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
    return 0.0


def _names(directory: Path) -> list[str]:
    with suppress(OSError):
        return os.listdir(directory)  # noqa: PTH208  # names are all that is wanted
    return []
