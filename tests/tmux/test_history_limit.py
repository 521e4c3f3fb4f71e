"""Panes that `open` makes keep more rows; what the server is told stays as it was."""

import asyncio

import pytest

from tests.tmux_server import Server
from tmuxprim import AsyncTmuxTerminal, Pane, TmuxCommandError, TmuxTerminal, TmuxTimeoutError

pytestmark = pytest.mark.tmux

OPTION = ("show-options", "-gv", "history-limit")


def limit_of(server: Server, pane: Pane) -> int:
    """Return how many rows a pane keeps."""
    return server.terminal.observe(pane).history_limit


def test_the_first_pane_of_a_server(server: Server) -> None:
    """Nobody can ask a server that is not there, so it is told by its own options."""
    assert limit_of(server, server.terminal.open(["cat"])) == 50_000
    assert server.tmux(*OPTION) == "2000"
    assert "tmuxprim" not in server.tmux("show-options", "-g")


@pytest.mark.parametrize(("configured", "kept"), [("100", 50_000), ("60000", 60_000)])
def test_a_limit_that_is_configured(server: Server, configured: str, kept: int) -> None:
    """It is there again afterwards, and counts where it is greater."""
    first = server.frugal.open(["cat"])
    server.tmux("set-option", "-g", "history-limit", configured)
    # That of a session of its own is nobody else's.
    server.tmux("set-option", "-t", "$0", "history-limit", "7")
    before = limit_of(server, first)  # tmux 3.7 changes that of living panes
    assert limit_of(server, server.terminal.open(["cat"])) == kept
    assert server.tmux(*OPTION) == configured
    assert limit_of(server, first) == before
    assert limit_of(server, server.frugal.open(["cat"])) == int(configured)


def test_it_stays_whatever_is_configured_later(server: Server) -> None:
    """Also where tmux changes the limits of living panes, as 3.7 does; no hook is left."""
    pane = server.terminal.open(["cat"])
    server.tmux("set-option", "-g", "history-limit", "100")
    assert limit_of(server, pane) == 50_000
    assert limit_of(server, server.terminal.open(["cat"])) == 50_000
    assert "7707" not in server.tmux("show-hooks", "-g")


def test_a_refusal_restores_it(server: Server) -> None:
    """The rest of the commands is not carried out then."""
    server.terminal.open(["cat"], name="taken")
    with pytest.raises(TmuxCommandError, match="duplicate session: taken"):
        server.terminal.open(["cat"], name="taken")
    assert server.tmux(*OPTION) == "2000"
    assert "7707" not in server.tmux("show-hooks", "-g")


def test_a_hook_that_waits(server: Server) -> None:
    """It holds the commands up; another pane that is opened meanwhile spoils nothing."""
    server.frugal.open(["cat"])
    server.tmux("set-hook", "-g", "after-new-session", "run-shell 'sleep 0.3'")

    async def open_two() -> list[Pane]:
        terminal = AsyncTmuxTerminal(socket_path=server.socket)
        return await asyncio.gather(*(terminal.open(["cat"]) for _ in range(2)))

    panes = asyncio.run(open_two())
    assert [limit_of(server, pane) for pane in panes] == [50_000, 50_000]
    assert server.tmux(*OPTION) == "2000"
    impatient = TmuxTerminal(socket_path=server.socket, timeout=0.15)
    with pytest.raises(TmuxTimeoutError):
        impatient.open(["cat"])
    assert server.tmux(*OPTION) == "2000"


@pytest.mark.parametrize("text", ["$" * 8000, "\n" * 8000, "x" * 15_000])
def test_a_long_command_is_no_longer_for_it(server: Server, text: str) -> None:
    """What tmux takes by itself it takes with a history, too."""
    server.frugal.open(["cat"])
    for terminal in (server.frugal, server.terminal):
        terminal.open(["sh", "-c", "exec cat", text])
