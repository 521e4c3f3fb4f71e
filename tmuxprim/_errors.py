"""Every exception that tmuxprim raises on purpose.

::

    TmuxprimError
    ├── InvalidPaneError       (ValueError)         a name that cannot name a pane
    ├── InvalidKeyError        (ValueError)         a key name that tmux does not know
    ├── InvalidTextError       (ValueError)         a text that no terminal can be sent
    ├── InvalidPatternError    (ValueError)         a prompt pattern that is no regular expression
    ├── InvalidScreenError     (ValueError)         a size, a cursor or rows that no screen has
    ├── InvalidStrategyError   (ValueError)         a readiness chain that makes no sense
    ├── PaneNotFoundError      (LookupError)        no such pane (any more)
    ├── PaneDeadError                               the pane's program has exited
    ├── PaneBusyError                               tmux would swallow the keys (copy mode)
    ├── TmuxNotFoundError      (FileNotFoundError)  no tmux program to run
    ├── TmuxServerError        (ConnectionError)    no tmux server, or it went away
    ├── TmuxCommandError                            tmux refused a command
    └── TmuxTimeoutError       (TimeoutError)       tmux did not answer in time

All of them are raised before anything was sent, unless their message says otherwise.
Not being ready in time is no exception: it is ``Outcome.TIMEOUT``.
"""

from collections.abc import Sequence


class TmuxprimError(Exception):
    """The base of every error that tmuxprim raises on purpose."""


class InvalidPaneError(TmuxprimError, ValueError):
    """The text cannot name a pane."""


class InvalidKeyError(TmuxprimError, ValueError):
    """The name is not a key that every tmux understands in the same way."""


class InvalidTextError(TmuxprimError, ValueError):
    """The text cannot be sent to a terminal, such as a lone surrogate or a NUL."""


class InvalidPatternError(TmuxprimError, ValueError):
    """The prompt pattern is not a regular expression."""


class InvalidScreenError(TmuxprimError, ValueError):
    """The size, the cursor or the rows fit no screen."""


class InvalidStrategyError(TmuxprimError, ValueError):
    """The readiness strategy cannot decide anything, such as an empty chain."""


class PaneNotFoundError(TmuxprimError, LookupError):
    """No pane has that name, or it is gone."""


class PaneDeadError(TmuxprimError):
    """The pane's program has exited, so nobody would read what is sent."""


class PaneBusyError(TmuxprimError):
    """The pane is in a mode, or its input is off, and tmux would swallow what is sent."""


class TmuxNotFoundError(TmuxprimError, FileNotFoundError):
    """There is no tmux program to run."""


class TmuxServerError(TmuxprimError, ConnectionError):
    """No tmux server answers on the socket."""


class TmuxTimeoutError(TmuxprimError, TimeoutError):
    """A tmux call took too long; its client process was ended.

    The server may still carry the command out when it wakes up.
    """


class TmuxCommandError(TmuxprimError):
    """Tmux refused a command.

    Attributes:
        argv: The command, word by word.
        exit_status: What the tmux client exited with.
        stderr: What it said.
    """

    def __init__(self, argv: Sequence[str], exit_status: int, stderr: str) -> None:
        # All three go to Exception.args, so that the error can be pickled.
        super().__init__(tuple(argv), exit_status, stderr)
        self.argv: tuple[str, ...] = tuple(argv)
        self.exit_status = exit_status
        self.stderr = stderr

    def __str__(self) -> str:
        said = self.stderr.strip() or "nothing"
        return f"tmux exited with {self.exit_status} and said {said!r}; the command was {self.argv}"
