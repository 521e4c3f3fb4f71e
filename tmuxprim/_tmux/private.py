"""A private tmux server, for tests and agents."""

import os
import signal
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

from tmuxprim._tmux.commands import call
from tmuxprim._tmux.launch import make_prefix
from tmuxprim._tmux.lost import servers_on
from tmuxprim._tmux.subprocess import SubprocessTransport
from tmuxprim.errors import TmuxprimError

_PATIENCE: Final = 2.0
NO_FILE: Final = "/dev/null"
"""The configuration of a server that is to have none."""
# /tmp is emptied more often than this directory. Without its socket a server cannot be reached.
PLACE: Final = "/var/tmp"  # noqa: S108  # the directory in it has a name that nobody can guess


class PrivateServer:
    """A tmux server on a socket in a directory of its own, which starts with its first pane."""

    def __init__(self) -> None:
        self._directory = _make_directory()
        self.socket = Path(self._directory.name, "socket")

    def end(self) -> None:
        """End it with all panes, and remove its directory."""
        with self._directory:
            _end_server(self.socket)


def _make_directory() -> "tempfile.TemporaryDirectory[str]":
    with suppress(OSError):  # it is not there, or not ours to write into
        return tempfile.TemporaryDirectory(prefix="tmuxprim-", dir=PLACE)
    return tempfile.TemporaryDirectory(prefix="tmuxprim-")


def _end_server(socket: Path) -> None:
    """End the server on *socket*, if there is one.

    One that was stopped, or that cannot bind its socket anew, does not get the command: then its
    process is looked for and killed.
    """
    prefix = make_prefix(None, socket, NO_FILE, "tmux", ())
    try:
        SubprocessTransport(prefix, _PATIENCE).run(call(("kill-server",)))
    except TmuxprimError:
        for pid in servers_of(str(socket)):
            with suppress(ProcessLookupError):  # it has just ended
                os.kill(pid, signal.SIGKILL)  # no other signal ends a stopped process


def servers_of(socket: str, proc: str = "/proc") -> list[int]:
    """Return the processes that are tmux servers on a socket of ours."""
    if os.path.isdir(proc):
        return servers_on(socket, proc)
    # macOS: a server keeps the words that started it, and in these the path that we have made up.
    words = ["ps", "-A", "-ww", "-o", "pid=", "-o", "args="]
    with suppress(OSError, subprocess.SubprocessError):
        listed = subprocess.run(
            words, capture_output=True, text=True, timeout=_PATIENCE, check=True
        )
        rows = (row.split() for row in listed.stdout.splitlines())
        return [int(pid) for pid, *args in rows if socket in args and args[0].endswith("tmux")]
    return []
