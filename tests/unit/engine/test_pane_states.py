"""`Console.state` and `pane_states`, on the fake terminal."""

import asyncio

import attrs
import pytest

from tests.unit.builders import (
    AT_PROMPT,
    PANE,
    RUNNING,
    CountingClock,
    Frame,
    ScriptedTerminal,
    screen,
)
from tmuxprim import (
    AsyncConsole,
    Console,
    FakeTerminal,
    PaneNotFoundError,
    PaneState,
    State,
    TmuxTimeoutError,
    async_pane_states,
    pane_states,
)
from tmuxprim._engine.pane_states import Subject, states_of
from tmuxprim._engine.plan import drive
from tmuxprim.errors import InvalidStrategyError
from tmuxprim.readiness import ExitStrategy, PromptStrategy
from tmuxprim.testing import AsyncFakeTerminal, ScriptedShell, after, pager, password, question

SHELL = ScriptedShell(
    {
        "make": after(60.0, "done"),
        "ask": question("Continue? [y/N] "),
        "login": password("Password: "),
        "less": pager("a\nb"),
        "print": [after(0.05, f"{number}$ ") for number in range(1000)],
    }
)


def make(*commands: str, evidence: bool = True) -> FakeTerminal:
    """Return a fake with a shell for each command, which runs there since a second."""
    terminal = FakeTerminal(programs={"sh": SHELL}, evidence=evidence, clock=CountingClock())
    for command in commands:
        console = Console(terminal, terminal.open("sh"))
        console.wait_ready()
        if command:
            console.send(command)
    terminal.clock.sleep(1.0)
    return terminal


def names(states: tuple[PaneState, ...]) -> list[State]:
    """Return the states alone."""
    return [state.state for state in states]


ALL = ("", "make", "ask", "login", "less")
FOUND = [State.PROMPT, State.WORKING, State.ASKING, State.SECRET, State.FULLSCREEN]


def test_all_panes_at_once() -> None:
    """None was opened by who asks; what is a matter of time is settled in one pause for all."""
    terminal = make(*ALL)
    start = terminal.clock.now()
    states = pane_states(terminal)
    assert names(states) == FOUND
    assert not any(state.is_guess for state in states)
    assert [state.pane for state in states] == list(terminal.panes())
    assert terminal.clock.now() - start < 0.4


def test_what_the_kernel_reports_takes_no_time() -> None:
    """There is no pause."""
    terminal = make("", "make", "ask", "login")
    start = terminal.clock.now()
    assert names(pane_states(terminal)) == FOUND[:4]
    assert terminal.clock.now() - start < 0.05


def test_without_evidence_all_is_a_guess() -> None:
    """And what writes is said to work, though what it writes looks like a prompt."""
    terminal = make(*ALL, "print", evidence=False)
    states = pane_states(terminal)
    guessed = [State.PROMPT, State.WORKING, State.IDLE, State.SECRET, State.IDLE, State.WORKING]
    assert names(states) == guessed
    assert all(state.is_guess for state in states)


def test_async_says_the_same() -> None:
    """The same states, from asyncio; of one pane too."""

    async def find() -> tuple[PaneState, ...]:
        terminal = AsyncFakeTerminal(make(*ALL))
        one = await AsyncConsole(terminal, "%2").state()
        states = await async_pane_states(terminal)
        assert one == states[2]
        return states

    assert asyncio.run(find()) == pane_states(make(*ALL))


def test_panes_that_are_named() -> None:
    """Only those; a name without a pane is an error, and an id without one has exited."""
    terminal = make("", "make")
    terminal.open("sh", name="work")
    (first, last) = pane_states(terminal, ["%1", "work"])
    assert (first.pane, last.pane) == (terminal.panes()[1], terminal.panes()[2])
    pane = terminal.panes()[0]
    terminal.close(pane)
    (state,) = pane_states(terminal, [pane])
    assert (state.state, state.program, state.screen) == (State.EXITED, "", None)
    with pytest.raises(PaneNotFoundError):
        pane_states(terminal, ["nobody"])
    assert pane_states(FakeTerminal()) == ()


