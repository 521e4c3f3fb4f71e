"""How often, and how promptly, is a program found ready? Ours and three other designs, by turns.

The data are the scenarios of `tests.scenarios`. In every trial a program is brought to the last
turn of one; then the design types it, waits as it does, and is held against what the program has
done by then and when it wrote to its terminal for the last time (see `benchmarks.readiness.truth`
and `benchmarks.readiness.judge`). A second measurement tells what waiting itself costs.

    python benchmarks/bench_readiness.py --quick            # thirty of them: some minutes
    python benchmarks/bench_readiness.py --markdown --json results.json --svg docs/readiness.svg
    python benchmarks/bench_readiness.py --evidence all     # ours, where the machine tells less

What may count as right is generous to those that tell no reason: they cannot tell a question
from a prompt, and are right at both. Nobody is told what the prompt looks like.
"""

import argparse
import os
import platform
import shutil
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from benchmarks.readiness.cost import Cost, cost_of_waiting
from benchmarks.readiness.designs import DESIGNS, OURS, WITH_LESS, Design
from benchmarks.readiness.play import Plan, WorkerError, clean_up_on_sigterm, play
from benchmarks.readiness.report import Report
from benchmarks.readiness.server import Server, private_server
from benchmarks.readiness.truth import why_no_truth
from benchmarks.tables import aligned, markdown
from tests.scenarios.corpus import SCENARIOS
from tests.scenarios.model import Scenario
from tests.scenarios.refusals import files_may_be_refused

_ALL = "all"
_QUICK_SCENARIOS = 30
_QUICK_SECONDS = 5.0

_LEGEND = """\
right or ok: the right reason, at the right time. late, and behind ok: the milliseconds from the
program's last write to the return; above, the median at prompts. EARLY: ready while the program
worked. MISSED: not ready 6 s after its end. WRONG: a wrong reason, or the program did not get the
whole text. guess: called one, where it cannot be determined. n/a: the design has no way to drive
the program. CPU: of the design, its tmux clients and the tmux server, in percent of a core, while a
silent program runs; a wait that ends early is begun again."""


def main() -> int:
    """Run the benchmark; the exit status is 1 if ours was not right everywhere."""
    options = _parse_arguments()
    scenarios, designs = _available(options)
    reason = why_no_truth() or ("" if shutil.which("tmux") else "tmux is not installed")
    if reason or not scenarios:
        print(f"nothing can be measured: {reason or 'no scenario is left'}", file=sys.stderr)
        return 2
    clean_up_on_sigterm()
    try:
        with files_may_be_refused(), private_server() as server:
            costs = _measure_costs(designs, server, options.seconds)
            trials = play(Plan(scenarios, designs, options.rounds, options.jobs))
            report = Report(trials, costs, _conditions(server, options.jobs, scenarios))
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return 130
    except WorkerError as error:
        print(error, file=sys.stderr)
        return 2
    _show(report, markdown if options.markdown else aligned)
    if options.json:
        options.json.write_text(report.to_json() + "\n", encoding="utf-8")
    if options.svg:
        options.svg.write_text(report.to_svg(), encoding="utf-8")
    return 0 if report.is_right(OURS) else 1


def _measure_costs(designs: Iterable[Design], server: Server, seconds: float) -> list[Cost]:
    if seconds <= 0:
        return []
    print(f"each design waits for {seconds:g} s", file=sys.stderr)
    costs = (cost_of_waiting(design, server, seconds) for design in designs)
    return [cost for cost in costs if cost is not None]


def _available(options: argparse.Namespace) -> tuple[list[Scenario], list[Design]]:
    """Leave out, and say, what is not installed."""
    wanted = [scenario for scenario in SCENARIOS if options.only in scenario.name]
    if options.sample:
        # Evenly spread, and the same ones each time.
        count = min(options.sample, len(wanted))
        wanted = [wanted[number * len(wanted) // count] for number in range(count)]
    scenarios = [s for s in wanted if all(map(_is_installed, s.all_needs))]
    _note(scenario.name for scenario in wanted if scenario not in scenarios)
    designs = _designs(options.evidence)
    _note(f"{design.name}: all of it" for design in designs if design.is_missing())
    return scenarios, [design for design in designs if not design.is_missing()]


def _designs(evidence: str) -> list[Design]:
    """Return the designs to compare; where less is told, ours alone, beside ours with all."""
    if not evidence:
        return list(DESIGNS)
    less = WITH_LESS.values() if evidence == _ALL else (WITH_LESS[evidence],)
    return [design for design in DESIGNS if design.name == OURS] + list(less)


def _is_installed(program: str) -> bool:
    # A superuser's commands are often not on a person's PATH.
    return shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin:/sbin") is not None


def _note(left_out: Iterable[str]) -> None:
    for name in left_out:
        print(f"not installed, left out: {name}", file=sys.stderr)


def _conditions(server: Server, jobs: int, scenarios: Sequence[Scenario]) -> str:
    """Tell what the figures depend on: most of the time goes into calls of tmux."""
    times = []
    for _ in range(21):
        begin = time.monotonic()
        version = server.run("display-message", "-p", "tmux #{version}").strip()
        times.append(time.monotonic() - begin)
    user = "root" if os.geteuid() == 0 else "an ordinary user"
    played = f"{len(scenarios)} of {len(SCENARIOS)} scenarios as {user}"
    system = f"{platform.system()}, Python {platform.python_version()}, {os.cpu_count()} cores"
    call = f"one call of tmux takes {statistics.median(times) * 1000:.1f} ms"
    beside = f"{jobs} trials at a time, " if jobs > 1 else ""
    load = f"load {os.getloadavg()[0]:.1f}"
    return f"{played}, {version}, {system}, {beside}{load}: {call}"


def _show(report: Report, layout: Callable[[Sequence[Sequence[str]]], str]) -> None:
    print(report.conditions, layout(report.summary()), _LEGEND, layout(report.table()), sep="\n\n")
    odd = report.oddities()
    if odd:
        print(f"\nWhere {OURS} was not right, or more than 30 ms late:\n", *odd, sep="\n")


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, add_help=True)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--rounds", type=int, default=1, help="trials of each cell")
    parser.add_argument("--jobs", type=int, default=1, help="trials at a time; one if left out")
    parser.add_argument("--quick", action="store_true", help="thirty scenarios and a short wait")
    parser.add_argument("--sample", type=int, help="so many scenarios, evenly spread; 0: all")
    parser.add_argument("--only", default="", help="scenarios whose name holds this text")
    parser.add_argument(
        "--evidence",
        choices=(*WITH_LESS, _ALL),
        default="",
        help="ours alone, and again with the files refused that a machine of this level refuses",
    )
    parser.add_argument("--seconds", type=float, help="the wait whose cost is measured; 0: none")
    parser.add_argument("--markdown", action="store_true", help="print Markdown tables")
    parser.add_argument("--json", type=Path, help="write all that was measured to this file")
    parser.add_argument("--svg", type=Path, help="draw the lateness into this file")
    options = parser.parse_args()
    if options.seconds is None:
        options.seconds = _QUICK_SECONDS if options.quick else 10.0
    if options.sample is None:
        options.sample = _QUICK_SCENARIOS if options.quick else 0
    return options


if __name__ == "__main__":
    sys.exit(main())
