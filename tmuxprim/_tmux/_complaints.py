"""What tmux complains about, and which error that is."""

from typing import Final

from tmuxprim._errors import (
    PaneNotFoundError,
    TmuxCommandError,
    TmuxNotFoundError,
    TmuxprimError,
    TmuxServerError,
)
from tmuxprim._tmux._command import Words

_NO_SERVER: Final = (
    *("no server running", "error connecting to", "lost server", "server exited"),
    # It runs, but its last pane has gone; so it is about to go, too.
    *("no current target", "no current session", "no sessions"),
)
_LONGEST: Final = 100
# What shells, env and docker exit with that do not find a program, and say so. tmux exits with it,
# and says nothing there, if it has done all and a hook of a person's found no program.
_NO_PROGRAM: Final = 127
_NO_PANE: Final = ("can't find pane", "can't find window", "can't find session", "no such pane")


def to_error(argv: tuple[str, ...], status: int, stderr: str) -> TmuxprimError:
    """Return the error for a command line that failed.

    Args:
        argv: The whole command line.
        status: Its exit status.
        stderr: What tmux said.
    """
    said = stderr.strip()
    refusal = TmuxCommandError(argv, status, stderr)
    error: TmuxprimError = refusal
    if any(words in said for words in _NO_SERVER):
        error = TmuxServerError(
            f"there is no tmux server with a pane ({said}); Terminal.open() starts one. If one "
            "does run, the tmux client may be too old for it"
        )
    elif any(words in said for words in _NO_PANE):
        error = PaneNotFoundError(f"tmux: {said}; Terminal.panes() lists the panes there are")
    elif status == _NO_PROGRAM and said:
        error = TmuxNotFoundError(
            f"the launcher found no program ({said}): install tmux on the other side, or give "
            "executable= the path that it has there"
        )
    if error is not refusal:
        error.__cause__ = refusal
    return error


def not_of_tmux(words: Words, answer: str) -> TmuxCommandError:
    """Return the error for an answer that tmux does not give: somebody else has written.

    Args:
        words: The command.
        answer: What came; of more than one line the rest may be a screen, and is not repeated.
    """
    said = answer.partition("\n")[0][:_LONGEST]
    why = (
        "no answer of tmux's: a launcher, and a login shell behind it, may print nothing "
        "themselves, and have to pass input on"
    )
    return TmuxCommandError(("tmux", *words), 0, f"{said} ({why})")


def was_leaving(error: TmuxServerError) -> bool:
    """Whether a server was there and went away, rather than none being there."""
    refusal = error.__cause__
    return isinstance(refusal, TmuxCommandError) and "server exited" in refusal.stderr
