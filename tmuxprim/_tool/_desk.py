"""`AsyncDesk`: where the calls of a model are carried out, those for one pane in their order."""

import asyncio
from collections import defaultdict

from tmuxprim._async_terminal import AsyncTerminal
from tmuxprim._plan import drive_async
from tmuxprim._tool._call import Call
from tmuxprim._tool._reply import ToolResponse
from tmuxprim._tool._session import Session


class AsyncDesk:
    """Carries calls out on a terminal.

    Args:
        terminal: Where the panes are.
        session: What is known of them.
    """

    def __init__(self, terminal: AsyncTerminal, session: Session) -> None:
        self.terminal = terminal
        self.session = session
        # Models ask for several things at once, and mean them in that order.
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def carry_out(self, call: Call | ToolResponse) -> ToolResponse:
        """Carry a call out when it is its turn, or return what is to be said of a wrong one."""
        if isinstance(call, ToolResponse):
            return call
        async with self._turns[self.session.locate(call.pane).target]:
            return await drive_async(self.session.perform(call), self.terminal)
