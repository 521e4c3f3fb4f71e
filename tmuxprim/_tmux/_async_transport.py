"""The transports for asyncio: the same calls and the same choice, with answers to await."""

import asyncio
from typing import Protocol, TypeGuard, TypeVar

from tmuxprim._errors import TmuxTimeoutError, brief
from tmuxprim._plan import Plan, drive
from tmuxprim._refusals import check_timeout, no_answer
from tmuxprim._tmux._async_connection import AsyncConnection
from tmuxprim._tmux._async_workers import Workers
from tmuxprim._tmux._attach import PANES, is_last_of
from tmuxprim._tmux._call import Call
from tmuxprim._tmux._choice import TransportName, check_transport
from tmuxprim._tmux._connect import UnfitError, connect
from tmuxprim._tmux._control import EndedError
from tmuxprim._tmux._launch import Prefix
from tmuxprim._tmux._subprocess import SubprocessTransport
from tmuxprim._tmux._transport import (
    needs_client,
    refuse_if_unsure,
    warn_of_unfit,
)

T = TypeVar("T")


class AsyncTransport(Protocol):
    """Carries calls to a tmux server without keeping the event loop waiting."""

    @property
    def name(self) -> str:
        """How calls are carried now."""
        ...

    async def run(self, call: Call) -> str:
        """Carry out one call."""
        ...

    async def finish(self, plan: Plan[T]) -> T:
        """Carry out a plan that, once begun, is carried out to its end, cancelled or not."""
        ...

    async def close(self) -> None:
        """End what runs; a later call starts it again."""
        ...


class AsyncSubprocessTransport:
    """Runs tmux command lines, each in a process of its own, which a worker thread waits for.

    Args:
        spawn: What starts clients.
    """

    def __init__(self, spawn: SubprocessTransport) -> None:
        self.spawn = spawn
        self.workers = Workers(is_local=spawn.prefix.is_local)
        self._heard = 0.0

    @property
    def name(self) -> str:
        """How calls are carried."""
        return self.spawn.name

    async def run(self, call: Call) -> str:
        """Carry out one call; errors as of `SubprocessTransport.run`.

        There are few threads, and a server that hangs may have them all, of a far machine all of
        its own: a call waits for one as long as tmux answers others, and no longer than for its own
        answer when it does not.
        """
        loop, timeout = asyncio.get_running_loop(), self.spawn.timeout
        asked = loop.time()
        worker = asyncio.create_task(self.workers.run(self.spawn.run, call))
        worker.add_done_callback(self._note)
        try:
            while not worker.done():
                left = max(asked, self._heard) + timeout - loop.time()
                if left <= 0:
                    raise no_answer(timeout, brief(call.told[0]))
                await asyncio.wait([worker], timeout=left)
            return worker.result()
        finally:
            worker.cancel()

    def _note(self, worker: "asyncio.Task[str]") -> None:
        """Note that tmux has answered, be it by a refusal."""
        if not worker.cancelled() and not isinstance(worker.exception(), TmuxTimeoutError):
            self._heard = worker.get_loop().time()

    async def finish(self, plan: Plan[T]) -> T:
        """Carry out a whole plan in a thread, which nobody can cancel."""
        return await self.workers.run(drive, plan, self.spawn)

    async def close(self) -> None:
        """Let threads go; no client outlives its call."""
        self.workers.close()


class AsyncControlTransport:
    """Carries calls over one client in control mode; see `ControlTransport`.

    Args:
        spawn: What starts clients.
        insists: As of `ControlTransport`.
    """

    def __init__(self, spawn: SubprocessTransport, *, insists: bool) -> None:
        self._spawn = spawn
        self._insists = insists
        self._is_fit = True
        self._clients = AsyncSubprocessTransport(self._spawn)
        self._connection: AsyncConnection | None = None
        # What all have to wait for, and what goes on if one of them is cancelled.
        self._connecting: asyncio.Task[AsyncConnection | None] | None = None
        self._ending: asyncio.Task[str] | None = None
        self._parting: asyncio.Task[None] | None = None

    @property
    def name(self) -> str:
        """How calls are carried now."""
        return "control" if self._is_fit else "subprocess"

    async def run(self, call: Call) -> str:
        """Carry out one call; errors as of `SubprocessTransport.run`."""
        # Before a pane is opened, too, as `ControlTransport` does.
        connection = None if call.stdin else await self._connected()
        if connection is None or needs_client(call):
            return await self._clients.run(call)
        try:
            if call.ends and is_last_of(call.ends, await connection.run(PANES)):
                self._ending = asyncio.create_task(self._end(connection, call))
                return await asyncio.shield(self._ending)
            return await connection.run(call)
        except EndedError as ended:
            refuse_if_unsure(call, ended)
            return await self._clients.run(call)

    async def finish(self, plan: Plan[T]) -> T:
        """Carry out a whole plan by clients, in a thread, which nobody can cancel."""
        return await self._clients.finish(plan)

    async def close(self) -> None:
        """End the client, once the calls that are under way have been answered.

        Cancelled, that goes on: nobody else is to be told that the connection ended.
        """
        if _is_under_way(self._connecting):
            await asyncio.wait([self._connecting])
        connection, self._connection = self._connection, None
        try:
            if connection is not None:
                self._parting = asyncio.create_task(_part(connection))
                await asyncio.shield(self._parting)
        finally:
            await self._clients.close()

    async def _connected(self) -> AsyncConnection | None:
        """Return the connection, made anew if need be; None if there is none to be had."""
        if _is_under_way(self._ending):
            await asyncio.wait([self._ending])
        connection = self._connection
        if connection is not None and not connection.is_over:
            return connection
        if not self._is_fit:
            return None
        if not _is_under_way(self._connecting):
            self._connecting = asyncio.create_task(self._connect())
        return await asyncio.shield(self._connecting)

    async def _connect(self) -> AsyncConnection | None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()
        try:
            link = await self._clients.workers.run(connect, self._spawn, insists=self._insists)
        except UnfitError as error:
            self._is_fit = False
            if self._insists:
                warn_of_unfit(error)
            return None
        if link is not None:
            spawn = self._spawn
            is_far = not spawn.prefix.is_local
            self._connection = AsyncConnection(link, spawn.timeout, ends_in_silence=is_far)
        return self._connection

    async def _end(self, connection: AsyncConnection, call: Call) -> str:
        """Carry out a call that ends the session which the client sits in: it leaves before.

        What others have asked is answered first; what they ask in the meantime waits.
        """
        await connection.until_answered()
        if self._connection is connection:
            self._connection = None
            await connection.close()
        return await self._clients.run(call)


async def _part(connection: AsyncConnection) -> None:
    """End a connection that nobody will use any more, once it has answered."""
    try:
        await connection.until_answered()
    finally:
        await connection.close()


def _is_under_way(task: asyncio.Task[T] | None) -> TypeGuard[asyncio.Task[T]]:
    """Whether a task goes on; one of an earlier event loop does not."""
    return task is not None and not task.done() and task.get_loop() is asyncio.get_running_loop()


def make_async_transport(name: TransportName, prefix: Prefix, timeout: float) -> AsyncTransport:
    """Return the transport of that name; see `AsyncTmuxTerminal`.

    Raises:
        ValueError: If there is none, or tmux is given no time to answer.
    """
    check_transport(name)
    spawn = SubprocessTransport(prefix, check_timeout(timeout))
    if name == "subprocess":
        return AsyncSubprocessTransport(spawn)
    return AsyncControlTransport(spawn, insists=name == "control")
