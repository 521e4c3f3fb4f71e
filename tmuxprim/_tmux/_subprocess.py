"""The transport that starts one tmux client for each command line.

It knows how to run a program and what the client's complaints mean, and nothing of panes.
"""

import errno
import os
import select
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress

import attrs
from typing_extensions import override

from tmuxprim._errors import TmuxCommandError, TmuxNotFoundError, brief
from tmuxprim._refusals import no_answer
from tmuxprim._tmux._call import Call
from tmuxprim._tmux._command import chain
from tmuxprim._tmux._complaints import to_error
from tmuxprim._tmux._launch import Prefix
from tmuxprim._tmux._quiet import Quiet, quiet_of

_OF_TMUX = {"TMUX", "TMUX_PANE"}
_NO_PROGRAM = {errno.ENOENT, errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.ENOEXEC}


@attrs.frozen(eq=False)
class SubprocessTransport:
    """Runs tmux command lines, each in a process of its own.

    Args:
        prefix: The words before every command: launcher, tmux, its socket.
        timeout: Longest time for one call, in seconds; then the client is killed.
        quiet: Keeps calls from being news while a client in control mode attaches; None is what
            the terminals of this process share, of which another one may be in control mode.
    """

    prefix: Prefix
    timeout: float
    quiet: Quiet | None = None

    @property
    def name(self) -> str:
        """How calls are carried."""
        return "subprocess"

    def close(self) -> None:
        """Do nothing: no client outlives its call."""

    def run(self, call: Call) -> str:
        """Run one command line and return what it printed.

        Raises:
            TmuxNotFoundError: If there is no such program.
            TmuxTimeoutError: If it took too long.
            TmuxServerError: If no server answered.
            PaneNotFoundError: If its target does not exist.
            TmuxCommandError: If tmux refused it for another reason, or the words are too many.
        """
        if not call.is_news:
            return self._run(call)
        quiet = self.quiet or quiet_of(self.prefix)
        with quiet.news(self.timeout):
            return self._run(call)

    def _run(self, call: Call) -> str:
        argv = self.prefix.argv(*chain(*call.commands))
        try:
            status, stdout, stderr = self._carry_out(argv, call.stdin)
        except OSError as error:
            refuse_unless_runs(self.prefix, self._told(call), error)
            raise
        except subprocess.TimeoutExpired:
            # Python's own error repeats the whole command, and with it what was to be typed.
            raise no_answer(self.timeout, brief(self._told(call))) from None
        if status != 0:
            raise to_error(self._told(call), status, stderr.decode(errors="replace"))
        return stdout.decode(errors="replace")

    def _carry_out(self, argv: Sequence[str], stdin: bytes) -> tuple[int, bytes, bytes]:
        """Run a program and return its exit status and output; it never outlives the call."""
        pipe = subprocess.PIPE
        client = _Client(
            argv,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            env=environment(),
            # What ssh asks on our terminal nobody would answer in time, and killed at a password
            # it would leave the terminal without an echo. So it has none, and says what it lacks.
            start_new_session=self.prefix.is_by_ssh,
        )
        try:
            stdout, stderr = client.communicate(stdin, self.timeout)
        except:
            client.abandon()
            raise
        status = client.returncode or (self.prefix.is_local and _lost_status(stderr))
        return int(status), stdout, stderr

    def _told(self, call: Call) -> tuple[str, ...]:
        return self.prefix.argv(*chain(*call.told))


def refuse_unless_runs(prefix: Prefix, argv: tuple[str, ...], error: OSError) -> None:
    """Raise if a program is not there, or may not be run, or not with such words.

    Args:
        prefix: How tmux was to be started.
        argv: The whole command line, as an error may repeat it.
        error: What the operating system said.

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
            f"cannot run {argv[0]!r} ({error.strerror}): {advice}, or use FakeTerminal"
        ) from error


def kill(process: "subprocess.Popen[bytes]") -> None:
    """End a process and wait until it has ended.

    The kernel does not let us end another user's, as sudo's is: nobody waits for that one.
    """
    try:
        process.kill()
    except PermissionError:
        return
    process.wait()


def _lost_status(stderr: bytes) -> int:
    """Return the status of a client that nobody may ask for it, by whether it complained.

    A launcher may write there for other reasons, as ssh does of a key that it has not seen before.
    """
    is_lost = signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN
    return int(is_lost and bool(stderr))


class _Client(subprocess.Popen[bytes]):
    """A process for which waiting with a time limit is as prompt as without.

    The standard library asks whether the process has ended and, if not, sleeps for 1 ms before
    it asks again. A tmux client closes its output a moment before it ends, so nearly every call
    would take that millisecond. Linux wakes us when the process has ended (pidfd_open(2)).
    """

    @override
    def wait(self, timeout: float | None = None) -> int:
        if timeout is not None and self.returncode is None and hasattr(os, "pidfd_open"):
            # An older kernel, a sandbox or too many open files refuse it. By then the client has
            # done what it was told, so this must not be the error of the call.
            with suppress(OSError):
                timeout = None if _ends(self.pid, timeout) else 0.0
        return super().wait(timeout)

    def abandon(self) -> None:
        """End it in the middle of a call."""
        for pipe in filter(None, (self.stdin, self.stdout, self.stderr)):
            pipe.close()
        kill(self)


def _ends(process: int, seconds: float) -> bool:
    """Wait for a child to end, so many seconds at most; return whether it did.

    Raises:
        OSError: If this machine does not tell.
    """
    pidfd = os.pidfd_open(process)
    try:
        poll = select.poll()
        poll.register(pidfd, select.POLLIN)
        return bool(poll.poll(max(seconds, 0.0) * 1000))  # a negative time would be for ever
    finally:
        os.close(pidfd)


def environment() -> dict[str, str] | None:
    """Return the environment of a client that is told its socket and nothing else.

    Inside tmux two variables name a server and a current pane of their own. Where they are not
    set, the client inherits ours as it is, which is None here and cheaper than a copy.
    """
    if not _OF_TMUX & os.environ.keys():
        return None
    return {name: value for name, value in os.environ.items() if name not in _OF_TMUX}
