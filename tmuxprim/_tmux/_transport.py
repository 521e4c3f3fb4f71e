"""The transports: what carries calls to a tmux server, and the choice among them."""

import threading
import warnings
from typing import Literal, Protocol, TypeAlias, get_args

from tmuxprim._errors import TmuxServerError
from tmuxprim._tmux._attach import is_last_of, panes_of
from tmuxprim._tmux._call import Call
from tmuxprim._tmux._connect import UnfitError, connect
from tmuxprim._tmux._connection import Connection
from tmuxprim._tmux._control import EndedError
from tmuxprim._tmux._launch import Prefix
from tmuxprim._tmux._subprocess import SubprocessTransport

TransportName: TypeAlias = Literal["subprocess", "control", "auto"]


class Transport(Protocol):
    """Carries calls to a tmux server and brings back what it printed."""

    @property
    def name(self) -> str:
        """How calls are carried now."""
        ...

    def run(self, call: Call) -> str:
        """Carry out one call."""
        ...

    def close(self) -> None:
        """End what runs; a later call starts it again."""
        ...


class ControlTransport:
    """Carries calls over one client in control mode.

    A call that needs a client of its own is carried by one: what is typed from standard input,
    and everything while there is no session to attach to. A connection that ended is made anew
    by the next call; a call that was under way is repeated only if that cannot do it twice.

    Args:
        spawn: What starts clients.
        warns: Whether to warn where control mode is not to be had.
    """

    def __init__(self, spawn: SubprocessTransport, *, warns: bool) -> None:
        self._spawn = spawn
        self._warns = warns
        self._is_fit = True
        self._connection: Connection | None = None
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """How calls are carried now."""
        return "control" if self._is_fit else "subprocess"

    def run(self, call: Call) -> str:
        """Carry out one call; errors as of `SubprocessTransport.run`."""
        connection = None if call.stdin else self._connected()
        if connection is None:
            return self._spawn.run(call)
        try:
            if call.ends and is_last_of(call.ends, connection.run(panes_of(connection.session))):
                self.close()
                return self._spawn.run(call)
            return connection.run(call)
        except EndedError as ended:
            refuse_if_unsure(call, ended)
            return self._spawn.run(call)

    def close(self) -> None:
        """End the client."""
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
        with self._lock:
            if self._connection is connection:
                if connection is not None:
                    connection.close()
                self._connection = self._connect()
            return self._connection

    def _connect(self) -> Connection | None:
        try:
            link = connect(self._spawn)
        except UnfitError as error:
            self._is_fit = False
            if self._warns:
                warn_of_unfit(error)
            return None
        return None if link is None else Connection(link, self._spawn.timeout)


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


def make_transport(name: TransportName, prefix: Prefix, timeout: float) -> Transport:
    """Return the transport of that name; see `TmuxTerminal`.

    Raises:
        ValueError: If there is none.
    """
    check_transport(name)
    spawn = SubprocessTransport(prefix, timeout)
    return spawn if name == "subprocess" else ControlTransport(spawn, warns=name == "control")


def check_transport(name: str) -> None:
    """Refuse a name of no transport.

    Raises:
        ValueError: If it is none.
    """
    names = get_args(TransportName)
    if name not in names:
        raise ValueError(f"a transport is one of {', '.join(names)}, got {name!r}")
