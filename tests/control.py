"""What tests of control mode on real tmux share."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

from tests.tmux_server import Server
from tmuxprim import Pane, TmuxTerminal

CAT = ("cat",)


def control(server: Server, timeout: float = 5.0) -> TmuxTerminal:
    """Return a terminal in control mode."""
    return TmuxTerminal(
        socket_path=server.socket, config_file="/dev/null", transport="control", timeout=timeout
    )


def eventually(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        threading.Event().wait(0.01)


def sink(terminal: TmuxTerminal, path: Path) -> Pane:
    """Open a pane that writes each key it gets into a file at once."""
    pane = terminal.open(f"stty raw -echo; echo ready; exec cat >{path}", name=path.name)
    eventually(lambda: "ready" in terminal.read(pane))
    return pane
