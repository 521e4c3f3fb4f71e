"""The transport that carries calls over one client in control mode."""

import threading
import warnings

from tmuxprim._tmux.commands import Call
from tmuxprim._tmux.connection import PANES, Connection, UnfitError, connect, is_last_of
from tmuxprim._tmux.control import EndedError
from tmuxprim._tmux.subprocess import SubprocessTransport
from tmuxprim._values.checks import no_answer
from tmuxprim.errors import TmuxprimError, TmuxServerError


class ControlTransport:
    """Carries calls over one client in control mode.

    A call that needs a client of its own is carried by one (`needs_client`), and everything while
    there is no session to attach to. A connection that ended is made anew by the next call; a
    call that was under way is repeated only if that cannot do it twice.

    Args:
        spawn: What starts clients.
        insists: Whether control mode was asked for by its name: on any server, and with a warning
            where it is not to be had. Otherwise only servers get it to which attaching is safe.
    """

    def __init__(self, spawn: SubprocessTransport, *, insists: bool) -> None:
        self._spawn = spawn
        self._insists = insists
        self._is_fit = True
        self._drop()

    def _drop(self) -> None:
        """Leave the connection, and a lock that may be held, to the calls that are under way."""
        self._connection: Connection | None = None
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """How calls are carried now."""
        return "control" if self._is_fit else "subprocess"

    def run(self, call: Call) -> str:
        """Carry out one call; errors as of `SubprocessTransport.run`."""
        try:
            return self._run(call)
        except TmuxprimError:
            raise
        except BaseException:
            # An interrupt may come between any two steps, even with a lock just taken. Other
            # threads may go on with what there is; the next call takes nothing of it.
            self._drop()
            raise

    def _run(self, call: Call) -> str:
        # Also before a pane is opened that may end at once: a tmux could crash while we attach.
        connection = None if call.stdin else self._connected()
        if connection is None or needs_client(call):
            return self._spawn.run(call)
        try:
            if call.ends and is_last_of(call.ends, connection.run(PANES)):
                self.close()
                return self._spawn.run(call)
            return connection.run(call)
        except EndedError as ended:
            refuse_if_unsure(call, ended)
            return self._spawn.run(call)

    def close(self) -> None:
        """End the client once the calls that are under way have been answered."""
        with self._lock:
            connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _connected(self) -> Connection | None:
        """Return the connection, made anew if need be; None if there is none to be had."""
        connection = self._connection
        if connection is not None and not connection.is_over:
            return connection
        if not self._is_fit:
            return None
        lock = self._lock
        if not lock.acquire(timeout=self._spawn.timeout):  # another thread connects
            raise no_answer(self._spawn.timeout, "attach-session in control mode")
        try:
            if self._connection is not connection:
                return self._connection
            if connection is not None:
                connection.close()
            made = self._connect()
            if self._lock is lock:  # else an interrupt elsewhere has begun anew, without it
                self._connection = made
            return made
        finally:
            lock.release()

    def _connect(self) -> Connection | None:
        try:
            link = connect(self._spawn, insists=self._insists)
        except UnfitError as error:
            self._is_fit = False
            if self._insists:
                warn_of_unfit(error)
            return None
        if link is None:
            return None
        spawn = self._spawn
        is_far = not spawn.prefix.is_local
        return Connection(link, spawn.timeout, ends_in_silence=is_far)


def needs_client(call: Call) -> bool:
    """Whether only a client of its own can carry a call.

    Standard input is such a client's. A new session has the folder and the PATH of a client that
    is attached to nothing; for an attached one tmux would take those of its session.
    """
    return bool(call.stdin) or call.opens


def refuse_if_unsure(call: Call, ended: EndedError) -> None:
    """Raise if a call that must not be done twice may have been done.

    Raises:
        TmuxServerError: If so.
    """
    if ended.was_sent and not call.is_repeatable:
        raise TmuxServerError(
            f"the connection to tmux ended ({ended.reason}) before it answered; nobody knows "
            "whether it was done: look before you do it again"
        ) from ended


def warn_of_unfit(error: UnfitError) -> None:
    """Say that control mode is not to be had, and what is done without it."""
    warnings.warn(
        f"no control mode, so each operation starts a tmux client of its own; {error}",
        RuntimeWarning,
        stacklevel=2,
    )
