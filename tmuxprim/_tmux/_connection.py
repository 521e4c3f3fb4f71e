"""A connection to a tmux server, shared by threads: one client in control mode.

There is no thread that only reads. Of those who wait for an answer one reads for all, so that a
lone thread pays for no switch to another one. While nobody asks, a thread looks once a second
and takes in what there is, so that the client is never left unread.
"""

import threading
import time
import weakref
from typing import Final

from tmuxprim._errors import brief
from tmuxprim._refusals import no_answer
from tmuxprim._tmux._call import Call
from tmuxprim._tmux._connect import Link, take
from tmuxprim._tmux._control import EndedError, Request

_DRAIN_EVERY: Final = 1.0


class Connection:
    """Carries calls over one client.

    Args:
        link: The attached client, which ends with the connection.
        timeout: Longest time for one call, in seconds.
    """

    def __init__(self, link: Link, timeout: float) -> None:
        self._client, self._stream = link.client, link.stream
        self.session: str = link.session
        self._timeout = timeout
        self._turn = threading.Condition(threading.Lock())
        self._is_being_read = False
        self._is_closed = threading.Event()
        drain = _drain, (weakref.ref(self), self._is_closed)
        self._drain = threading.Thread(target=drain[0], args=drain[1], daemon=True, name="tmuxprim")
        self._drain.start()

    @property
    def is_over(self) -> bool:
        """Whether it can carry no more calls."""
        return self._stream.ended is not None

    def run(self, call: Call) -> str:
        """Carry out a call and return what tmux printed.

        Raises:
            EndedError: If the connection is over, or ended before the answer.
            TmuxTimeoutError: If it took too long.
            TmuxprimError: If tmux refused.
        """
        request = Request(call)
        deadline = time.monotonic() + self._timeout
        if not self._turn.acquire(timeout=self._timeout):
            raise self._too_late(call)
        try:
            self._drain_now()  # it may have ended since; then nothing is sent in vain
            self._stream.expect(request)
            self._write(request, deadline)
            while not request.is_done:
                self._let_read(request, deadline)
        finally:
            self._turn.release()
        return request.result()

    def close(self) -> None:
        """End the client; who still waits for an answer is told."""
        self._is_closed.set()
        self._client.hang_up()
        with self._turn:
            self._turn.wait_for(lambda: not self._is_being_read, self._timeout)
            self._stream.end("it was closed")
        self._client.close()
        self._drain.join()

    def drain(self) -> None:
        """Take in what the client has said, unless somebody waits for an answer anyway."""
        if self._turn.acquire(blocking=False):
            try:
                self._drain_now()
            finally:
                self._turn.release()

    def _drain_now(self) -> None:
        if not (self._is_being_read or self.is_over):
            data = self._client.read(0.0)
            if data is not None:
                take(self._stream, data)

    def _write(self, request: Request, deadline: float) -> None:
        """Write the request's line, whole."""
        line = rest = request.line
        try:
            while rest:
                rest = self._client.write(rest, deadline - time.monotonic())
                if rest and time.monotonic() >= deadline:
                    # A line that was begun cannot be taken back, nor another one be started.
                    self._stream.end("tmux took no more")
                    raise self._too_late(request.call)
        except BrokenPipeError as error:
            self._stream.end("the client ended")
            raise EndedError("the client ended", was_sent=rest != line) from error

    def _let_read(self, request: Request, deadline: float) -> None:
        """Read what the client says next, or wait until another thread has."""
        seconds = deadline - time.monotonic()
        if self._is_being_read:
            if not self._turn.wait(seconds):
                raise self._too_late(request.call)
            return
        self._is_being_read = True
        self._turn.release()
        try:
            data = self._client.read(seconds)
        finally:
            self._turn.acquire()
            self._is_being_read = False
            self._turn.notify_all()
        if data is None:
            raise self._too_late(request.call)
        take(self._stream, data)

    def _too_late(self, call: Call) -> Exception:
        return no_answer(self._timeout, brief(call.commands[0]))


def _drain(connection: "weakref.ref[Connection]", is_closed: threading.Event) -> None:
    """Take in what an idle client says, once a second, until the connection is gone."""
    while not is_closed.wait(_DRAIN_EVERY):
        alive = connection()
        if alive is None:
            return
        alive.drain()
        del alive
