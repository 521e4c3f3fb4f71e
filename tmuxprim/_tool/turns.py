"""`Turns`: one call at a time in each pane, in the order in which they came."""

import asyncio
import threading
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple, Protocol, TypeVar

from tmuxprim._engine.plan import AnyTerminal, Plan
from tmuxprim._tool.actions import ToolCall
from tmuxprim._tool.replies import ToolResponse
from tmuxprim._tool.tool_session import ToolSession

T = TypeVar("T")

# The turn of calls that look a name up.
_NAMES: Final = "names"


class Ticket(Protocol):
    """A call that waits for its turn, or has it."""

    def wake(self) -> None:
        """Let it look whether it is its turn."""
        ...

    def until(self, condition: Callable[[], bool]) -> object:
        """Wait until a condition holds, or return what is to be awaited for that."""
        ...


class AwaitTurn(NamedTuple):
    """Wait until it is a ticket's turn."""

    ticket: Ticket
    has_turn: Callable[[], bool]

    def perform(self, _terminal: AnyTerminal) -> object:
        """Return then, or what is to be awaited for that."""
        return self.ticket.until(self.has_turn)


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

    def carry_out(self, call: ToolCall | ToolResponse) -> Plan[ToolResponse]:
        """Carry a call out when it is its turn, or return what is to be said of a wrong one."""
        if isinstance(call, ToolResponse):
            return call
        # Two that open the shared pane at once would open two, or be told that it is there already.
        found = yield from self._in_turn(_NAMES, self.session.find(call))
        if isinstance(found, ToolResponse):
            return found
        plan = self.session.perform(call, found)
        if self.session.toolset.actions[call.action].interrupts:
            return (yield from plan)
        return (yield from self._in_turn(found.plans.state.named.target, plan))

    def _in_turn(self, what: object, plan: Plan[T]) -> Plan[T]:
        """Carry a plan out when it has something to itself."""
        ticket = self._make_ticket()
        with self._lock:
            self._tickets[ticket] = what
        try:
            yield AwaitTurn(ticket, partial(self._has_turn, ticket, what))
            return (yield from plan)
        finally:
            self._leave(ticket, what)

    def _has_turn(self, ticket: Ticket, what: object) -> bool:
        """Whether a ticket is the first one of those that want the same."""
        with self._lock:
            return ticket is next(own for own, wanted in self._tickets.items() if wanted == what)

    def _leave(self, ticket: Ticket, what: object) -> None:
        """Let the next one have its turn."""
        with self._lock:
            del self._tickets[ticket]
            waiting = [other for other, wanted in self._tickets.items() if wanted == what]
        for other in waiting:
            other.wake()


class ThreadTicket:
    """A call of a thread."""

    def __init__(self) -> None:
        self._woken = threading.Event()

    def wake(self) -> None:
        """Let it look whether it is its turn."""
        self._woken.set()

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition holds."""
        while not condition():
            self._woken.wait()
            self._woken.clear()


class TaskTicket:
    """A call of a task, of the one event loop that a tool belongs to."""

    def __init__(self) -> None:
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """Let it look whether it is its turn."""
        self._woken.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition holds."""
        while not condition():
            await self._woken.wait()
            self._woken.clear()
