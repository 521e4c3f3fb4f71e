"""The transport that carries each call by a coroutine function of the user's."""

import asyncio
from typing import TypeVar

from tmuxprim._engine.plan import carry_out_async
from tmuxprim._tmux.commands import TmuxCall
from tmuxprim._tmux.exec import AsyncExec, ExecResult
from tmuxprim._tmux.exec_transport import ByExec
from tmuxprim._tmux.framed import Framed
from tmuxprim._tmux.invocation import Finished, Invocation
from tmuxprim._tmux.launch import Prefix
from tmuxprim._tmux.operations import Steps

T = TypeVar("T")


class AsyncExecTransport(ByExec):
    """Carries each call by an exec; see `ExecTransport`."""

    def __init__(self, call: AsyncExec, prefix: Prefix, timeout: float, *, has_stdin: bool) -> None:
        super().__init__(prefix, timeout, has_stdin=has_stdin)
        self._call = call
        self._finishing: set[asyncio.Task[object]] = set()

    async def run(self, call: TmuxCall) -> str:
        """Carry out one call; errors as of `ExecTransport.run`."""
        return await carry_out_async(self._invocations.run(call), self._perform)

    async def finish(self, steps: Steps[T]) -> T:
        """Run all calls of *steps*, also when this is cancelled."""
        task = asyncio.create_task(carry_out_async(steps, self.run))
        self._finishing.add(task)
        task.add_done_callback(self._finishing.discard)
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Do nothing: nothing is kept."""

    async def _perform(self, invocation: Invocation) -> Finished:
        framed = self._frame(invocation)
        task = asyncio.create_task(self._ask(framed))
        try:
            await asyncio.wait([task], timeout=self._timeout)
        finally:
            # One that does not heed it is not waited for; nor is its error.
            task.cancel()
            task.add_done_callback(_ignore_error)
        if not task.done():
            raise self._no_answer(invocation)
        if task.cancelled():
            raise framed.failure("was cancelled", b"")
        if (error := task.exception()) is not None:
            raise framed.failed(error) from error
        return framed.parse(task.result())

    async def _ask(self, framed: Framed) -> ExecResult:
        return await self._call(framed.argv, framed.stdin)


def _ignore_error(task: "asyncio.Task[ExecResult]") -> None:
    """Look at a task's error, if it has one: asyncio complains of those that nobody has seen."""
    if not task.cancelled():
        task.exception()
