"""`Desk` and `AsyncDesk`: where the calls of a model are carried out, over the same `Turns`."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from tmuxprim._async_terminal import AsyncTerminal
from tmuxprim._plan import drive, drive_async
from tmuxprim._terminal import Terminal
from tmuxprim._tool._call import Call
from tmuxprim._tool._reply import ToolResponse
from tmuxprim._tool._session import Session
from tmuxprim._tool._turns import Turns

# Nobody tells that an event loop has stopped, so who waits looks again after so many seconds.
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


class Desk:
    """Carries out the calls of threads.

    Args:
        terminal: Where the panes are.
        session: What is known of them.
    """

    def __init__(self, terminal: Terminal, session: Session) -> None:
        self.terminal = terminal
        self.session = session
        self._turns = Turns(session, ThreadTicket)

    def carry_out(self, call: Call | ToolResponse) -> ToolResponse:
        """Carry a call out when it is its turn, or return what is to be said of a wrong one."""
        return drive(self._turns.carry_out(call), self.terminal)


class AsyncDesk:
    """Carries out the calls of tasks, of whatever event loop.

    Args:
        terminal: Where the panes are.
        session: What is known of them.
    """

    def __init__(self, terminal: AsyncTerminal, session: Session) -> None:
        self.terminal = terminal
        self.session = session
        self._turns = Turns(session, TaskTicket)

    async def carry_out(self, call: Call | ToolResponse) -> ToolResponse:
        """Carry a call out when it is its turn, or return what is to be said of a wrong one."""
        return await drive_async(self._turns.carry_out(call), self.terminal)
