"""Plans: the steps of an operation on a terminal, without I/O.

A plan is a generator. It yields calls of a terminal, such as observe, probe, send and sleep, and is
sent their answers. `drive` carries it out on a `Terminal`, and `drive_async` on an `AsyncTerminal`.
So each operation is written once for both, and a test can answer each call itself.

In a plan, ``screen = yield from observe(pane)`` means "ask the terminal for the screen". A function
that returns ``Plan[T]`` does nothing by itself: its caller writes ``yield from`` before it.
"""

import math
from collections.abc import Awaitable, Callable, Generator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, TypeVar

from tmuxprim._readiness.chain import TimeoutStrategy
from tmuxprim._values.checks import NOTHING, check_session_name
from tmuxprim._values.evidence import TtyState
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.pane import Pane
from tmuxprim._values.screen import Screen
from tmuxprim.errors import (
    Advice,
    InvalidPaneError,
    PaneBusyError,
    PaneExistsError,
    PaneNotFoundError,
    TmuxprimError,
)

if TYPE_CHECKING:
    from tmuxprim._terminal import (
        AsyncOutputWatch,
        AsyncTerminal,
        ChangeWatch,
        OutputWatch,
        Tap,
        Terminal,
    )

AnyTerminal: TypeAlias = "Terminal | AsyncTerminal"
AnyOutputWatch: TypeAlias = "OutputWatch | AsyncOutputWatch"
Opens: TypeAlias = Callable[[AnyTerminal], Pane | Awaitable[Pane]]

S = TypeVar("S")
A = TypeVar("A")
T = TypeVar("T")


class Step(Protocol):
    """One request that a plan yields."""

    # Any: a step calls one method of the terminal, and a test's terminal may have no other.
    def perform(self, terminal: Any, /) -> object:  # noqa: ANN401  # sync or async
        """Do it; return the answer, or an awaitable of it."""
        ...


# The answer to each step has a type of its own. A generator type cannot express that, so the answer
# is Any here, and `ask` gives it its type.
Plan: TypeAlias = Generator[Step, Any, T]


