"""One tmux client in control mode for all calls: attaching it, and its connection."""

import re
import threading
import time
import weakref
from contextlib import suppress
from typing import Final, NamedTuple

from tmuxprim._tmux.answers import unexpected_answer
from tmuxprim._tmux.client import ControlClient
from tmuxprim._tmux.commands import OURS, TmuxCall, Words, call
from tmuxprim._tmux.control import ConnectionClosedError, Pending, Stream
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

# tmux ignores flags that it does not know.
_FLAGS: Final = "ignore-size,no-output,no-detach-on-destroy"
SESSIONS: Words = (
    "list-sessions",
    "-F",
    f"#{{session_attached}} #{{destroy-unattached}} #{{session_id}} #{{?{OURS},1,0}} #{{version}}",
)
_SESSION: Final = re.compile(r"(\d+) (\S+) (\$\d+) [01] \S+")


def is_safe(answer: str) -> bool:
    """Whether a client may attach without danger to the server, by what `SESSIONS` printed."""
    *_, is_ours, version = answer.splitlines()[0].split()
    return is_ours == "1" or parse_version(version) >= ATTACHES_SAFELY


def pick_session(answer: str) -> str | None:
    """Return the session to attach to, of those that `SESSIONS` printed; None if there is none.

    If possible it is one without a client. A session with ``destroy-unattached`` is ended by tmux
    when its last client leaves. If it has no client, ours would end it by leaving; if it has one,
    ours would keep it from ending.

    Raises:
        TmuxCommandError: If that is no answer of tmux's.
    """
    fit: list[tuple[bool, bool, str]] = []
    for line in answer.splitlines():
        if not (fields := _SESSION.fullmatch(line)):
            raise unexpected_answer(SESSIONS, answer)
        attached, destroyed, session = fields.groups()
        is_watched, is_destroyed = attached != "0", destroyed not in ("0", "off")
        if is_watched or not is_destroyed:
            fit.append((is_destroyed, is_watched, session))
    return min(fit, key=lambda candidate: candidate[:2])[2] if fit else None


# The panes of the session that the asking client is attached to. That is another one than at first
# if the first has ended (``detach-on-destroy off``).
PANES: Final = call(("list-panes", "-s", "-F", "#{pane_id}"))


def is_only_pane(pane: Pane, panes: str) -> bool:
    """Whether the session of the client ends with *pane*, by what `PANES` printed.

    tmux would detach the client a moment later, in the middle of its next call. So it has to leave
    before.
    """
    return panes.split() == [pane.target]


def attach(session: str) -> Words:
    """Return the words with which a client in control mode attaches to a session."""
    return ("-N", "-C", "attach-session", "-E", "-f", _FLAGS, "-t", session)


class NoControlModeError(Exception):
    """There is a server, but no control mode on it; the text says why."""


class AttachedClient(NamedTuple):
    """A client that is attached, and the parser of its output."""

    client: ControlClient
    stream: Stream


def connect(spawn: SubprocessTransport, *, is_required: bool) -> AttachedClient | None:
    """Attach a client to the server; to one that may crash of that, only if it is required.

    Returns:
        The client; None if there is no server, no session yet or any more, or ssh failed.

    Raises:
        NoControlModeError: If the server has no control mode for us.
        TmuxTimeoutError: If the server does not answer.
    """
    sessions = _sessions(spawn)
    if not sessions:
        return None
    session = pick_session(sessions)
    if session is None:
        raise NoControlModeError(
            "every session would end when a client leaves it (destroy-unattached)"
        )
    if not is_required and not is_safe(sessions):
        raise NoControlModeError(
            f"tmux before {written(ATTACHES_SAFELY)} may crash while a client in control mode "
            "attaches"
        )
    client = ControlClient(spawn.prefix, attach(session))
    try:
        return AttachedClient(client, _attached(client, spawn.timeout))
    except (ConnectionClosedError, TmuxCommandError, TmuxServerError, PaneNotFoundError) as error:
        said = client.last_words() or str(error)
        was_cut_off = client.was_cut_off  # asked before we end it ourselves
        client.close()
        if was_cut_off:  # by the network or a busy sshd; the next call tries again
            return None
        if session not in _sessions(spawn).split():  # the session or the server has just ended
            return None
        raise NoControlModeError(f"tmux said: {said.splitlines()[0]}") from error
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
    """Wait until the client is attached and answers: not every launcher passes input on.

    tmux may answer before it has attached the client, and in that moment it takes another session
    for the client's (3.3a, on a busy machine).

    Raises:
        ConnectionClosedError: If the client ended instead.
        TmuxprimError: If tmux refused, or did not answer in time.
    """
    stream = Stream()
    proof = stream.ask(call(("display-message", "-p", "")))
    deadline = time.monotonic() + timeout
    with suppress(BrokenPipeError):  # its last output is still to be read
        client.write(proof.line, timeout)
    while not (proof.is_done and stream.greeting.is_done):
        if not client.wait_for_output(deadline - time.monotonic()):
            raise no_answer(timeout, "attach-session in control mode")
        take(stream, client)
    stream.greeting.result()
    proof.result()
    return stream


def take(stream: Stream, client: ControlClient) -> bool | None:
    """Feed a stream with the next output of its client.

    Returns:
        None if there is none yet; else whether a part of an answer was in it. Notifications prove
        nothing: a server that hangs writes them as well.
    """
    before = stream.answers
    try:
        data = client.read()
        if data:
            stream.feed(data)
        elif data is not None:
            stream.end("the client ended")
    except BaseException:  # an interrupt: output may have been read and lost
        stream.end("the reading was interrupted")
        raise
    return None if data is None else stream.answers > before or stream.is_answering


