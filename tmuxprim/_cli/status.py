"""The exit statuses of the command line, in one table."""

import enum
from typing import Final, Self

from tmuxprim._readiness.snapshot import Outcome, Readiness
from tmuxprim.errors import (
    PaneDeadError,
    PaneNotFoundError,
    ProgramNotFoundError,
    TmuxNotFoundError,
    TmuxprimError,
    TmuxServerError,
    TmuxTimeoutError,
)

RUN: Final = "run"
"""The command that ends with the exit status of another one."""


class Status(enum.IntEnum):
    """An exit status and its meaning; shells can test it, so its numbers never change.

    ``run`` ends with the exit status of its command. The numbers of its own are high ones, which
    few commands use, and those of timeout(1) and ``docker run`` where these have one.
    """

    meaning: str

    def __new__(cls, number: int, meaning: str) -> Self:
        """Return the member of a number."""
        status = int.__new__(cls, number)
        status._value_ = number
        status.meaning = meaning
        return status

    READY = 0, "done; a wait has found a prompt, a question, a full screen, its text ..."
    BAD_USE = 2, "the command line, or a key, text or pattern in it, is wrong; nothing was sent"
    GONE = 3, "the pane or the server is gone, or the pane's program has exited"
    REFUSED = 4, "the pane takes no input (copy mode, half a line ...), or tmux refused"
    NO_TMUX = 5, "tmux is missing, too old, or does not answer"
    BUG = 70, "an error of tmuxprim itself (EX_SOFTWARE of sysexits(3))"
    UNWRITTEN = 74, "the answer cannot be written, as on a full disk (EX_IOERR of sysexits(3))"
    UNFINISHED = 122, "run: the command asks something, its pane is gone, or its end is not known"
    TIMED_OUT = 124, "the time is up, as with timeout(1)"
    NOTHING_RAN = 125, "run: nothing was run, for one of the reasons of 2 to 5"
    INTERRUPTED = 130, "C-c was pressed (128 + SIGINT)"
    UNREAD = 141, "no process reads the output any more, as behind '| head' (128 + SIGPIPE)"


COMMANDS_OWN: Final = "the command's own, once it has ended; else one of 70 to 141"
"""The exit status of ``run``."""

_GONE: Final = (PaneNotFoundError, PaneDeadError, TmuxServerError)
_NO_TMUX: Final = (TmuxNotFoundError, TmuxTimeoutError)
# Of `run` they would be taken for the status of its command.
_BEFORE_A_RUN: Final = (Status.BAD_USE, Status.GONE, Status.REFUSED, Status.NO_TMUX)
OF_OUTCOME: Final = {Outcome.TIMEOUT: Status.TIMED_OUT, Outcome.EXITED: Status.GONE}
"""Outcomes at which a wait of the command line does not end with 0."""


def status_of_error(error: TmuxprimError) -> Status:
    """Return the status of an error."""
    if isinstance(error, _GONE):
        return Status.GONE
    if isinstance(error, _NO_TMUX):
        return Status.NO_TMUX
    # Of our errors those that are a ValueError are about what was given, as a program's name is.
    is_bad_use = isinstance(error, ValueError | ProgramNotFoundError)
    return Status.BAD_USE if is_bad_use else Status.REFUSED


def status_for(command: str, status: Status) -> Status:
    """Return the status of a command that cannot be carried out, for that reason."""
    return Status.NOTHING_RAN if command == RUN and status in _BEFORE_A_RUN else status


def status_of(readiness: Readiness) -> Status:
    """Return how a wait ended, as an exit status."""
    return OF_OUTCOME.get(readiness.outcome, Status.READY)


def status_lines() -> str:
    """Return the table for a terminal."""
    rows = [*((str(int(status)), status.meaning) for status in Status), (RUN, COMMANDS_OWN)]
    return "".join(f"{number:>3}  {meaning}\n" for number, meaning in rows)
