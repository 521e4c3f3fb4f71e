"""The transport that carries calls over one client in control mode."""

import os
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from tmuxprim._tmux.commands import TmuxCall
from tmuxprim._tmux.connection import (
    PANES,
    AttachedClient,
    Connection,
    NoControlModeError,
    connect,
    is_only_pane,
)
from tmuxprim._tmux.control import ConnectionClosedError
from tmuxprim._tmux.subprocess import SubprocessTransport
from tmuxprim._values.checks import no_answer
from tmuxprim.errors import TmuxprimError, TmuxServerError


class ControlMode:
    """The facts about a server that both transports over control mode share.

    Args:
        spawn: The transport that starts a client for each call.
        is_required: Whether the user asked for control mode by name. Then it attaches to any
            server, and warns where it cannot. Otherwise it attaches only where that is safe.
    """

    def __init__(self, spawn: SubprocessTransport, *, is_required: bool) -> None:
        self._spawn = spawn
        self._insists = is_required
        self._has_control_mode = True
        self._is_remote = not spawn.prefix.is_local

    @property
    def name(self) -> str:
        """How calls are carried now."""
        return "control" if self._has_control_mode else "subprocess"

    def _attach(self) -> AttachedClient | None:
        """Attach a client, as `connect` does; from the first refusal on, there is no control mode.

        Raises:
            TmuxTimeoutError: If the server does not answer.
        """
        try:
            return connect(self._spawn, is_required=self._insists)
        except NoControlModeError as error:
            self._has_control_mode = False
            if self._insists:
                warnings.warn(
                    f"no control mode, so each operation starts a tmux client of its own; {error}",
                    RuntimeWarning,
                    stacklevel=1,
                )
            return None


class ControlTransport(ControlMode):
    """Carries calls over one client in control mode.

    A call gets a client of its own if it has standard input, or opens a pane: from an attached
    client, tmux would take directory and PATH of the session that it is attached to. So do all
    calls while there is no session to attach to. The next call makes a closed connection anew. A
    call that was under way is repeated only if it does no harm to do it twice. A forked process
    leaves the client, and the answers that it gives, to its parent.
    """

    def __init__(self, spawn: SubprocessTransport, *, is_required: bool) -> None:
        super().__init__(spawn, is_required=is_required)
        self._drop()

    def _drop(self) -> None:
        """Forget the connection and the lock, which calls that are under way may still use."""
        self._connection: Connection | None = None
        self._lock = threading.Lock()
        self._process = os.getpid()

    def _drop_if_forked(self) -> None:
        if self._process != os.getpid():
            self._drop()

    def run(self, call: TmuxCall) -> str:
        """Carry out one call; errors as of `SubprocessTransport.run`."""
        try:
            return self._run(call)
        except TmuxprimError:
            raise
        except BaseException:
            # An interrupt may come between any two steps, even right after a lock was taken. Other
            # threads may go on with connection and lock; the next call makes new ones.
            self._drop()
            raise

    def _run(self, call: TmuxCall) -> str:
        self._drop_if_forked()
        if call.stdin or not self._has_control_mode:
            return self._spawn.run(call)
        connection = self._connection
        if connection is None or connection.is_over:
            # Also before a pane is opened: its program may end at once, and some tmux crash if that
            # happens while a client attaches.
            with self._alone() as lock:
                connection = self._connected(connection, lock)
                if connection is None and call.opens:
                    return self._spawn.run(call)
        if connection is None or call.opens:
            return self._spawn.run(call)
        try:
            if call.ends and is_only_pane(call.ends, connection.run(PANES)):
                with self._alone():
                    self._leave()
                    return self._spawn.run(call)
            return connection.run(call)
        except ConnectionClosedError as ended:
            refuse_if_unsure(call, ended)
            return self._spawn.run(call)

    def close(self) -> None:
        """End the client once the calls that are under way have been answered."""
        self._drop_if_forked()
        with self._lock:
            self._leave()

    def _leave(self) -> None:
        """End the client; the lock is held."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    @contextmanager
    def _alone(self) -> Iterator[threading.Lock]:
        """Hold the lock: no other thread attaches meanwhile, or begins or ends the first session.

        Raises:
            TmuxTimeoutError: If another thread holds it for too long.
        """
        lock = self._lock
        if not lock.acquire(timeout=self._spawn.timeout):
            raise no_answer(self._spawn.timeout, "attach-session in control mode")
        try:
            yield lock
        finally:
            lock.release()

    def _connected(self, seen: Connection | None, lock: threading.Lock) -> Connection | None:
        """Return the connection, made anew if it is still the one that was *seen* to be over."""
        if self._connection is not seen:
            return self._connection
        if seen is not None:
            seen.close()
        link = self._attach()
        made = None
        if link is not None:
            made = Connection(link, self._spawn.timeout, ends_in_silence=self._is_remote)
        if self._lock is lock:  # else an interrupt elsewhere has begun anew, without it
            self._connection = made
        return made


def refuse_if_unsure(call: TmuxCall, ended: ConnectionClosedError) -> None:
    """Raise if a call may have been carried out that must not be repeated.

    Raises:
        TmuxServerError: If so.
    """
    if ended.was_sent and not call.is_repeatable:
        raise TmuxServerError(
            f"the connection to tmux ended ({ended.reason}) before it answered; the command may or "
            "may not have been carried out: look at the pane before you repeat it"
        ) from ended
