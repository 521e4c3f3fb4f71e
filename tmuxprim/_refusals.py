"""What every backend refuses, in the same words: a name, a pane, a pane that takes no input."""

from tmuxprim._errors import InvalidPaneError, PaneBusyError, PaneDeadError, PaneNotFoundError
from tmuxprim._pane import Pane
from tmuxprim._screen import Screen


def check_session_name(name: str) -> str:
    """Return *name* if tmux takes it as it is.

    Raises:
        InvalidPaneError: If tmux would read some of its characters as a format or a target.
    """
    if not name or not all(char.isalnum() or char in "_-" for char in name):
        raise InvalidPaneError(
            f"a new session's name has letters, digits, '_' and '-' only, got {name!r}"
        )
    return name


def pane_not_found(pane: Pane) -> PaneNotFoundError:
    """Return the error for a pane that is not there."""
    return PaneNotFoundError(
        f"there is no pane {pane.target!r} on this tmux server (any more); "
        "Terminal.panes() lists the panes there are"
    )


def refuse_if_deaf(pane: Pane, screen: Screen) -> None:
    """Raise if the pane took no input in the turn that *screen* is of.

    Raises:
        PaneDeadError: If the pane's program has exited.
        PaneBusyError: If the pane is in a mode, or its input is off.
    """
    if screen.dead:
        raise PaneDeadError(
            f"the program of pane {pane} has exited (status {screen.exit_status}); nothing was "
            "sent. Close the pane and open another"
        )
    if screen.mode:
        raise PaneBusyError(
            f"pane {pane} is in {screen.mode}, where keys do not reach the program; nothing was "
            "sent. Leave the mode first (the key 'q' in most of them)"
        )
    if screen.input_off:
        raise PaneBusyError(
            f"the input of pane {pane} is off; nothing was sent. Switch it on with "
            f"'tmux select-pane -e -t {pane}'"
        )
