"""How many rows a pane keeps: a server that `open` starts is told, and no other."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.tmux_server import Server
from tmuxprim import Console, Pane, TmuxTerminal
from tmuxprim.errors import PaneExistsError

pytestmark = pytest.mark.tmux

EVERYTHING = (
    ("show-options", "-g"),
    ("show-options", "-gw"),
    ("show-options", "-s"),
    ("show-hooks", "-g"),
    ("show-environment", "-g"),
    ("show-environment", "-gh"),
)


def limit_of(server: Server, pane: Pane) -> int:
    """Return how many rows a pane keeps."""
    return server.terminal.observe(pane).history_limit


def settings(server: Server) -> list[str]:
    """Return all options, hooks and variables that sessions share."""
    return [server.tmux(*words) for words in EVERYTHING]


def test_a_server_that_open_starts(server: Server) -> None:
    """Every pane of it keeps so many rows, and no program finds our variable."""
    pane = server.terminal.open(["sh", "-c", "echo [$TMUXPRIM_STARTED_BY]; exec cat"])
    assert limit_of(server, pane) == 50_000
    assert limit_of(server, server.frugal.open(["cat"])) == 50_000
    assert "TMUXPRIM_STARTED_BY" not in server.tmux("show-environment", "-g")
    assert Console(server.terminal, pane).wait_for("[]")


@pytest.mark.parametrize(("configured", "kept"), [("100", 50_000), ("60000", 60_000)])
def test_a_limit_that_is_configured(
    server: Server, tmp_path: Path, configured: str, kept: int
) -> None:
    """It counts if it is greater; what is configured otherwise counts anyway."""
    config = tmp_path / "tmux.conf"
    config.write_text(f"set -g history-limit {configured}\nset -g @mine yes\n")
    terminal = TmuxTerminal(socket_path=server.socket, config_file=config)
    assert limit_of(server, terminal.open(["cat"])) == kept
    assert server.tmux("show-options", "-gv", "@mine") == "yes"


def test_a_terminal_may_leave_it_to_tmux(server: Server) -> None:
    """With a limit of None."""
    assert limit_of(server, server.frugal.open(["cat"])) == 2000


def test_a_server_of_others_is_never_changed(server: Server) -> None:
    """Whatever is opened there, and whether or not it can be opened."""
    server.tmux("-f", "/dev/null", "new-session", "-d", "-s", "theirs", "cat")
    before = settings(server)
    server.tmux("set-hook", "-g", "after-new-session", "set-buffer -b seen '#{history_limit}'")
    during = settings(server)
    pane = server.terminal.open(["cat"], env={"A": "1"})
    assert server.tmux("show-buffer", "-b", "seen")
    with pytest.raises(PaneExistsError, match="'theirs' already exists"):
        server.terminal.open(["cat"], name="theirs")
    assert settings(server) == during
    server.tmux("set-hook", "-gu", "after-new-session")
    assert settings(server) == before
    assert limit_of(server, pane) == 2000


def test_output_that_such_a_pane_does_not_keep(server: Server) -> None:
    """It is told: the result is not complete."""
    server.tmux("-f", "/dev/null", "new-session", "-d", "cat")
    bash = ["bash", "--norc", "--noprofile"]
    console = Console(server.terminal, server.terminal.open(bash, env={"PS1": "$ "}))
    console.wait_ready()
    result = console.run("seq 40000", timeout=30)
    assert not result.complete
    assert result.output.endswith("39999\n40000\n")


def test_several_that_start_a_server_at_once(server: Server) -> None:
    """One of them does; all get their pane."""

    def open_one(number: int) -> Pane:
        terminal = TmuxTerminal(socket_path=server.socket, config_file="/dev/null")
        return terminal.open(["cat"], env={"NUMBER": str(number)})

    with ThreadPoolExecutor(8) as threads:
        panes = list(threads.map(open_one, range(8)))
    assert len(set(panes)) == 8
    assert limit_of(server, server.terminal.open(["cat"])) == 50_000


@pytest.mark.parametrize("text", ["$" * 8000, "\n" * 8000, "x" * 100_000])
def test_a_long_command(server: Server, text: str) -> None:
    """An argument may be as long as Linux allows."""
    pane = server.terminal.open(["sh", "-c", "echo ${#1}; exec cat", "sh", text])
    assert Console(server.terminal, pane).wait_for(str(len(text)))
