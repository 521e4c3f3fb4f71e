"""The transport that carries calls over one client in control mode."""

import os
import threading
import warnings
from contextlib import AbstractContextManager, nullcontext

import attrs

from tmuxprim._errors import TmuxCommandError, TmuxprimError, TmuxServerError
from tmuxprim._refusals import no_answer
from tmuxprim._tmux._attach import PANES, is_last_of
from tmuxprim._tmux._call import Call
from tmuxprim._tmux._connect import UnfitError, connect
from tmuxprim._tmux._connection import Connection
from tmuxprim._tmux._control import EndedError
from tmuxprim._tmux._quiet import quiet_of
from tmuxprim._tmux._receipt import Receipts
from tmuxprim._tmux._subprocess import SubprocessTransport


class ControlTransport:
    """Carries calls over one client in control mode.

    A call that needs a client of its own is carried by one (`needs_client`), and everything while
    there is no session to attach to. A connection that ended is made anew by the next call; a
    call that was under way is repeated only if that cannot do it twice. In a forked process the
    connection is still its parent's; the first call there makes another one. What a signal handler
    asks in the middle of a call is carried by a client of its own: that call, and with it whatever
    it holds, goes on only afterwards.

    Args:
        spawn: What starts clients.
        warns: Whether to warn where control mode is not to be had.
    """

    def __init__(self, spawn: SubprocessTransport, *, warns: bool) -> None:
        self._spawn = spawn
        self._warns = warns
        self._is_fit = True
        self._begin()

    def _begin(self) -> None:
        """Begin without a connection, in this process."""
        self._drop()
        self._callers: set[int] = set()
        self._spawn = attrs.evolve(self._spawn, quiet=quiet_of(self._spawn.prefix))
        self._process = os.getpid()

    def _drop(self) -> None:
        """Leave the connection, and a lock that may be held, to the calls that are under way."""
        self._connection: Connection | None = None
        self._lock = threading.Lock()

    def _stay_in_process(self) -> None:
        """Begin anew in a forked process: the connection is its parent's."""
        if self._process != os.getpid():
            self._begin()

    @property
    def name(self) -> str:
        """How calls are carried now."""
        return "control" if self._is_fit else "subprocess"

    def run(self, call: Call) -> str:
        """Carry out one call; errors as of `SubprocessTransport.run`."""
        self._stay_in_process()
        if self._is_in_a_call:
            return self._run_aside(call)
        callers, caller = self._callers, threading.get_ident()
        try:
            try:
                callers.add(caller)
                return self._run(call)
            finally:
                callers.discard(caller)
        except TmuxprimError:
            raise
        except BaseException:
            # An interrupt may come between any two steps, even with a lock just taken. Other
            # threads may go on with what there is; the next call takes nothing of it.
            self._begin()
            raise

    def _run_aside(self, call: Call) -> str:
        """Carry out what a signal handler asks in the middle of a call."""
        try:
            return self._spawn.run(call)
        except BaseException:
            # The handler may let it out into that call, between any two steps: as an interrupt.
            self._drop()
            raise

    @property
    def _is_in_a_call(self) -> bool:
        """Whether this thread is in the middle of a call already, as a signal handler is."""
        return threading.get_ident() in self._callers

    def _run(self, call: Call) -> str:
        # Also before a pane is opened that may end at once: tmux could crash while we attach.
        connection = None if call.stdin else self._connected()
        if connection is None or needs_client(call):
            return self._spawn.run(call)
        try:
            if call.ends and is_last_of(call.ends, connection.run(PANES)):
                self._end()
                return self._spawn.run(call)
            with self._told_of(call):
                return connection.run(call)
        except EndedError as ended:
            if has_receipt(ended, self._spawn):
                with self._lock:
                    connection.close()  # without its client the server does nothing more of it
                refuse_if_done(self._spawn, connection.receipts, ended)
            else:
                refuse_if_unsure(call, ended)
            return self._spawn.run(call)

    def _told_of(self, call: Call) -> AbstractContextManager[None]:
        """Return what keeps a call from being news while a client of another terminal attaches."""
        if self._spawn.quiet is None or not call.is_news:
            return nullcontext()
        return self._spawn.quiet.news(self._spawn.timeout)

    def close(self) -> None:
        """End the client; what a signal handler asks in the middle of a call, after that call."""
        self._stay_in_process()
        if self._is_in_a_call:
            self._drop()
            return
        self._end()

    def _end(self) -> None:
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
            link = connect(self._spawn)
        except UnfitError as error:
            self._is_fit = False
            if self._warns:
                warn_of_unfit(error)
            return None
        if link is None:
            return None
        spawn = self._spawn
        is_far = not spawn.prefix.is_local
        return Connection(link, spawn.timeout, spawn.quiet, ends_in_silence=is_far)


def needs_client(call: Call) -> bool:
    """Whether only a client of its own can carry a call.

    Standard input is such a client's. A new session has the folder and the PATH of a client that
    is attached to nothing; for an attached one tmux would take those of its session.
    """
    return bool(call.stdin) or call.opens


def has_receipt(ended: EndedError, spawn: SubprocessTransport) -> bool:
    """Whether the server can be asked if it did what it did not answer.

    A launcher may end sooner than what it launched, which would still carry it out.
    """
    return ended.was_sent and ended.number is not None and spawn.prefix.is_local


def refuse_if_done(spawn: SubprocessTransport, receipts: Receipts, ended: EndedError) -> None:
    """Raise if the server did a call that must not be done twice.

    Raises:
        TmuxServerError: If so, or if there is no server to ask.
    """
    try:
        answer = spawn.run(receipts.question)
    except TmuxCommandError:
        return  # the server holds no receipt
    if ended.number is not None and receipts.is_done(ended.number, answer):
        raise TmuxServerError(
            f"the connection to tmux ended ({ended.reason}) when it had been done and before "
            "it was answered: do not do it again"
        ) from ended


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
