"""SIGINT for the foreground programs of a terminal, if these take C-c for a key like any other."""

import os
import signal

from tmuxprim._values.checks import NOTHING
from tmuxprim._values.tty_state import TtyState
from tmuxprim.errors import PaneBusyError


def interrupt_group(tty: TtyState | None, group: int) -> None:
    """Send SIGINT to a process group if it is in the foreground of its terminal still.

    Args:
        tty: The state of the terminal right now.
        group: The group that was in the foreground when the caller looked.

    Raises:
        PaneBusyError: If it is not, or if it is another user's.
    """
    if tty is None or tty.foreground_pid != group or tty.pass_through_count:
        raise PaneBusyError(f"{NOTHING}: another program is in front by now; look again")
    if group == os.getpgrp():
        raise PaneBusyError(f"{NOTHING}: this process itself is in front in the pane")
    try:
        os.killpg(group, signal.SIGINT)
    except PermissionError as error:
        raise PaneBusyError(
            f"{NOTHING}: the program in front belongs to another user, so it cannot be sent a "
            "signal; press its own key"
        ) from error
    except ProcessLookupError as error:
        raise PaneBusyError(f"{NOTHING}: the program in front has ended by now") from error
