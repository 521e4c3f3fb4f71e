"""One client of tmux for each call."""

import errno
import os
import select
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import attrs
from typing_extensions import override

from tmuxprim._engine.plan import carry_out
from tmuxprim._tmux.answers import not_connected
from tmuxprim._tmux.commands import TmuxCall, call
from tmuxprim._tmux.invocation import Finished, Invocation, Invocations
from tmuxprim._tmux.launch import Prefix
from tmuxprim._values.checks import no_answer
from tmuxprim.errors import (
    Advice,
    TmuxCommandError,
    TmuxNotFoundError,
    TmuxServerError,
    brief,
)

_ASKS: Final = call(("list-sessions", "-F", ""))
_OF_TMUX = {"TMUX", "TMUX_PANE"}
# Longest time for a process that was killed to end, in seconds.
_DYING: Final = 1.0
_NO_PROGRAM = {errno.ENOENT, errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.ENOEXEC}


@attrs.define(eq=False)
class SubprocessTransport:
    """Runs tmux command lines, each in a process of its own.

    Args:
        prefix: The words before every command: launcher, tmux, its socket.
        timeout: Longest time for one call, in seconds; then the client is killed.
    """

    prefix: Prefix
    timeout: float
    _invocations: Invocations = attrs.field(init=False)

    @_invocations.default
    def _with_prefix(self) -> Invocations:
        return Invocations(self.prefix)

    @property
    def name(self) -> str:
        """How calls are carried."""
        return "subprocess"

    def close(self) -> None:
        """Do nothing: no client outlives its call."""

    def run(self, call: TmuxCall) -> str:
        """Run one command line and return what it printed.

        Raises:
            TmuxNotFoundError: If there is no such program.
            TmuxTimeoutError: If it took too long.
            TmuxServerError: If no server answered.
            PaneNotFoundError: If its target does not exist.
            TmuxCommandError: If tmux refused it for another reason, the words are too many, or
                there is a server that cannot be reached.
        """
        if call.opens and self.prefix.socket and not os.path.lexists(self.prefix.socket):
            self._wake_before_opening()
        until = time.monotonic() + self.timeout
        while True:
            try:
                return self._run(call)
            except TmuxServerError as error:
                # It may lose its socket for a moment again, when another process also wakes it.
                is_lost = self.prefix.socket and not_connected(error)
                if not is_lost or time.monotonic() >= until or not self._has_server():
                    raise

    def _wake_before_opening(self) -> None:
        """Wake a server that has lost its socket: a client that opens would start a second one."""
        from tmuxprim._tmux.lost import servers_on  # noqa: PLC0415  # few need it

        if servers_on(self.prefix.socket):
            # This client starts none. It also makes the directory again if that was removed.
            with suppress(TmuxServerError):
                self.run(_ASKS)

    def _has_server(self) -> bool:
        """Whether a server of this machine can be reached; one that lost its socket is woken."""
        from tmuxprim._tmux.lost import UnreachableError, is_back  # noqa: PLC0415  # as above

        try:
            return is_back(self.prefix.socket, self.timeout)
        except UnreachableError as lost:
            raise TmuxCommandError(self.prefix.argv(), 1, str(lost)) from lost

    def _run(self, call: TmuxCall) -> str:
        return carry_out(self._invocations.run(call), self._perform)

    def _perform(self, invocation: Invocation) -> Finished:
        """Run a client and return how it ended; it never outlives the call."""
        pipe = subprocess.PIPE
        try:
            client = _Client(
                invocation.argv,
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                env=environment(invocation.variables),
                # A question of ssh on our terminal would hardly be answered in time. Killed at its
                # password prompt, ssh would leave the echo off. Without a terminal it fails with a
                # message.
                start_new_session=self.prefix.is_by_ssh,
            )
        except OSError as error:
            refuse_unless_runs(self.prefix, invocation.redacted, error)
            raise
        try:
            stdout, stderr = self._communicate(client, invocation.stdin)
        except subprocess.TimeoutExpired:
            # Python's own error repeats the whole command, and with it what was to be typed.
            raise no_answer(self.timeout, brief(invocation.redacted)) from None
        return Finished(client.returncode, stdout, stderr)

    def _communicate(self, client: "_Client", stdin: bytes) -> tuple[bytes, bytes]:
        try:
            return client.communicate(stdin, self.timeout)
        except:
            client.abandon()
            raise


def refuse_unless_runs(prefix: Prefix, argv: tuple[str, ...], error: OSError) -> None:
    """Raise if a program is not there, or may not be run, or not with such words.

    Raises:
        TmuxNotFoundError: If there is no such program.
        TmuxCommandError: If the words are too many.
    """
    if error.errno == errno.E2BIG:
        # As tmux says itself of words that its client gets and does not take.
        raise TmuxCommandError(argv, 1, "command too long") from error
    if error.errno in _NO_PROGRAM:
        tmux = "install tmux (Debian: apt install tmux, macOS: brew install tmux)"
        advice = "install it, or give another launcher" if prefix.launcher else tmux
        raise TmuxNotFoundError(
            f"cannot run {argv[0]!r} ({error.strerror}): {advice}", advice=Advice.USE_FAKE
        ) from error


def kill(process: "subprocess.Popen[bytes]") -> None:
    """End a process and wait a while until it has ended.

    We may not end another user's process, such as one of sudo's, so it is not waited for. One that
    sleeps in the kernel, on a network disk for instance, ends only when it wakes up.
    """
    try:
        process.kill()
    except PermissionError:
        return
    with suppress(subprocess.TimeoutExpired):
        process.wait(_DYING)


class _Client(subprocess.Popen[bytes]):
    """A process for which waiting with a time limit is as prompt as without.

    The standard library asks whether the process has ended and, if not, sleeps for 1 ms before
    it asks again. A tmux client closes its output a moment before it ends, so nearly every call
    would take that millisecond. Linux wakes us when the process has ended (pidfd_open(2)).
    """

    @override
    def wait(self, timeout: float | None = None) -> int:
        if timeout is not None and self.returncode is None and hasattr(os, "pidfd_open"):
            # An older kernel, a sandbox or too many open files refuse it. The client has done its
            # work by then, so that must not become the error of the call.
            with suppress(OSError):
                timeout = None if _ends(self.pid, timeout) else 0.0
        return super().wait(timeout)

    def abandon(self) -> None:
        """End it in the middle of a call."""
        for pipe in filter(None, (self.stdin, self.stdout, self.stderr)):
            pipe.close()
        kill(self)


def _ends(process: int, seconds: float) -> bool:
    """Wait for a child to end, *seconds* at most; return whether it did.

    Raises:
        OSError: If pidfd_open(2) fails.
    """
    pidfd = os.pidfd_open(process)
    try:
        poll = select.poll()
        poll.register(pidfd, select.POLLIN)
        return bool(poll.poll(max(seconds, 0.0) * 1000))  # a negative time would be for ever
    finally:
        os.close(pidfd)


def environment(variables: Sequence[str] = ()) -> dict[str, str] | None:
    """Return the environment of a client, without the variables that tmux sets in its panes.

    They name a server and a current pane, which would count more than our socket. *Variables* are
    added, as ``NAME=value``. None is our own environment as it is, which is cheaper than a copy.
    """
    if not variables and not _OF_TMUX & os.environ.keys():
        return None
    names = os.environ.keys() - _OF_TMUX
    # Another thread may remove a variable between the two looks.
    inherited = {name: value for name in names if (value := os.environ.get(name)) is not None}
    return inherited | dict(variable.split("=", 1) for variable in variables)
