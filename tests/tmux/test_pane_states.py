"""The states of real programs, in panes that another program has opened."""

import asyncio
from typing import Final

import pytest

from tests.tmux_server import Server
from tmuxprim import (
    AsyncTmuxTerminal,
    Console,
    KeySequence,
    Pane,
    PaneState,
    State,
    TmuxTerminal,
    async_pane_states,
    pane_states,
)

pytestmark = pytest.mark.tmux

PROGRAMS: Final = {
    ("bash", "--norc", "--noprofile"): State.PROMPT,
    ("dash",): State.PROMPT,
    ("sleep", "1000"): State.WORKING,
    ("bash", "-c", "read -p 'Continue? [y/N] '"): State.ASKING,
    ("bash", "-c", "read -s -p 'Password: '"): State.SECRET,
    ("vim", "-u", "NONE", "-i", "NONE"): State.FULLSCREEN,
    ("sqlite3",): State.PROMPT,
}
all_programs = pytest.mark.needs(*{words[0] for words in PROGRAMS})


def settled(terminal: TmuxTerminal, expected: dict[Pane, State]) -> tuple[PaneState, ...]:
    """Return the states of panes once all programs have started."""
    for pane, state in expected.items():
        if state is not State.WORKING:
            assert Console(terminal, pane).wait_ready(10.0)
    return pane_states(terminal, expected)


@all_programs
def test_programs_that_somebody_else_has_started(server: Server, either: TmuxTerminal) -> None:
    """Each is known by what it is blocked in; none was told to this terminal."""
    expected = {server.terminal.open(words): state for words, state in PROGRAMS.items()}
    found = settled(either, expected)
    assert {one.pane: one.state for one in found} == expected
    told = {one.state for one in found if not one.is_guess}
    assert {State.PROMPT, State.WORKING, State.ASKING, State.SECRET} <= told
    assert [one.question for one in found if one.state is State.ASKING] == ["Continue? [y/N]"]


@pytest.mark.needs("bash")
def test_a_pane_from_its_start_to_its_end(either: TmuxTerminal) -> None:
    """It works as soon as a command is typed, and is exited in the end."""
    console = Console(either, either.open(["bash", "--norc", "--noprofile"]))
    console.wait_ready(10.0)
    assert console.state().state is State.PROMPT
    console.send("sleep 1000")
    working = console.state()
    assert (working.state, working.is_guess) == (State.WORKING, False)
    console.keys("C-c")
    assert console.wait_ready(10.0)
    assert console.state().state is State.PROMPT
    either.close(console.pane)
    assert console.state().state is State.EXITED


@pytest.mark.needs("bash")
def test_a_person_who_scrolls(server: Server) -> None:
    """Copy mode changes no state, and is in the reason."""
    console = Console(server.terminal, server.terminal.open(["bash", "--norc", "--noprofile"]))
    console.wait_ready(10.0)
    server.tmux("copy-mode", "-t", console.pane.target)
    state = console.state()
    assert state.state is State.PROMPT
    assert state.reason.endswith("the pane is in copy-mode")


@pytest.mark.needs("bash")
def test_from_asyncio(server: Server) -> None:
    """The same, by a terminal for asyncio."""
    server.terminal.open(["sleep", "1000"])

    async def find() -> list[State]:
        async with AsyncTmuxTerminal(
            socket_path=server.socket, config_file="/dev/null"
        ) as terminal:
            return [one.state for one in await async_pane_states(terminal)]

    assert asyncio.run(find()) == [State.WORKING]


@pytest.mark.needs("cat")
def test_what_was_just_typed(either: TmuxTerminal) -> None:
    """A program that has not read it yet works, and asks for a line once it has."""
    console = Console(either, either.open(["cat"]))
    console.send("hello")
    console.wait_ready(10.0)
    assert console.state().state is State.ASKING
    console.keys(KeySequence.keys("C-d"))
    assert console.wait_ready(10.0).outcome.value == "exited"
    assert console.state().state is State.EXITED


@pytest.mark.needs("bash", "zsh")
@pytest.mark.parametrize("words", [("bash", "--norc", "--noprofile"), ("zsh", "-f")])
def test_an_open_quote_in_a_pane_of_somebody_else(server: Server, words: tuple[str, ...]) -> None:
    """The text that the shell shows for more is no prompt: the line above it is open."""
    console = Console(server.terminal, server.terminal.open(words))
    assert console.wait_ready(10.0)
    console.send("echo 'a")
    assert console.wait_ready(10.0)
    (state,) = pane_states(server.terminal)
    assert (state.state, state.is_guess) == (State.CONTINUATION, False)
    assert (console.state().state, console.state().is_guess) == (State.CONTINUATION, False)