class Sends(Protocol):
    """A plan that types keys as `send` does, and may do more in the same call of tmux."""

    def __call__(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Plan[Screen]:
        """Return the screen from right before."""
        ...


class Call(NamedTuple):
    """A call of a terminal, with a name for those who read the steps of a plan."""

    name: str
    perform: Callable[[AnyTerminal], object]


def ask(name: str, perform: Callable[[AnyTerminal], T | Awaitable[T]]) -> Plan[T]:
    """Call a terminal, and return its answer."""
    answer: T = yield Call(name, perform)
    return answer


def resolve(pane: Pane) -> Plan[Pane]:
    """Look a pane up by its name, and return its id."""
    return ask("resolve", lambda terminal: terminal.resolve(pane))


def open_pane(start: Opens, name: str | None, *, reuse: bool) -> Plan[tuple[Pane, bool]]:
    """Open a pane, or take the one that has the name; return it, and whether it was opened.

    Raises:
        InvalidPaneError: If *reuse* is asked for without a name, or no session can have that name.
        PaneExistsError: If the name is taken, and is not to be reused.
    """
    if not reuse:
        return (yield from ask("open", start)), True
    if name is None:
        raise InvalidPaneError("a pane is reused by its name, got none", advice=Advice.GIVE_NAME)
    return (yield from take_or_open(Pane(check_session_name(name)), start))


def take_or_open(named: Pane, start: Opens) -> Plan[tuple[Pane, bool]]:
    """Return the pane that has a name, and whether it had to be opened; see `open_pane`."""
    with suppress(PaneNotFoundError):
        return (yield from resolve(named)), False
    try:
        return (yield from ask("open", start)), True
    except PaneExistsError:  # another process was quicker
        return (yield from resolve(named)), False


def observe(pane: Pane, history: int = 0, *, styled: bool = False) -> Plan[Screen]:
    """Look at the screen, with so many rows of its history, and with its colours on demand."""
    if styled:
        return ask("observe", lambda terminal: terminal.observe(pane, history=history, styled=True))
    return ask("observe", lambda terminal: terminal.observe(pane, history=history))


def read(pane: Pane, history: int) -> Plan[str]:
    """Read the text of the screen and of so many rows of its history."""
    return ask("read", lambda terminal: terminal.read(pane, history=history))


def probe(pane: Pane) -> Plan[TtyState | None]:
    """Ask the kernel for the terminal's modes and its reader; None if it reports nothing."""
    return ask("probe", lambda terminal: terminal.probe(pane))


def send(
    pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
) -> Plan[Screen]:
    """Type keys, and return the screen from right before, or *seen* if it still holds."""
    return ask("send", lambda terminal: terminal.send(pane, keys, leave_mode=leave_mode, seen=seen))


def interrupt_group(pane: Pane, group: int) -> Plan[None]:
    """Send SIGINT to the foreground group of a pane; see `TmuxTerminal.interrupt_group`.

    Raises:
        PaneBusyError: If no signal was sent.
    """

    # Looked up here, since the method is no part of the `Terminal` protocol.
    def perform(terminal: object) -> Awaitable[None] | None:
        sends = getattr(terminal, "interrupt_group", None)
        if sends is None:
            raise PaneBusyError(f"{NOTHING}: {terminal!r} cannot send a signal")
        done: Awaitable[None] | None = sends(pane, group)
        return done

    return ask("interrupt_group", perform)


def pause(seconds: float) -> Plan[None]:
    """Let time pass."""
    return ask("pause", lambda terminal: terminal.clock.sleep(seconds))


def watch_output(pane: Pane) -> Plan[AnyOutputWatch]:
    """Begin to watch whether the program writes; the plan has to close the watch."""
    return ask("watch_output", lambda terminal: terminal.watch_output(pane))


def watch_changes(pane: Pane) -> "Plan[ChangeWatch | None]":
    """Return a watch that waits on the pane's machine; None if that is this one, or it cannot."""

    def perform(terminal: object) -> "ChangeWatch | None":
        starts = getattr(terminal, "watch_changes", None)
        watch: ChangeWatch | None = None if starts is None else starts(pane)
        return watch

    return ask("watch_changes", perform)


def look_after_change(
    watch: "ChangeWatch", seconds: float, history: int, *, hears_output: bool
) -> Plan[tuple[Screen, float]]:
    """Wait for a change on the pane's machine; return the screen, and how long that took."""
    return ask(
        "look_after_change",
        lambda _: watch.look(seconds, history=history, hears_output=hears_output),
    )


def tap(
    pane: Pane,
    keys: KeySequence | None = None,
    *,
    leave_mode: bool = False,
    seen: Screen | None = None,
) -> "Plan[Tap]":
    """Begin to take the raw output, and type keys in the same call; the plan closes the tap."""
    return ask("tap", lambda terminal: terminal.tap(pane, keys, leave_mode=leave_mode, seen=seen))


def wait_for_output(output_watch: AnyOutputWatch, seconds: float) -> Plan[bool]:
    """Let time pass until the program writes, but not longer; return whether it wrote."""
    return ask("wait_for_output", lambda _: output_watch.wait(seconds))


def clock_time() -> Plan[float]:
    """Read the clock, in seconds."""
    return ask("clock_time", lambda terminal: terminal.clock.now())


class Deadline(NamedTuple):
    """A time limit that has begun; several waits may share it.

    Args:
        began: When it began, by the clock.
        seconds: The time limit as the user gave it; the message of a timeout names it.
    """

    began: float
    seconds: float

    def left(self, now: float) -> float:
        """Return how many seconds are left, at least 0."""
        # In this order a wait that has just begun has all of them, however sums are rounded.
        return max(self.seconds - (now - self.began), 0.0)


# Seconds from now, or a limit that has begun before; None is for ever.
TimeLimit: TypeAlias = float | Deadline | None


def begin(limit: TimeLimit, now: float) -> Deadline:
    """Return a time limit that begins now, or the one that has begun.

    Raises:
        InvalidStrategyError: If it is no number of seconds.
    """
    if isinstance(limit, Deadline):
        return limit
    return Deadline(now, TimeoutStrategy(math.inf if limit is None else limit).seconds)


def drive(plan: Plan[T], terminal: object) -> T:
    """Carry *plan* out on a terminal, and return its result."""
    return carry_out(plan, lambda step: step.perform(terminal))


async def drive_async(plan: Plan[T], terminal: object) -> T:
    """Carry *plan* out like `drive`, awaiting the answers that have to be awaited.

    It may be cancelled at any step. Then the plan still closes its taps and watches.
    """
    return await carry_out_async(plan, lambda step: step.perform(terminal))


def carry_out(steps: Generator[S, A, T], perform: Callable[[S], A]) -> T:
    """Perform the steps of a generator, send it the answers, and return its result.

    An error of a step is raised inside the generator, at that step, so that the plan can handle it.
    """
    try:
        step = next(steps)
        while True:
            try:
                answer = perform(step)
            except TmuxprimError as error:
                step = steps.throw(error)
            else:
                step = steps.send(answer)
    except StopIteration as end:
        result: T = end.value
        return result
    finally:
        # Also after KeyboardInterrupt or a cancellation: taps and watches are closed at once, and
        # not when the generator happens to be collected.
        steps.close()


async def carry_out_async(steps: Generator[S, A, T], perform: Callable[[S], A | Awaitable[A]]) -> T:
    """Perform steps as `carry_out` does, awaiting the answers that have to be awaited."""
    try:
        step = next(steps)
        while True:
            try:
                answer = perform(step)
                if isinstance(answer, Awaitable):
                    answer = await answer
            except TmuxprimError as error:
                step = steps.throw(error)
            else:
                step = steps.send(answer)
    except StopIteration as end:
        result: T = end.value
        return result
    finally:
        steps.close()
