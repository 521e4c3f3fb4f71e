"""The transports for asyncio: the same calls and the same choice, with answers to await."""

import asyncio
from typing import Protocol

import attrs

from tmuxprim._tmux._async_connection import AsyncConnection
from tmuxprim._tmux._attach import PANES, is_last_of
from tmuxprim._tmux._call import Call
from tmuxprim._tmux._connect import UnfitError, connect
from tmuxprim._tmux._control import EndedError
from tmuxprim._tmux._launch import Prefix
from tmuxprim._tmux._subprocess import SubprocessTransport
from tmuxprim._tmux._transport import (
    TransportName,
    check_transport,
    has_receipt,
    needs_client,
    refuse_if_done,
    refuse_if_unsure,
    warn_of_unfit,
)


class AsyncTransport(Protocol):
    """Carries calls to a tmux server without keeping the event loop waiting."""

    @property
    def name(self) -> str:
        """How calls are carried now."""
        ...

    async def run(self, call: Call) -> str:
        """Carry out one call."""
        ...

    async def close(self) -> None:
        """End what runs; a later call starts it again."""
        ...


@attrs.frozen
class AsyncSubprocessTransport:
    """Runs tmux command lines, each in a process of its own, which a worker thread waits for.

    Args:
        spawn: What starts clients.
    """

    spawn: SubprocessTransport

    @property
    def name(self) -> str:
        """How calls are carried."""
        return self.spawn.name

    async def run(self, call: Call) -> str:
        """Carry out one call; errors as of `SubprocessTransport.run`."""
        return await asyncio.to_thread(self.spawn.run, call)

    async def close(self) -> None:
        """Do nothing: no client outlives its call."""


class AsyncControlTransport:
    """Carries calls over one client in control mode; see `ControlTransport`.

    Args:
        spawn: What starts clients.
        warns: Whether to warn where control mode is not to be had.
    """

    def __init__(self, spawn: SubprocessTransport, *, warns: bool) -> None:
        self._spawn = spawn
        self._warns = warns
        self._is_fit = True
        self._connection: AsyncConnection | None = None
        self._lock = asyncio.Lock()

    @property
    def name(self) -> str:
        """How calls are carried now."""
        return "control" if self._is_fit else "subprocess"

    async def run(self, call: Call) -> str:
        """Carry out one call; errors as of `SubprocessTransport.run`."""
        connection = None if needs_client(call) else await self._connected()
        if connection is None:
            return await asyncio.to_thread(self._spawn.run, call)
        try:
            if call.ends and is_last_of(call.ends, await connection.run(PANES)):
                await self.close()
                return await asyncio.to_thread(self._spawn.run, call)
            return await connection.run(call)
        except EndedError as ended:
            if has_receipt(ended, self._spawn):
                await connection.close()  # without its client the server does nothing more of it
                receipts = connection.receipts
                await asyncio.to_thread(refuse_if_done, self._spawn, receipts, ended)
            else:
                refuse_if_unsure(call, ended)
            return await asyncio.to_thread(self._spawn.run, call)

    async def close(self) -> None:
        """End the client."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()

    async def _connected(self) -> AsyncConnection | None:
        """Return the connection, made anew if need be; None if there is none to be had."""
        connection = self._connection
        if connection is not None and not connection.is_over:
            return connection
        if not self._is_fit:
            return None
        async with self._lock:
            if self._connection is connection:
                await self.close()
                self._connection = await self._connect()
            return self._connection

    async def _connect(self) -> AsyncConnection | None:
        try:
            link = await asyncio.to_thread(connect, self._spawn)
        except UnfitError as error:
            self._is_fit = False
            if self._warns:
                warn_of_unfit(error)
            return None
        return None if link is None else AsyncConnection(link, self._spawn.timeout)


def make_async_transport(name: TransportName, prefix: Prefix, timeout: float) -> AsyncTransport:
    """Return the transport of that name; see `AsyncTmuxTerminal`.

    Raises:
        ValueError: If there is none.
    """
    check_transport(name)
    spawn = SubprocessTransport(prefix, timeout)
    if name == "subprocess":
        return AsyncSubprocessTransport(spawn)
    return AsyncControlTransport(spawn, warns=name == "control")
