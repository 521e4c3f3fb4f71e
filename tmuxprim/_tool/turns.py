"""`Turns`: one call at a time in each pane, in the order in which they came."""

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Final, Protocol, TypeVar

import attrs

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
# A stopped event loop tells nobody, so a call that waits for its turn looks after so many seconds.
_AGAIN: Final = 0.02


class Loop(Protocol):
    """What is asked of an event loop."""

    def is_running(self) -> bool:
        """Whether it runs."""
        ...


@attrs.frozen(eq=False)
class Ticket:
    """A call that waits for its turn, or has it; as a step of a plan it waits a moment."""

    loop: Loop | None
    """That of its task; None for a thread, which always comes to its end."""

    @property
    def is_alive(self) -> bool:
        """Whether it can go on."""
        return self.loop is None or self.loop.is_running()

    def perform(self, _terminal: AnyTerminal) -> object:
        """Wait a moment, or return what is to be awaited for that."""
        if self.loop is not None:
            return asyncio.sleep(_AGAIN)
        time.sleep(_AGAIN)
        return None


class Turns:
    """The order of calls: those for one pane are carried out one after the other.

    *get_loop* returns the event loop of the caller; None for a thread.
    """

    def __init__(self, session: ToolSession, get_loop: Callable[[], Loop | None]) -> None:
        self.session = session
        self._get_loop = get_loop
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
        ticket = Ticket(self._get_loop())
        with self._lock:
            self._tickets[ticket] = what
        answer: object = None
        error: TmuxprimError | None = None
        try:
            while not self._has_turn(ticket) and ticket in self._tickets:
                yield ticket
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
            with self._lock:
                self._tickets.pop(ticket, None)
        return _LOST

    def _has_turn(self, ticket: Ticket) -> bool:
        """Whether it is a ticket's turn; those before it that cannot go on lose theirs."""
        with self._lock:
            what = self._tickets.get(ticket)
            for other in [other for other, wanted in self._tickets.items() if wanted == what]:
                if other is ticket:
                    return True
                if other.is_alive:
                    return False
                del self._tickets[other]
        return False
