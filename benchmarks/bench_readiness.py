"""How often, and how promptly, is a program found ready? Ours and three other designs, by turns.

Every trial types one line into a fresh program, waits as the design does, and compares the
moment of its return with the moment of the program's last write to its terminal (see
`benchmarks.readiness.truth`), which is when the prompt or the question was drawn.

    python benchmarks/bench_readiness.py --quick            # under two minutes
    python benchmarks/bench_readiness.py --rounds 3 --markdown --json results.json

What may count as right is generous to those that tell no reason: they cannot tell a question
from a prompt, and are right at both. Nobody is told what the prompt looks like.
"""

import argparse
import os
import platform
import shutil
import signal
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from benchmarks.readiness.designs import DESIGNS, OURS, Design
from benchmarks.readiness.report import Report
from benchmarks.readiness.scenarios import SCENARIOS, Scenario
from benchmarks.readiness.server import Server, private_server
from benchmarks.readiness.trial import Trial, run_trial
from benchmarks.readiness.truth import why_no_truth
from benchmarks.tables import aligned, markdown

_QUICK_SLEEP = 1.0

_LEGEND = """\
ok: right, and the median of the milliseconds from the program's last write to the return.
EARLY: ready while the command ran. MISSED: not ready 5 s after its end. WRONG: a wrong reason,
or the program did not get the whole text. n/a: the design has no way to drive the program."""


def main() -> int:
    """Run the benchmark; the exit status is 1 if ours was not right everywhere."""
    options = _parse_arguments()
    scenarios, designs = _available(options)
    reason = why_no_truth() or ("" if shutil.which("tmux") else "tmux is not installed")
    if reason or not scenarios:
        print(f"nothing can be measured: {reason or 'no scenario is left'}", file=sys.stderr)
        return 2
    # SIGTERM has to clean up as Ctrl-C does.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        report = _run(scenarios, designs, options.rounds)
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return 130
    _show(report, markdown if options.markdown else aligned)
    if options.json:
        options.json.write_text(report.to_json() + "\n", encoding="utf-8")
    return 0 if report.is_right(OURS) else 1


def _run(scenarios: Sequence[Scenario], designs: Sequence[Design], rounds: int) -> Report:
    """Run every scenario with every design, one after another: side by side they would fight."""
    trials: list[Trial] = []
    with private_server() as server:
        for number in range(rounds):
            # Nobody shall always come first, or after the same one.
            first = number % len(designs)
            for scenario in scenarios:
                print(f"round {number + 1} of {rounds}: {scenario.name}", file=sys.stderr)
                turns = (*designs[first:], *designs[:first])
                trials += [run_trial(design, scenario, server) for design in turns]
        return Report(trials, _conditions(server))


def _available(options: argparse.Namespace) -> tuple[list[Scenario], list[Design]]:
    """Leave out, and say, what is not installed."""
    wanted = [s for s in SCENARIOS if options.only in s.name]
    if options.quick:
        wanted = [scenario.shortened(_QUICK_SLEEP) for scenario in wanted]
    scenarios = [s for s in wanted if all(map(shutil.which, s.needs))]
    _note(scenario.name for scenario in wanted if scenario not in scenarios)
    _note(f"{design.name}: all of it" for design in DESIGNS if design.is_missing())
    return scenarios, [design for design in DESIGNS if not design.is_missing()]


def _note(left_out: Iterable[str]) -> None:
    for name in left_out:
        print(f"not installed, left out: {name}", file=sys.stderr)


def _conditions(server: Server) -> str:
    """Tell what the figures depend on: most of the time goes into calls of tmux."""
    times = []
    for _ in range(21):
        begin = time.monotonic()
        version = server.run("display-message", "-p", "tmux #{version}").strip()
        times.append(time.monotonic() - begin)
    system = f"{platform.system()}, Python {platform.python_version()}, {os.cpu_count()} cores"
    call = f"one call of tmux takes {statistics.median(times) * 1000:.1f} ms"
    return f"{version}, {system}, load {os.getloadavg()[0]:.1f}: {call}"


def _show(report: Report, layout: Callable[[Sequence[Sequence[str]]], str]) -> None:
    print(report.conditions, layout(report.table()), _LEGEND, layout(report.summary()), sep="\n\n")
    odd = report.oddities()
    if odd:
        print(f"\nWhere {OURS} was not right, or more than 30 ms late:\n", *odd, sep="\n")


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, add_help=True)
    parser.add_argument("--rounds", type=int, default=1, help="trials of each cell")
    parser.add_argument("--quick", action="store_true", help="no sleep longer than a second")
    parser.add_argument("--only", default="", help="scenarios whose name holds this text")
    parser.add_argument("--markdown", action="store_true", help="print Markdown tables")
    parser.add_argument("--json", type=Path, help="write every trial to this file")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
