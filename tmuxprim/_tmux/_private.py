"""A tmux server of one's own, which reads no files of the user's and leaves none behind."""

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tmuxprim._tmux._terminal import TmuxTerminal

_PATIENCE: Final = 5.0
_POLL: Final = 0.005


@contextmanager
def private_server() -> Iterator[TmuxTerminal]:
    """Give a terminal on a tmux server on a socket that nobody else knows.

    The server starts with the first pane; in the end its panes are closed, and it leaves.
    """
    with tempfile.TemporaryDirectory(prefix="tmuxprim-") as folder:
        terminal = TmuxTerminal(socket_path=Path(folder, "socket"), config_file="/dev/null")
        try:
            yield terminal
        finally:
            # A server without panes ends by itself, and takes no others down with it.
            deadline = time.monotonic() + _PATIENCE
            while (panes := terminal.panes()) and time.monotonic() < deadline:
                for pane in panes:
                    terminal.close(pane)
                time.sleep(_POLL)
