"""A call of tmux as runs of its client: what to start, and what its answer means."""

import os
import re
import warnings
from collections.abc import Generator
from contextlib import suppress
from typing import Final, NamedTuple, TypeAlias, TypeVar

import attrs

from tmuxprim._tmux.answers import to_error
from tmuxprim._tmux.beside import Printed
from tmuxprim._tmux.commands import STARTED_BY, Marked, TmuxCall, Words, call, chain, marked
from tmuxprim._tmux.launch import Prefix
from tmuxprim.errors import TmuxCommandError, TmuxprimError

T = TypeVar("T")

# Reads the commands from its standard input, which tmux 3.0 does not.
_READ_STDIN: Final = ("source-file", "-")
_NO_STDIN: Final = "-: No such file"
# What run-shell prints of a command that failed.
_SHELL_FAILED: Final = re.compile(r"^'.*' (?:returned|terminated by signal) \d+$", re.MULTILINE)
# The mark of a call that is no secret.
_DONE: Final = "tmuxprim: done"
_LIST_HOOKS: Final = call(("show-hooks", "-g"))
# A line of that list is as ``after-new-session[0] run-shell x``.
_HOOK: Final = re.compile(r"^after-([a-z-]+)\S* .+$", re.MULTILINE)


class Invocation(NamedTuple):
    """One run of a tmux client.

    Args:
        call: What it is for.
        argv: The whole command line.
        stdin: What it reads from its standard input.
        variables: What it has in its environment, as ``NAME=value``. For another machine they are
            in the command line as well.
        prefix: The words before every command.
    """

    call: TmuxCall
    argv: tuple[str, ...]
    stdin: bytes
    variables: tuple[str, ...]
    prefix: Prefix

    @property
    def redacted(self) -> tuple[str, ...]:
        """The command line as an error may quote it."""
        return self.prefix.argv(*chain(*self.call.redacted))


class Finished(NamedTuple):
    """How a run ended: its exit status and output."""

    exit_status: int
    stdout: bytes
    stderr: bytes


Runs: TypeAlias = Generator[Invocation, Finished, T]
"""Runs of a client, one after another: each yield returns how it ended."""


@attrs.define(eq=False)
class Invocations:
    """Turns calls into runs of a client, for every transport that starts one for each call.

    Args:
        prefix: The words before every command: launcher, tmux, its socket.
    """

    prefix: Prefix
    _secret: str = attrs.field(init=False, factory=lambda: f"tmuxprim-{os.urandom(8).hex()}")
    _has_warned: bool = attrs.field(init=False, default=False)

    def run(self, call: TmuxCall) -> Runs[str]:
        """Carry out one call and return what tmux printed.

        Raises:
            TmuxNotFoundError: If there is no such program.
            TmuxServerError: If no server answered.
            PaneNotFoundError: If its target does not exist.
            TmuxCommandError: If tmux refused it for another reason.
        """
        # The mark tells the answer from output. In an argument list, which a pane may show (ps(1)),
        # it is a fixed word: a secret one goes through stdin only.
        marks = marked(call, _DONE if call.is_repeatable else self._secret)
        words = chain(*marks.call.commands)
        if call.is_repeatable:
            return (yield from self._start(call, words, call.stdin, marks))
        # Keys may be secret, which others can read in an argument list, or too long for one.
        try:
            start = ("start-server", ";") if call.opens else ()
            line = f"{marks.call.line}\n".encode()
            return (yield from self._start(call, (*start, *_READ_STDIN), line, marks))
        except TmuxCommandError as error:
            if _NO_STDIN not in error.stderr:
                raise
            # tmux 3.0 cannot read its commands from stdin, and has done nothing yet.
            return (yield from self._start(call, words, call.stdin, marks))

    def _start(self, call: TmuxCall, words: Words, stdin: bytes, marks: Marked) -> Runs[str]:
        """Start a client with these words and this input; return what it printed."""
        variables = () if call.client_id is None else (f"{STARTED_BY}={call.client_id}",)
        argv = self.prefix.argv(*words, variables=variables, by=call.by)
        invocation = Invocation(call, argv, stdin, variables, self.prefix)
        status, stdout, stderr = yield invocation
        said, text = stderr.decode(errors="replace"), stdout.decode(errors="replace")
        printed = Printed.split(text) if call.by else Printed("", text, "")
        answer, is_whole = marks.split(printed.answer)
        if call.is_reading and (hook := _failed_hook(status, said, printed.answer)):
            why = f"a hook of yours, {hook}, prints into the answer (tmux show-hooks -g)"
            raise TmuxCommandError(invocation.redacted, status, why)
        if is_whole:
            yield from self._warn_of_hook(call, status)
            return printed._replace(answer=answer).join() if call.by else answer
        if status != 0 or (said and self.prefix.is_local):  # ssh writes there for other reasons
            raise to_error(invocation.redacted, status, said)
        return answer

    def _warn_of_hook(self, call: TmuxCall, status: int) -> Runs[None]:
        """Warn once of a hook that fails, where all was done nevertheless."""
        if status != 0 and not self._has_warned:
            self._has_warned = True
            hooks = "; ".join((yield from self._hooks(call))) or "'tmux show-hooks' lists them"
            warnings.warn(
                f"all was done, but a hook of yours failed with exit status {status}: {hooks}",
                RuntimeWarning,
                stacklevel=1,
            )

    def _hooks(self, call: TmuxCall) -> Runs[list[str]]:
        """Return the user's hooks that the commands of a call run, as tmux lists them."""
        with suppress(TmuxprimError):
            commands = f"display-message {call.line}"  # which prints the mark
            listed = _HOOK.finditer((yield from self.run(_LIST_HOOKS)))
            return [hook[0] for hook in listed if hook[1] in commands]
        return []


def _failed_hook(status: int, said: str, printed: str) -> str:
    """Return the error of a hook's shell that is in the answer; empty if there is none."""
    # Most versions of tmux print it where the answer is, so that the two cannot be separated.
    failed = _SHELL_FAILED.search(printed) if status != 0 and not said else None
    return failed[0] if failed else ""
