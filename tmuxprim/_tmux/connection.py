"""One client of tmux for all calls, in control mode."""

import re
import threading
import time
import weakref
from contextlib import suppress
from typing import Final, NamedTuple

from tmuxprim._tmux.answers import not_of_tmux
from tmuxprim._tmux.client import ControlClient
from tmuxprim._tmux.commands import OURS, Call, Words, call
from tmuxprim._tmux.control import EndedError, Pending, Stream
from tmuxprim._tmux.subprocess import SubprocessTransport
from tmuxprim._tmux.versions import ATTACHES_SAFELY, parse_version, written
from tmuxprim._values.checks import no_answer
from tmuxprim._values.pane import Pane
from tmuxprim.errors import (
    PaneNotFoundError,
    TmuxCommandError,
    TmuxServerError,
    TmuxTimeoutError,
    brief,
)

# A flag that this tmux does not know is ignored.
_FLAGS: Final = "ignore-size,no-output,no-detach-on-destroy"
SESSIONS: Words = (
    "list-sessions",
    "-F",
    f"#{{session_attached}} #{{destroy-unattached}} #{{session_id}} #{{?{OURS},1,0}} #{{version}}",
)
_SESSION: Final = re.compile(r"(\d+) (\S+) (\$\d+) [01] \S+")


def is_safe(answer: str) -> bool:
    """Whether a client may attach to a server without danger to what others have there.

    Args:
        answer: What `SESSIONS` printed, of one session at least.
    """
    *_, is_ours, version = answer.splitlines()[0].split()
    return is_ours == "1" or parse_version(version) >= ATTACHES_SAFELY


def pick_session(answer: str) -> str | None:
    """Return the session to attach to: one that nobody watches, if there is one.

    A session with ``destroy-unattached`` that nobody watches would end with our client, and one
    that a person watches would not end as long as our client is there.

    Args:
        answer: What `SESSIONS` printed.

    Returns:
        Its id, or None if there is none to attach to.

    Raises:
        TmuxCommandError: If that is no answer of tmux's.
    """
    fit: list[tuple[bool, bool, str]] = []
    for line in answer.splitlines():
        if not (fields := _SESSION.fullmatch(line)):
            raise not_of_tmux(SESSIONS, answer)
        attached, destroyed, session = fields.groups()
        is_watched, is_destroyed = attached != "0", destroyed not in ("0", "off")
        if is_watched or not is_destroyed:
            fit.append((is_destroyed, is_watched, session))
    return min(fit, key=lambda candidate: candidate[:2])[2] if fit else None


# The panes of the session that the asking client sits in by now: one whose session ended may have
# been moved to another (``detach-on-destroy off``).
PANES: Final = call(("list-panes", "-s", "-F", "#{pane_id}"))


def is_last_of(pane: Pane, panes: str) -> bool:
    """Whether a session ends with *pane*, by what `PANES` printed.

    A client that sits there is told a moment later, while its next call is under way already; so
    it has to leave before.
    """
    return panes.split() == [pane.target]


def attach(session: str) -> Words:
    """Return the words with which a client in control mode attaches to a session."""
    return ("-N", "-C", "attach-session", "-E", "-f", _FLAGS, "-t", session)


class UnfitError(Exception):
    """There is a server, and it is no use in control mode; the text says why."""


class Link(NamedTuple):
    """A client that is attached, and what takes its output apart."""

    client: ControlClient
    stream: Stream


def connect(spawn: SubprocessTransport, *, insists: bool) -> Link | None:
    """Attach a client to the server.

    Args:
        spawn: What starts clients of that server, and how long one may take.
        insists: Whether to attach to a server, too, that may crash while a client attaches.

    Returns:
        The connection; None if there is no server, or no session yet or any more, or ssh failed.

    Raises:
        UnfitError: If control mode is not to be had.
        TmuxTimeoutError: If the server does not answer.
    """
    sessions = _sessions(spawn)
    if not sessions:
        return None
    session = pick_session(sessions)
    if session is None:
        raise UnfitError("every session would end when a client leaves it (destroy-unattached)")
    if not insists and not is_safe(sessions):
        raise UnfitError(
            f"tmux before {written(ATTACHES_SAFELY)} may crash while a client in control mode "
            "attaches"
        )
    client = ControlClient(spawn.prefix, attach(session))
    try:
        return Link(client, _attached(client, spawn.timeout))
    except (EndedError, TmuxCommandError, TmuxServerError, PaneNotFoundError) as error:
        said = client.last_words() or str(error)
        was_cut_off = client.was_cut_off  # and not ended by us
        client.close()
        if was_cut_off:  # by a network or a busy sshd; the next call tries again
            return None
        if session not in _sessions(spawn).split():  # it, or the server, was just leaving
            return None
        raise UnfitError(f"tmux said: {said.splitlines()[0]}") from error
    except BaseException:
        client.close()
        raise


def _sessions(spawn: SubprocessTransport) -> str:
    """Return what `SESSIONS` prints; nothing if there is no server."""
    try:
        return spawn.run(call(SESSIONS))
    except TmuxServerError:
        return ""


def _attached(client: ControlClient, timeout: float) -> Stream:
    """Wait until the client is attached and takes commands, which not every launcher lets through.

    Raises:
        EndedError: If it ended instead.
        TmuxprimError: If tmux refused, or did not answer in time.
    """
    stream = Stream()
    proof = Pending(call(("display-message", "-p", "")))
    stream.expect(proof)
    deadline = time.monotonic() + timeout
    with suppress(BrokenPipeError):  # what it said before it ended is still to be read
        client.write(proof.line, timeout)
    while not proof.is_done:
        if not client.says(deadline - time.monotonic()):
            raise no_answer(timeout, "attach-session in control mode")
        take(stream, client.read())
    stream.greeting.result()
    proof.result()
    return stream


def take(stream: Stream, data: bytes | None) -> bool:
    """Give a stream what its client said; an empty text means that it has ended.

    Returns:
        Whether there is some answer in it. News come from a tmux, too, that is not to answer.
    """
    if data is None:
        return False
    before = stream.answers
    if data:
        stream.feed(data)
    else:
        stream.end("the client ended")
    return stream.answers > before or stream.is_answering


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
            pending = Pending(call)
            self._ask(pending, asked)
            while not pending.is_done:
                self._let_read(pending, asked)
            return pending.result()
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

    def _ask(self, pending: Pending, asked: float) -> None:
        """Write the line of *pending*, whole."""
        if self._is_closed.is_set():
            raise EndedError(_CLOSED, was_sent=False)
        try:
            self._stream.expect(pending)
            self._write(pending, asked)
        except BaseException:
            # A line that was begun cannot be taken back, nor another one be started.
            self._stream.end("a command was not written to its end")
            raise

    def _write(self, pending: Pending, asked: float) -> None:
        line = rest = pending.line
        try:
            while rest:
                rest = self._client.write(rest, self._time_left(asked))
                if rest and self._time_left(asked) <= 0:
                    raise self._too_late(pending.call)
        except BrokenPipeError as error:
            self._drain_now()  # it may have answered others before, and says why it ended
            self._stream.end("the client ended")
            raise EndedError("the client ended", was_sent=rest != line) from error

    def _let_read(self, pending: Pending, asked: float) -> None:
        """Read what the client says next, or wait until another thread has."""
        seconds = self._time_left(asked)
        if self._is_being_read:
            self._turn.wait(seconds)
            if not pending.is_done and self._time_left(asked) <= 0:
                raise self._too_late(pending.call)
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
        if not pending.is_done and self._time_left(asked) <= 0:
            raise self._too_late(pending.call)

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
