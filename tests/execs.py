"""Execs as frameworks have them, which run their commands on this machine."""

import asyncio
import subprocess
import time
from collections.abc import Sequence

import attrs

from tmuxprim import Exec, ExecResult


@attrs.frozen
class LocalExec:
    """Runs commands as a sandbox would.

    Args:
        merges: Whether errors are among the output.
        has_stdin: Whether standard input is passed on.
        seconds: How long a call takes longer than it would.
    """

    merges: bool = False
    has_stdin: bool = True
    seconds: float = 0.0

    def __call__(self, argv: Sequence[str], stdin: bytes | None) -> ExecResult:
        """Run one."""
        if self.seconds:
            time.sleep(self.seconds)
        done = subprocess.run(
            argv,
            input=(stdin if self.has_stdin else None) or b"",
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if self.merges else subprocess.PIPE,
            check=False,
        )
        return done.returncode, done.stdout.decode(), done.stderr


@attrs.frozen
class AsyncLocalExec:
    """Runs commands as `LocalExec`, for asyncio."""

    local: Exec = attrs.field(factory=LocalExec)

    async def __call__(self, argv: Sequence[str], stdin: bytes | None) -> ExecResult:
        """Run one."""
        return await asyncio.to_thread(self.local, argv, stdin)
