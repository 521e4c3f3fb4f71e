"""Ready-made programs for a fake terminal."""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

import attrs

from tmuxprim._fake.requests import (
    Interrupted,
    Killed,
    ReadKey,
    ReadLine,
    Run,
    Sleep,
    check_duration,
)
from tmuxprim._fake.streams import typed
from tmuxprim._fake.tty import FakeTty, Program
from tmuxprim._values.ansi import strip_ansi
from tmuxprim._values.argument_types import check_type
from tmuxprim._values.lines import cut_at_column, text_columns
from tmuxprim._values.short_repr import cut_repr

_FRAME: Final = 0.1  # seconds of virtual time that a spinner shows one character


@attrs.frozen
class After:
    """Output after some time of work.

    Args:
        seconds: The duration of the work, in virtual time.
        text: The text that the program then prints.

    Raises:
        ValueError: If *seconds* is negative.

    Examples:
        >>> after(2.0, "done")
        After(seconds=2.0, text='done')
    """

    seconds: float = attrs.field(validator=lambda _, __, seconds: check_duration(seconds))
    text: str = attrs.field(default="", repr=cut_repr)


def after(seconds: float, text: str = "") -> After:
    """Return output that is printed after so many seconds of work.

    Args:
        seconds: The seconds, in virtual time.
        text: The output.
    """
    return After(seconds, text)


def as_lines(text: str) -> str:
    """Return *text* with a newline at its end, unless it is empty."""
    check_type("text", text, str)
    return text if not text or text.endswith("\n") else f"{text}\n"


def repl(answer: Callable[[str], str], *, prompt: str = ">>> ") -> Program:
    """Return a REPL that prints ``answer(line)`` for each line; C-d ends it.

    Args:
        answer: Returns the output for a line.
        prompt: The prompt.
    """

    def run(tty: FakeTty) -> Run:
        while True:
            try:
                line = yield ReadLine(raw=True, prompt=prompt)
            except EOFError:
                tty.write("\n")
                return 0
            except Interrupted:
                tty.write("KeyboardInterrupt\n")
                continue
            tty.write(as_lines(answer(line)))

    return run


def question(text: str, answer: Callable[[str], str] = lambda _: "") -> Program:
    """Return a program that asks for a line, prints ``answer(line)`` and ends.

    Args:
        text: The question.
        answer: Returns the output for an answer.
    """

    def run(tty: FakeTty) -> Run:
        line = yield ReadLine(prompt=text)
        tty.write(as_lines(answer(line)))
        return 0

    return run


def password(text: str = "Password: ", answer: Callable[[str], str] = lambda _: "") -> Program:
    """Return a program that reads a line without showing it, and discards type-ahead.

    Args:
        text: The question.
        answer: Returns the output for a password.
    """

    def run(tty: FakeTty) -> Run:
        line = yield ReadLine(echo=False, flush=True, prompt=text)
        tty.write(f"\n{as_lines(answer(line))}")
        return 0

    return run


def progress_bar(seconds: float = 3.0, *, steps: int = 10, done: str = "") -> Program:
    """Return a program that draws a bar, ``[####      ] 40%``, over and over in one row.

    Args:
        seconds: The whole duration, in virtual time.
        steps: How often the bar grows.
        done: The text that is printed at the end, in the next row.

    Raises:
        ValueError: If *steps* is less than 1, or *seconds* is negative.

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
    """Return a program that turns a spinner before *text*, and clears the row at the end.

    Args:
        seconds: The whole duration, in virtual time.
        text: The text behind the spinner.
        frames: The characters that it shows in turn.
        done: The text that is printed at the end, in its place.

    Raises:
        ValueError: If *frames* is empty, or *seconds* is negative.

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
    r"""Return a program that works for a while, prints an error and fails.

    Args:
        text: The error that it prints.
        status: Its exit status.
        signal: The number of the signal that ends it instead, such as 11.
        after: Seconds of work before that.

    Raises:
        ValueError: If *after* is negative.

    Examples:
        >>> shell = ScriptedShell({"run": crash(signal=11, after=2.0)})
        >>> terminal = FakeTerminal(programs={"sh": shell})
        >>> Console(terminal, terminal.open()).run("run").output
        'Segmentation fault\n'
    """
    check_duration(after)

    def run(tty: FakeTty) -> Run:
        yield Sleep(after)
        tty.write(as_lines(text))
        if signal is not None:
            raise Killed(signal)
        return status

    return run


