"""Compare ways to send text and keys through tmux: what they cost, and what arrives.

Run it as ``python benchmarks/bench_send.py [--quick] [--rounds N] [--markdown]``. The designs take
turns in every round, so what slows the machine down slows all of them: trust the ratios to the
fastest raw design (in brackets), not the milliseconds. Times are medians; when something arrived is
told by the program that received it, so it may be earlier than the return of the call.

Each design sends the cases of the last table on private servers, of which some will crash.
"""

import argparse
import os
import platform
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # run as a script, from a checkout that is not installed

from benchmarks.sending.cases import CASES  # noqa: E402  # needs the path above
from benchmarks.sending.designs import DESIGNS, Ours  # noqa: E402  # as above
from benchmarks.sending.exactness import Verdict, judge_all  # noqa: E402  # as above
from benchmarks.sending.report import (  # noqa: E402  # as above
    Column,
    arrived,
    exactness_table,
    returned,
    speed_table,
    summary_table,
    target_line,
)
from benchmarks.sending.servers import private_server  # noqa: E402  # as above
from benchmarks.sending.speed import time_key, time_line, time_texts  # noqa: E402  # as above
from benchmarks.tables import Table, aligned, markdown  # noqa: E402  # as above
from tests.tmux_server import Server  # noqa: E402  # as above

Layout = Callable[[Table], str]

ROUNDS = 30

LEGEND = """\
In lower case what is right. exact: byte for byte. refused: an error, and nothing arrived, where
nothing else is right (or, in copy mode, also right). REFUSED: an error, though it can be sent.
LOST: success was reported, and all or a part is missing. CHANGED: something else arrived.
n/a: the design has no way to do it, which does not count. tmux up to 3.3a crashes when something
is pasted into a pane whose program has exited."""


def main() -> int:
    """Run the benchmark; the exit status is 1 if ours was not right everywhere."""
    options = parse_arguments()
    if missing := [name for name in ("tmux", "bash") if shutil.which(name) is None]:
        print(f"nothing can be measured without {' and '.join(missing)}", file=sys.stderr)
        return 2
    # SIGTERM has to clean up as Ctrl-C does.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    layout = markdown if options.markdown else aligned
    try:
        show_designs(layout)
        show_speed(options.rounds, layout)
        return show_exactness(layout)
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return 130


def show_designs(layout: Layout) -> None:
    """Print what is compared, and what would be if it were installed."""
    rows = [[cls.name, "not installed" if cls.is_missing() else cls.how] for cls in DESIGNS]
    show("The designs", [["", "calls"], *rows], layout)


def show_speed(rounds: int, layout: Layout) -> None:
    """Print what typing, keys and lines cost."""
    with private_server() as server, tempfile.TemporaryDirectory() as name:
        print(conditions(server, rounds), end="\n\n")
        directories = [Path(name, part) for part in ("texts", "key", "line")]
        for directory in directories:
            directory.mkdir()
        texts = time_texts(server, directories[0], rounds)
        for title, which in (
            ("Text, ms until the call returns", returned),
            ("Text, ms until its last byte is read", arrived),
        ):
            columns = [Column(size, cells, which) for size, cells in texts.items()]
            show(title, speed_table(columns), layout)
        key = time_key(server, directories[1], rounds)
        line = time_line(server, directories[2], rounds)
    until = "the call returns"
    columns = [Column(until, key, returned), Column("it is read", key, arrived)]
    show("The key Up, ms until", speed_table(columns), layout)
    columns = [Column(until, line, returned), Column("bash runs it", line, arrived)]
    show("The line `echo hi` in bash, ms until", speed_table(columns), layout)
    print(target_line(line), end="\n\n")


def show_exactness(layout: Layout) -> int:
    """Print what arrives; return 1 if ours is not right everywhere."""
    designs = [design for design in DESIGNS if not design.is_missing()]
    results = {design.name: judge_all(design, CASES) for design in designs}
    show("What arrives", exactness_table(results), layout)
    show("How often", summary_table(results), layout)
    print(LEGEND)
    ours = results[Ours.name].values()
    return 0 if all(verdict.is_right or verdict is Verdict.NO_WAY for verdict in ours) else 1


def conditions(server: Server, rounds: int) -> str:
    """Tell what the figures depend on."""
    version = server.tmux("display-message", "-p", "#{version}")
    system = f"{platform.system()}, Python {platform.python_version()}, {os.cpu_count()} cores"
    return f"tmux {version}, {system}, load {os.getloadavg()[0]:.1f}; medians of {rounds} rounds"


def show(title: str, table: Table, layout: Layout) -> None:
    """Print a table under a title."""
    print(f"{title}\n\n{layout(table)}\n", flush=True)


def parse_arguments() -> argparse.Namespace:
    """Describe the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often each is timed")
    parser.add_argument("--quick", action="store_const", dest="rounds", const=3, help="3 rounds")
    parser.add_argument("--markdown", action="store_true", help="print Markdown tables")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
