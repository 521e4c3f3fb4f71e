"""Plans: what to do with a terminal, written once for every way of doing it.

A plan is a generator that yields steps (look, probe, send, pause) and is sent their results.
It does no I/O itself; `drive` carries it out on a `Terminal`. Whoever carries it out another
way (asyncio, say) writes another driver of a few lines and no second copy of the logic.
"""

from collections.abc import Generator
from typing import Any, Protocol, TypeAlias, TypeVar

import attrs

from tmuxprim._errors import TmuxprimError
from tmuxprim._pane import Pane
from tmuxprim._screen import Screen
from tmuxprim._sequence import KeySequence
from tmuxprim._terminal import Bell, Terminal
from tmuxprim._tty import TtyState


class Step(Protocol):
    """One thing to do with a terminal."""

    def perform(self, terminal: Terminal) -> object:
        """Do it, and return what the plan is to be told."""
        ...


T = TypeVar("T")
# A yield returns what its step returns, a different type for each; Python's types cannot say so.
Plan: TypeAlias = Generator[Step, Any, T]


@attrs.frozen
class Resolve:
    """Look a pane up by its name."""

    pane: Pane

    def perform(self, terminal: Terminal) -> Pane:
        """Return the pane by its id."""
        return terminal.resolve(self.pane)


@attrs.frozen
class Observe:
    """Look at the screen."""

    pane: Pane
    history: int = 0

    def perform(self, terminal: Terminal) -> Screen:
        """Return the screen."""
        return terminal.observe(self.pane, history=self.history)


@attrs.frozen
class Probe:
    """Ask the kernel."""

    pane: Pane

    def perform(self, terminal: Terminal) -> TtyState | None:
        """Return the evidence, if there is any."""
        return terminal.probe(self.pane)


@attrs.frozen
class Send:
    """Type keys."""

    pane: Pane
    keys: KeySequence
    leave_mode: bool = False

    def perform(self, terminal: Terminal) -> Screen:
        """Return the screen from right before."""
        return terminal.send(self.pane, self.keys, leave_mode=self.leave_mode)


@attrs.frozen
class Pause:
    """Let time pass."""

    seconds: float

    def perform(self, terminal: Terminal) -> None:
        """Sleep on the terminal's clock."""
        terminal.clock.sleep(self.seconds)


@attrs.frozen
class Listen:
    """Begin to listen for what the program writes."""

    pane: Pane

    def perform(self, terminal: Terminal) -> Bell:
        """Return the bell, which whoever made the plan closes."""
        return terminal.listen(self.pane)


@attrs.frozen
class Rest:
    """Let time pass until the program writes, and no longer than so many seconds."""

    bell: Bell
    seconds: float

    def perform(self, _terminal: Terminal) -> bool:
        """Return whether it wrote."""
        return self.bell.wait(self.seconds)


@attrs.frozen
class Now:
    """Read the clock."""

    def perform(self, terminal: Terminal) -> float:
        """Return the time, in seconds."""
        return terminal.clock.now()


def drive(plan: Plan[T], terminal: Terminal) -> T:
    """Carry *plan* out on *terminal* and return its result.

    A step's error is raised inside the plan, at the step, which may know what to do.
    """
    try:
        step = next(plan)
        while True:
            try:
                answer = step.perform(terminal)
            except TmuxprimError as error:
                step = plan.throw(error)
            else:
                step = plan.send(answer)
    except StopIteration as end:
        result: T = end.value
        return result
    finally:
        plan.close()  # whatever else ended it: what the plan holds is given back at once
