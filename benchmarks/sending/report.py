"""The results as tables, for a terminal or in Markdown."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import attrs

from benchmarks.sending.designs import (
    ChunkedSendKeys,
    LiteralSendKeys,
    LoadAndPaste,
    NaiveSendKeys,
    Ours,
)
from benchmarks.sending.exactness import Verdict
from benchmarks.sending.speed import Cell, Cells, Timing
from benchmarks.tables import Table

Results: TypeAlias = Mapping[str, Mapping[str, Verdict]]
"""By the name of the design, and of the case."""

_RAW = {cls.name for cls in (NaiveSendKeys, LiteralSendKeys, ChunkedSendKeys, LoadAndPaste)}


def returned(timing: Timing) -> float:
    """Return the seconds until the call returned."""
    return timing.returned


def arrived(timing: Timing) -> float:
    """Return the seconds until all of it was read."""
    return timing.arrived


@attrs.frozen
class Column:
    """A column of times.

    Args:
        title: What stands above it.
        cells: The times of each design.
        which: Picks one of the times.
    """

    title: str
    cells: Cells
    which: Callable[[Timing], float]

    def shown(self, design: str) -> str:
        """Return milliseconds, and in brackets as a multiple of the fastest raw design."""
        cell = self.cells[design]
        if isinstance(cell, str):
            return cell
        time = self.which(cell)
        return f"{time * 1000:.2f} ({time / self._base():.2f})"

    def _base(self) -> float:
        raw: list[Cell] = [cell for design, cell in self.cells.items() if design in _RAW]
        return min(self.which(cell) for cell in raw if isinstance(cell, Timing))


def speed_table(columns: Sequence[Column]) -> Table:
    """Return a row for each design."""
    rows = [[name, *(column.shown(name) for column in columns)] for name in columns[0].cells]
    return [["", *(column.title for column in columns)], *rows]


def exactness_table(results: Results) -> Table:
    """Return a row for each case and a column for each design, and how many are right."""
    cases = dict.fromkeys(case for verdicts in results.values() for case in verdicts)
    rows = [[case, *(results[design][case].value for design in results)] for case in cases]
    return [["", *results], *rows, ["right", *map(_right, results.values())]]


def summary_table(results: Results) -> Table:
    """Return how often each design came to each verdict."""
    rows = [
        [verdict.value, *(str([*found.values()].count(verdict)) for found in results.values())]
        for verdict in Verdict
    ]
    return [["", *results], *rows, ["right", *map(_right, results.values())]]


def _right(verdicts: Mapping[str, Verdict]) -> str:
    possible = [verdict for verdict in verdicts.values() if verdict is not Verdict.NO_WAY]
    return f"{sum(verdict.is_right for verdict in possible)}/{len(possible)}"


def target_line(line: Cells) -> str:
    """Say whether sending a line costs no more than one call of tmux above two raw calls."""
    ours, two, one = (line[cls.name] for cls in (Ours, LiteralSendKeys, NaiveSendKeys))
    if isinstance(ours, str) or isinstance(two, str) or isinstance(one, str):
        return "Whether the target is met cannot be told."
    extra = ours.returned - two.returned
    return (
        f"Console.send takes {extra * 1000:.2f} ms more than two raw calls; one raw call takes "
        f"{one.returned * 1000:.2f} ms: target {'met' if extra <= one.returned else 'MISSED'}"
    )
