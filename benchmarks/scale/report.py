"""The results as tables, and whether the targets hold in this run."""

import statistics
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from benchmarks.figures import milliseconds, p99
from benchmarks.scale.picture import Curve, Panel, draw
from benchmarks.scale.swarm import AsyncSwarm
from benchmarks.scale.trial import Result
from benchmarks.tables import Table

_MANY: Final = 1000
_MOST_CPU: Final = 10.0


def speed_table(results: Sequence[Result]) -> Table:
    """Return a row for each trial: how quickly everything was done."""
    head = ["", "panes", "all open, s", "all ready, s", "`echo` in all: runs/s"]
    head += ["p50, ms", "p99, ms", "loop held, ms", "late: p50, ms", "p99, ms", "all closed, s"]
    rows = [
        [
            *(one.name, f"{one.panes:,}", f"{one.opened:.2f}", f"{one.ready:.2f}"),
            *(f"{one.panes / one.ran:.0f}", *_spread(one.runs), _held(one), *_spread(one.late)),
            f"{one.closed:.2f}",
        ]
        for one in results
    ]
    return [head, *rows]


def cost_table(results: Sequence[Result]) -> Table:
    """Return a row for each trial: what waiting in all panes takes."""
    head = [
        "all wait",
        "panes",
        "CPU, % of a core",
        "CPU of the server",
        "MiB",
        "MiB of the server",
    ]
    head += ["threads", "descriptors", "processes", "left after close"]
    rows = [
        [
            *(one.name, f"{one.panes:,}", f"{one.own_cpu:.2f}", f"{one.server_cpu:.2f}"),
            *(f"{one.waited.memory:.0f}", f"{one.waited.server_memory:.0f}"),
            *map(str, (one.waited.threads, one.waited.files, one.waited.children)),
            one.left or "nothing",
        ]
        for one in results
    ]
    return [head, *rows]


def targets(results: Sequence[Result]) -> Iterator[str]:
    """Yield what is to hold, and whether it does."""
    text = f"{_MANY:,} idle panes waited on take at most {_MOST_CPU:.0f} % of a core"
    many = [one for one in results if (one.name, one.panes) == (AsyncSwarm.name, _MANY)]
    if many:
        own, server = many[0].own_cpu, many[0].server_cpu
        verdict = "holds" if own + server <= _MOST_CPU else "MISSED"
        yield f"{verdict}: {text}; it is {own:.1f} of ours and {server:.1f} of the server"
    else:
        yield f"cannot be told: {text}"
    left = [f"{one.name}, {one.panes:,} panes: {one.left}" for one in results if one.left]
    yield f"{'MISSED' if left else 'holds'}: nothing is left after close" + "".join(
        f"\n    {line}" for line in left
    )


def to_svg(results: Sequence[Result], conditions: str) -> str:
    """Return a picture: three figures over the number of panes."""
    panels = [
        Panel(
            "CPU while all wait",
            "% of a core, ours and the server's",
            _curves(results, lambda one: one.own_cpu + one.server_cpu),
        ),
        Panel(
            "How late is “ready”?",
            "ms after its end: median; p99 as dots",
            _curves(
                results,
                lambda one: statistics.median(one.late) * 1000,
                lambda one: p99(one.late) * 1000,
            ),
        ),
        Panel(
            "echo in all panes at once",
            "runs a second",
            _curves(results, lambda r: r.panes / r.ran),
        ),
    ]
    return draw(panels, title="One process and many panes", conditions=conditions)


def _curves(
    results: Sequence[Result],
    figure: Callable[[Result], float],
    upper: Callable[[Result], float] | None = None,
) -> list[Curve]:
    curves = []
    for name in dict.fromkeys(one.name for one in results):
        own = [one for one in results if one.name == name]
        higher = [(one.panes, upper(one)) for one in own] if upper else []
        curves.append(Curve(name, [(one.panes, figure(one)) for one in own], higher))
    return curves


def _held(one: Result) -> str:
    return "" if one.held is None else milliseconds(one.held)


def _spread(values: Sequence[float]) -> tuple[str, str]:
    return milliseconds(statistics.median(values)), milliseconds(p99(values))
