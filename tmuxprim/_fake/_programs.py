r"""Programs for a fake terminal that read lines: a REPL, a question, a password; and a crash.

Each is made by a call and is a `Program`: a generator function that is given its `FakeTty`.
Your own needs no more than that::

    def greeter(tty):
        tty.write("name? ")
        name = yield ReadLine()
        yield Sleep(2.0)
        tty.write(f"hello {name}\n")
"""

from collections.abc import Callable, Generator

import attrs

from tmuxprim._fake._requests import (
    Interrupted,
    Killed,
    ReadLine,
    Request,
    Run,
    Sleep,
    check_duration,
)
from tmuxprim._fake._tty import FakeTty, Program


@attrs.frozen
class After:
    """Is output that comes after a while.

    Args:
        seconds: How long the program works before, in virtual time.
        text: What it prints then.

    Raises:
        ValueError: If that is less than no time.
    """

    seconds: float = attrs.field(validator=lambda _, __, seconds: check_duration(seconds))
    text: str = ""


def after(seconds: float, text: str = "") -> After:
    """Return output that comes after so many seconds of work."""
    return After(seconds, text)


def as_lines(text: str) -> str:
    """Return *text* with a newline at its end, unless it is empty."""
    return text if not text or text.endswith("\n") else f"{text}\n"


def repl(answer: Callable[[str], str], *, prompt: str = ">>> ") -> Program:
    """Return a REPL that prints ``answer(line)`` for each line; C-d ends it."""

    def run(tty: FakeTty) -> Run:
        history: tuple[str, ...] = ()
        while True:
            try:
                line = yield ReadLine(raw=True, prompt=prompt, history=history)
            except EOFError:
                tty.write("\n")
                return 0
            except Interrupted:
                tty.write("KeyboardInterrupt\n")
                continue
            history = remember(history, line)
            tty.write(as_lines(answer(line)))

    return run


def remember(history: tuple[str, ...], line: str) -> tuple[str, ...]:
    """Return a history with one more line; blank ones and repetitions are not kept."""
    return history if not line.strip() or line in history[-1:] else (*history, line)


def question(text: str, answer: Callable[[str], str] = lambda _: "") -> Program:
    """Return a program that asks for a line, prints ``answer(line)`` and ends."""

    def run(tty: FakeTty) -> Run:
        line = yield ReadLine(prompt=text)
        tty.write(as_lines(answer(line)))
        return 0

    return run


def password(text: str = "Password: ", answer: Callable[[str], str] = lambda _: "") -> Program:
    """Return a program that reads a line without showing it, and throws type-ahead away."""

    def run(tty: FakeTty) -> Run:
        line = yield ReadLine(echo=False, flush=True, prompt=text)
        tty.write(f"\n{as_lines(answer(line))}")
        return 0

    return run


def crash(
    text: str = "", *, status: int = 1, signal: int | None = None, after: float = 0.0
) -> Program:
    r"""Return a program that works for a while, complains and fails.

    Args:
        text: What it prints last.
        status: What it exits with.
        signal: The number of the signal that ends it instead, such as 11.
        after: Seconds of work before that.

    Raises:
        ValueError: If that is less than no time.

    Examples:
        >>> shell = ScriptedShell({"run": crash(signal=11, after=2.0)})
        >>> terminal = FakeTerminal(programs={"sh": shell})
        >>> Console(terminal, terminal.open()).run("run").output
        'Segmentation fault\n'
    """
    check_duration(after)

    def run(tty: FakeTty) -> Run:
        yield from work(after)
        tty.write(as_lines(text))
        if signal is not None:
            raise Killed(signal)
        return status

    return run


def work(seconds: float) -> Generator[Request, str, None]:
    """Let time pass, if it is any."""
    if seconds > 0:
        yield Sleep(seconds)
