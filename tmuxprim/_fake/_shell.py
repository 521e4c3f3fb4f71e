"""`ScriptedShell`: a shell whose commands do what a script says."""

import re
from collections.abc import Generator, Mapping
from contextlib import suppress
from typing import Final, TypeAlias

import attrs

from tmuxprim._ansi import strip_ansi
from tmuxprim._fake._programs import After, as_lines, remember
from tmuxprim._fake._requests import Interrupted, Killed, ReadLine, Request, Run, Sleep
from tmuxprim._fake._tty import FakeTty, Program

Reply: TypeAlias = "str | After | list[str | After] | Program"
"""What a scripted command does: print, work and print, several of these, or run a program."""

# What bash says of a command that a signal has ended (strsignal(3)).
_DEATHS: Final = {6: "Aborted", 9: "Killed", 11: "Segmentation fault", 15: "Terminated"}
# `env NAME=value ...` before a command, which does the same with them.
_VARIABLES: Final = re.compile(r"env (?:[A-Za-z_]\w*=\S* )+")
_BUILT_IN: Final = ("clear", "echo", "exit")


@attrs.frozen
class ScriptedShell:
    r"""Is a shell whose commands are scripted.

    ``exit`` ends it, C-c interrupts a command, C-d at an empty prompt ends it, too. Any other
    command that is not in the script is not found, as in a real shell. Lines are edited with
    the usual keys, Up brings old ones back, and Tab completes what is in the script.

    Args:
        commands: What each command line does; lines are compared without outer spaces, and without
            ``env NAME=value`` before a command.
        prompt: What it shows when it wants a command.

    Examples:
        >>> shell = ScriptedShell({"ls": "a\nb", "sleep 3": after(3.0)})
        >>> terminal = FakeTerminal(programs={"sh": shell})
        >>> console = Console(terminal, terminal.open("sh"))
        >>> _ = console.send("sleep 3")
        >>> round(console.wait_ready().elapsed, 1)
        3.0
    """

    commands: Mapping[str, Reply] = attrs.field(factory=dict)
    prompt: str = "$ "

    def __call__(self, tty: FakeTty) -> Run:
        """Run as a program."""
        history: tuple[str, ...] = ()
        names = tuple(sorted({*self.commands, *_BUILT_IN}))
        while True:
            try:
                typed = yield ReadLine(
                    raw=True, prompt=self.prompt, history=history, completions=names
                )
                line = typed.strip()
                history = remember(history, typed)
                if line == "exit":
                    return 0
                if line:
                    yield from self._carry_out(tty, line)
            except Interrupted:
                tty.write("" if tty.at_line_start else "\n")
            except EOFError:
                return 0

    def _carry_out(self, tty: FakeTty, line: str) -> Generator[Request, str, None]:
        line = line if line in self.commands else _VARIABLES.sub("", line)
        name, _, rest = line.partition(" ")
        if line in self.commands:
            try:
                with tty.foreground(name), suppress(EOFError):
                    yield from _reply(tty, self.commands[line])
            except Killed as death:
                tty.write(f"{_DEATHS.get(death.signal, f'Signal {death.signal}')}\n")
        elif name == "echo":
            tty.write(f"{rest}\n")
        elif name == "clear":
            tty.write("\x1b[H\x1b[2J\x1b[3J")
        else:
            tty.write(f"sh: {name}: not found\n")


def _reply(tty: FakeTty, reply: Reply) -> Generator[Request, str, None]:
    if callable(reply):
        yield from reply(tty)
        return
    for piece in reply if isinstance(reply, list) else [reply]:
        if isinstance(piece, After):
            yield Sleep(piece.seconds)
        text = piece.text if isinstance(piece, After) else piece
        tty.write(text if _prints_nothing(text) else as_lines(text))


def _prints_nothing(text: str) -> bool:
    """Whether a text only controls the terminal, such as one that sets its title."""
    return not strip_ansi(text)
