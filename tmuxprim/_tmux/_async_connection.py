"""A connection to a tmux server for asyncio: one client in control mode, read by the loop."""

import asyncio
import os
from typing import Final

from tmuxprim._errors import brief
from tmuxprim._refusals import no_answer
from tmuxprim._tmux._call import Call
from tmuxprim._tmux._connect import Link, take
from tmuxprim._tmux._control import Request
from tmuxprim._tmux._settle import settle

_CHUNK: Final = 1 << 18


class AsyncConnection:
    """Carries calls over one client, within the running event loop.

    Args:
        link: The attached client, which ends with the connection.
        timeout: Longest time for one call, in seconds.
    """

    def __init__(self, link: Link, timeout: float) -> None:
        self._client, self._stream = link.client, link.stream
        self.session: str = link.session
        self._timeout = timeout
        self._loop = asyncio.get_running_loop()
        self._unwritten = bytearray()
        os.set_blocking(self._client.stdout, False)
        self._loop.add_reader(self._client.stdout, self._take_in)

    @property
    def is_over(self) -> bool:
        """Whether it can carry no more calls."""
        return self._stream.ended is not None or self._loop.is_closed()

    async def run(self, call: Call) -> str:
        """Carry out a call and return what tmux printed.

        Cancelled, it leaves the answer to come to nobody; the call may have been carried out.

        Raises:
            EndedError: If the connection is over, or ended before the answer.
            TmuxTimeoutError: If it took too long.
            TmuxprimError: If tmux refused.
        """
        answered = self._loop.create_future()
        request = Request(call, on_done=lambda: settle(answered))
        self._stream.expect(request)
        self._unwritten += request.line
        self._write()
        timer = self._loop.call_later(self._timeout, self._expire, answered, call)
        try:
            await answered
        finally:
            timer.cancel()
        return request.result()

    async def close(self) -> None:
        """End the client; who still waits for an answer is told."""
        self._stop("it was closed")
        await asyncio.to_thread(self._client.close)

    def _take_in(self) -> None:
        """Take in what the client has just said."""
        data = os.read(self._client.stdout, _CHUNK)
        take(self._stream, data)
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
        if not self._loop.is_closed():
            self._loop.remove_reader(self._client.stdout)
            self._loop.remove_writer(self._client.stdin)
        self._stream.end(reason)

    def _expire(self, answered: asyncio.Future[None], call: Call) -> None:
        if not answered.done():
            answered.set_exception(no_answer(self._timeout, brief(call.commands[0])))