def test_a_pane_that_goes() -> None:
    """A console that has seen it says that it has exited."""
    terminal = make("", "")
    console = Console(terminal, "%0")
    assert console.state().state is State.PROMPT
    terminal.close(console.pane)
    state = console.state()
    assert (state.state, state.is_guess) == (State.EXITED, False)
    with pytest.raises(PaneNotFoundError):
        Console(terminal, "nobody").state()


def test_a_strategy_of_the_users_own() -> None:
    """Given to the function, or the console's."""
    terminal = make("")
    (state,) = pane_states(terminal, strategy=ExitStrategy())
    assert (state.state, state.is_guess) == (State.WORKING, True)
    assert Console(terminal, "%0", strategy=PromptStrategy()).state().state is State.PROMPT
    with pytest.raises(InvalidStrategyError):
        pane_states(terminal, strategy=PromptStrategy)  # type: ignore[arg-type]


def test_a_terminal_of_the_other_kind() -> None:
    """It is refused."""
    with pytest.raises(TypeError, match="async_pane_states"):
        pane_states(AsyncFakeTerminal())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="use pane_states"):
        asyncio.run(async_pane_states(FakeTerminal()))  # type: ignore[arg-type]


def test_a_server_that_hangs() -> None:
    """No state is made up, before the pane was seen or after."""
    terminal = make("")
    console = Console(terminal, "%0")
    console.state()
    terminal.faults.hang(60.0)
    with pytest.raises(TmuxTimeoutError):
        console.state()
    with pytest.raises(TmuxTimeoutError):
        Console(terminal, console.pane).state()


def test_a_console_remembers() -> None:
    """What it has seen stand for a while is no guess any more, and since when it stands is told."""
    terminal = make("less")
    console = Console(terminal, "%0")
    first = console.state()
    assert (first.state, first.is_guess) == (State.FULLSCREEN, False)
    terminal.clock.sleep(5.0)
    start = terminal.clock.now()
    assert console.state().unchanged_for >= 5.0
    assert terminal.clock.now() == pytest.approx(start, abs=0.01)


def test_a_pane_that_goes_during_the_pause() -> None:
    """It has exited."""
    frames = Frame(0.0, screen("$ ")), Frame(0.2, None)
    terminal = ScriptedTerminal(*frames)
    (state,) = drive(states_of([Subject(PANE)]), terminal)
    assert state.state is State.EXITED


def test_what_works_is_looked_at_twice_at_most() -> None:
    """The second look is what confirms the first."""
    terminal = ScriptedTerminal(Frame(0.0, screen("$ make"), RUNNING))
    (state,) = drive(states_of([Subject(PANE)]), terminal)
    assert state.state is State.WORKING
    assert terminal.looks == 2


@pytest.mark.parametrize(
    ("text", "state"), [("$ echo 'a\n> ", State.CONTINUATION), ("$ \n> ", State.PROMPT)]
)
def test_the_prompt_for_more(text: str, state: State) -> None:
    """A shell may have it for its prompt: the line above says which one it is."""
    shown = attrs.evolve(screen(text), command="bash")
    terminal = ScriptedTerminal(Frame(0.0, shown, AT_PROMPT))
    (found,) = drive(states_of([Subject(PANE)]), terminal)
    assert (found.state, found.is_guess) == (state, False)


@pytest.mark.parametrize(
    ("text", "command", "is_shown", "question"),
    [
        ("Go on? ", "setup", True, "Go on?"),
        ("Go on? ", "top", False, ""),
        (">>> 1+", "python3", True, ""),
        ("row 2 of a table", "top", False, ""),
    ],
)
def test_what_is_asked(text: str, command: str, question: str, *, is_shown: bool) -> None:
    """Half a line is no question, nor is what a program shows where it has hidden its cursor."""
    shown = attrs.evolve(screen(text), command=command, cursor_visible=is_shown)
    terminal = ScriptedTerminal(Frame(0.0, shown, attrs.evolve(AT_PROMPT, edits=None)))
    (found,) = drive(states_of([Subject(PANE)]), terminal)
    assert (found.state, found.question) == (State.ASKING, question)
    assert (f"after {text.strip()!r}" in found.reason) is is_shown
