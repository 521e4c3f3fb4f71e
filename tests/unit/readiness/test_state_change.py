"""When a change of a pane's state is told: the rules, on states alone."""

import attrs
import pytest

from tests.unit.builders import PANE
from tmuxprim import Outcome, PaneState, State
from tmuxprim._readiness.pane_state import FoundState
from tmuxprim._readiness.state_change import StateMemory

SHELL = PaneState(pane=PANE, state=State.PROMPT, program="sh", reason="a prompt")
WORKING = attrs.evolve(SHELL, state=State.WORKING, program="make")
ASKING = attrs.evolve(SHELL, state=State.ASKING, program="rm", question="Remove?")
GUESS = attrs.evolve(SHELL, state=State.IDLE, is_guess=True)


def found(state: PaneState, *, is_found: bool = True) -> FoundState:
    """Return a state as a look has found it."""
    return FoundState(Outcome.STABLE, state.reason, state, is_found=is_found)


def told(*states: PaneState) -> StateMemory:
    """Return the memory of a pane of which these states were told, one a second."""
    memory = StateMemory()
    for number, state in enumerate(states):
        memory.note(found(state), number - 1.0)
        memory.note(found(state), float(number))
    return memory


def is_told(memory: StateMemory, state: PaneState, *, is_found: bool = True) -> bool:
    """Whether a state is told at once."""
    return memory.note(found(state, is_found=is_found), 10.0) is not None


def test_first_state() -> None:
    """It has none before it."""
    change = StateMemory().note(found(SHELL), 3.0)
    assert change is not None
    assert (change.before, change.now, change.since, change.lasted) == (None, SHELL, 3.0, 0.0)
    assert str(change) == "%7 prompt (sh): a prompt"


def test_next_state() -> None:
    """It names the state before, and how long that lasted."""
    memory = StateMemory()
    memory.note(found(SHELL), 3.0)
    change = memory.note(found(ASKING), 5.5)
    assert change is not None
    assert (change.before, change.now, change.since, change.lasted) == (SHELL, ASKING, 5.5, 2.5)
    assert change.pane == PANE
    assert str(change) == "%7 prompt -> asking (rm): a prompt"


def test_work_is_told_after_a_moment() -> None:
    """As of when it was first seen; a command that is quicker is not told."""
    memory = told(SHELL)
    assert memory.note(found(WORKING), 1.0) is None
    assert memory.report_at == pytest.approx(1.03)
    assert memory.note(found(SHELL), 1.02) is None
    assert memory.note(found(WORKING), 1.04) is None
    change = memory.note(found(WORKING), 1.07)
    assert change is not None
    assert (change.since, change.lasted) == (1.04, 2.04)


def test_work_that_an_assistant_does_not_show() -> None:
    """It runs for a moment at each key: that is told after a second, and forgotten before."""
    memory, unseen = told(SHELL), attrs.evolve(found(WORKING), is_unseen=True)
    assert memory.note(unseen, 2.0) is None
    assert memory.note(unseen, 2.9) is None
    assert memory.note(found(SHELL), 2.95) is None
    assert memory.note(unseen, 3.0) is None
    assert memory.note(unseen, 3.9) is None
    change = memory.note(unseen, 4.0)
    assert change is not None
    assert change.since == 3.0
    memory = told(SHELL)
    assert memory.note(unseen, 2.0) is None
    assert memory.note(found(WORKING), 2.5) is not None  # its screen shows it now


def test_guess_is_told_when_a_wait_would_end() -> None:
    """Before that it is not, unless no wait ever ends; nor is the first state of a pane."""
    for memory in (told(WORKING), StateMemory()):
        assert memory.note(found(GUESS, is_found=False), 1.0) is None
        assert memory.note(found(GUESS), 1.5) is not None
    for memory in (told(WORKING), StateMemory()):
        assert memory.note(found(GUESS, is_found=False), 1.0) is None
        assert memory.note(found(GUESS, is_found=False), 3.9) is None
        assert memory.note(found(GUESS, is_found=False), 4.0) is not None


def test_work_that_is_a_guess() -> None:
    """It has to be found for longer."""
    memory = told(SHELL)
    guess = attrs.evolve(WORKING, is_guess=True)
    assert memory.note(found(guess, is_found=False), 1.0) is None
    assert memory.note(found(guess, is_found=False), 1.2) is None
    assert memory.note(found(guess, is_found=False), 1.3) is not None


@pytest.mark.parametrize(
    ("before", "later"),
    [
        (SHELL, attrs.evolve(SHELL, reason="another reason")),
        (SHELL, attrs.evolve(SHELL, is_guess=True)),
        (WORKING, attrs.evolve(WORKING, program="gcc")),
        (ASKING, attrs.evolve(ASKING, question="")),
        (ASKING, attrs.evolve(ASKING, question="Remove? y")),
        (attrs.evolve(SHELL, background="2 agents"), attrs.evolve(SHELL, background="1 agent")),
    ],
)
def test_nothing_new(before: PaneState, later: PaneState) -> None:
    """More of the same is no change."""
    memory = told(before)
    assert not is_told(memory, later)
    assert memory.report_at == float("inf")


@pytest.mark.parametrize(
    ("before", "later"),
    [
        (ASKING, attrs.evolve(ASKING, question="Remove the next?")),
        (attrs.evolve(ASKING, question=""), ASKING),
        (attrs.evolve(SHELL, is_guess=True), SHELL),
        (SHELL, attrs.evolve(SHELL, program="python")),
        (attrs.evolve(SHELL, background="an agent"), SHELL),
        (SHELL, attrs.evolve(SHELL, background="an agent")),
    ],
)
def test_what_is_new_in_the_same_state(before: PaneState, later: PaneState) -> None:
    """Another question, certainty, another program, and work in the background."""
    assert is_told(told(before), later)
