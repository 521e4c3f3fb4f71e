"""What the programs of a fake terminal wait for."""

from collections.abc import Generator
from typing import ClassVar, TypeAlias

import attrs


class Interrupted(Exception):  # noqa: N818  # an event inside a program, as EOFError is
    """C-c was pressed; raised inside a fake program at its yield.

    Examples:
        >>> def stubborn(tty: FakeTty) -> Run:
        ...     tty.write("working")
        ...     try:
        ...         yield Sleep(60.0)
        ...     except Interrupted:
        ...         yield ReadLine(prompt=" really? ")
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
        ...     yield ReadLine(prompt="number? ")
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


@attrs.frozen(kw_only=True)
class ReadLine:
    """A line to be read.

    Args:
        raw: Read key by key with a line editor, as a shell does, rather than let the kernel
            collect the line, as ``read`` and ``input()`` do.
        echo: Show what is typed.
        flush: Throw away what was typed before, as ``getpass`` does.
        pastes: Take what is pasted as text, newlines included, rather than as keys (a line
            editor's; bash does so, and asks the terminal for bracketed paste).
        prompt: What is written before; a line editor shows it again when it clears the screen.
        history: Lines that Up brings back, the oldest first (a line editor's).

    Examples:
        >>> def greeter(tty: FakeTty) -> Run:
        ...     name = yield ReadLine(prompt="name? ")
        ...     yield ReadLine(prompt=f"hello {name}, your age? ")
        ...     return 0
        >>> terminal = FakeTerminal(programs={"greeter": greeter})
        >>> console = Console(terminal, terminal.open("greeter"))
        >>> _ = console.wait_ready(), console.send("Ada")
        >>> console.wait_ready().screen.last_line
        'hello Ada, your age?'
    """

    raw: bool = False
    echo: bool = True
    flush: bool = False
    pastes: bool = False
    prompt: str = ""
    history: tuple[str, ...] = ()


@attrs.frozen
class ReadKey:
    r"""One key to be read, in raw mode; an arrow key comes as its whole escape sequence.

    So does a paste, with its marks, if the program has asked for bracketed paste.

    Args:
        resizes: Go on with an empty key when the size changes, as curses does (SIGWINCH).
        event_loop: Wait for other things as well, as an AI assistant does: the kernel tells that
            the program may go on without a key, and its name (`TtyState.program`).

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
    """Some seconds of work in which nothing is read.

    Args:
        seconds: How long, in virtual time.
        raw: Leave the terminal in raw mode meanwhile, as a full-screen program does.

    Raises:
        ValueError: If that is less than no time.

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


def check_duration(seconds: float) -> None:
    """Raise `ValueError` for what time cannot do, before a program is in the middle of it."""
    if not seconds >= 0:  # NaN, which compares false with everything, is refused as well
        raise ValueError(f"a program, or a fault, takes 0 or more seconds, got {seconds!r}")


def check_request(request: object) -> None:
    """Raise `TypeError` for what a program cannot wait for."""
    if not isinstance(request, ReadLine | ReadKey | Sleep):
        raise TypeError(
            f"a program yields ReadLine(), ReadKey() or Sleep(seconds), got {request!r}; "
            "what it shows is written with tty.write(text)"
        )


Request: TypeAlias = ReadLine | ReadKey | Sleep


Run: TypeAlias = Generator[Request, str, int | None]


def check_run(run: object, program: object) -> Run:
    """Return a program that was started, or raise `TypeError` if it is none."""
    if not isinstance(run, Generator):
        raise TypeError(
            "a program is a generator function, one that yields what it waits for; "
            f"{program!r} returned {run!r}"
        )
    return run
