"""`Turns`: one call at a time in each pane."""

import threading
from collections.abc import Callable
from typing import Final, NamedTuple, Protocol, TypeVar
from weakref import WeakValueDictionary

from tmuxprim._engine.plan import AnyTerminal, Plan
from tmuxprim._tool.actions import ToolCall
from tmuxprim._tool.replies import ToolResponse
from tmuxprim._tool.tool_session import ToolSession

T = TypeVar("T")

# The lock of calls that look a name up. Of two that open the shared pane at the same time, each
# would open one.
_NAMES: Final = "names"


class Lock(Protocol):
    """A `threading.Lock` or an `asyncio.Lock`."""

    def acquire(self) -> object:
        """Take the lock when it is free, or return an awaitable that does."""
        ...

    def release(self) -> None:
        """Let the next call take it."""
        ...


class Acquire(NamedTuple):
    """Take a lock, when it is free."""

    lock: Lock

    def perform(self, _terminal: AnyTerminal) -> object:
        """Return then, or return an awaitable that does."""
        return self.lock.acquire()


class Turns:
    """The calls of a model: those for one pane are carried out one after the other.

    The calls of tasks take their turns in the order in which they began, as `asyncio.Lock` keeps
    it: a model asks for several things at once, and means them in that order.

    Args:
        session: The panes of the model.
        make_lock: `threading.Lock` for a tool of threads, `asyncio.Lock` for one of tasks.
    """

    def __init__(self, session: ToolSession, make_lock: Callable[[], Lock]) -> None:
        self.session = session
        self._make_lock = make_lock
        self._guard = threading.Lock()
        # A lock lives as long as a call that holds it or waits for it: panes come and go for weeks.
        self._locks: WeakValueDictionary[str, Lock] = WeakValueDictionary()

    def carry_out(self, call: ToolCall | ToolResponse) -> Plan[ToolResponse]:
        """Carry a call out when it is its turn; the reply to a wrong one is returned as it is."""
        if isinstance(call, ToolResponse):
            return call
        found = yield from self._in_turn(_NAMES, self.session.find(call))
        if isinstance(found, ToolResponse):
            return found
        plan = self.session.perform(call, found)
        if self.session.toolset.actions[call.action].interrupts:
            return (yield from plan)
        return (yield from self._in_turn(found.plans.state.named.target, plan))

    def _in_turn(self, name: str, plan: Plan[T]) -> Plan[T]:
        """Carry a plan out while it holds the lock of a name."""
        with self._guard:
            lock = self._locks.setdefault(name, self._make_lock())
        yield Acquire(lock)
        try:
            return (yield from plan)
        finally:
            lock.release()
