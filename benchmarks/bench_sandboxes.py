"""One process that drives many sandboxes: its processor time, memory and calls.

Each sandbox is a pane on this machine, reached by an exec that takes 0.1 s longer than its command.
The commands' own processor time is that of the sandboxes, and is not counted.

With ``--late`` it measures one sandbox: how long after the end of a command a wait returns, for
execs that take 0.05, 0.2 and 0.5 s longer.
"""

import argparse
import asyncio
import os
import resource
import statistics
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tmuxprim import AsyncConsole, AsyncTmuxTerminal, ExecResult, Outcome

_LONG = 600.0
_DELAYS = (0.05, 0.2, 0.5)
_BASH = ("bash", "--norc", "--noprofile")


class Calls:
    """An exec, which counts its calls.

    Args:
        delay: How long a call takes longer than its command; half of it before, half after.
    """

    def __init__(self, delay: float) -> None:
        self.number = 0
        self._delay = delay

    async def __call__(self, argv: Sequence[str], stdin: bytes | None) -> ExecResult:
        """Run a command."""
        self.number += 1
        await asyncio.sleep(self._delay / 2)
        pipe = subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*argv, stdin=pipe, stdout=pipe, stderr=pipe)
        out, err = await process.communicate(stdin or b"")
        await asyncio.sleep(self._delay / 2)
        return process.returncode or 0, out, err


def used() -> float:
    """Return the seconds of a processor that this process has used, without its children."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


async def open_one(calls: Calls, socket: Path) -> AsyncConsole:
    """Open a sandbox's pane, and wait until its shell is at the prompt."""
    terminal = AsyncTmuxTerminal(
        exec=calls, socket_path=socket, config_file="/dev/null", timeout=_LONG
    )
    console = AsyncConsole(terminal, await terminal.open(_BASH, env={"PS1": "$ "}))
    await console.wait_ready(_LONG)
    return console


async def measure(number: int, socket: Path) -> None:
    """Open so many sandboxes, and run a command in all of them at once."""
    calls, before = Calls(0.1), used()
    consoles = [await open_one(calls, socket)]
    consoles += await asyncio.gather(*(open_one(calls, socket) for _ in range(1, number)))
    print(f"opened {number}: {calls.number} calls, {used() - before:.2f} s of a processor")
    calls.number, before = 0, used()
    results = await asyncio.gather(*(each.run("sleep 5; echo done", _LONG) for each in consoles))
    assert {(result.output, result.complete) for result in results} == {("done\n", True)}
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"ran {number}: {calls.number} calls, {used() - before:.2f} s of a processor")
    print(f"memory: {memory} MB")


async def measure_lateness(waits: int, directory: Path) -> None:
    """Wait for the end of a command so often by each exec; the shell there writes the end down."""
    ended = directory / "ended"
    for delay in _DELAYS:
        calls, looks, late = Calls(delay), list[float](), list[float]()
        console = await open_one(calls, directory / "s")
        number = 0
        for _ in range(waits):
            began = time.time()
            await console.state()
            looks.append(time.time() - began)
            await console.send(f"sleep 1; date +%s.%N >{ended}")
            calls.number = 0
            readiness = await console.wait_ready(_LONG)
            late.append(time.time() - float(ended.read_text()))
            number = max(number, calls.number)
            assert readiness.outcome is Outcome.PROMPT
        print(
            f"delay {delay} s: a look takes {statistics.median(looks):.2f} s, a wait {number} "
            f"calls at most; late by {min(late):.2f} to {max(late):.2f} s, "
            f"median {statistics.median(late):.2f} s; load {os.getloadavg()[0]:.1f}"
        )


def main() -> None:
    """Measure on a tmux server that has ended afterwards."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=200, help="how many sandboxes")
    parser.add_argument("--late", type=int, metavar="WAITS", help="measure so many waits instead")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tmuxprim-") as directory:
        socket = Path(directory, "s")
        try:
            if options.late:
                asyncio.run(measure_lateness(options.late, Path(directory)))
            else:
                asyncio.run(measure(options.number, socket))
        finally:
            subprocess.run(["tmux", "-S", socket, "kill-server"], check=False)


if __name__ == "__main__":
    main()
