"""What all tests share: which programs they need, and a tmux server of their own."""

import os
import signal
import tempfile
from collections.abc import Iterator

import pytest

from tests.examples import use_them
from tests.needs import missing_programs
from tests.tmux_server import Server
from tmuxprim import TmuxTerminal

_STRICT = os.environ.get("TMUXPRIM_STRICT") == "1"

use_them()

# A job in the background of a shell without job control ignores Ctrl-C, and so would all that the
# tests start there; some send it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose program this machine lacks; under TMUXPRIM_STRICT=1 fail instead."""
    missing = missing_programs(item)
    if missing and _STRICT:
        pytest.fail(f"not installed: {', '.join(missing)}; python3 dev.py programs installs it")
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")


def private_server() -> Iterator[Server]:
    """Start a tmux server on a socket that nobody else knows, and leave nothing behind."""
    with tempfile.TemporaryDirectory(prefix="tmuxprim-") as directory:
        server = Server(directory)
        try:
            yield server
        finally:
            server.stop()


server = pytest.fixture(private_server, name="server")
module_server = pytest.fixture(private_server, name="module_server", scope="module")


@pytest.fixture
def terminal(server: Server) -> TmuxTerminal:
    """Give a terminal on a tmux server of the test's own."""
    return server.terminal
