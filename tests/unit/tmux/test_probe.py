"""What the kernel tells about a terminal, and when it does not."""

import os
import pty

from tmuxprim._tmux._probe import probe_tty
from tmuxprim._tmux._procfs import Procfs


def test_a_path_that_is_gone_tells_nothing() -> None:
    """Between a pane's end and the next look there is no terminal to ask."""
    assert probe_tty("/dev/pts/none", os.getpid()) is None


def test_a_device_that_is_no_terminal_tells_nothing() -> None:
    """A terminal that hangs up while it is asked answers with an error, as this one does."""
    assert probe_tty(os.devnull, os.getpid()) is None


def test_a_terminal_of_another_process_has_no_foreground() -> None:
    """The line discipline is told even where the kernel does not tell who reads."""
    ours, theirs = pty.openpty()
    try:
        state = probe_tty(os.ttyname(theirs), os.getpid(), Procfs("/nonexistent"))
    finally:
        os.close(ours)
        os.close(theirs)
    assert state is not None
    assert (state.canonical, state.echo, state.unread) == (True, True, 0)
    assert (state.foreground_pid, state.foreground_is_pane, state.reading) == (None, None, None)
