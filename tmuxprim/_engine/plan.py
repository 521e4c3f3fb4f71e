"""Plans: what to do with a terminal, written once for every way of doing it.

A plan is a generator that yields steps (look, probe, send, pause) and is sent their results.
It does no I/O itself; `drive` carries it out on a `Terminal`, `drive_async` on an `AsyncTerminal`,
whose answers are awaited. There is no second copy of the logic.
"""

from collections.abc import Awaitable, Generator
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, TypeVar

from tmuxprim._values.keys import KeySequence
from tmuxprim._values.pane import Pane
from tmuxprim._values.screen import Screen
from tmuxprim.errors import TmuxprimError

if TYPE_CHECKING:
    from tmuxprim._terminal import AsyncBell, AsyncTerminal, Bell, Terminal


class Step(Protocol):
    """One thing to do with a terminal, or with whatever else the plan is about."""

    def perform(self, on: Any, /) -> object:  # noqa: ANN401  # a terminal, or its transport
        """Do it, and return what the plan is to be told, or what is to be awaited for that."""
        ...


AnyTerminal: TypeAlias = "Terminal | AsyncTerminal"

T = TypeVar("T")
# A yield returns what its step returns, a different type for each; Python's types cannot say so.
Plan: TypeAlias = Generator[Step, Any, T]


class Resolve(NamedTuple):
    """Look a pane up by its name."""

    pane: Pane

    def perform(self, terminal: AnyTerminal) -> object:
        """Return the pane by its id."""
        return terminal.resolve(self.pane)


class Observe(NamedTuple):
    """Look at the screen."""

    pane: Pane
    history: int = 0

    def perform(self, terminal: AnyTerminal) -> object:
        """Return the screen."""
        return terminal.observe(self.pane, history=self.history)


class Read(NamedTuple):
    """Read what the screen and its history say."""

    pane: Pane
    history: int

    def perform(self, terminal: AnyTerminal) -> object:
        """Return the text."""
        return terminal.read(self.pane, history=self.history)


class Probe(NamedTuple):
    """Ask the kernel."""

    pane: Pane

    def perform(self, terminal: AnyTerminal) -> object:
        """Return the evidence, if there is any."""
        return terminal.probe(self.pane)


class Send(NamedTuple):
    """Type keys."""

    pane: Pane
    keys: KeySequence
    leave_mode: bool = False
    seen: Screen | None = None

    def perform(self, terminal: AnyTerminal) -> object:
        """Return the screen from right before, or the one that was seen if it still holds."""
        return terminal.send(self.pane, self.keys, leave_mode=self.leave_mode, seen=self.seen)


class Pause(NamedTuple):
    """Let time pass."""

    seconds: float

    def perform(self, terminal: AnyTerminal) -> object:
        """Sleep on the terminal's clock."""
        return terminal.clock.sleep(self.seconds)


class Listen(NamedTuple):
    """Begin to listen for what the program writes."""

    pane: Pane

    def perform(self, terminal: AnyTerminal) -> object:
        """Return the bell, which whoever made the plan closes."""
        return terminal.listen(self.pane)


class Rest(NamedTuple):
    """Let time pass until the program writes, and no longer than so many seconds."""

    bell: "Bell | AsyncBell"
    seconds: float

    def perform(self, _terminal: AnyTerminal) -> object:
        """Return whether it wrote."""
        return self.bell.wait(self.seconds)


class Now(NamedTuple):
    """Read the clock."""

    def perform(self, terminal: AnyTerminal) -> object:
        """Return the time, in seconds."""
        return terminal.clock.now()


def drive(plan: Plan[T], on: object) -> T:
    """Carry *plan* out on a terminal, or on whatever it is about, and return its result.

    A step's error is raised inside the plan, at the step, which may know what to do.
    """
    try:
        step = next(plan)
        while True:
            try:
                answer = step.perform(on)
            except TmuxprimError as error:
                step = plan.throw(error)
            else:
                step = plan.send(answer)
    except StopIteration as end:
        result: T = end.value
        return result
    finally:
        plan.close()  # whatever else ended it: what the plan holds is given back at once


async def drive_async(plan: Plan[T], on: object) -> T:
    """Carry *plan* out like `drive`, awaiting the answers that have to be awaited.

    It may be cancelled at any step; what the plan holds is given back then, too.
    """
    try:
        step = next(plan)
        while True:
            try:
                answer = step.perform(on)
                if isinstance(answer, Awaitable):
                    answer = await answer
            except TmuxprimError as error:
                step = plan.throw(error)
            else:
                step = plan.send(answer)
    except StopIteration as end:
        result: T = end.value
        return result
    finally:
        plan.close()
