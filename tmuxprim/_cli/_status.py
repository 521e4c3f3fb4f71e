"""`Status`: what the exit status of a command tells; and an error in words for a shell."""

import enum
from typing import Final

from tmuxprim._errors import (
    PaneDeadError,
    PaneNotFoundError,
    TmuxNotFoundError,
    TmuxprimError,
    TmuxServerError,
    TmuxTimeoutError,
)


class Status(enum.IntEnum):
    """An exit status; shells can test it, so its numbers never change."""

    READY = 0
    """It is done, and what was waited for is there."""
    TIMED_OUT = 1
    """The time is up."""
    BAD_USE = 2
    """The command line makes no sense, or a key, text or pattern of it; nothing was sent."""
    GONE = 3
    """There is no such pane or server (any more), or the pane's program has exited."""
    REFUSED = 4
    """The pane takes no input, or tmux refused."""
    NO_TMUX = 5
    """There is no tmux, it is too old, or it hangs."""
    UNFINISHED = 6
    """What ``run`` printed may not be exactly the output."""
    BUG = 70
    """An error of tmuxprim's own (EX_SOFTWARE of sysexits(3))."""
    UNWRITTEN = 74
    """The answer could not be written, as on a full disk (EX_IOERR of sysexits(3))."""
    INTERRUPTED = 130
    """C-c (128 + SIGINT)."""
    UNREAD = 141
    """Nobody reads the output any more, as in ``| head -1`` (128 + SIGPIPE)."""


# What the library's errors advise, and what the command line advises instead.
IN_OUR_WORDS: Final = {
    "Terminal.panes()": "'tmuxprim panes'",
    "Terminal.open()": "'tmuxprim open'",
    "give leave_mode=True": "give --leave-mode",
    "keys('C-e', 'C-u') takes it away": "'tmuxprim keys PANE C-e C-u' takes it away, and if it is "
    "part of the prompt, --pattern says so",
    "send() answers": "'tmuxprim send' answers",
    "send() types": "'tmuxprim send' types",
    "keys('C-c') gives": "'tmuxprim keys PANE C-c' gives",
    "a strategy has to say": "--pattern says",
    ", or use FakeTerminal": "",
}
_GONE: Final = (PaneNotFoundError, PaneDeadError, TmuxServerError)
_NO_TMUX: Final = (TmuxNotFoundError, TmuxTimeoutError)


def status_of_error(error: TmuxprimError) -> Status:
    """Return the status of an error."""
    if isinstance(error, _GONE):
        return Status.GONE
    if isinstance(error, _NO_TMUX):
        return Status.NO_TMUX
    # Of our errors those that are a ValueError are about what was given.
    return Status.BAD_USE if isinstance(error, ValueError) else Status.REFUSED


def in_our_words(error: TmuxprimError) -> str:
    """Return an error's message for somebody who has a shell, and no Python."""
    message = str(error)
    for theirs, ours in IN_OUR_WORDS.items():
        message = message.replace(theirs, ours)
    return message
