"""Programs for a fake terminal that write while they work: a bar, a spinner, a flood."""

from typing import Final

from tmuxprim._fake._programs import as_lines
from tmuxprim._fake._requests import Run, Sleep, check_duration
from tmuxprim._fake._tty import FakeTty, Program
from tmuxprim._width import cut_at_column

_FRAME: Final = 0.1  # seconds of virtual time that one picture is shown
_BURST: Final = 100  # lines that are written at once


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

    def run(tty: FakeTty) -> Run:
        for step in range(steps + 1):
            bar = "#" * step + " " * (steps - step)
            tty.write("\r" + cut_at_column(f"[{bar}] {100 * step // steps}%", tty.columns).rstrip())
            yield Sleep(seconds / steps if step < steps else 0.0)
        tty.write(f"\n{as_lines(done)}")
        return 0

    return run


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

    def run(tty: FakeTty) -> Run:
        for number in range(max(round(seconds / _FRAME), 1)):
            frame = f"{frames[number % len(frames)]} {text}"
            tty.write("\r" + cut_at_column(frame, tty.columns).rstrip())
            yield Sleep(_FRAME)
        tty.write(f"\r\x1b[K{as_lines(done)}")
        return 0

    return run


def flood(lines: int, *, seconds: float = 1.0) -> Program:
    """Return a program that prints the numbers from 1 to *lines*, a hundred lines at a time.

    Args:
        lines: How many.
        seconds: How long it takes, in virtual time.

    Raises:
        ValueError: If that is less than no time.

    Examples:
        >>> shell = ScriptedShell({"seq 5000": flood(5000)})
        >>> terminal = FakeTerminal(programs={"sh": shell}, history_limit=10_000)
        >>> len(Console(terminal, terminal.open()).run("seq 5000").output.splitlines())
        5000
    """
    check_duration(seconds)

    def run(tty: FakeTty) -> Run:
        for start in range(1, lines + 1, _BURST):
            numbers = range(start, min(start + _BURST, lines + 1))
            tty.write("".join(f"{number}\n" for number in numbers))
            yield Sleep(seconds * len(numbers) / lines)
        return 0

    return run