State = TypeVar("State")

_ENTER = "\x1b[?1049h"
_LEAVE = "\x1b[?1049l"
_CLEAR = "\x1b[H\x1b[2J"
# Keys of a pager, and the letters that do the same.
_LETTERS = dict(
    zip(typed("Enter", "Down", "Up", "NPage", "PPage", "Home", "End"), "jjk bgG", strict=True)
)


def full_screen(
    state: State, draw: Callable[[State], str], on_key: Callable[[State, str], State | None]
) -> Program:
    r"""Return a full-screen program that draws a state, which keys change.

    Args:
        state: The first state.
        draw: Returns the screen, as lines of text. Text that does not fit is cut, and colours are
            not shown. It is called again when the size changes.
        on_key: Returns the next state for a key, as a terminal sends it (``"q"``, ``"\r"``,
            ``"\x1b[A"``); None ends the program.

    Examples:
        >>> counter = full_screen(
        ...     0,
        ...     draw=lambda count: f"count: {count}\n(q to leave)",
        ...     on_key=lambda count, key: None if key == "q" else count + 1,
        ... )
        >>> terminal = FakeTerminal(programs={"counter": counter})
        >>> console = Console(terminal, terminal.open("counter"))
        >>> _ = console.wait_ready(), console.keys("Up", "Up")
        >>> print(console.wait_ready().screen.text)
        count: 2
        (q to leave)
    """

    def run(tty: FakeTty) -> Run:
        now: State | None = state
        tty.write(_ENTER)
        while now is not None:
            lines = strip_ansi(draw(now)).split("\n")[: tty.rows]
            shown = [cut_at_column(line, tty.columns).rstrip(" ") for line in lines]
            tty.write(_CLEAR + "\n".join(shown))
            key = yield ReadKey(resizes=True)
            now = on_key(now, key) if key else now
        tty.write(_LEAVE)
        return 0

    return run


def pager(text: str) -> Program:
    """Return a full-screen pager with the usual keys of ``less``.

    Space or NPage and ``b`` or PPage turn pages. Enter, ``j`` or Down and ``k`` or Up move by a
    row. ``g`` or Home and ``G`` or End go to the ends. ``q`` ends it.

    Args:
        text: The text to show.
    """

    def run(tty: FakeTty) -> Run:
        top = 0
        tty.write(_ENTER)
        while True:
            rows, height = _rows(text, tty.columns), tty.rows - 1
            last = max(len(rows) - height, 0)
            top = min(top, last)
            page = "\n".join(rows[top : top + height])
            tty.write(f"{_CLEAR}{page}\x1b[{height + 1};1H{':' if top < last else '(END)'}")
            key = yield ReadKey(resizes=True)
            if key == "q":
                tty.write(_LEAVE)
                return 0
            by = {"j": 1, "k": -1, " ": height, "b": -height, "g": -top, "G": last - top}
            top = max(top + by.get(_LETTERS.get(key, key), 0), 0)

    return run


def _rows(text: str, columns: int) -> list[str]:
    """Return the rows into which the screen will wrap the lines of a text."""
    rows: list[str] = []
    for line in strip_ansi(text).split("\n"):
        row = ""
        for char in line.expandtabs():
            if text_columns(row + char) > columns:
                rows.append(row)
                row = ""
            row += char
        rows.append(row)
    return rows
