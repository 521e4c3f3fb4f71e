"""`Turns`: one call at a time in each pane, in the order in which they came."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple, Protocol, TypeVar

from tmuxprim._engine.plan import AnyTerminal, Plan
from tmuxprim._tool.actions import Call
from tmuxprim._tool.replies import ToolResponse
from tmuxprim._tool.session import ToolSession
from tmuxprim.errors import TmuxprimError

T = TypeVar("T")

_LOST: Final = ToolResponse(
    "error: the event loop of this call was stopped, and another call has had its turn since; this "
    "one was not carried out to its end. Read the pane before you send anything again.",
    is_error=True,
)
# The turn of calls that look a name up.
_NAMES: Final = "names"


class Ticket(Protocol):
    """A call that waits for its turn, or has it."""

    def is_alive(self) -> bool:
        """Whether it can go on."""
        ...

    def wake(self) -> None:
        """Let it look whether it is its turn; any thread may do that."""
        ...

    def until(self, condition: Callable[[], bool]) -> object:
        """Wait until a condition holds, or return what is to be awaited for that."""
        ...


class Wait(NamedTuple):
    """Wait until it is a ticket's turn, or will never be."""

    ticket: Ticket
    is_over: Callable[[], bool]

    def perform(self, _terminal: AnyTerminal) -> object:
        """Return then, or what is to be awaited for that."""
        return self.ticket.until(self.is_over)


class Turns:
    """The order of calls: those for one pane are carried out one after the other.

    Args:
        session: What is known of the panes.
        make_ticket: Returns a ticket for a call of whoever runs now: a thread, or a task.
    """

    def __init__(self, session: ToolSession, make_ticket: Callable[[], Ticket]) -> None:
        self.session = session
        self._make_ticket = make_ticket
        self._lock = threading.Lock()
        # All calls, in the order in which they came, and what each has to itself: a model asks for
        # several things at once, and means them in that order.
        self._tickets: dict[Ticket, object] = {}

    def carry_out(self, call: Call | ToolResponse) -> Plan[ToolResponse]:
        """Carry a call out when it is its turn, or return what is to be said of a wrong one."""
        if isinstance(call, ToolResponse):
            return call
        # Two that open the shared pane at once would open two, or be told that it is there already.
        found = yield from self._in_turn(_NAMES, self.session.find(call))
        if isinstance(found, ToolResponse):
            return found
        plan = self.session.perform(call, found)
        if call.action == "interrupt":  # what it is to end may have the turn
            return (yield from plan)
        return (yield from self._in_turn(found.plans.state.named.target, plan))

    def _in_turn(self, what: object, plan: Plan[T]) -> Plan[T | ToolResponse]:
        """Carry a plan out when it has something to itself, and no further than that lasts."""
        ticket = self._make_ticket()
        with self._lock:
            self._tickets[ticket] = what
        answer: object = None
        error: TmuxprimError | None = None
        try:
            yield Wait(ticket, partial(self._is_over, ticket))
            while self._has_turn(ticket):
                step = plan.send(answer) if error is None else plan.throw(error)
                error = None
                try:
                    answer = yield step
                except TmuxprimError as raised:
                    error = raised
        except StopIteration as end:
            result: T = end.value
            return result
        finally:
            plan.close()
            self._leave(ticket)
        return _LOST

    def _is_over(self, ticket: Ticket) -> bool:
        """Whether a ticket has no longer to wait."""
        return self._has_turn(ticket) or ticket not in self._tickets

    def _has_turn(self, ticket: Ticket) -> bool:
        """Whether it is a ticket's turn; those before it that cannot go on lose theirs."""
        with self._lock:
            what = self._tickets.get(ticket)
            for other in [other for other, wanted in self._tickets.items() if wanted == what]:
                if other is ticket:
                    return True
                if other.is_alive():
                    return False
                del self._tickets[other]
        return False

    def _leave(self, ticket: Ticket) -> None:
        """Let the next one have its turn."""
        with self._lock:
            what = self._tickets.pop(ticket, None)
            waiting = [other for other, wanted in self._tickets.items() if wanted == what]
        for other in waiting:
            other.wake()


# A stopped event loop tells nobody, so a waiting call looks again after so many seconds.
_AGAIN: Final = 0.5


class ThreadTicket:
    """A call of a thread, which always comes to its end."""

    def __init__(self) -> None:
        self._woken = threading.Event()

    def is_alive(self) -> bool:
        """Say yes."""
        return True

    def wake(self) -> None:
        """Let it look whether it is its turn."""
        self._woken.set()

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition holds."""
        while not condition():
            self._woken.wait()
            self._woken.clear()


class TaskTicket:
    """A call of a task, whose event loop may be stopped."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._woken = asyncio.Event()

    def is_alive(self) -> bool:
        """Whether its event loop runs."""
        return self._loop.is_running()

    def wake(self) -> None:
        """Let it look whether it is its turn."""
        with suppress(RuntimeError):  # its loop has been closed
            self._loop.call_soon_threadsafe(self._woken.set)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition holds."""
        while not condition():
            with suppress(TimeoutError):
                async with asyncio.timeout(_AGAIN):
                    await self._woken.wait()
            self._woken.clear()
