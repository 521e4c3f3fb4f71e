"""The transport that starts one tmux client for each command line.

It knows how to run a program and what the client's complaints mean, and nothing of panes.
"""

import os
import subprocess
from collections.abc import Mapping, Sequence

import attrs

from tmuxprim._errors import (
    PaneNotFoundError,
    TmuxCommandError,
    TmuxNotFoundError,
    TmuxprimError,
    TmuxServerError,
    TmuxTimeoutError,
)

_NO_SERVER = (
    *("no server running", "error connecting to", "lost server", "server exited"),
    # It runs, but its last pane has gone; so it is about to go, too.
    *("no current target", "no current session", "no sessions"),
)
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
            # run() kills and reaps the client when the time is up or an exception passes.
            done = subprocess.run(  # noqa: S603  # words, never a shell
                argv,
                input=stdin,
                capture_output=True,
                timeout=self.timeout,
                env=_without_tmux(os.environ),
                check=False,
            )
        except (FileNotFoundError, PermissionError) as error:
            raise TmuxNotFoundError(
                f"cannot run {argv[0]!r} ({error.strerror}): install tmux (Debian: apt install "
                "tmux, macOS: brew install tmux), or use FakeTerminal"
            ) from error
        except subprocess.TimeoutExpired as error:
            raise TmuxTimeoutError(
                f"tmux did not answer within {self.timeout:g} s; its client was ended. Is the "
                f"server stopped? The command was {argv}"
            ) from error
        if done.returncode != 0:
            raise _to_error(argv, done.returncode, done.stderr.decode(errors="replace"))
        return done.stdout.decode(errors="replace")


def was_leaving(error: TmuxServerError) -> bool:
    """Whether a server was there and went away, rather than none being there."""
    refusal = error.__cause__
    return isinstance(refusal, TmuxCommandError) and "server exited" in refusal.stderr


def _without_tmux(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a client that is told its socket and nothing else.

    Inside tmux these two would name a server and a current pane of their own.
    """
    return {key: value for key, value in environment.items() if key not in ("TMUX", "TMUX_PANE")}


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
