"""One process that drives many sandboxes: its processor time, memory and calls.

Each sandbox is a pane on this machine, reached by an exec that takes 0.1 s longer than its command.
The commands' own processor time is that of the sandboxes, and is not counted.
"""

import argparse
import asyncio
import resource
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tmuxprim import AsyncConsole, AsyncTmuxTerminal, ExecResult

_LONG = 600.0
_BASH = ("bash", "--norc", "--noprofile")


class Calls:
    """The exec of all sandboxes, which counts its calls."""

    def __init__(self) -> None:
        self.number = 0

    async def __call__(self, argv: Sequence[str], stdin: bytes | None) -> ExecResult:
        """Run a command."""
        self.number += 1
        await asyncio.sleep(0.1)
        pipe = subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*argv, stdin=pipe, stdout=pipe, stderr=pipe)
        out, err = await process.communicate(stdin or b"")
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
    calls, before = Calls(), used()
    consoles = [await open_one(calls, socket)]
    consoles += await asyncio.gather(*(open_one(calls, socket) for _ in range(1, number)))
    print(f"opened {number}: {calls.number} calls, {used() - before:.2f} s of a processor")
    calls.number, before = 0, used()
    results = await asyncio.gather(*(each.run("sleep 5; echo done", _LONG) for each in consoles))
    assert {(result.output, result.complete) for result in results} == {("done\n", True)}
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"ran {number}: {calls.number} calls, {used() - before:.2f} s of a processor")
    print(f"memory: {memory} MB")


def main() -> None:
    """Measure on a tmux server that has ended afterwards."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=200, help="how many sandboxes")
    number: int = parser.parse_args().number
    with tempfile.TemporaryDirectory(prefix="tmuxprim-") as directory:
        socket = Path(directory, "s")
        try:
            asyncio.run(measure(number, socket))
        finally:
            subprocess.run(["tmux", "-S", socket, "kill-server"], check=False)


if __name__ == "__main__":
    main()
