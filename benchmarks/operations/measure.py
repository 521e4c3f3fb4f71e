"""How long operations take, and how many processes they start."""

import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Final, TypeAlias

from benchmarks.operations.designs import OPERATIONS, Design, Operation, Stage
from benchmarks.readiness.server import Server

Samples: TypeAlias = dict[str, dict[str, list[float]]]
"""Seconds, by operation and by design."""
Spawns: TypeAlias = dict[str, dict[str, int]]
"""How many processes, by operation and by design."""

IN_A_ROW: Final = 10
_STARTS: Final = frozenset({"subprocess.Popen", "os.fork", "os.forkpty"})


@contextmanager
def cast(designs: Sequence[type[Design]], server: Server) -> Iterator[list[Design]]:
    """Start the designs, and end them whatever happens."""
    stage, started = Stage.on(server), list[Design]()
    with ExitStack() as ends:
        for design in designs:
            started.append(design(stage))
            ends.callback(started[-1].close)
        yield started


def measure(designs: Sequence[Design], rounds: int) -> Samples:
    """Let the designs take turns, so that what slows the machine down slows all of them.

    In its turn each does an operation some times in a row: the first one finds the processor's
    caches full of what the others did, the median does not. A first round is not counted.
    """
    samples: Samples = {operation: {} for operation in OPERATIONS}
    able = {design: design.operations() for design in designs}
    for number in range(-1, rounds):
        for operation in OPERATIONS:
            # Nobody shall always come first, or after the same one.
            first = number % len(designs)
            for design in (*designs[first:], *designs[:first]):
                do = able[design].get(operation)
                if do is not None:
                    took = [_time(operation, do, design) for _ in range(IN_A_ROW)]
                    samples[operation].setdefault(design.name, []).extend(
                        took if number >= 0 else ()
                    )
    return samples


def _time(operation: str, do: Operation, design: Design) -> float:
    begin = time.perf_counter()
    do()
    took = time.perf_counter() - begin
    design.settle(operation)
    return took


def count_spawns(designs: Sequence[Design]) -> Spawns:
    """Count the processes that each operation starts from here, once everything is warm.

    Python tells of each (PEP 578). What a shell in a pane starts counts for nobody.
    """
    counter = Counter[str]()
    # There is no way to take the hook away again; it does nothing that shows.
    sys.addaudithook(lambda event, _: counter.update((event,)) if event in _STARTS else None)
    spawns: Spawns = {operation: {} for operation in OPERATIONS}
    for design in designs:
        for operation, do in design.operations().items():
            counts = []
            for _ in range(IN_A_ROW):
                before = counter.total()
                do()
                counts.append(counter.total() - before)
                design.settle(operation)
            # On a machine that is busy a snapshot may come too early, and take another one.
            spawns[operation][design.name] = statistics.median_low(counts)
    return spawns
