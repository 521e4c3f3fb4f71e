"""What tests on real tmux share."""

from collections.abc import Iterator

import pytest

from tests.control import control
from tests.tmux_server import Server
from tmuxprim import TmuxTerminal


@pytest.fixture
def linked(server: Server) -> Iterator[TmuxTerminal]:
    """Give a terminal in control mode, which disconnects in the end."""
    with control(server) as terminal:
        yield terminal