_DRAIN_EVERY: Final = 1.0
_CLOSED: Final = "it was closed"
SILENT: Final = "tmux did not answer in time"


class Connection:
    """A connection to the server by one client; several threads may use it.

    The thread that waits for an answer reads for all; the others wait for it.

    Args:
        link: The attached client, which ends with the connection.
        timeout: Longest time without an answer of tmux while a call waits, in seconds. Calls of
            several threads are answered one after another, which may take longer.
        ends_in_silence: Whether a call that is not answered in time closes the connection. A server
            of this machine may go on later; the network to another one may be gone for good.
    """

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
        self._heard = 0.0
        self._turn = threading.Condition(threading.RLock())
        self._is_being_read = False
        self._callers: set[int] = set()
        self._is_closed = threading.Event()
        drain = _drain, (weakref.ref(self), self._is_closed)
        self._drain = threading.Thread(target=drain[0], args=drain[1], daemon=True, name="tmuxprim")
        self._drain.start()

    @property
    def is_over(self) -> bool:
        """Whether it can carry no more calls."""
        return self._stream.ended is not None

    def run(self, call: TmuxCall) -> str:
        """Carry out a call and return what tmux printed.

        Raises:
            ConnectionClosedError: If the connection is closed, or was before the answer, or this
                call interrupts another one of its own thread.
            TmuxTimeoutError: If tmux gave no answer for too long.
            TmuxprimError: If tmux refused.
        """
        caller = threading.get_ident()
        if caller in self._callers:  # a signal handler's; a line of ours may be half written
            raise ConnectionClosedError("it is in use by the same thread", was_sent=False)
        asked = time.monotonic()
        if not self._turn.acquire(timeout=self._timeout):
            raise self._too_late(call)
        try:
            self._callers.add(caller)
            if not call.is_repeatable:
                self._catch_up()  # the client may have ended, and then nothing shall be sent
            pending = self._ask(call, asked)
            while not pending.is_done:
                self._let_read(pending, asked)
            return pending.result()
        except TmuxTimeoutError:
            if self._ends_in_silence:
                self._stream.end(SILENT)
                self._turn.notify_all()
            raise
        finally:
            self._callers.discard(caller)
            with suppress(RuntimeError):  # an interrupt came while another thread had it
                if self._is_closed.is_set():
                    self._turn.notify_all()
                self._turn.release()

    def close(self) -> None:
        """End the client when the calls that are under way have been answered."""
        self._is_closed.set()
        has_turn = self._turn.acquire(timeout=self._timeout)
        try:
            if has_turn:
                self._turn.wait_for(lambda: not self._callers, self._timeout)
            self._stream.end(_CLOSED)
        finally:
            if has_turn:
                self._turn.release()
        self._client.close()
        self._drain.join()

    def drain(self) -> None:
        """Read the client's output, unless a call waits for an answer anyway."""
        if self._turn.acquire(blocking=False):
            try:
                self._catch_up()
            finally:
                self._turn.release()

    def _catch_up(self) -> None:
        """Read what there is, unless another thread waits for it.

        That one waits in poll(2), which would not wake it for output that is read here.
        """
        if not self._is_being_read:
            self._drain_now()

    def _drain_now(self) -> None:
        while not self.is_over and self._take_in():
            pass

    def _take_in(self) -> bool:
        """Read once and feed the stream; return whether there was output."""
        is_answer = take(self._stream, self._client)
        if is_answer:
            self._heard = time.monotonic()
        return is_answer is not None

    def _ask(self, call: TmuxCall, asked: float) -> Pending:
        """Write the line of a call, whole."""
        if self._is_closed.is_set():
            raise ConnectionClosedError(_CLOSED, was_sent=False)
        try:
            pending = self._stream.ask(call)
            self._write(pending, asked)
        except BaseException:
            # A line that was written in part cannot be taken back.
            self._stream.end("a command was not written to its end")
            raise
        return pending

    def _write(self, pending: Pending, asked: float) -> None:
        line = rest = pending.line
        try:
            while rest:
                rest = self._client.write(rest, self._time_left(asked))
                if rest and self._time_left(asked) <= 0:
                    raise self._too_late(pending.call)
        except BrokenPipeError as error:
            self._drain_now()  # answers to other calls, and the reason of the end
            self._stream.end("the client ended")
            raise ConnectionClosedError("the client ended", was_sent=rest != line) from error

    def _let_read(self, pending: Pending, asked: float) -> None:
        """Read the client's next output, or wait until another thread has."""
        seconds = self._time_left(asked)
        if self._is_being_read:
            self._turn.wait(seconds)
            if not pending.is_done and self._time_left(asked) <= 0:
                raise self._too_late(pending.call)
            return
        self._is_being_read = True
        self._turn.release()
        try:
            self._client.wait_for_output(seconds)
        finally:
            self._turn.acquire()
            self._is_being_read = False
            self._turn.notify_all()
        if not self.is_over:
            self._take_in()
        if not pending.is_done and self._time_left(asked) <= 0:
            raise self._too_late(pending.call)

    def _time_left(self, asked: float) -> float:
        """Return how many seconds a call may still wait."""
        return max(asked, self._heard) + self._timeout - time.monotonic()

    def _too_late(self, call: TmuxCall) -> Exception:
        return no_answer(self._timeout, brief(call.redacted[0]))


def _drain(connection: "weakref.ref[Connection]", is_closed: threading.Event) -> None:
    """Read the output of an idle client once a second, until the connection is gone."""
    while not is_closed.wait(_DRAIN_EVERY):
        alive = connection()
        if alive is None:
            return
        alive.drain()
        del alive
