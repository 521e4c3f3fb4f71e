r"""Programs for a fake terminal: a REPL, a question, a password, a bar, a spinner, and a crash.

Each is made by a call and is a `Program`: a generator function that is given its `FakeTty`.
Your own needs no more than that::

    def greeter(tty):
        tty.write("name? ")
        name = yield ReadLine()
        yield Sleep(2.0)
        tty.write(f"hello {name}\n")
"""

from collections.abc import Callable, Generator, Sequence
from typing import Final

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
from tmuxprim._width import cut_at_column

_FRAME: Final = 0.1  # seconds of virtual time that a spinner shows one character


@attrs.frozen
class After:
    """Output that comes after a while.

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


def progress_bar(seconds: float = 3.0, *, steps: int = 10, done: str = "") -> Program:
    """Return a program that draws a bar, ``[####      ] 40%``, over and over in one row.

    Args:
        seconds: How long it takes, in virtual time.
        steps: How often the bar grows.
        done: What is printed in the end, in the next row.

    Raises:
        ValueError: If it does not grow at all, or takes less than no time.

    Examples:
        >>> shell = ScriptedShell({"get": progress_bar(10.0, done="saved")})
        >>> terminal = FakeTerminal(programs={"sh": shell})
        >>> console = Console(terminal, terminal.open())
        >>> _ = console.wait_ready(), console.send("get")
        >>> console.wait_for("40%").screen.last_line
        '[####      ] 40%'
        >>> console.wait_ready().screen.rows[1:3]
        ('[##########] 100%', 'saved')
    """
    check_duration(seconds)
    if steps < 1:
        raise ValueError(f"a bar grows in at least 1 step, got {steps}")
    bars = [f"[{'#' * n}{' ' * (steps - n)}] {100 * n // steps}%" for n in range(steps + 1)]
    return _animation(bars, seconds / steps, f"\n{as_lines(done)}")


def spinner(
    seconds: float = 3.0, text: str = "working", *, frames: str = "|/-\\", done: str = ""
) -> Program:
    """Return a program that turns a spinner before *text*, and takes the row back in the end.

    Args:
        seconds: How long it takes, in virtual time.
        text: What stands behind the spinner.
        frames: The characters that it shows in turn.
        done: What is printed in the end, in its place.

    Raises:
        ValueError: If there is no character to show, or it takes less than no time.

    Examples:
        >>> shell = ScriptedShell({"think": spinner(60.0, "thinking", done="42")})
        >>> terminal = FakeTerminal(programs={"sh": shell})
        >>> console = Console(terminal, terminal.open())
        >>> _ = console.wait_ready(), console.send("think")
        >>> console.wait_ready(timeout=30.0).outcome
        <Outcome.TIMEOUT: 'timed out'>
        >>> console.wait_ready(timeout=60.0).screen.rows[1]
        '42'
    """
    check_duration(seconds)
    if not frames:
        raise ValueError("a spinner shows at least 1 character, got none")
    count = max(round(seconds / _FRAME), 1) + 1
    shown = [f"{frames[number % len(frames)]} {text}" for number in range(count)]
    return _animation(shown, _FRAME, f"\r\x1b[K{as_lines(done)}")


def _animation(frames: Sequence[str], pause: float, end: str) -> Program:
    """Return a program that shows one frame after another in its row, and then *end*."""

    def run(tty: FakeTty) -> Run:
        for number, frame in enumerate(frames):
            if number:
                yield Sleep(pause)
            tty.write("\r" + cut_at_column(frame, tty.columns).rstrip())
        tty.write(end)
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
