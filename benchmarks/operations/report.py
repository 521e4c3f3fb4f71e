"""The results as tables, and whether the targets hold in this run."""

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

import attrs

from benchmarks.figures import milliseconds, p99, times
from benchmarks.operations.all_designs import DESIGNS
from benchmarks.operations.bare import BareControl
from benchmarks.operations.designs import (
    READ,
    RUN,
    Design,
    Libtmux,
    OverControl,
    OverSubprocesses,
    Pexpect,
    PromptPexpect,
)
from benchmarks.operations.imports import LIBTMUX, OURS, OURS_IN_USE
from benchmarks.operations.measure import Samples, Spawns
from benchmarks.tables import Table

Imports = Mapping[str, Sequence[float]]
Cell = TypeVar("Cell")

_MOST_SPAWNS: Final = 3
_NONE: Final = "n/a"


@attrs.frozen
class Target:
    """What is to hold between two figures of one run.

    Args:
        text: What is to hold.
        found: What was found; None if it was not measured.
        limit: What it is held against.
        is_least: Whether the limit is the least that will do, rather than the most.
        bare: What it is if nothing is asked but tmux, and nothing is checked.
    """

    text: str
    found: float | None
    limit: float
    is_least: bool = False
    bare: float | None = None

    def __str__(self) -> str:
        if self.found is None:
            return f"cannot be told: {self.text}"
        holds = self.found >= self.limit if self.is_least else self.found <= self.limit
        floor = (
            "" if self.bare is None else f", with bare bytes over control mode {times(self.bare)}"
        )
        return f"{'holds' if holds else 'MISSED'}: {self.text}; it is {times(self.found)}{floor}"


def how_table() -> Table:
    """Return what each design calls."""
    rows = [
        [design.name, operation, call]
        for design in DESIGNS
        if "how" in vars(design)  # the others call the same
        for operation, call in design.how.items()
    ]
    return [["", "operation", "calls"], *rows]


def median_table(samples: Samples) -> Table:
    """Return a row for each operation: medians, in brackets as a multiple of ours."""

    def shown(own: Mapping[str, list[float]], name: str) -> str:
        median = statistics.median(own[name])
        ratio = median / statistics.median(own[OverControl.name])
        return f"{milliseconds(median)} ({times(ratio)})"

    return _table("median, ms", samples, shown)


def p99_table(samples: Samples) -> Table:
    """Return a row for each operation, with the 99th percentile."""
    return _table("p99, ms", samples, lambda own, name: milliseconds(p99(own[name])))


def spawn_table(spawns: Spawns) -> Table:
    """Return a row for each operation, with how many processes were started for it."""
    return _table("processes started", spawns, lambda own, name: str(own[name]))


def import_table(imports: Imports) -> Table:
    """Return a row for each way to import something."""
    rows = [
        [name, milliseconds(statistics.median(took)), milliseconds(p99(took))]
        for name, took in imports.items()
    ]
    return [["import, ms", "median", "p99"], *rows]


def _table(
    title: str,
    cells: Mapping[str, Mapping[str, Cell]],
    shown: Callable[[Mapping[str, Cell], str], str],
) -> Table:
    designs: tuple[type[Design], ...] = (OverControl, OverSubprocesses, *DESIGNS)
    names = [design.name for design in designs]  # ours first
    there = {name for own in cells.values() for name in own}
    columns = [name for name in dict.fromkeys(names) if name in there]
    rows = [
        [operation, *(shown(own, name) if name in own else _NONE for name in columns)]
        for operation, own in cells.items()
    ]
    return [[title, *columns], *rows]


def targets(samples: Samples, spawns: Spawns, imports: Imports) -> Iterator[Target]:
    """Yield what is to hold; ratios only, which depend little on the machine."""

    def ratio(operation: str, one: str, other: str) -> float | None:
        own = samples[operation]
        return _ratio(own.get(one), own.get(other))

    control, bare, prompt = OverControl.name, BareControl.name, PromptPexpect.name
    read, bare_read = (ratio(READ, Libtmux.name, one) for one in (control, bare))
    text = f"{READ} over control mode at least 40 times as fast as libtmux's capture_pane"
    yield Target(text, read, 40, is_least=True, bare=bare_read)
    run, bare_run = (ratio(RUN, one, prompt) for one in (control, bare))
    text = f"{RUN} over control mode takes at most 2.5 times what pexpect takes without delay"
    yield Target(text, run, 2.5, bare=bare_run)
    run, bare_run = (ratio(RUN, Pexpect.name, one) for one in (control, bare))
    text = f"{RUN} over control mode at least 50 times as fast as pexpect as it comes"
    yield Target(text, run, 50, is_least=True, bare=bare_run)
    started = spawns[RUN].get(OverSubprocesses.name)
    text = f"{RUN} over subprocesses starts at most {_MOST_SPAWNS} processes"
    yield Target(text, started, _MOST_SPAWNS)
    for statement in (OURS, OURS_IN_USE):
        text = f"`{statement}` takes at most half of what `{LIBTMUX}` takes"
        yield Target(text, _ratio(imports.get(statement), imports.get(LIBTMUX)), 0.5)


def _ratio(one: Sequence[float] | None, other: Sequence[float] | None) -> float | None:
    return statistics.median(one) / statistics.median(other) if one and other else None
