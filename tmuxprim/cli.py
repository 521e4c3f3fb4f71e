"""The command line, ``tmuxprim``: for people, and for agents that have only a shell.

What each command does is said in docs/command-line.md and by ``tmuxprim --help``.
"""

import os
import sys
from collections.abc import Sequence

from tmuxprim._cli._main import run
from tmuxprim._cli._status import Status

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    Args:
        argv: The words after ``tmuxprim``; those of this process if None.

    Examples:
        >>> from tmuxprim.cli import main
        >>> main(["keys", "shared", "Ctrl-C"])  # says on stderr what is wrong with it
        2
    """
    try:
        status = run(sys.argv[1:] if argv is None else argv)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return int(Status.INTERRUPTED)
    except BrokenPipeError:
        _drop_output()
        return int(Status.UNREAD)
    return int(status)


def _drop_output() -> None:
    """Let Python's own flush at the end have nobody to complain about."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
