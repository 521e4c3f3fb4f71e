"""What one operation costs: ours over control mode and over subprocesses, beside its peers.

    python benchmarks/bench_operations.py [--quick] [--rounds N] [--markdown]

The designs take turns in every round, so what slows the machine down slows all of them: trust
the ratios (in brackets, to ours over control mode), not the milliseconds. Times are until the
call returns. `run` returns when the shell is at its prompt again; a line does not wait for that.
"""

import argparse
import os
import platform
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks.operations.all_designs import DESIGNS
from benchmarks.operations.imports import time_imports
from benchmarks.operations.measure import IN_A_ROW, Samples, Spawns, cast, count_spawns, measure
from benchmarks.operations.report import (
    how_table,
    import_table,
    median_table,
    p99_table,
    spawn_table,
    targets,
)
from benchmarks.readiness.server import Server, private_server
from benchmarks.tables import Table, aligned, markdown, write

_ROUNDS = 20
_QUICK_ROUNDS = 3
_MOST_IMPORTS = 15

Layout = Callable[[Table], str]


def main() -> int:
    """Run the benchmark; a target that is missed does not change the exit status."""
    options = _parse_arguments()
    if missing := [name for name in ("tmux", "bash") if shutil.which(name) is None]:
        print(f"nothing can be measured without {' and '.join(missing)}", file=sys.stderr)
        return 2
    # SIGTERM has to clean up as Ctrl-C does.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        imports = time_imports(min(options.rounds, _MOST_IMPORTS))
        with private_server() as server:
            conditions = _conditions(server, options.rounds)
            samples, spawns = _measure(server, options.rounds)
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return 130
    layout: Layout = markdown if options.markdown else aligned
    tables = (median_table(samples), p99_table(samples), spawn_table(spawns))
    for text in (conditions, *map(layout, (how_table(), *tables, import_table(imports)))):
        print(text, end="\n\n")
    print(*targets(samples, spawns, imports), sep="\n")
    if options.json:
        write(options.json, conditions, median_table(samples))
    return 0


def _measure(server: Server, rounds: int) -> tuple[Samples, Spawns]:
    for design in DESIGNS:
        if design.is_missing():
            print(f"not installed, left out: {design.name}", file=sys.stderr)
    designs = [design for design in DESIGNS if not design.is_missing()]
    with cast(designs, server) as started:
        return measure(started, rounds), count_spawns(started)


def _conditions(server: Server, rounds: int) -> str:
    """Tell what the figures depend on."""
    version = server.run("display-message", "-p", "#{version}").strip()
    system = f"{platform.system()}, Python {platform.python_version()}, {os.cpu_count()} cores"
    return f"tmux {version}, {system}, load {os.getloadavg()[0]:.1f}; {rounds} rounds of {IN_A_ROW}"


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--rounds", type=int, help="how many turns each design has")
    parser.add_argument("--quick", action="store_true", help=f"only {_QUICK_ROUNDS} rounds")
    parser.add_argument("--markdown", action="store_true", help="print Markdown tables")
    parser.add_argument("--json", type=Path, help="write the medians to this file")
    options = parser.parse_args()
    if options.rounds is None:
        options.rounds = _QUICK_ROUNDS if options.quick else _ROUNDS
    return options


if __name__ == "__main__":
    sys.exit(main())
