"""A private tmux server, for tests and agents."""

import os
import signal
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from tmuxprim._tmux.commands import call
from tmuxprim._tmux.launch import make_prefix
from tmuxprim._tmux.subprocess import SubprocessTransport
from tmuxprim.errors import TmuxprimError

_PATIENCE: Final = 2.0
NO_FILE: Final = "/dev/null"
"""The configuration of a server that is to have none."""


class PrivateServer:
    """A tmux server on a socket in a folder of its own, which starts with its first pane."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="tmuxprim-")
        self.socket = Path(self._folder.name, "socket")

    def end(self) -> None:
        """End it with all panes, and remove its folder."""
        with self._folder:
            _end_server(self.socket)


def _end_server(socket: Path) -> None:
    """End the server on *socket*, if there is one.

    One that was stopped, or whose socket was removed, does not get the command: then its process
    is looked for and killed.
    """
    prefix = make_prefix(None, socket, NO_FILE, "tmux", ())
    try:
        SubprocessTransport(prefix, _PATIENCE).run(call(("kill-server",)))
    except TmuxprimError:
        for pid in _servers(socket):
            with suppress(ProcessLookupError):  # it has just ended
                os.kill(pid, signal.SIGKILL)  # the one signal that ends a stopped one, too


def _servers(socket: Path) -> Iterator[int]:
    """Yield the processes that are tmux servers on *socket*; none where there is no procfs."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended meanwhile
            is_server = (process / "comm").read_bytes() == b"tmux: server\n"
            if is_server and bytes(socket) in (process / "cmdline").read_bytes():
                yield int(process.name)
