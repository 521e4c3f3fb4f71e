"""Control mode on real tmux beside programs that print without end."""

import os
import statistics
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.control import eventually
from tests.person import person
from tests.tmux_server import Server
from tmuxprim import Pane, TmuxTerminal

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash")]

FLOODS = {
    "lines": "exec yes",
    "numbers": "while :; do seq 1 5000000; done",
    "noise": "exec cat /dev/urandom | base64",
}
MEBIBYTE = 1 << 20


def memory(pid: int) -> int:
    """Return how much memory a process has, in bytes."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) * 1024


def written(pane_pid: int) -> int:
    """Return how much the programs of a pane have written, in bytes."""
    total = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            parent = process.joinpath("stat").read_text().rpartition(")")[2].split()[1]
            if pane_pid in (int(process.name), int(parent)):
                total += int(process.joinpath("io").read_text().split()[3])
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue
    return total


def seconds_to_look(terminal: TmuxTerminal, pane: Pane, seconds: float) -> float:
    """Return how long a snapshot of a pane takes, of many in so much time."""
    took = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.monotonic()
        assert terminal.observe(pane).rows[0] == "calm"
        took.append(time.monotonic() - began)
    return statistics.median(took)


@pytest.mark.skipif(not Path("/proc/self/io").exists(), reason="/proc tells what is written")
@pytest.mark.parametrize(
    ("flood", "is_watched"),
    [("lines", False), ("lines", True), ("numbers", False), ("noise", True)],
)
def test_a_flood_drowns_nobody(
    server: Server, linked: TmuxTerminal, flood: str, *, is_watched: bool
) -> None:
    """The program goes on printing, memory does not grow, other panes are looked at quickly."""
    calm = linked.open(("sh", "-c", "echo calm; exec cat"), name="calm")
    server.tmux("set-option", "-g", "history-limit", "100")
    loud = server.frugal.open(FLOODS[flood], name="loud")
    pid = server.pid()
    assert pid is not None
    with ExitStack() as stack:
        if is_watched:
            stack.enter_context(person(server.socket, "=loud")).remembers = False
        eventually(lambda: linked.read(calm) == "calm")
        source = linked.observe(loud).pane_pid
        seconds_to_look(linked, calm, 0.2)
        before = written(source), memory(pid), memory(os.getpid())
        took = seconds_to_look(linked, calm, 0.4)
        after = written(source), memory(pid), memory(os.getpid())
        assert linked.transport == "control"
        linked.close(loud)
    assert after[0] - before[0] > MEBIBYTE // 16  # more than a terminal holds
    assert after[1] - before[1] < 8 * MEBIBYTE
    assert after[2] - before[2] < 8 * MEBIBYTE
    assert took < 1.0
