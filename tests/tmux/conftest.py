"""What tests on real tmux share."""

from collections.abc import Iterator

import pytest

from tests.control import control
from tests.tmux_server import Server, needs_control_mode
from tmuxprim import TmuxTerminal


@pytest.fixture
def linked(server: Server) -> Iterator[TmuxTerminal]:
    """Give a terminal in control mode, which disconnects in the end."""
    with control(server) as terminal:
        yield terminal


@pytest.fixture(params=["subprocess", "control"])
def either(server: Server, request: pytest.FixtureRequest) -> Iterator[TmuxTerminal]:
    """Give a terminal of each transport, not used yet, on a server that has a pane."""
    if request.param == "control":
        needs_control_mode()
    server.terminal.open(["cat"])
    with TmuxTerminal(
        socket_path=server.socket, config_file="/dev/null", transport=request.param
    ) as terminal:
        yield terminal
