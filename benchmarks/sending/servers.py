"""Tmux servers on private sockets, of which nothing stays behind."""

import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from tests.tmux_server import Server


@contextmanager
def private_server() -> Iterator[Server]:
    """Give a server that lives until the end of the block, whatever ends it."""
    with tempfile.TemporaryDirectory(prefix="tmuxprim-bench-") as directory:
        server = Server(directory)
        try:
            # A pane that stays keeps the server alive when the last of the others goes.
            server.terminal.open(["cat"])
            yield server
        finally:
            _stop(server)


def _stop(server: Server) -> None:
    # A second Ctrl-C must not leave the server behind.
    signals = signal.SIGINT, signal.SIGTERM
    before = [signal.signal(number, signal.SIG_IGN) for number in signals]
    try:
        server.stop()
    finally:
        for number, handler in zip(signals, before, strict=True):
            signal.signal(number, handler)
