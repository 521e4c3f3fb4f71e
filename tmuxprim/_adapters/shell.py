"""`Shell`: a pane as a function from a text to its output."""

import threading
from typing import Final

import attrs

from tmuxprim._console import Console
from tmuxprim._engine.output import CommandResult
from tmuxprim._readiness.snapshot import Outcome, Readiness
from tmuxprim._values.short_repr import cut_repr
from tmuxprim.errors import TmuxprimError

# C-c, as a terminal sends it.
_INTERRUPT: Final = "\x03"

_TO_IT: Final = "the next text is typed to it, with Enter"
_AS_KEYS: Final = f"{_TO_IT} only for a line break at the end"
_OF_A_KEY: Final = f"the command waits for a key; {_AS_KEYS}"
_NOTES: Final = {
    Outcome.PROMPT: f"the command shows a prompt; {_TO_IT}",
    Outcome.CONTINUATION: f"the shell waits for the rest of the command; {_TO_IT}",
    Outcome.AWAITING_INPUT: f"the command waits for input; {_TO_IT}",
    Outcome.AWAITING_SECRET: f"the command waits for a secret; {_TO_IT}",
    Outcome.FULLSCREEN: f"the command has the whole screen, which is shown; {_AS_KEYS}",
    Outcome.STABLE: f"nothing changes any more, and the command may wait for input; {_TO_IT}",
    Outcome.EXITED: "the shell has ended",
    Outcome.TIMEOUT: "the command still runs; a blank text waits for it again, and \\x03 (C-c) "
    "interrupts it",
}
_NOT_TYPED: Final = "NOTHING WAS TYPED, because the command before has not ended"
_INEXACT: Final = "this may not be exactly the output: {}"


@attrs.frozen(kw_only=True)
class ShellReply:
    r"""The reply of a `Shell` to a text. ``str(reply)`` is the output and the note.

    Args:
        output: The text that is new since the reply before; for a full-screen program, the screen.
        exit_code: The exit status of the command; None while it has not ended, or if the shell
            does not report it.
        note: Why the command has not ended, and what the next text does; or why the output may not
            be exact. Empty if the command has ended and the output is exact.
        is_timeout: Whether the time was up.

    Examples:
        >>> terminal = FakeTerminal(programs={"sh": ScriptedShell({"make": after(60.0, "built")})})
        >>> shell = Shell(Console(terminal, terminal.open("sh")))
        >>> shell.execute("make", 30.0).is_timeout
        True
        >>> str(shell.execute("", 60.0))  # waits for it again
        'built\n'
    """

    output: str = attrs.field(default="", repr=cut_repr)
    exit_code: int | None = None
    note: str = attrs.field(default="", repr=cut_repr)
    is_timeout: bool = False

    def __str__(self) -> str:
        if not self.note:
            return self.output
        is_open = self.output and not self.output.endswith("\n")
        return f"{self.output}\n[{self.note}]" if is_open else f"{self.output}[{self.note}]"


class Shell:
    r"""A pane as a function from a text to its output, for a framework that knows no more.

    At a shell's prompt a text is a command. If the command asks something or shows its own prompt,
    the next text is typed there, with Enter. A program that reads single keys or has the whole
    screen gets an Enter only for a line break at the end of the text. A control character alone is
    a key, so no Enter follows ``"\x04"``, which is C-d. While a command works, nothing is typed: a
    blank text, which may be empty, waits for it again, and ``"\x03"``, which is C-c, interrupts it.
    The note of each reply says so to the model. The shell is asked for the exit status as by
    ``run(exit_status=True)``.

    Several threads may use one shell; their texts take turns.

    Args:
        console: The pane, with a shell in it.

    Examples:
        >>> asks = question("Continue? [y/N] ", lambda answer: "installed")
        >>> terminal = FakeTerminal(programs={"sh": ScriptedShell({"./install": asks})})
        >>> shell = Shell(Console(terminal, terminal.open("sh")))
        >>> print(shell.execute("./install"))
        Continue? [y/N]
        [the command waits for input; the next text is typed to it, with Enter]
        >>> reply = shell.execute("y")
        >>> reply.output, reply.exit_code
        ('y\ninstalled\n', 0)
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._last: CommandResult | None = None
        """The result of a command that has not ended."""
        self._told = ""
        """The output of it that the model knows."""
        self._turn = threading.Lock()

    def __repr__(self) -> str:
        return f"Shell({self._console!r})"

    def execute(self, text: str, timeout: float | None = 30.0) -> ShellReply:
        """Type a text, and return what is printed then.

        Args:
            text: A command, or the input for a command that has not ended.
            timeout: Longest wait, in seconds; None is for ever.

        Returns:
            The reply. An error, such as a pane that is gone, is its note.
        """
        with self._turn:
            try:
                return self._execute(text, timeout)
            except TmuxprimError as error:
                return ShellReply(note=f"error: {error}")

    def _execute(self, text: str, timeout: float | None) -> ShellReply:
        console, last = self._console, self._last
        if text == _INTERRUPT:
            console.interrupt(timeout)
            return self._reply(console.resume(timeout)) if last is not None else ShellReply()
        if last is None:
            return self._reply(console.run(text, timeout, exit_status=True))
        if last.readiness.outcome is not Outcome.TIMEOUT:
            is_key = len(text) == 1 and not text.isprintable()
            keys = is_key or _takes_keys(last.readiness)
            console.send(
                text.removesuffix("\n") if keys else text,
                enter=not keys or text.endswith("\n"),
            )
            return self._reply(console.resume(timeout))
        # Some frameworks refuse an empty text.
        if not text.strip():
            return self._reply(console.resume(timeout))
        before = self._reply(console.resume(0.0))
        if self._last is not None:
            return attrs.evolve(before, note=f"{_NOT_TYPED}: {before.note}")
        reply = self._reply(console.run(text, timeout, exit_status=True))
        return attrs.evolve(reply, output=before.output + reply.output)

    def _reply(self, result: CommandResult) -> ShellReply:
        readiness, told = result.readiness, self._told
        self._last = None if result.has_ended else result
        self._told = "" if result.has_ended else result.output
        inexact = "" if result.complete else _INEXACT.format(result.doubt)
        is_of_a_key = readiness.outcome is Outcome.AWAITING_INPUT and _takes_keys(readiness)
        unfinished = _OF_A_KEY if is_of_a_key else _NOTES[readiness.outcome]
        output = result.output.removeprefix(told)
        if readiness.screen.alternate:
            output, self._told = readiness.screen.text, told
        return ShellReply(
            output=output,
            exit_code=result.exit_status,
            note=inexact if result.has_ended else unfinished,
            is_timeout=readiness.outcome is Outcome.TIMEOUT,
        )


def _takes_keys(readiness: Readiness) -> bool:
    """Whether an Enter behind a text would be one key more."""
    is_asked = readiness.outcome is Outcome.AWAITING_INPUT
    reads_keys = is_asked and readiness.snapshot.facts.reads_single_keys
    return reads_keys or readiness.outcome is Outcome.FULLSCREEN
