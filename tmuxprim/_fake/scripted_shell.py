"""`ScriptedShell`: a shell whose commands follow a script."""

import re
import shlex
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import suppress
from typing import Final, TypeAlias

import attrs

from tmuxprim._fake.ready_programs import After, as_lines
from tmuxprim._fake.requests import Interrupted, Killed, ReadLine, Request, Run, Sleep, check_run
from tmuxprim._fake.tty import FakeTty, Program
from tmuxprim._values.ansi import strip_ansi
from tmuxprim._values.argument_types import check_type
from tmuxprim._values.shell_marks import report
from tmuxprim._values.short_repr import cut_repr

_Piece: TypeAlias = str | After | Program
Reply: TypeAlias = _Piece | Sequence[_Piece]
"""The reply of a scripted command: a text, work and a text, a program, or several of these."""

# The message of bash for a command that a signal has ended (strsignal(3)).
_DEATHS: Final = {3: "Quit", 6: "Aborted", 9: "Killed", 11: "Segmentation fault", 15: "Terminated"}
# `env NAME=value ...` before a command, which is looked up in the script without it.
_VARIABLES: Final = re.compile(r"\Aenv (?:[A-Za-z_]\w*=\S* )+")
_ASKS_STATUS: Final = ("echo $?", "echo $status")
# Exit statuses of a command that was not found, and of one that a signal has ended (sh(1)).
_NOT_FOUND: Final = 127
_OF_SIGNALS: Final = 128
_SIGINT: Final = 2
_EXIT_STATUS: Final = re.compile(r"-?[0-9]{1,9}")
_QUOTED: Final = re.compile(r"""\\.|'[^']*'|"(?:[^"\\`$]|\\.|\$(?![\w({?$!@*#-]))*\"""")
# Characters that are special to a shell outside of quotes, or open a quotation that does not end.
_SPECIAL: Final = re.compile(r"""[;&|<>()`'"\\]|\$[\w({?$!@*#-]|(?:^|\s)[~#]""")


def _nothing(_: str) -> None:
    """Return None: without *otherwise*, no other command is found."""


