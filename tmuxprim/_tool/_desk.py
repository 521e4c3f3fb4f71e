"""`Desk` and `AsyncDesk`: where the calls of a model are carried out, over the same `Turns`."""

import asyncio
import threading

from tmuxprim._async_terminal import AsyncTerminal
from tmuxprim._plan import drive, drive_async
from tmuxprim._terminal import Terminal
from tmuxprim._tool._call import Call
from tmuxprim._tool._reply import ToolResponse
from tmuxprim._tool._session import Session
from tmuxprim._tool._turns import Turns


class Desk:
    """Carries out the calls of threads.

    Args:
        terminal: Where the panes are.
        session: What is known of them.
    """

    def __init__(self, terminal: Terminal, session: Session) -> None:
        self.terminal = terminal
        self.session = session
        self._turns = Turns(session, threading.Lock)

    def carry_out(self, call: Call | ToolResponse) -> ToolResponse:
        """Carry a call out when it is its turn, or return what is to be said of a wrong one."""
        return drive(self._turns.carry_out(call), self.terminal)


class AsyncDesk:
    """Carries out the calls of tasks.

    Args:
        terminal: Where the panes are.
        session: What is known of them.
    """

    def __init__(self, terminal: AsyncTerminal, session: Session) -> None:
        self.terminal = terminal
        self.session = session
        self._turns = Turns(session, asyncio.Lock)

    async def carry_out(self, call: Call | ToolResponse) -> ToolResponse:
        """Carry a call out when it is its turn, or return what is to be said of a wrong one."""
        return await drive_async(self._turns.carry_out(call), self.terminal)
