"""The command line, ``tmuxprim``: for people, and for agents that have only a shell.

What each command does is said in docs/command-line.md and by ``tmuxprim --help``.
"""

import os
import sys
from collections.abc import Sequence
from typing import TextIO

from tmuxprim._cli._answer import say
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
    status = _status_of(sys.argv[1:] if argv is None else argv)
    try:
        if sys.stderr is not None:
            sys.stderr.flush()
    except OSError:
        _drop(sys.stderr)  # or Python would end with a status of its own
    return int(status)


def _status_of(argv: Sequence[str]) -> int:
    try:
        status = run(argv)
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return Status.INTERRUPTED
    except BrokenPipeError:
        _drop(sys.stdout, sys.stderr)
        return Status.UNREAD
    except OSError as error:  # one of a command itself has been told as that
        say(f"tmuxprim: the answer cannot be written: {error.strerror or error}")
        _drop(sys.stdout)
        return Status.UNWRITTEN
    return status


def _drop(*streams: TextIO | None) -> None:
    """Let Python's own flush at the end have nobody to complain about."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in streams:
        if stream is not None:
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
