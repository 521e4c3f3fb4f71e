"""One client of tmux for each call."""

import errno
import os
import re
import select
import subprocess
import time
import warnings
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import attrs
from typing_extensions import override

from tmuxprim._tmux.answers import not_connected, to_error
from tmuxprim._tmux.commands import STARTED_BY, Marked, TmuxCall, Words, call, chain, marked
from tmuxprim._tmux.launch import Prefix
from tmuxprim._values.checks import no_answer
from tmuxprim.errors import (
    Advice,
    TmuxCommandError,
    TmuxNotFoundError,
    TmuxprimError,
    TmuxServerError,
    brief,
)

# Reads the commands from its standard input, which tmux 3.0 does not.
_READ_STDIN: Final = ("source-file", "-")
_NO_STDIN: Final = "-: No such file"
# What run-shell prints of a command that failed.
_SHELL_FAILED: Final = re.compile(r"^'.*' (?:returned|terminated by signal) \d+$", re.MULTILINE)
# The mark of a call that is no secret.
_DONE: Final = "tmuxprim: done"
_ASKS: Final = call(("list-sessions", "-F", ""))
_LIST_HOOKS: Final = call(("show-hooks", "-g"))
# A line of that list is as ``after-new-session[0] run-shell x``.
_HOOK: Final = re.compile(r"^after-([a-z-]+)\S* .+$", re.MULTILINE)
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
    _secret: str = attrs.field(init=False, factory=lambda: f"tmuxprim-{os.urandom(8).hex()}")
    _has_told: bool = attrs.field(init=False, default=False)

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
                there is a server that nobody can reach.
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
        # An argument list may be shown in a pane, and a mark in it is none that is looked for.
        marks = marked(call, _DONE if call.is_repeatable else self._secret)
        words = chain(*marks.call.commands)
        if call.is_repeatable:
            return self._start(call, words, call.stdin, marks)
        # Keys may be secret, which others can read in an argument list, or too long for one.
        try:
            start = ("start-server", ";") if call.opens else ()
            line = f"{marks.call.line}\n".encode()
            return self._start(call, (*start, *_READ_STDIN), line, marks)
        except TmuxCommandError as error:
            if _NO_STDIN not in error.stderr:
                raise
            # tmux 3.0, which has done nothing yet
            return self._start(call, words, call.stdin, marks)

    def _start(self, call: TmuxCall, words: Words, stdin: bytes, marks: Marked) -> str:
        """Start a client with these words and this input; return what it printed."""
        variables = () if call.client_id is None else (f"{STARTED_BY}={call.client_id}",)
        argv = self.prefix.argv(*words, variables=variables)
        try:
            status, stdout, stderr = self._carry_out(argv, stdin, variables)
        except OSError as error:
            refuse_unless_runs(self.prefix, self._redacted(call), error)
            raise
        except subprocess.TimeoutExpired:
            # Python's own error repeats the whole command, and with it what was to be typed.
            raise no_answer(self.timeout, brief(self._redacted(call))) from None
        said, printed = stderr.decode(errors="replace"), stdout.decode(errors="replace")
        answer, is_whole = marks.split(printed)
        has_printed = call.is_reading and status != 0 and not said
        if has_printed and (failed := _SHELL_FAILED.search(printed)):
            # Most versions of tmux print that, so the parts cannot be told apart.
            why = f"a hook of yours, {failed[0]}, prints into the answer (tmux show-hooks -g)"
            raise TmuxCommandError(self._redacted(call), status, why)
        if is_whole:
            self._tell_of_hook(call, status)
            return answer
        if status != 0 or (said and self.prefix.is_local):  # ssh writes there for other reasons
            raise to_error(self._redacted(call), status, said)
        return answer

    def _tell_of_hook(self, call: TmuxCall, status: int) -> None:
        """Tell once of a hook that fails, where all was done nevertheless."""
        if status != 0 and not self._has_told:
            self._has_told = True
            hooks = "; ".join(self._hooks(call)) or "'tmux show-hooks' lists them"
            warnings.warn(
                f"all was done, but a hook of yours failed with exit status {status}: {hooks}",
                RuntimeWarning,
                stacklevel=1,
            )

    def _hooks(self, call: TmuxCall) -> list[str]:
        """Return the user's hooks that the commands of a call run, as tmux lists them."""
        with suppress(TmuxprimError):
            commands = f"display-message {call.line}"  # the mark's, too
            listed = _HOOK.finditer(self.run(_LIST_HOOKS))
            return [hook[0] for hook in listed if hook[1] in commands]
        return []

    def _carry_out(
        self, argv: Sequence[str], stdin: bytes, variables: Sequence[str]
    ) -> tuple[int, bytes, bytes]:
        """Run a program and return its exit status and output; it never outlives the call."""
        pipe = subprocess.PIPE
        client = _Client(
            argv,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            env=environment(variables),
            # Nobody would answer in time what ssh asks on our terminal, and killed at a password
            # prompt it would leave the echo off. Without a terminal it fails with a message.
            start_new_session=self.prefix.is_by_ssh,
        )
        try:
            stdout, stderr = client.communicate(stdin, self.timeout)
        except:
            client.abandon()
            raise
        return client.returncode, stdout, stderr

    def _redacted(self, call: TmuxCall) -> tuple[str, ...]:
        return self.prefix.argv(*chain(*call.redacted))


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
    inherited = {name: value for name, value in os.environ.items() if name not in _OF_TMUX}
    return inherited | dict(variable.split("=", 1) for variable in variables)
