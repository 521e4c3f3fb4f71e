r"""Programs for a fake terminal: a shell with scripted commands, a REPL, questions, a pager.

Each is made by a call and is a `Program`: a generator function that is given its `FakeTty`.
Your own needs no more than that::

    def greeter(tty):
        tty.write("name? ")
        name = yield ReadLine()
        yield Sleep(2.0)
        tty.write(f"hello {name}\n")
"""

from collections.abc import Callable, Generator, Mapping
from contextlib import suppress
from typing import TypeAlias

import attrs

from tmuxprim._ansi import strip_ansi
from tmuxprim._fake._tty import (
    FakeTty,
    Interrupted,
    Program,
    ReadKey,
    ReadLine,
    Request,
    Run,
    Sleep,
)


@attrs.frozen
class After:
    """Is output that comes after a while.

    Args:
        seconds: How long the program works before, in virtual time.
        text: What it prints then.
    """

    seconds: float
    text: str = ""


def after(seconds: float, text: str = "") -> After:
    """Return output that comes after so many seconds of work."""
    return After(seconds, text)


Reply: TypeAlias = "str | After | list[str | After] | Program"
"""What a scripted command does: print, work and print, several of these, or run a program."""


def _reply(tty: FakeTty, reply: Reply) -> Generator[Request, str, None]:
    if callable(reply):
        yield from reply(tty)
        return
    for piece in reply if isinstance(reply, list) else [reply]:
        if isinstance(piece, After):
            yield Sleep(piece.seconds)
        text = piece.text if isinstance(piece, After) else piece
        tty.write(text if _prints_nothing(text) else _as_lines(text))


def _prints_nothing(text: str) -> bool:
    """Whether a text only controls the terminal, such as one that sets its title."""
    return not strip_ansi(text)


def _as_lines(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"


@attrs.frozen
class ScriptedShell:
    r"""Is a shell whose commands are scripted.

    ``exit`` ends it, C-c interrupts a command, C-d at an empty prompt ends it, too. Any other
    command that is not in the script is not found, as in a real shell.

    Args:
        commands: What each command line does; lines are compared without outer spaces.
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
        while True:
            tty.write(self.prompt)
            try:
                line = (yield ReadLine(raw=True)).strip()
                if line == "exit":
                    return 0
                if line:
                    yield from self._carry_out(tty, line)
            except Interrupted:
                tty.write("" if tty.display.cursor.column == 0 else "\n")
            except EOFError:
                return 0

    def _carry_out(self, tty: FakeTty, line: str) -> Generator[Request, str, None]:
        name, _, rest = line.partition(" ")
        if line in self.commands:
            with tty.foreground(name), suppress(EOFError):
                yield from _reply(tty, self.commands[line])
        elif name == "echo":
            tty.write(f"{rest}\n")
        elif name == "clear":
            tty.write("\x1b[H\x1b[2J\x1b[3J")
        else:
            tty.write(f"sh: {name}: not found\n")


def repl(answer: Callable[[str], str], *, prompt: str = ">>> ") -> Program:
    """Return a REPL that prints ``answer(line)`` for each line; C-d ends it."""

    def run(tty: FakeTty) -> Run:
        while True:
            tty.write(prompt)
            try:
                line = yield ReadLine(raw=True)
            except EOFError:
                return 0
            except Interrupted:
                tty.write("KeyboardInterrupt\n")
                continue
            tty.write(_as_lines(answer(line)))

    return run


def question(text: str, answer: Callable[[str], str] = lambda _: "") -> Program:
    """Return a program that asks for a line, prints ``answer(line)`` and ends."""

    def run(tty: FakeTty) -> Run:
        tty.write(text)
        line = yield ReadLine()
        tty.write(_as_lines(answer(line)))
        return 0

    return run


def password(text: str = "Password: ", answer: Callable[[str], str] = lambda _: "") -> Program:
    """Return a program that reads a line without showing it, and throws type-ahead away."""

    def run(tty: FakeTty) -> Run:
        tty.write(text)
        line = yield ReadLine(echo=False, flush=True)
        tty.write(f"\n{_as_lines(answer(line))}")
        return 0

    return run


def pager(text: str) -> Program:
    """Return a full-screen pager: Space for the next page, ``q`` to leave."""

    def run(tty: FakeTty) -> Run:
        lines, top = text.split("\n"), 0
        tty.write("\x1b[?1049h")
        while True:
            height = tty.display.grid.size.rows - 1
            page = "\n".join(lines[top : top + height])
            more = ":" if top + height < len(lines) else "(END)"
            tty.write(f"\x1b[H\x1b[2J{page}\x1b[{height + 1};1H{more}")
            key = yield ReadKey()
            if key == "q":
                tty.write("\x1b[?1049l")
                return 0
            if key == " " and top + height < len(lines):
                top += height

    return run
