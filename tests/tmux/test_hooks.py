"""Hooks of the user's that fail, on real tmux."""

import warnings
from collections.abc import Callable
from contextlib import suppress

import pytest

from tests.tmux_server import Server
from tmuxprim import Console, KeySequence, Pane, Size, TmuxCommandError, TmuxTerminal

pytestmark = pytest.mark.tmux

REFUSED = "select-pane -t no-such-pane"
NO_PROGRAM = 'run-shell "exit 127"'


@pytest.fixture
def terminal(either: TmuxTerminal) -> TmuxTerminal:
    """Give a terminal on a server that is in use already."""
    return either


@pytest.mark.parametrize("hook", [REFUSED, NO_PROGRAM])
def test_a_pane_is_opened(server: Server, terminal: TmuxTerminal, hook: str) -> None:
    """The hook is told of, by its name, and once."""
    before = terminal.panes()
    server.tmux("set-hook", "-g", "after-new-session", hook)
    with pytest.warns(RuntimeWarning, match="after-new-session") as caught:
        opened = [terminal.open(["cat"]), terminal.open(["cat"])]
    assert len(caught) == 1
    assert set(terminal.panes()) == {*before, *opened}


@pytest.mark.parametrize(
    "command",
    ["send-keys", "display-message", "capture-pane", "list-panes", "resize-window", "paste-buffer"],
)
def test_all_else_is_done(server: Server, terminal: TmuxTerminal, command: str) -> None:
    """Whichever of our commands the hook comes after, nothing is typed twice."""
    pane = terminal.open(["bash", "--norc"])
    server.tmux("set-hook", "-g", f"after-{command}", REFUSED)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        console = Console(terminal, pane)
        assert console.run("echo hi").output == "hi\n"
        terminal.resize(pane, Size(70, 20))
        terminal.send(pane, KeySequence.text("x" * 5_000))
        assert pane in terminal.panes()
        terminal.close(pane)
        assert pane not in terminal.panes()


def _answer(ask: Callable[[], str]) -> str:
    """Return an answer, or the error that came instead."""
    try:
        return ask()
    except TmuxCommandError as error:
        return str(error)


@pytest.mark.parametrize("command", ["capture-pane", "display-message", "list-panes", "send-keys"])
def test_what_a_hook_prints_is_no_screen(
    server: Server, terminal: TmuxTerminal, command: str
) -> None:
    """In control mode it is told apart; a client for one call says so, and returns none of it."""
    pane = terminal.open(["cat"])
    assert terminal.observe(pane).text == terminal.read(pane) == ""
    server.tmux("set-hook", "-g", f"after-{command}", "display-message -p hooked")
    asks: tuple[Callable[[], str], ...] = (
        lambda: terminal.observe(pane).text,
        lambda: terminal.observe(pane, history=9, styled=True).text,
        lambda: terminal.read(pane),
        lambda: terminal.read(pane, history=9),
        lambda: terminal.send(pane, KeySequence.text("")).text,
    )
    for ask in asks:
        said = _answer(ask)
        is_told = terminal.transport == "subprocess" and "a hook of yours that prints" in said
        assert said == "" or is_told
    with suppress(TmuxCommandError):
        assert pane in terminal.panes()


def test_what_was_not_done_is_an_error_all_the_same(server: Server, terminal: TmuxTerminal) -> None:
    """A hook whose shell ends well would leave the client with the status 0."""
    pane = terminal.open(["cat"])
    server.tmux("set-hook", "-g", "after-display-message", "run-shell true")
    with pytest.raises(LookupError):
        terminal.resize(Pane("%999"), Size(70, 20))
    assert pane in terminal.panes()
