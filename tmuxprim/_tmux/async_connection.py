"""One client of tmux for all calls, in control mode, awaited."""

import asyncio
import contextvars
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, Protocol, TypeGuard, TypeVar

from tmuxprim._tmux.async_bell import settle
from tmuxprim._tmux.choice import TransportName, check_transport
from tmuxprim._tmux.commands import Call
from tmuxprim._tmux.connection import PANES, SILENT, Link, UnfitError, connect, is_last_of, take
from tmuxprim._tmux.control import EndedError, Pending
from tmuxprim._tmux.launch import Prefix
from tmuxprim._tmux.operations import Steps, carry_out
from tmuxprim._tmux.subprocess import SubprocessTransport
from tmuxprim._tmux.transport import needs_client, refuse_if_unsure, warn_of_unfit
from tmuxprim._values.checks import check_timeout, no_answer
from tmuxprim.errors import TmuxTimeoutError, brief


class AsyncConnection:
    """Carries calls over one client, within the running event loop.

    Args:
        link: The attached client, which ends with the connection.
        timeout: Longest time without an answer of tmux while a call waits, in seconds. What is
            asked at the same time is answered in order, which may take longer.
        ends_in_silence: As of `Connection`.
    """

    def __init__(
        self,
        link: Link,
        timeout: float,
        *,
        ends_in_silence: bool = False,
    ) -> None:
        self._client, self._stream = link.client, link.stream
        self._timeout = timeout
        self._ends_in_silence = ends_in_silence
        self._loop = asyncio.get_running_loop()
        self._unwritten = bytearray()
        self._awaited: dict[asyncio.Future[None], asyncio.TimerHandle] = {}
        self._heard = 0.0
        self._is_stopped = False
        self._loop.add_reader(self._client.stdout, self._take_in)

    @property
    def is_over(self) -> bool:
        """Whether it can carry no more calls, or none of the event loop that runs now."""
        return self._stream.ended is not None or self._loop is not asyncio.get_running_loop()

    async def run(self, call: Call) -> str:
        """Carry out a call and return what tmux printed.

        Cancelled, it leaves the answer to come to nobody; the call may have been carried out.

        Args:
            call: What is asked.

        Raises:
            EndedError: If the connection is over, or ended before the answer.
            TmuxTimeoutError: If tmux gave no answer for too long.
            TmuxprimError: If tmux refused.
        """
        if not call.is_repeatable and not self.is_over:
            self._take_in()  # it may have ended since; then nothing is sent in vain
        answered = self._loop.create_future()
        pending = Pending(call, on_done=lambda: settle(answered))
        self._stream.expect(pending)
        self._unwritten += pending.line
        self._write()
        self._wait_no_longer(answered, call, self._loop.time())
        try:
            await answered
            return pending.result()
        except TmuxTimeoutError:
            if self._ends_in_silence:
                self._stop(SILENT)
            raise
        finally:
            self._awaited.pop(answered).cancel()

    async def until_answered(self) -> None:
        """Let all that have been asked get their answers; what an earlier loop asked is no more."""
        while self._awaited and not self.is_over:
            await asyncio.wait(self._awaited)

    async def close(self) -> None:
        """End the client; who still waits for an answer is told."""
        self._stop("it was closed")
        await asyncio.shield(asyncio.to_thread(self._client.close))

    def _take_in(self) -> None:
        """Take in what the client has just said."""
        if take(self._stream, self._client.read()):
            self._heard = self._loop.time()
        if self._stream.ended is not None:
            self._stop(self._stream.ended)

    def _write(self) -> None:
        """Write what it takes; the loop writes the rest when there is room."""
        try:
            while self._unwritten:
                written = os.write(self._client.stdin, self._unwritten)
                del self._unwritten[:written]
        except BlockingIOError:
            self._loop.add_writer(self._client.stdin, self._write)
            return
        except BrokenPipeError:
            self._stop("the client ended")
        self._loop.remove_writer(self._client.stdin)

    def _stop(self, reason: str) -> None:
        """Hear and say no more; once, for the pipes' numbers may soon be another client's."""
        was_stopped, self._is_stopped = self._is_stopped, True
        if not was_stopped and not self._loop.is_closed():
            self._loop.remove_reader(self._client.stdout)
            self._loop.remove_writer(self._client.stdin)
        self._stream.end(reason)

    def _expire(self, answered: asyncio.Future[None], call: Call, asked: float) -> None:
        """End the waiting for an answer, or look again when tmux may have been silent too long."""
        if not self.is_over:
            self._take_in()  # a loop that was busy has not seen yet what is there
        if answered.done():
            return
        if max(asked, self._heard) + self._timeout <= self._loop.time():
            answered.set_exception(no_answer(self._timeout, brief(call.told[0])))
        else:
            self._wait_no_longer(answered, call, asked)

    def _wait_no_longer(self, answered: asyncio.Future[None], call: Call, asked: float) -> None:
        until = max(asked, self._heard) + self._timeout
        self._awaited[answered] = self._loop.call_at(until, self._expire, answered, call, asked)


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

    async def finish(self, steps: Steps[T]) -> T:
        """Run all calls of *steps*, once begun, cancelled or not."""
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

    async def finish(self, steps: Steps[T]) -> T:
        """Run all calls of *steps* in a thread, which nobody can cancel."""
        return await self.workers.run(carry_out, steps, self.spawn.run)

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

    async def finish(self, steps: Steps[T]) -> T:
        """Run all calls of *steps* by clients, in a thread, which nobody can cancel."""
        return await self._clients.finish(steps)

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


P = ParamSpec("P")


class Workers:
    """Runs functions in threads: those of the event loop, or its own for a far machine.

    The event loop has few. One machine that does not answer would have them all for as long as a
    call may take, and calls to others would wait for a thread until it is too late for them.

    Args:
        is_local: Whether the clients are of this machine.
    """

    def __init__(self, *, is_local: bool) -> None:
        self._is_local = is_local
        self._own: ThreadPoolExecutor | None = None

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a function in a thread, as `asyncio.to_thread` does."""
        if not self._is_local and self._own is None:
            self._own = ThreadPoolExecutor(thread_name_prefix="tmuxprim")
        work = partial(contextvars.copy_context().run, function, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._own, work)

    def close(self) -> None:
        """Let the threads end once they have done what they were given."""
        own, self._own = self._own, None
        if own is not None:
            own.shutdown(wait=False)
