"""The command line, ``tmuxprim``: for people, and for agents that have only a shell.

docs/guides/command-line.md and ``tmuxprim --help`` describe each command.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO

from tmuxprim._cli.parser import parse
from tmuxprim._cli.report import say
from tmuxprim._cli.status import Status

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
        >>> main(["keys", "shared", "Ctrl-C"])  # prints the error on stderr
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
        make_site: Returns the tmux server that the options name; None is the real one.
    """
    try:
        options = parse(argv)
    except SystemExit as end:  # argparse has printed the error, or the help
        return int(end.code or Status.READY)
    # Importing the library takes longer than ``--help`` and ``--version``, which do not need it.
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
    except OSError as error:  # the commands report their own; this one is of the flush above
        say(f"tmuxprim: the answer cannot be written: {error.strerror or error}")
        _drop(sys.stdout)
        return Status.UNWRITTEN
    return status


def _drop(*streams: TextIO | None) -> None:
    """Redirect *streams* to /dev/null, since Python flushes them once more when it exits.

    A failure of that flush would print a traceback and change the exit status to 120.
    """
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in streams:
        if stream is not None:
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
