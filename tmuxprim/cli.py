"""The command line, ``tmuxprim``: for people, and for agents that have only a shell.

What each command does is said in docs/guides/command-line.md and by ``tmuxprim --help``.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO

from tmuxprim._cli.parser import parse
from tmuxprim._cli.report import Status, say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tmuxprim._cli.options import Options
    from tmuxprim._cli.site import Site

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


def run(argv: Sequence[str], make_site: Callable[[Options], Site] | None = None) -> int:
    """Run the command that *argv* names and return its exit status.

    Args:
        argv: The words of the command line.
        make_site: Makes the tmux server that its options name; None is the real one.
    """
    try:
        options = parse(argv)
    except SystemExit as end:  # what is wrong has been printed, or the help
        return Status.BAD_USE if end.code else Status.READY
    # Reading the command line needs nothing of the library.
    from tmuxprim._cli.pane_commands import carry_out
    from tmuxprim._cli.site import Site

    return carry_out(options, (make_site or Site)(options))


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
