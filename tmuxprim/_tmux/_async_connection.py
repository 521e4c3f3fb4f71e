"""A connection to a tmux server for asyncio: one client in control mode, read by the loop."""

import asyncio
import os

from tmuxprim._errors import TmuxTimeoutError, brief
from tmuxprim._refusals import no_answer
from tmuxprim._tmux._call import Call
from tmuxprim._tmux._connect import Link, take
from tmuxprim._tmux._connection import SILENT
from tmuxprim._tmux._control import Request
from tmuxprim._tmux._settle import settle


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
        request = Request(call, on_done=lambda: settle(answered))
        self._stream.expect(request)
        self._unwritten += request.line
        self._write()
        self._wait_no_longer(answered, call, self._loop.time())
        try:
            await answered
            return request.result()
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
