"""What a wait costs behind ssh: the same command here and on another machine, by turns.

    python benchmarks/bench_ssh.py [--rounds N]

Both shells are bash, in panes of one tmux server; the other machine is this one, behind an sshd of
our own. Here the kernel reports who reads; there the marks of bash's line editor tell. The machine
slows down both of a pair, so trust the difference. EARLY: the wait returned before the command's
last act, which is to make a file.
"""

import argparse
import os
import shutil
import signal
import statistics
import sys
import time
from pathlib import Path
from typing import Final

import attrs

from benchmarks.readiness.server import private_server
from benchmarks.tables import aligned
from tests.scenarios.play import run_script
from tests.scenarios.remote import NEAR, REMOTE, SSH, SSH_PROGRAMS
from tmuxprim import Console, Outcome

_ROUNDS: Final = 20
_COMMANDS: Final = {
    "nothing": "touch done",
    "a line": "echo hi; touch done",
    "100 lines": "seq 100; touch done",
    "a line without its end": "printf abc; touch done",
    "a silent quarter of a second": "sleep 0.25; touch done",
}


@attrs.frozen
class Waits:
    """The waits for one command, in seconds; a pair was measured side by side."""

    near: list[float] = attrs.field(factory=list)
    far: list[float] = attrs.field(factory=list)

    @property
    def row(self) -> list[str]:
        """The medians, and that of the differences, in milliseconds."""
        over = [far - near for near, far in zip(self.near, self.far, strict=True)]
        return [f"{1000 * statistics.median(some):.1f}" for some in (self.near, self.far, over)]


def main() -> int:
    """Run the benchmark; the exit status is 1 if a wait was early."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--rounds", type=int, default=_ROUNDS, help="pairs of each command")
    rounds = parser.parse_args().rounds
    if missing := [name for name in ("tmux", *SSH_PROGRAMS[:-2]) if shutil.which(name) is None]:
        print(f"nothing can be measured without {' and '.join(missing)}", file=sys.stderr)
        return 2
    # SIGTERM has to clean up as Ctrl-C does.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    waits, early = _measure(rounds)
    print(f"load {os.getloadavg()[0]:.1f}; medians of {rounds} pairs, in ms\n")
    head = ["the command prints", "here", "behind ssh", "more"]
    whole = Waits(
        [s for one in waits.values() for s in one.near],
        [s for one in waits.values() for s in one.far],
    )
    print(aligned([head, *([name, *one.row] for name, one in waits.items()), ["all", *whole.row]]))
    print(f"\nearly: {early} of {2 * rounds * len(waits)}")
    return 1 if early else 0


def _measure(rounds: int) -> tuple[dict[str, Waits], int]:
    """Return the waits for each command, and how many were early."""
    waits = {name: Waits() for name in _COMMANDS}
    early = 0
    with private_server() as server:
        run_script(SSH, server.home)
        consoles = []
        for program in (NEAR, REMOTE):
            pane, _, _ = server.open(program, server.home, dict(program.env))
            consoles.append(Console(server.terminal, pane))
            consoles[-1].wait_ready(30.0)
        for number in range(rounds):
            for name, command in _COMMANDS.items():
                for is_far in (number % 2 == 0, number % 2 != 0):
                    took, was_early = _wait(consoles[is_far], command, server.home / "done")
                    (waits[name].far if is_far else waits[name].near).append(took)
                    early += was_early
    return waits, early


def _wait(console: Console, command: str, done: Path) -> tuple[float, bool]:
    """Run a command; return the seconds of the wait, and whether it was early."""
    done.unlink(missing_ok=True)
    began = time.perf_counter()
    console.send(command)
    readiness = console.wait_ready(30.0)
    took, was_early = time.perf_counter() - began, not done.exists()
    if readiness.outcome is not Outcome.PROMPT:
        sys.exit(f"{command}: {readiness}")
    return took, was_early


if __name__ == "__main__":
    sys.exit(main())
