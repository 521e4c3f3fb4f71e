"""Plans: what to do with a terminal, without I/O.

A plan is a generator that yields steps: look, probe, send, pause. `drive` carries it out on a
`Terminal`, and `drive_async` on an `AsyncTerminal`. So each plan is written once for both.
"""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Generator
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar

import attrs
from typing_extensions import override

from tmuxprim._values.evidence import TtyState
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.pane import Pane
from tmuxprim._values.screen import Screen
from tmuxprim.errors import TmuxprimError

if TYPE_CHECKING:
    from tmuxprim._terminal import AsyncBell, AsyncTerminal, Bell, Terminal

AnyTerminal: TypeAlias = "Terminal | AsyncTerminal"
AnyBell: TypeAlias = "Bell | AsyncBell"

T = TypeVar("T")
# An awaitable where the terminal is an `AsyncTerminal`.
Answer: TypeAlias = T | Awaitable[T]


class Step(Protocol):
    """What a plan may yield."""

    # A terminal, or what a step of another kind is about.
    def perform(self, on: Any, /) -> object:  # noqa: ANN401
        """Do it; return the answer, or an awaitable of it."""
        ...


# Each step has an answer of its own type, which a generator cannot say: `TerminalStep` does.
Plan: TypeAlias = Generator[Step, Any, T]


class TerminalStep(ABC, Generic[T]):
    """One call of a terminal, with an answer of one type.

    A plan does it by ``answer = yield from step``.
    """

    __slots__ = ()

    @abstractmethod
    def perform(self, terminal: AnyTerminal, /) -> Answer[T]:
        """Call the terminal; return the answer, or an awaitable of it."""

    def __iter__(self) -> Plan[T]:
        answer: T = yield self
        return answer


@attrs.frozen
class Resolve(TerminalStep[Pane]):
    """Look a pane up by its name, and answer its id."""

    pane: Pane

    @override
    def perform(self, terminal: AnyTerminal, /) -> Answer[Pane]:
        return terminal.resolve(self.pane)


@attrs.frozen
class Observe(TerminalStep[Screen]):
    """Look at the screen."""

    pane: Pane
    history: int = 0

    @override
    def perform(self, terminal: AnyTerminal, /) -> Answer[Screen]:
        return terminal.observe(self.pane, history=self.history)


@attrs.frozen
class Read(TerminalStep[str]):
    """Read the text of the screen and its history."""

    pane: Pane
    history: int

    @override
    def perform(self, terminal: AnyTerminal, /) -> Answer[str]:
        return terminal.read(self.pane, history=self.history)


@attrs.frozen
class Probe(TerminalStep[TtyState | None]):
    """Ask the kernel; None is no evidence."""

    pane: Pane

    @override
    def perform(self, terminal: AnyTerminal, /) -> Answer[TtyState | None]:
        return terminal.probe(self.pane)


@attrs.frozen
class Send(TerminalStep[Screen]):
    """Type keys, and answer the screen from right before."""

    pane: Pane
    keys: KeySequence
    leave_mode: bool = False

    @override
    def perform(self, terminal: AnyTerminal, /) -> Answer[Screen]:
        return terminal.send(self.pane, self.keys, leave_mode=self.leave_mode)


@attrs.frozen
class SendAsSeen(TerminalStep[bool]):
    """Type keys without a look if the pane stands as it was seen; answer whether it did."""

    pane: Pane
    keys: KeySequence
    screen: Screen

    @override
    def perform(self, terminal: AnyTerminal, /) -> Answer[bool]:
        if not _sends_as_seen(terminal):
            return False
        quick: Any = terminal  # the protocol does not ask for it
        return bool(quick.send_as_seen(self.pane, self.keys, self.screen))


@attrs.frozen
class Pause(TerminalStep[None]):
    """Let time pass."""

    seconds: float

    @override
    def perform(self, terminal: AnyTerminal, /) -> Answer[None]:
        return terminal.clock.sleep(self.seconds)


@attrs.frozen
class Listen(TerminalStep[AnyBell]):
    """Begin to listen for what the program writes; whoever made the plan closes the bell."""

    pane: Pane

    @override
    def perform(self, terminal: AnyTerminal, /) -> Answer[AnyBell]:
        return terminal.listen(self.pane)


@attrs.frozen
class Rest(TerminalStep[bool]):
    """Let time pass until the program writes, or the seconds are over; answer whether it wrote."""

    bell: AnyBell
    seconds: float

    @override
    def perform(self, _terminal: AnyTerminal, /) -> Answer[bool]:
        return self.bell.wait(self.seconds)


@attrs.frozen
class Now(TerminalStep[float]):
    """Read the clock, in seconds."""

    @override
    def perform(self, terminal: AnyTerminal, /) -> float:
        return terminal.clock.now()


def _sends_as_seen(terminal: AnyTerminal) -> bool:
    """Whether a terminal can, and nobody has put a `send` of his own before it."""
    names = (vars(kind).keys() & {"send", "send_as_seen"} for kind in type(terminal).__mro__)
    return "send_as_seen" in next(filter(None, names), ())


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
