"""The watch on the states of many panes: what it takes while all are idle, and how late it is.

Some panes work for seconds, say by their own clock when they have ended, and are watched meanwhile.
"""

import os
import random
import re
import statistics
import time
from collections.abc import Sequence

import attrs

from benchmarks.figures import milliseconds
from benchmarks.readiness.server import Server, private_server
from benchmarks.scale.footprint import Meter
from benchmarks.scale.swarm import SHELL
from benchmarks.tables import Table
from tmuxprim import KeySequence, Pane, State, StateWatch, TmuxTerminal

_CALL_TIMEOUT = 120.0
_MOST_AT_WORK = 20
_FIRST_END, _NEXT_END, _LAST_LOOK = 5.0, 0.4, 10.0
_ENDED = re.compile(r"^at:([0-9.]+)", re.MULTILINE)


@attrs.frozen(kw_only=True)
class Watched:
    """What came out; CPU is in percent of a core, times are in seconds.

    Args:
        panes: How many were watched.
        first: Until the first state of each was told.
        own_cpu: What the watch took while all were idle.
        server_cpu: What it took of the tmux server.
        at_work: How many panes worked.
        late: How long after the end of its work each was told to be at its prompt.
    """

    panes: int
    first: float
    own_cpu: float
    server_cpu: float
    at_work: int
    late: Sequence[float]


def watch(panes: int, seconds: float) -> Watched:
    """Open so many shells on a server of their own, and watch their states."""
    with private_server() as server, _terminal(server) as terminal:
        opened = [terminal.open(SHELL) for _ in range(panes)]
        meter = Meter(os.getpid(), server.pid())
        with _terminal(server) as watching, StateWatch(watching, opened) as changes:
            begin = time.monotonic()
            for _ in opened:
                next(changes)
            first = time.monotonic() - begin
            before = meter.read()
            changes.poll(seconds)
            after = meter.read()
            late, at_work = _lateness(terminal, opened, changes)
    return Watched(
        panes=panes,
        first=first,
        own_cpu=after.share(before),
        server_cpu=after.server_share(before),
        at_work=at_work,
        late=late,
    )


def table(results: Sequence[Watched]) -> Table:
    """Return a row for each number of panes."""
    head = ["states watched", "panes", "first states, s", "CPU, % of a core", "CPU of the server"]
    head += ["reported", "late: p50, ms", "worst, ms"]
    rows = [
        [
            *("control", f"{one.panes:,}", f"{one.first:.2f}"),
            *(f"{one.own_cpu:.2f}", f"{one.server_cpu:.2f}", f"{len(one.late)}/{one.at_work}"),
            *(milliseconds(statistics.median(one.late)), milliseconds(max(one.late))),
        ]
        for one in results
    ]
    return [head, *rows]


def _terminal(server: Server) -> TmuxTerminal:
    return TmuxTerminal(
        socket_path=server.socket,
        config_file="/dev/null",
        timeout=_CALL_TIMEOUT,
        transport="control",
    )


def _lateness(
    terminal: TmuxTerminal, opened: Sequence[Pane], changes: StateWatch
) -> tuple[list[float], int]:
    """Return how late each change was that was told once, behind that to work; and their number."""
    number = min(len(opened), _MOST_AT_WORK)
    at_work = random.Random(len(opened)).sample(opened, number)  # noqa: S311  # the same each time
    told: dict[str, list[tuple[State, float]]] = {pane.target: [] for pane in at_work}
    for place, pane in enumerate(at_work):
        line = f"sleep {_FIRST_END + _NEXT_END * place:.1f}; echo at:$EPOCHREALTIME"
        terminal.send(pane, KeySequence.text(line) + KeySequence.keys("Enter"))
    end = time.monotonic() + _FIRST_END + _NEXT_END * number + _LAST_LOOK
    while (left := end - time.monotonic()) > 0:
        if (change := changes.poll(left)) is not None and change.pane.target in told:
            told[change.pane.target].append((change.now.state, time.time()))
    late = []
    for pane in at_work:
        states = [state for state, _ in told[pane.target]]
        ended = _ENDED.findall(terminal.observe(pane).text)
        if states == [State.WORKING, State.PROMPT] and ended:
            late.append(told[pane.target][-1][1] - float(ended[-1]))
    return late, number
