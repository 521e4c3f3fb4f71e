"""One process and many panes: how quick it is, and what it costs to wait for all of them.

    python benchmarks/bench_scale.py [--quick] [--panes 1,10,100,1000] [--markdown] [--svg FILE]
    python benchmarks/bench_scale.py --states [--panes 1,10,100,1000] [--markdown]

Each trial opens so many panes of bash on a private server, runs `echo` in all at once, runs
commands whose ends are spread over ten seconds (how late is each answer?), waits in all of them
for commands that do not end (what does that take?), and closes them (what is left?). By asyncio
over one connection, and up to 100 panes by asyncio over subprocesses, and by a thread for each.
"""

import argparse
import os
import platform
import shutil
import signal
import sys
from pathlib import Path

from benchmarks.readiness.server import private_server
from benchmarks.scale import states
from benchmarks.scale.limits import why_not
from benchmarks.scale.report import cost_table, speed_table, targets, to_svg
from benchmarks.scale.swarm import SWARMS, AsyncSwarm
from benchmarks.scale.trial import Plan, Result, TrialError, play
from benchmarks.tables import aligned, markdown, write

_PANES = (1, 10, 100, 1000)
_QUICK_PANES = (1, 10)
_MOST_OF_OTHERS = 100
# After so many seconds a wait asks as seldom as it ever does.
_SETTLE, _QUICK_SETTLE = 25.0, 3.0
_SECONDS, _QUICK_SECONDS = 20.0, 3.0


def main() -> int:
    """Run the benchmark; the exit status is 1 if a trial failed, not if a target is missed."""
    options = _parse_arguments()
    missing = [name for name in ("tmux", "bash") if shutil.which(name) is None]
    reason = f"{' and '.join(missing)} not installed" if missing else why_not(min(options.panes))
    if reason:
        print(f"nothing can be measured: {reason}", file=sys.stderr)
        return 2
    # SIGTERM has to clean up as Ctrl-C does.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if options.states:
        results = [states.watch(panes, options.seconds) for panes in options.panes]
        print((markdown if options.markdown else aligned)(states.table(results)))
        return 0
    try:
        with private_server() as server:
            version = server.run("display-message", "-p", "#{version}").strip()
        played, failed = _play_all(options)
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return 130
    if played:
        _show(played, _conditions(version), options)
    return 1 if failed else 0


def _play_all(options: argparse.Namespace) -> tuple[list[Result], bool]:
    results, failed = [], False
    for swarm in SWARMS:
        for panes in options.panes:
            if swarm is not AsyncSwarm and panes > _MOST_OF_OTHERS:
                continue
            if reason := why_not(panes):
                print(f"left out: {reason}", file=sys.stderr)
                continue
            print(f"{swarm.name}, {panes:,} panes", file=sys.stderr)
            try:
                results.append(play(Plan(swarm, panes, options.settle, options.seconds)))
            except TrialError as error:
                print(error, file=sys.stderr)
                failed = True
    return results, failed


def _show(results: list[Result], conditions: str, options: argparse.Namespace) -> None:
    layout = markdown if options.markdown else aligned
    tables = (speed_table(results), cost_table(results))
    print(conditions, *map(layout, tables), sep="\n\n", end="\n\n")
    print(*targets(results), sep="\n")
    if options.json:
        write(options.json, conditions, *tables)
    if options.svg:
        options.svg.write_text(to_svg(results, conditions), encoding="utf-8")


def _conditions(version: str) -> str:
    """Tell what the figures depend on."""
    system = f"{platform.system()}, Python {platform.python_version()}, {os.cpu_count()} cores"
    return f"tmux {version}, {system}, load {os.getloadavg()[0]:.1f}"


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--panes", type=_numbers, help="how many, separated by commas")
    parser.add_argument("--states", action="store_true", help="watch the states of panes instead")
    parser.add_argument("--quick", action="store_true", help="up to ten panes and a short wait")
    parser.add_argument("--settle", type=float, help="seconds of waiting that are not measured")
    parser.add_argument("--seconds", type=float, help="seconds of waiting that are")
    parser.add_argument("--markdown", action="store_true", help="print Markdown tables")
    parser.add_argument("--json", type=Path, help="write the tables to this file")
    parser.add_argument("--svg", type=Path, help="draw it into this file")
    options = parser.parse_args()
    options.panes = options.panes or (_QUICK_PANES if options.quick else _PANES)
    if options.settle is None:
        options.settle = _QUICK_SETTLE if options.quick else _SETTLE
    if options.seconds is None:
        options.seconds = _QUICK_SECONDS if options.quick else _SECONDS
    return options


def _numbers(text: str) -> tuple[int, ...]:
    numbers = tuple(int(number) for number in text.split(","))
    if min(numbers) < 1:
        raise argparse.ArgumentTypeError("a number of panes is 1 or more")
    return numbers


if __name__ == "__main__":
    sys.exit(main())