@attrs.frozen
class ScriptedShell:
    r"""A shell whose commands are scripted.

    ``exit`` ends it, and so does C-d at an empty prompt. C-c interrupts a command. A command that
    is not in the script is not found, as in a real shell. Lines are edited with the usual keys, and
    Up brings old lines back. A pasted text can be edited until Enter, as in bash. There is no job
    control: C-z does nothing.

    It understands words and quotes, so ``echo 'a  b'`` prints the text that a shell would print. It
    understands ``echo $?``: a program's exit status is the value that its generator returns, as
    with `crash`. A line with a ``;``, ``|``, ``$name`` or another special character is not found
    unless it is in the script. A pattern such as ``*`` is not expanded.

    Args:
        commands: The reply to each command line. Lines are compared without outer spaces, and
            without ``env NAME=value`` before a command.
        prompt: The prompt for a command.
        otherwise: Returns the reply to a line that is not in the script; None if the command is
            not found.
        bracketed_paste: Whether its line editor switches bracketed paste on, as that of bash does
            from 5.1 on. Without it, as in older shells, the raw output does not mark its end.

    Raises:
        TypeError: If a reply of the script is not one of the above.

    Examples:
        >>> shell = ScriptedShell({"ls": "a\nb", "sleep 3": after(3.0)})
        >>> terminal = FakeTerminal(programs={"sh": shell})
        >>> console = Console(terminal, terminal.open("sh"))
        >>> _ = console.send("sleep 3")
        >>> round(console.wait_ready().elapsed, 1)
        3.0
    """

    commands: Mapping[str, Reply] = attrs.field(
        factory=dict, repr=lambda commands: cut_repr(list(commands))
    )
    prompt: str = "$ "
    otherwise: Callable[[str], Reply | None] = attrs.field(default=_nothing, repr=False)
    bracketed_paste: bool = attrs.field(default=True, kw_only=True)
    _reports: bool = attrs.field(default=False, kw_only=True, repr=False, alias="_reports")

    def __attrs_post_init__(self) -> None:
        check_type("commands", self.commands, Mapping)
        for reply in self.commands.values():
            _pieces(reply)

    def __call__(self, tty: FakeTty) -> Run:
        """Run as a program."""
        status = number = 0
        while True:
            number += 1
            tty.write(report("D", number, str(status)) * self._reports)
            begins = report("A", number, f"status={status}") * self._reports
            try:
                typed = yield ReadLine(
                    raw=True,
                    pastes=self.bracketed_paste,
                    prompt=begins + self.prompt,
                )
                for text in typed.split("\n"):
                    line = text.strip()
                    if line.split()[:1] == ["exit"] and line not in self.commands:
                        return _status(line.removeprefix("exit").strip() or "0")
                    if line:
                        tty.write(report("C", number) * self._reports)
                        status = yield from self._carry_out(tty, line, status)
            except Interrupted:
                tty.write("" if tty.at_line_start else "\n")
                status = _OF_SIGNALS + _SIGINT
            except EOFError:
                tty.write("exit\n")
                return 0

    def reporting(self) -> "ScriptedShell":
        """Return the same shell with shell integration: it reports each command."""
        return attrs.evolve(self, _reports=True)

    def _carry_out(self, tty: FakeTty, line: str, status: int) -> Generator[Request, str, int]:
        """Carry out a command line behind one with a *status*, and return its own."""
        if line not in self.commands:
            line = f"echo {status}" if line in _ASKS_STATUS else _VARIABLES.sub("", line)
        reply = self.commands[line] if line in self.commands else self.otherwise(line)
        words = None if _SPECIAL.search(_QUOTED.sub("q", line)) else shlex.split(line)
        if reply is not None:
            try:
                with tty.foreground(line.split()[0]), suppress(EOFError):
                    return (yield from _reply(tty, reply))
            except Killed as death:
                tty.write(f"{_DEATHS.get(death.signal, f'Signal {death.signal}')}\n")
                return _OF_SIGNALS + death.signal
        return _builtin(tty, words or [line])


def _builtin(tty: FakeTty, words: list[str]) -> int:
    """Carry out a command of the shell itself, and return its exit status."""
    if words[0] == "echo":
        tty.write(_echo(words[1:]))
    elif words == ["clear"]:
        tty.write("\x1b[H\x1b[2J\x1b[3J")
    else:
        tty.write(f"sh: {words[0]}: not found\n")
        return _NOT_FOUND
    return 0


def _reply(tty: FakeTty, reply: Reply) -> Generator[Request, str, int]:
    status = 0
    for piece in _pieces(reply):
        status = 0
        if callable(piece):
            status = (yield from check_run(piece(tty), piece)) or 0
            continue
        if isinstance(piece, After):
            yield Sleep(piece.seconds)
        text = piece.text if isinstance(piece, After) else piece
        # A sequence that only controls the terminal, such as one that sets the title, ends no line.
        tty.write(as_lines(text) if strip_ansi(text) else text)
    return status


def _pieces(reply: Reply) -> Sequence[_Piece]:
    if isinstance(reply, Sequence) and not isinstance(reply, str | bytes):
        return [_checked(piece) for piece in reply]
    return (_checked(reply),)


def _checked(piece: _Piece) -> _Piece:
    if isinstance(piece, str | After) or callable(piece):
        return piece
    raise TypeError(
        "a command prints a text, works with after(seconds), runs a program, or does a list of "
        f"these; got {piece!r}"
    )


def _status(text: str) -> int:
    """Return the exit status for the argument of ``exit``; 2 if it is not a number, as in bash."""
    return int(text) % 256 if _EXIT_STATUS.fullmatch(text) else 2


def _echo(words: list[str]) -> str:
    is_line = words[:1] != ["-n"]
    return " ".join(words if is_line else words[1:]) + "\n" * is_line
