"""`Turns`: each pane takes one call at a time, whether tasks or threads make the calls.

A pane has many names, and only its id tells which pane is meant. So a name is looked up first, one
name at a time, which takes no longer than a call of tmux; then the call waits for its pane. There
is one plan of it: the lock of a task is awaited, the lock of a thread blocks.
"""

from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple, Protocol

from tmuxprim._plan import AnyTerminal, Plan
from tmuxprim._tool._call import Call
from tmuxprim._tool._reply import ToolResponse
from tmuxprim._tool._session import Session


class Lock(Protocol):
    """Is a lock of threads, or of tasks."""

    def acquire(self) -> object:
        """Take it, or return what is to be awaited for that."""
        ...

    def release(self) -> None:
        """Let the next one have it."""
        ...


class Take(NamedTuple):
    """Wait for a lock, and take it; whoever made the plan releases it."""

    lock: Lock

    def perform(self, _terminal: AnyTerminal) -> object:
        """Return once it is taken, or what is to be awaited for that."""
        return self.lock.acquire()


class Turns:
    """Carries the calls of a session out, those for one pane one after the other.

    Args:
        session: What is known of the panes.
        make_lock: Returns a lock of the kind that those who call can wait for.
    """

    def __init__(self, session: Session, make_lock: Callable[[], Lock]) -> None:
        self._session = session
        # Two that open the shared pane at once would open two, or be told that it is there already.
        self._finding = make_lock()
        # Models ask for several things at once, and mean them in that order.
        self._panes: defaultdict[str, Lock] = defaultdict(make_lock)

    def carry_out(self, call: Call | ToolResponse) -> Plan[ToolResponse]:
        """Carry a call out when it is its turn, or return what is to be said of a wrong one."""
        if isinstance(call, ToolResponse):
            return call
        yield Take(self._finding)
        try:
            found = yield from self._session.find(call.pane)
            if isinstance(found, ToolResponse):
                return found
            turn = self._panes[found.pane.target]
        finally:
            self._finding.release()
        yield Take(turn)
        try:
            return (yield from self._session.perform(call, found))
        finally:
            turn.release()
