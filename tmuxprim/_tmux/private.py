"""A private tmux server, for tests and agents."""

import os
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from tmuxprim._tmux.choice import TransportName
from tmuxprim._tmux.commands import call
from tmuxprim._tmux.launch import make_prefix
from tmuxprim._tmux.subprocess import SubprocessTransport
from tmuxprim._tmux.terminal import TmuxTerminal
from tmuxprim.errors import TmuxprimError

_PATIENCE: Final = 2.0
_NO_FILE: Final = "/dev/null"


@contextmanager
def private_server(
    *, transport: TransportName = "subprocess", timeout: float = 5.0
) -> Iterator[TmuxTerminal]:
    """Give a terminal on a new tmux server, on a socket in a folder of its own.

    The server starts with the first pane, and is ended with all panes when the block ends.

    Args:
        transport: As of `TmuxTerminal`.
        timeout: As of `TmuxTerminal`.
    """
    with tempfile.TemporaryDirectory(prefix="tmuxprim-") as folder:
        socket = Path(folder, "socket")
        terminal = TmuxTerminal(
            socket_path=socket, config_file=_NO_FILE, transport=transport, timeout=timeout
        )
        try:
            with terminal:
                yield terminal
        finally:
            _end_server(socket)


def _end_server(socket: Path) -> None:
    """End the server on *socket*, if there is one.

    One that was stopped, or whose socket was removed, does not get the command: then its process
    is looked for and killed.
    """
    prefix = make_prefix(None, socket, _NO_FILE, "tmux", ())
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
