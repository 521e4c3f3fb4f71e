"""Between two snapshots nothing was missed, and nothing has changed, as far as a terminal knows."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager

import attrs
import pytest

from tests.control import CAT, control, eventually
from tests.tmux_server import Server
from tmuxprim import (
    AsyncTmuxTerminal,
    Console,
    KeySequence,
    Pane,
    PaneBusyError,
    PaneNotFoundError,
    Screen,
    Size,
    TmuxTerminal,
)

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash")]

HELLO = KeySequence.text("hello")
LINES = (1, 30, 300, 1000, 2000, 4000)


@pytest.fixture(params=["subprocess", "control"])
def terminal(request: pytest.FixtureRequest, server: Server) -> Iterator[TmuxTerminal]:
    """Give a terminal over each transport in turn."""
    if request.param == "subprocess":
        yield server.terminal
    else:
        with control(server) as linked:
            yield linked


@contextmanager
def writing_to(path: str) -> Iterator[int]:
    """Open a pane's terminal, to write to it as its program would."""
    device = os.open(path, os.O_WRONLY | os.O_NOCTTY)
    try:
        yield device
    finally:
        os.close(device)


def still(terminal: TmuxTerminal, pane: Pane) -> Screen:
    """Return the screen once nothing more comes; by then it is known which tmux this is."""
    terminal.observe(pane)
    eventually(lambda: terminal.observe(pane).caught_up)
    return terminal.observe(pane)


def test_where_tmux_has_caught_up_all_is_shown(server: Server, terminal: TmuxTerminal) -> None:
    """Of what was written before the snapshot began nothing is missing, however much it was."""
    pane = terminal.open(CAT)
    shown = still(terminal, pane)
    with writing_to(shown.tty) as device:
        for count in LINES * 10:
            server.tmux("clear-history", "-t", pane.target)
            before = terminal.observe(pane).cursor_line_number
            os.write(device, b"x\n" * count)
            seen = terminal.observe(pane)
            if seen.caught_up:
                assert seen.cursor_line_number == before + count
            eventually(lambda last=before + count: is_at(terminal, pane, last))  # type: ignore[misc]  # mypy cannot infer its default


def is_at(terminal: TmuxTerminal, pane: Pane, line: int) -> bool:
    """Whether the cursor has come so far."""
    return terminal.observe(pane).cursor_line_number == line


def test_a_flood_is_never_caught_up_with(terminal: TmuxTerminal) -> None:
    """Who writes on and on has always more to show."""
    pane = terminal.open(CAT)
    still(terminal, pane)
    terminal.close(pane)
    pane = terminal.open(["yes"])
    terminal.observe(pane)
    eventually(lambda: not terminal.observe(pane).caught_up)


def test_a_tmux_that_is_not_known_does_not_wait(terminal: TmuxTerminal) -> None:
    """A server that came after the one that was seen may be an older one."""
    pane = terminal.open(CAT)
    shown = still(terminal, pane)
    seen = terminal.observe(Pane(pane.target))
    assert (seen, seen.caught_up) == (shown, False)


def test_a_look_that_holds_is_returned(terminal: TmuxTerminal) -> None:
    """No new one is taken, and the keys are typed once."""
    pane = terminal.open(CAT)
    shown = still(terminal, pane)
    assert terminal.send(pane, HELLO, seen=shown) is shown
    eventually(lambda: terminal.read(pane) == "hello")
    assert still(terminal, pane).rows[0] == "hello"


@pytest.mark.parametrize("what", ["cursor", "history", "alternate", "size"])
def test_a_look_that_does_not_hold_is_taken_anew(terminal: TmuxTerminal, what: str) -> None:
    """The keys are typed all the same, once."""
    pane = terminal.open(CAT)
    shown = still(terminal, pane)
    others = {
        "cursor": attrs.evolve(shown, cursor=attrs.evolve(shown.cursor, column=1)),
        "history": attrs.evolve(shown, history_size=1),
        "alternate": attrs.evolve(shown, alternate=True),
        "size": attrs.evolve(shown, size=Size(shown.size.columns + 1, shown.size.rows)),
    }
    assert terminal.send(pane, HELLO, seen=others[what]).cursor == shown.cursor
    eventually(lambda: terminal.read(pane) == "hello")
    assert still(terminal, pane).rows[0] == "hello"


def test_a_mode_refuses_what_is_typed_as_seen(server: Server, terminal: TmuxTerminal) -> None:
    """A person who scrolls is not typed at, though the program's screen is as it was."""
    pane = terminal.open(CAT)
    shown = still(terminal, pane)
    server.tmux("copy-mode", "-t", pane.target)
    with pytest.raises(PaneBusyError):
        terminal.send(pane, HELLO, seen=shown)
    server.tmux("copy-mode", "-q", "-t", pane.target)
    assert terminal.send(pane, HELLO, seen=shown) is shown
    eventually(lambda: terminal.read(pane) == "hello")


def test_nothing_and_what_takes_several_calls_takes_a_look(terminal: TmuxTerminal) -> None:
    """One snapshot may not fit all of the calls."""
    pane = terminal.open(CAT)
    shown = still(terminal, pane)
    many = (KeySequence.keys("Left") + KeySequence.text("x")) * 300
    for keys in (KeySequence(()), KeySequence.paste("a"), many):
        assert terminal.send(pane, keys, seen=shown) is not shown


def test_a_pane_that_is_gone_is_not_typed_at(terminal: TmuxTerminal) -> None:
    """Nor any other."""
    kept, pane = terminal.open(CAT), terminal.open(CAT)
    shown = still(terminal, pane)
    terminal.close(pane)
    with pytest.raises(PaneNotFoundError):
        terminal.send(pane, HELLO, seen=shown)
    still(terminal, kept)
    assert terminal.read(kept) == ""


def test_what_was_printed_meanwhile_is_not_of_the_next_command(
    server: Server, terminal: TmuxTerminal
) -> None:
    """Behind a prompt nobody has typed at, so that the shell has not woken up."""
    console = Console(terminal, terminal.open(["bash", "--norc"], env={"PS1": "$ "}))
    shown = console.wait_ready().screen
    assert console.run("echo one").output == "one\n"
    with writing_to(shown.tty) as device:
        os.write(device, b"\r\nfrom elsewhere\r\n$ ")
        eventually(lambda: "elsewhere" in terminal.read(console.pane))
    result = console.run("echo two")
    assert (result.output, result.complete) == ("two\n", True)
    assert server.tmux("list-panes", "-a").count("\n") == 0


def test_a_command_in_a_window_that_was_resized(terminal: TmuxTerminal) -> None:
    """Its mark is of the new size, or rows would be taken for wrapped anew."""
    console = Console(terminal, terminal.open(["bash", "--norc"], env={"PS1": "$ "}))
    for columns in (60, 80, 60):
        console.wait_ready()
        terminal.resize(console.pane, Size(columns, 24))
        result = console.run("echo hello")
        assert (result.output, result.complete) == ("hello\n", True)


def test_asyncio_returns_a_look_that_holds(server: Server) -> None:
    """By the same steps."""
    pane = server.terminal.open(CAT)
    shown = still(server.terminal, pane)

    async def main() -> Screen:
        async with AsyncTmuxTerminal(
            socket_path=server.socket, config_file="/dev/null", transport="control"
        ) as terminal:
            return await terminal.send(pane, HELLO, seen=shown)

    assert asyncio.run(main()) is shown
    eventually(lambda: server.terminal.read(pane) == "hello")
