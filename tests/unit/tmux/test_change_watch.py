"""The wait for a pane on its own machine, and what replaces it."""

from collections import deque
from collections.abc import Sequence

import pytest
from typing_extensions import override

from tmuxprim import (
    AsyncTmuxTerminal,
    Cursor,
    Pane,
    PaneNotFoundError,
    Screen,
    Size,
    TmuxServerError,
    TmuxTerminal,
)
from tmuxprim._engine.plan import carry_out
from tmuxprim._tmux.beside import Seen, Wait, Waited
from tmuxprim._tmux.change_watch import RemoteChangeWatch
from tmuxprim._tmux.commands import TmuxCall
from tmuxprim._tmux.operations import Operations, Steps
from tmuxprim.errors import TmuxprimError

SCREEN = Screen(rows=("$",), cursor=Cursor(0, 1), size=Size(2, 1))
SEEN = Seen("5 6", " 10:do_select")
PANE = Pane("%0")


class Machine(Operations):
    """A machine whose looks end as they are told to."""

    def __init__(self, *ends: Waited | TmuxprimError) -> None:
        super().__init__(has_shell=True, waits_there=True)
        self.ends = deque(ends)
        self.waits: list[Wait] = []

    @override
    def observe_change(self, pane: Pane, history: int, wait: Wait) -> Steps[tuple[Screen, Waited]]:
        assert (pane, history) == (PANE, 7)
        self.waits.append(wait)
        yield from ()
        end = self.ends.popleft()
        if isinstance(end, TmuxprimError):
            raise end
        return SCREEN, end


def play(machine: Machine, *seconds: float) -> tuple[list[float], list[float]]:
    """Look several times; return how long each look has waited, and the pauses on this side."""
    pauses: list[float] = []

    def pause(step: TmuxCall | float) -> str:
        assert isinstance(step, float)
        pauses.append(step)
        return ""

    watch = RemoteChangeWatch(machine, PANE, 20.0, lambda steps: carry_out(steps, pause))
    looks = [watch.look(each, history=7, hears_output=False) for each in seconds]
    assert all(screen is SCREEN for screen, _ in looks)
    return [waited for _, waited in looks], pauses


def test_it_waits_there_for_a_change_since_the_last_look() -> None:
    """For half of the time that a call may take at most; the first look does not wait."""
    machine = Machine(Waited(0.0, SEEN), Waited(3.2, Seen("7 8")), Waited(1.0, SEEN))
    assert play(machine, 0.0, 60.0, 1.0) == ([0.0, 3.2, 1.0], [])
    since = [Wait(SEEN, 10.0, hears_output=False), Wait(Seen("7 8"), 1.0, hears_output=False)]
    assert machine.waits == [Wait(), *since]


def test_a_machine_that_cannot_wait_is_looked_at_again_and_again() -> None:
    """Where its shell has no short sleep, or the kernel tells nothing."""
    machine = Machine(*[Waited()] * 3)
    assert play(machine, 0.0, 60.0, 0.01) == ([0.0, 0.0204, 0.01], [0.0204, 0.01])
    assert machine.waits == [Wait()] * 3


def test_an_exec_that_ends_long_calls_is_asked_for_no_more() -> None:
    """It is looked at in its place, and from then on without waiting there."""
    killed = TmuxServerError("the exec returned exit status 124, not 0")
    machine = Machine(Waited(0.0, SEEN), killed, Waited(0.0, SEEN), Waited(0.0, SEEN))
    assert play(machine, 0.0, 5.0, 5.0) == ([0.0, 0.0, 0.0204], [0.0204])
    assert not machine.waits_there


@pytest.mark.parametrize(
    "ends", [[PaneNotFoundError("%0")], [TmuxServerError("a"), TmuxServerError("b")]]
)
def test_an_error_that_is_not_of_waiting_is_raised(ends: Sequence[TmuxprimError]) -> None:
    """The next wait begins as this one did."""
    machine = Machine(Waited(0.0, SEEN), *ends)
    with pytest.raises(type(ends[-1])):
        play(machine, 0.0, 5.0)
    assert machine.waits_there


def test_a_pane_is_waited_for_where_it_is() -> None:
    """On this machine the kernel wakes a wait, and by control mode and threads nobody waits."""
    assert TmuxTerminal().watch_changes(PANE) is None
    assert AsyncTmuxTerminal(launcher=["ssh", "a"]).watch_changes(PANE) is None
    assert TmuxTerminal(launcher=["ssh", "a"], transport="control").watch_changes(PANE) is None
    assert TmuxTerminal(launcher=["ssh", "a"]).watch_changes(PANE) is not None
