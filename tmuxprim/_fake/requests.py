"""The requests that the programs of a fake terminal yield: a line, a key, or time."""

from collections.abc import Generator
from typing import ClassVar, TypeAlias

import attrs

from tmuxprim._values.argument_types import check_type


class Interrupted(Exception):  # noqa: N818  # an event inside a program, as EOFError is
    """C-c was pressed; raised inside a fake program at its yield.

    Examples:
        >>> def stubborn(tty: FakeTty) -> Run:
        ...     tty.write("working")
        ...     try:
        ...         yield Sleep(60.0)
        ...     except Interrupted:
        ...         yield ReadLine(" really? ")
        ...     return 0
        >>> terminal = FakeTerminal(programs={"slow": stubborn})
        >>> console = Console(terminal, terminal.open("slow"))
        >>> _ = console.wait_for("working"), console.keys("C-c")
        >>> console.wait_ready().screen.last_line
        'working^C really?'
    """


class Killed(Exception):  # noqa: N818  # an event inside a program, as EOFError is
    """A fake program raises it to end as if by a signal, given by its number.

    Examples:
        >>> def buggy(tty: FakeTty) -> Run:
        ...     yield ReadLine("number? ")
        ...     raise Killed(11)
        >>> terminal = FakeTerminal(programs={"buggy": buggy}, remain_on_exit=True)
        >>> console = Console(terminal, terminal.open("buggy"))
        >>> _ = console.wait_ready(), console.send("0")
        >>> console.wait_ready().screen.exit_signal
        11
    """

    def __init__(self, signal: int) -> None:
        super().__init__(signal)
        self.signal = signal


@attrs.frozen
class ReadLine:
    """A request for a line of input.

    Args:
        prompt: The text that is written first; a line editor writes it again when it clears the
            screen.
        raw: Whether a line editor reads key by key, as in a shell. False lets the kernel collect
            the line, as for ``read`` and ``input()``.
        echo: Whether typed input is shown.
        flush: Whether earlier input is thrown away, as ``getpass`` does.
        pastes: Whether a line editor switches bracketed paste on, as bash does. A paste is then
            taken as text, newlines included, rather than as keys.

    Examples:
        >>> def greeter(tty: FakeTty) -> Run:
        ...     name = yield ReadLine("name? ")
        ...     yield ReadLine(f"hello {name}, your age? ")
        ...     return 0
        >>> terminal = FakeTerminal(programs={"greeter": greeter})
        >>> console = Console(terminal, terminal.open("greeter"))
        >>> _ = console.wait_ready(), console.send("Ada")
        >>> console.wait_ready().screen.last_line
        'hello Ada, your age?'
    """

    prompt: str = attrs.field(
        default="", validator=lambda _, __, prompt: check_type("prompt", prompt, str)
    )
    raw: bool = attrs.field(default=False, kw_only=True)
    echo: bool = attrs.field(default=True, kw_only=True)
    flush: bool = attrs.field(default=False, kw_only=True)
    pastes: bool = attrs.field(default=False, kw_only=True)
    event_loop: ClassVar[bool] = False


@attrs.frozen
class ReadKey:
    r"""A request for one key, in raw mode; an arrow key arrives as its whole escape sequence.

    A paste arrives as one key with its marks, if the program has switched bracketed paste on.

    Args:
        resizes: Whether a change of the size ends the request with an empty key, as in curses
            (SIGWINCH).
        event_loop: Whether the program also waits for other events, as an AI assistant does. The
            evidence then says that it may go on without a key, and holds its name
            (`TtyState.program`).

    Examples:
        >>> def shows(tty: FakeTty) -> Run:
        ...     while True:
        ...         key = yield ReadKey()
        ...         tty.write(repr(key))
        >>> terminal = FakeTerminal(programs={"shows": shows})
        >>> console = Console(terminal, terminal.open("shows"))
        >>> _ = console.wait_ready(), console.keys("Up")
        >>> console.wait_ready().screen.text
        "'\\x1b[A'"
    """

    resizes: bool = False
    event_loop: bool = False
    raw: ClassVar[bool] = True


@attrs.frozen
class Sleep:
    """Some seconds of work, during which the program does not read.

    Args:
        seconds: The duration, in virtual time.
        raw: Whether the terminal stays in raw mode meanwhile, as in a full-screen program.

    Raises:
        ValueError: If *seconds* is negative.

    Examples:
        >>> def works(tty: FakeTty) -> Run:
        ...     yield Sleep(60.0)
        ...     return 0
        >>> shell = ScriptedShell({"make": works})
        >>> terminal = FakeTerminal(programs={"sh": shell})
        >>> console = Console(terminal, terminal.open("sh"))
        >>> console.run("make", 10.0).readiness.outcome
        <Outcome.TIMEOUT: 'timed out'>
    """

    seconds: float = attrs.field(validator=lambda _, __, seconds: check_duration(seconds))
    raw: bool = False
    event_loop: ClassVar[bool] = False


def check_duration(seconds: float) -> None:
    """Raise `ValueError` for a negative duration, before a program is in the middle of it."""
    check_type("a duration", seconds, int, float)
    if not seconds >= 0:  # NaN compares false with everything, so it is refused as well
        raise ValueError(f"a program, or a fault, takes 0 or more seconds, got {seconds!r}")


def check_request(request: object) -> None:
    """Raise `TypeError` if a program yielded anything but a request."""
    if not isinstance(request, ReadLine | ReadKey | Sleep):
        raise TypeError(
            f"a program yields ReadLine(), ReadKey() or Sleep(seconds), got {request!r}; "
            "it shows text with tty.write(text)"
        )


Request: TypeAlias = ReadLine | ReadKey | Sleep


Run: TypeAlias = Generator[Request, str, int | None]


def check_run(run: object, program: object) -> Run:
    """Return a started program, or raise `TypeError` if it is not a generator."""
    if not isinstance(run, Generator):
        raise TypeError(
            f"a program is a generator function that yields requests; {program!r} returned {run!r}"
        )
    return run
