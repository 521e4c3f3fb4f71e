"""A connection to a tmux server, shared by threads: one client in control mode.

There is no thread that only reads. Of those who wait for an answer one reads for all, so that a
lone thread pays for no switch to another one. While nobody asks, a thread looks once a second
and takes in what there is, so that the client is never left unread.
"""

import threading
import time
import weakref
from contextlib import suppress
from typing import Final

from tmuxprim._errors import TmuxTimeoutError, brief
from tmuxprim._refusals import no_answer
from tmuxprim._tmux._call import Call
from tmuxprim._tmux._connect import Link, take
from tmuxprim._tmux._control import EndedError, Request

_DRAIN_EVERY: Final = 1.0
_CLOSED: Final = "it was closed"
SILENT: Final = "it did not answer in time"


class Connection:
    """Carries calls over one client.

    Args:
        link: The attached client, which ends with the connection.
        timeout: Longest time without an answer of tmux while a call waits, in seconds. What is
            asked at the same time is answered in order, which may take longer.
        ends_in_silence: Whether a call that is not answered in time ends the connection. A server
            of this machine goes on when it wakes up; the way to another one may be gone for good.
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
        self._heard = 0.0
        self._turn = threading.Condition(threading.RLock())
        self._is_being_read = False
        self._under_way = 0
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
            TmuxTimeoutError: If tmux gave no answer for too long.
            TmuxprimError: If tmux refused.
        """
        asked = time.monotonic()
        if not self._turn.acquire(timeout=self._timeout):
            raise self._too_late(call)
        self._under_way += 1
        try:
            if not call.is_repeatable:
                self._catch_up()  # it may have ended since; then nothing is sent in vain
            request = Request(call)
            self._ask(request, asked)
            while not request.is_done:
                self._let_read(request, asked)
            return request.result()
        except TmuxTimeoutError:
            if self._ends_in_silence:
                self._stream.end(SILENT)
                self._turn.notify_all()
            raise
        finally:
            self._under_way -= 1
            with suppress(RuntimeError):  # an interrupt came when it was not ours just then
                if self._is_closed.is_set():
                    self._turn.notify_all()
                self._turn.release()

    def close(self) -> None:
        """End the client, once the calls that are under way have been answered."""
        self._is_closed.set()
        has_turn = self._turn.acquire(timeout=self._timeout)
        try:
            if has_turn:
                self._turn.wait_for(lambda: not self._under_way, self._timeout)
            self._stream.end(_CLOSED)
        finally:
            if has_turn:
                self._turn.release()
        self._client.close()
        self._drain.join()

    def drain(self) -> None:
        """Take in what the client has said, unless somebody waits for an answer anyway."""
        if self._turn.acquire(blocking=False):
            try:
                self._catch_up()
            finally:
                self._turn.release()

    def _catch_up(self) -> None:
        """Take in what there is, unless a thread is waiting for just that.

        It waits in the kernel, which would not wake it for what another one has taken.
        """
        if not self._is_being_read:
            self._drain_now()

    def _drain_now(self) -> None:
        while not self.is_over and self._take_in():
            pass

    def _take_in(self) -> bool:
        """Take in what is there; return whether there was something."""
        try:
            data = self._client.read()
            is_answer = take(self._stream, data)
        except BaseException:  # an interrupt; what was read may be lost
            self._stream.end("the reading was interrupted")
            raise
        if is_answer:
            self._heard = time.monotonic()
        return data is not None

    def _ask(self, request: Request, asked: float) -> None:
        """Write the request's line, whole."""
        if self._is_closed.is_set():
            raise EndedError(_CLOSED, was_sent=False)
        try:
            self._stream.expect(request)
            self._write(request, asked)
        except BaseException:
            # A line that was begun cannot be taken back, nor another one be started.
            self._stream.end("a command was not written to its end")
            raise

    def _write(self, request: Request, asked: float) -> None:
        line = rest = request.line
        try:
            while rest:
                rest = self._client.write(rest, self._time_left(asked))
                if rest and self._time_left(asked) <= 0:
                    raise self._too_late(request.call)
        except BrokenPipeError as error:
            self._drain_now()  # it may have answered others before, and says why it ended
            self._stream.end("the client ended")
            raise EndedError("the client ended", was_sent=rest != line) from error

    def _let_read(self, request: Request, asked: float) -> None:
        """Read what the client says next, or wait until another thread has."""
        seconds = self._time_left(asked)
        if self._is_being_read:
            self._turn.wait(seconds)
            if not request.is_done and self._time_left(asked) <= 0:
                raise self._too_late(request.call)
            return
        self._is_being_read = True
        self._turn.release()
        try:
            self._client.says(seconds)
        finally:
            self._turn.acquire()
            self._is_being_read = False
            self._turn.notify_all()
        if not self.is_over:
            self._take_in()
        if not request.is_done and self._time_left(asked) <= 0:
            raise self._too_late(request.call)

    def _time_left(self, asked: float) -> float:
        """Return for how many seconds a call may still wait."""
        return max(asked, self._heard) + self._timeout - time.monotonic()

    def _too_late(self, call: Call) -> Exception:
        return no_answer(self._timeout, brief(call.told[0]))


def _drain(connection: "weakref.ref[Connection]", is_closed: threading.Event) -> None:
    """Take in what an idle client says, once a second, until the connection is gone."""
    while not is_closed.wait(_DRAIN_EVERY):
        alive = connection()
        if alive is None:
            return
        alive.drain()
        del alive
