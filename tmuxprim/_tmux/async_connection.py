"""The transports for asyncio: one tmux client in control mode for all calls, or one for each."""

import asyncio
import contextvars
import os
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeAlias, TypeGuard, TypeVar

from tmuxprim._engine.plan import carry_out
from tmuxprim._tmux.async_exec_transport import AsyncExecTransport
from tmuxprim._tmux.async_output_watch import settle
from tmuxprim._tmux.choice import TransportName, make_spawn
from tmuxprim._tmux.commands import TmuxCall
from tmuxprim._tmux.connection import PANES, SILENT, AttachedClient, is_only_pane, take
from tmuxprim._tmux.control import ConnectionClosedError
from tmuxprim._tmux.exec import AsyncExec
from tmuxprim._tmux.launch import Prefix
from tmuxprim._tmux.operations import Steps
from tmuxprim._tmux.subprocess import SubprocessTransport
from tmuxprim._tmux.transport import ControlMode, refuse_if_unsure
from tmuxprim._values.checks import no_answer
from tmuxprim.errors import TmuxTimeoutError, brief


class AsyncConnection:
    """A connection as `Connection` is one, which the event loop reads in which it is made."""

    def __init__(
        self,
        link: AttachedClient,
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
        """Whether it is closed."""
        return self._stream.ended is not None

    async def run(self, call: TmuxCall) -> str:
        """Carry out a call and return what tmux printed.

        When it is cancelled, the answer is dropped; the call may have been carried out. Errors as
        of `Connection.run`.
        """
        if not call.is_repeatable and not self.is_over:
            self._take_in()  # the client may have ended, and then nothing shall be sent
        answered = self._loop.create_future()
        pending = self._stream.ask(call, on_done=lambda: settle(answered))
        self._unwritten += pending.line
        self._write()
        self._set_timer(answered, call, self._loop.time())
        try:
            await answered
            return pending.result()
        except TmuxTimeoutError:
            if self._ends_in_silence:
                self._stop(SILENT)
            raise
        finally:
            self._awaited.pop(answered).cancel()

    async def close(self) -> None:
        """End the client when the calls that are under way have been answered.

        If this is cancelled, it is ended at once, and calls that still wait fail.
        """
        try:
            while self._awaited and not self.is_over:
                await asyncio.wait(self._awaited)
        finally:
            self._stop("it was closed")
            await asyncio.shield(asyncio.to_thread(self._client.close))

    def _take_in(self) -> None:
        """Read the client's output, which has just come."""
        try:
            if take(self._stream, self._client):
                self._heard = self._loop.time()
        finally:
            if self._stream.ended is not None:
                self._stop(self._stream.ended)

    def _write(self) -> None:
        """Write what fits into the pipe; the event loop writes the rest when there is room."""
        try:
            while self._unwritten:
                written = os.write(self._client.stdin, self._unwritten)
                del self._unwritten[:written]
        except BlockingIOError:
            self._loop.add_writer(self._client.stdin, self._write)
            return
        except BrokenPipeError:
            self._stop("the client ended")
        except BaseException:  # an interrupt: a part may have been written twice
            self._stop("the writing was interrupted")
            raise
        self._loop.remove_writer(self._client.stdin)

    def _stop(self, reason: str) -> None:
        """Stop reading and writing, once: the descriptors may soon be another client's."""
        was_stopped, self._is_stopped = self._is_stopped, True
        if not was_stopped and not self._loop.is_closed():
            self._loop.remove_reader(self._client.stdout)
            self._loop.remove_writer(self._client.stdin)
        self._stream.end(reason)

    def _expire(self, answered: asyncio.Future[None], call: TmuxCall, asked: float) -> None:
        """Fail a call that has waited too long, or set the timer anew if tmux answered others."""
        if not self.is_over:
            self._take_in()  # the answer may be there, unread by a busy event loop
        if answered.done():
            return
        if max(asked, self._heard) + self._timeout <= self._loop.time():
            answered.set_exception(no_answer(self._timeout, brief(call.redacted[0])))
        else:
            self._set_timer(answered, call, asked)

    def _set_timer(self, answered: asyncio.Future[None], call: TmuxCall, asked: float) -> None:
        until = max(asked, self._heard) + self._timeout
        self._awaited[answered] = self._loop.call_at(until, self._expire, answered, call, asked)


T = TypeVar("T")
P = ParamSpec("P")


class AsyncSubprocessTransport:
    """Runs tmux command lines, each in a process of its own, which a thread waits for.

    That is one of the event loop's, which has few. A remote machine that does not answer would
    occupy them all, so calls to one have threads of their own.
    """

    def __init__(self, spawn: SubprocessTransport) -> None:
        self.spawn = spawn
        self._threads: ThreadPoolExecutor | None = None
        self._heard = 0.0

    @property
    def name(self) -> str:
        """How calls are carried."""
        return self.spawn.name

    async def run(self, call: TmuxCall) -> str:
        """Carry out one call; errors as of `SubprocessTransport.run`.

        There are few threads, and a server that hangs may occupy all. A call waits for a thread as
        long as tmux answers other calls, and otherwise as long as for an answer.
        """
        loop, timeout = asyncio.get_running_loop(), self.spawn.timeout
        asked = loop.time()
        worker = asyncio.create_task(self.in_thread(self.spawn.run, call))
        worker.add_done_callback(self._note)
        try:
            while not worker.done():
                left = max(asked, self._heard) + timeout - loop.time()
                if left <= 0:
                    raise no_answer(timeout, brief(call.redacted[0]))
                await asyncio.wait([worker], timeout=left)
            return worker.result()
        finally:
            if not loop.is_closed():  # as when this is collected after its loop was abandoned
                worker.cancel()

    def _note(self, worker: "asyncio.Task[str]") -> None:
        """Note when tmux has answered; a refusal is also an answer."""
        if not worker.cancelled() and not isinstance(worker.exception(), TmuxTimeoutError):
            self._heard = worker.get_loop().time()

    async def finish(self, steps: Steps[T]) -> T:
        """Run all calls of *steps* in a thread, which cannot be cancelled."""
        return await self.in_thread(carry_out, steps, self.spawn.run)

    async def close(self) -> None:
        """Let the threads end when their calls are over; no client outlives its call."""
        threads, self._threads = self._threads, None
        if threads is not None:
            threads.shutdown(wait=False)

    async def in_thread(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a function in a thread, as `asyncio.to_thread` does."""
        if self._threads is None and not self.spawn.prefix.is_local:
            self._threads = ThreadPoolExecutor(thread_name_prefix="tmuxprim")
        work = partial(contextvars.copy_context().run, function, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


class AsyncControlTransport(ControlMode):
    """Carries calls over one client in control mode; see `ControlTransport`."""

    def __init__(self, spawn: SubprocessTransport, *, is_required: bool) -> None:
        super().__init__(spawn, is_required=is_required)
        self._clients = AsyncSubprocessTransport(self._spawn)
        self._connection: AsyncConnection | None = None
        # Tasks that all callers wait for, and that go on if one of these is cancelled.
        self._connecting: asyncio.Task[AsyncConnection | None] | None = None
        self._alone: set[asyncio.Task[object]] = set()

    async def run(self, call: TmuxCall) -> str:
        """Carry out one call; errors as of `SubprocessTransport.run`."""
        # Connect even before a pane is opened, as `ControlTransport` does.
        connection = None if call.stdin else await self._connected()
        if connection is None and call.opens:
            return await self._run_alone(self._clients.run(call))
        if connection is None or call.opens:
            return await self._clients.run(call)
        try:
            if call.ends and is_only_pane(call.ends, await connection.run(PANES)):
                return await self._run_alone(self._end(connection, call))
            return await connection.run(call)
        except ConnectionClosedError as ended:
            refuse_if_unsure(call, ended)
            return await self._clients.run(call)

    async def finish(self, steps: Steps[T]) -> T:
        """Run all calls of *steps* by clients, in a thread, which cannot be cancelled."""
        return await self._clients.finish(steps)

    async def close(self) -> None:
        """End the client when the calls that are under way have been answered.

        If this is cancelled, that goes on all the same.
        """
        if _is_under_way(self._connecting):
            await asyncio.wait([self._connecting])
        connection, self._connection = self._connection, None
        try:
            if connection is not None:
                await self._run_alone(connection.close())
        finally:
            await self._clients.close()

    async def _run_alone(self, work: Coroutine[object, None, T]) -> T:
        """Run calls that some tmux do not survive during an attach, and hold off attaching."""
        task = asyncio.create_task(work)
        self._alone.add(task)
        task.add_done_callback(self._alone.discard)
        return await asyncio.shield(task)

    async def _connected(self) -> AsyncConnection | None:
        """Return the connection, made anew if it was closed; None if none can be made."""
        while True:
            while alone := [*filter(_is_under_way, self._alone)]:
                await asyncio.wait(alone)
            connection = self._connection
            if connection is not None and not connection.is_over:
                return connection
            if not self._has_control_mode:
                return None
            if not _is_under_way(self._connecting):
                self._connecting = asyncio.create_task(self._connect())
            made = await asyncio.shield(self._connecting)
            # Another task that has waited here may be opening the first pane now.
            if not any(map(_is_under_way, self._alone)):
                return made

    async def _connect(self) -> AsyncConnection | None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()
        link = await self._clients.in_thread(self._attach)
        if link is not None:
            self._connection = AsyncConnection(
                link, self._spawn.timeout, ends_in_silence=self._is_remote
            )
        return self._connection

    async def _end(self, connection: AsyncConnection, call: TmuxCall) -> str:
        """Carry out a call that ends the client's session: the client has to leave before."""
        if self._connection is connection:  # or `close`, which may come meanwhile, would take it
            self._connection = None
        await connection.close()
        return await self._clients.run(call)


def _is_under_way(task: asyncio.Task[T] | None) -> TypeGuard[asyncio.Task[T]]:
    """Whether a task is not done yet."""
    return task is not None and not task.done()


AsyncTransport: TypeAlias = AsyncSubprocessTransport | AsyncControlTransport | AsyncExecTransport


def make_async_transport(
    name: TransportName,
    prefix: Prefix,
    timeout: float,
    *,
    exec_: AsyncExec | None = None,
    has_stdin: bool = True,
) -> AsyncTransport:
    """Return the transport of that name, or that by an exec; errors as of `make_spawn`."""
    spawn = make_spawn(name, prefix, timeout)
    if exec_ is not None:
        return AsyncExecTransport(exec_, prefix, timeout, has_stdin=has_stdin)
    if name == "subprocess":
        return AsyncSubprocessTransport(spawn)
    return AsyncControlTransport(spawn, is_required=name == "control")
