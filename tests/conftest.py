"""What all tests share: which programs they need, and a tmux server of their own."""

import os
import shutil
import tempfile
from collections.abc import Iterator

import pytest

from tests.tmux_server import Server
from tmuxprim import TmuxTerminal

_STRICT = os.environ.get("TMUXPRIM_STRICT") == "1"


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose program this machine lacks; under TMUXPRIM_STRICT=1 fail instead."""
    needed = [name for mark in item.iter_markers("needs") for name in mark.args]
    if item.get_closest_marker("tmux"):
        needed.append("tmux")
    missing = [name for name in needed if shutil.which(name) is None]
    if missing and _STRICT:
        pytest.fail(f"not installed: {', '.join(missing)}; python3 dev.py programs installs it")
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")


@pytest.fixture
def server() -> Iterator[Server]:
    """Give a tmux server of the test's own that leaves nothing behind."""
    with tempfile.TemporaryDirectory(prefix="tmuxprim-") as folder:
        server = Server(folder)
        try:
            yield server
        finally:
            server.stop()


@pytest.fixture
def terminal(server: Server) -> TmuxTerminal:
    """Give a terminal on a tmux server of the test's own."""
    return server.terminal
