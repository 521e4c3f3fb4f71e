"""The transport that starts one tmux client for each command line.

It knows how to run a program and what the client's complaints mean, and nothing of panes.
"""

import os
import select
import subprocess
from collections.abc import Sequence

import attrs
from typing_extensions import override

from tmuxprim._errors import (
    PaneNotFoundError,
    TmuxCommandError,
    TmuxNotFoundError,
    TmuxprimError,
    TmuxServerError,
    brief,
)
from tmuxprim._refusals import no_answer

_NO_SERVER = (
    *("no server running", "error connecting to", "lost server", "server exited"),
    # It runs, but its last pane has gone; so it is about to go, too.
    *("no current target", "no current session", "no sessions"),
)
_OF_TMUX = {"TMUX", "TMUX_PANE"}
_NO_PANE = ("can't find pane", "can't find window", "can't find session", "no such pane")


@attrs.frozen
class SubprocessTransport:
    """Runs tmux command lines, each in a process of its own.

    Args:
        prefix: The words before every command: launcher, tmux, its socket.
        timeout: Longest time for one call, in seconds; then the client is killed.
    """

    prefix: tuple[str, ...]
    timeout: float

    def run(self, words: Sequence[str], *, stdin: bytes = b"") -> str:
        """Run one command line and return what it printed.

        Raises:
            TmuxNotFoundError: If there is no such program.
            TmuxTimeoutError: If it took too long.
            TmuxServerError: If no server answered.
            PaneNotFoundError: If its target does not exist.
            TmuxCommandError: If tmux refused it for another reason.
        """
        argv = (*self.prefix, *words)
        try:
            status, stdout, stderr = _run(argv, stdin, self.timeout)
        except (FileNotFoundError, PermissionError) as error:
            raise TmuxNotFoundError(
                f"cannot run {argv[0]!r} ({error.strerror}): install tmux (Debian: apt install "
                "tmux, macOS: brew install tmux), or use FakeTerminal"
            ) from error
        except subprocess.TimeoutExpired as error:
            raise no_answer(self.timeout, brief(argv)) from error
        if status != 0:
            raise _to_error(argv, status, stderr.decode(errors="replace"))
        return stdout.decode(errors="replace")


def _run(argv: Sequence[str], stdin: bytes, timeout: float) -> tuple[int, bytes, bytes]:
    """Run a program and return its exit status and output; it never outlives the call."""
    pipe = subprocess.PIPE
    with _Client(argv, stdin=pipe, stdout=pipe, stderr=pipe, env=_environment()) as client:
        try:
            stdout, stderr = client.communicate(stdin, timeout)
        except:
            client.kill()  # and leaving the block reaps it
            raise
        return client.returncode, stdout, stderr


class _Client(subprocess.Popen[bytes]):
    """A process for which waiting with a time limit is as prompt as without.

    The standard library asks whether the process has ended and, if not, sleeps for 1 ms before
    it asks again. A tmux client closes its output a moment before it ends, so nearly every call
    would take that millisecond. Linux wakes us when the process has ended (pidfd_open(2)).
    """

    @override
    def wait(self, timeout: float | None = None) -> int:
        if timeout is not None and self.returncode is None and hasattr(os, "pidfd_open"):
            pidfd = os.pidfd_open(self.pid)
            try:
                poll = select.poll()
                poll.register(pidfd, select.POLLIN)
                timeout = None if poll.poll(timeout * 1000) else 0.0
            finally:
                os.close(pidfd)
        return super().wait(timeout)


def was_leaving(error: TmuxServerError) -> bool:
    """Whether a server was there and went away, rather than none being there."""
    refusal = error.__cause__
    return isinstance(refusal, TmuxCommandError) and "server exited" in refusal.stderr


def _environment() -> dict[str, str] | None:
    """Return the environment of a client that is told its socket and nothing else.

    Inside tmux two variables name a server and a current pane of their own. Where they are not
    set, the client inherits ours as it is, which is None here and cheaper than a copy.
    """
    if not _OF_TMUX & os.environ.keys():
        return None
    return {name: value for name, value in os.environ.items() if name not in _OF_TMUX}


def _to_error(argv: tuple[str, ...], status: int, stderr: str) -> TmuxprimError:
    said = stderr.strip()
    refusal = TmuxCommandError(argv, status, stderr)
    error: TmuxprimError = refusal
    if any(words in said for words in _NO_SERVER):
        error = TmuxServerError(
            f"there is no tmux server with a pane ({said}); Terminal.open() starts one. If one "
            "does run, the tmux client may be too old for it"
        )
    elif any(words in said for words in _NO_PANE):
        error = PaneNotFoundError(f"tmux: {said}; Terminal.panes() lists the panes there are")
    if error is not refusal:
        error.__cause__ = refusal
    return error
