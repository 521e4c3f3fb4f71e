"""Several event loops on one tmux server: a terminal each, at once."""

from functools import partial

import pytest

from tests.event_loops import at_once
from tests.tmux_server import Server
from tmuxprim import AsyncConsole, AsyncTmuxTerminal, Pane
from tmuxprim._tmux.choice import TransportName

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash")]

BASH = ("bash", "--norc", "--noprofile")


@pytest.fixture(params=["subprocess", "control"])
def transport(request: pytest.FixtureRequest) -> TransportName:
    """Give a transport."""
    name: TransportName = request.param
    return name


@pytest.fixture
def panes(server: Server) -> list[Pane]:
    """Give four shells."""
    return [server.terminal.open(BASH, name=name, env={"PS1": "$ "}) for name in "abcd"]


def terminal_on(server: Server, transport: TransportName) -> AsyncTmuxTerminal:
    """Return a terminal on a server."""
    return AsyncTmuxTerminal(
        socket_path=server.socket, config_file="/dev/null", transport=transport
    )


def test_a_terminal_for_each_event_loop(
    server: Server, panes: list[Pane], transport: TransportName
) -> None:
    """All are told when their command has ended, and each its own output."""

    async def talk(pane: Pane) -> None:
        async with terminal_on(server, transport) as terminal:
            console = AsyncConsole(terminal, pane)
            for number in range(3):
                result = await console.run(f"sleep 0.2; echo {pane}-{number}", 30.0)
                assert (result.output, result.complete) == (f"{pane}-{number}\n", True)

    at_once(*(partial(talk, pane) for pane in panes))
    assert server.tmux("list-clients") == ""
