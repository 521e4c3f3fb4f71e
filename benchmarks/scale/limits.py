"""Whether this machine has room for so many panes."""

import resource
import sys
from pathlib import Path
from typing import Final

_MARGIN: Final = 50  # of everything, for all else that runs here
_PROCESSES: Final = 2  # for each pane: a shell and what it runs
_MEMORY: Final = 4  # MiB for each pane, at most


def why_not(panes: int) -> str:
    """Return what there is too little of, and how to have more; nothing if there is enough."""
    if not sys.platform.startswith("linux"):
        return "it needs Linux: elsewhere nothing tells what a process takes"
    for free, needed, what, advice in (
        (_free_terminals(), panes, "pseudo-terminals", "sysctl kernel.pty.max"),
        (_soft(resource.RLIMIT_NOFILE), panes, "open files for a process", "ulimit -n"),
        (_soft(resource.RLIMIT_NPROC), panes * _PROCESSES, "processes", "ulimit -u"),
        (_free_memory(), panes * _MEMORY, "MiB of memory", "fewer panes"),
    ):
        if free < needed + _MARGIN:
            return f"{panes:,} panes need {needed + _MARGIN:,} {what}, here are {free:,}: {advice}"
    return ""


def _free_terminals() -> int:
    most, used = (int(Path("/proc/sys/kernel/pty", name).read_text()) for name in ("max", "nr"))
    return most - used


def _soft(limit: int) -> int:
    soft, _ = resource.getrlimit(limit)
    return sys.maxsize if soft == resource.RLIM_INFINITY else soft


def _free_memory() -> int:
    for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) // 1024
    return sys.maxsize
