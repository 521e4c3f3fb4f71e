"""How long until a call returns, and until what it sent has arrived."""

import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, TypeAlias

import attrs

from benchmarks.sending.designs import (
    ChunkedSendKeys,
    Design,
    Libtmux,
    LiteralLibtmux,
    LiteralSendKeys,
    LoadAndPaste,
    NaiveSendKeys,
    Ours,
)
from benchmarks.sending.witness import NothingCameError, Shell, Sink
from tests.tmux_server import Server
from tmuxprim import Pane

LOST = "LOST"
REFUSED = "refused"

# How long to wait for what has not come, in seconds: it costs that once for each that is lost.
_PATIENCE = 2.0

_SIZES = {
    "1 B": 1,
    "100 B": 100,
    "1 KiB": 1 << 10,
    "16 KiB": 1 << 14,
    "64 KiB": 1 << 16,
    "1 MiB": 1 << 20,
}
_LINE = "echo hi"


@attrs.frozen
class Timing:
    """The median of the seconds that something took.

    Args:
        returned: Until the call returned.
        arrived: Until the last byte of it was where it should go.
    """

    returned: float
    arrived: float


Cell: TypeAlias = Timing | str
"""A timing, or why there is none."""
Cells: TypeAlias = dict[str, Cell]
"""By the name of the design."""


class _Witness(Protocol):
    """A program that tells when something reached it."""

    pane: Pane

    def prepare(self) -> None:
        """Make ready for the next time."""
        ...

    def arrival(self, expected: bytes, patience: float) -> float:
        """Return when the last of *expected* arrived."""
        ...


@attrs.frozen
class _Task:
    """Something to send.

    Args:
        do: Sends it, by a design.
        expected: What arrives.
        designs: Who can do it.
    """

    do: Callable[[Design], None]
    expected: bytes
    designs: Sequence[type[Design]]


def time_texts(server: Server, directory: Path, rounds: int) -> dict[str, Cells]:
    """Time typing, by the length of the text."""
    sink = Sink(server, directory)
    return {
        name: _compare(_typing(length), server, sink, rounds) for name, length in _SIZES.items()
    }


def _typing(length: int) -> _Task:
    # No two neighbours are equal, so a text that is cut or turned does not pass.
    text = ("0123456789abcdef" * (length // 16 + 1))[:length]
    designs = (Ours, LiteralLibtmux, LiteralSendKeys, ChunkedSendKeys, LoadAndPaste)
    return _Task(lambda design: design.type(text), text.encode(), designs)


def time_key(server: Server, directory: Path, rounds: int) -> Cells:
    """Time pressing one key."""
    task = _Task(lambda design: design.press(["Up"]), b"\x1b[A", (Ours, Libtmux, NaiveSendKeys))
    return _compare(task, server, Sink(server, directory), rounds)


def time_line(server: Server, directory: Path, rounds: int) -> Cells:
    """Time a command in bash, until bash starts it."""
    designs = (Ours, Libtmux, NaiveSendKeys, LiteralSendKeys)
    task = _Task(lambda design: design.submit(_LINE), _LINE.encode(), designs)
    return _compare(task, server, Shell(server, directory), rounds)


def _compare(task: _Task, server: Server, witness: _Witness, rounds: int) -> Cells:
    """Let the designs take turns, so that what slows the machine down slows all of them."""
    designs = [cls(server, witness.pane) for cls in task.designs if not cls.is_missing()]
    faults = {design.name: _first_time(task, design, witness) for design in designs}
    able = [design for design in designs if not faults[design.name]]
    samples: dict[str, list[Timing]] = {design.name: [] for design in able}
    for number in range(rounds):
        # Nobody shall always come first, or after the same one.
        first = number % len(able)
        for design in (*able[first:], *able[:first]):
            samples[design.name].append(_sample(task, design, witness))
    return {name: fault or _median(samples[name]) for name, fault in faults.items()}


def _first_time(task: _Task, design: Design, witness: _Witness) -> str:
    """Try it once without counting; return why there is nothing to be timed, if so."""
    try:
        _sample(task, design, witness)
    except NothingCameError:
        return LOST
    except design.refusals:
        return REFUSED
    return ""


def _sample(task: _Task, design: Design, witness: _Witness) -> Timing:
    witness.prepare()
    start = time.monotonic()
    task.do(design)
    returned = time.monotonic()
    arrived = witness.arrival(task.expected, _PATIENCE)
    return Timing(returned - start, arrived - start)


def _median(samples: Sequence[Timing]) -> Timing:
    return Timing(
        statistics.median(sample.returned for sample in samples),
        statistics.median(sample.arrived for sample in samples),
    )
