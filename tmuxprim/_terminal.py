"""The protocol between programs and a terminal: what every backend offers."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Final, Protocol, TypeAlias, TypedDict, Unpack

import attrs

from tmuxprim._values.checks import Command
from tmuxprim._values.evidence import TtyState
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.pane import Pane, PaneInfo, Size
from tmuxprim._values.screen import Screen


class Clock(Protocol):
    """Tells the time and lets it pass, both in seconds.

    Examples:
        >>> clock = FakeTerminal().clock  # a virtual one: no second passes
        >>> clock.sleep(60.0)
        >>> clock.now()
        60.0
    """

    def now(self) -> float:
        """Return the seconds since some fixed moment; never goes back."""
        ...

    def sleep(self, seconds: float) -> None:
        """Let that many seconds pass."""
        ...


StrPath: TypeAlias = str | PathLike[str]
"""A path, as a text or as `pathlib.Path`."""
DEFAULT_SIZE: Final = Size(80, 24)
# Rows of history of a new pane: what tmux keeps by itself, 2,000, many a command's output exceeds.
KEPT_ROWS: Final = 50_000


class OpenOptions(TypedDict, total=False):
    """The keywords of `Terminal.open`, for those who implement it.

    A new one is a key here, a field of `OpenRequest`, and a keyword of `Terminal.open`.
    """

    size: Size
    cwd: StrPath | None
    env: Mapping[str, str] | None
    name: str | None
    shell_integration: bool


@attrs.frozen
class OpenRequest:
    """What `Terminal.open` is asked for, with what is meant where nothing is said."""

    command: Command = None
    size: Size = attrs.field(default=DEFAULT_SIZE, kw_only=True)
    cwd: StrPath | None = attrs.field(default=None, kw_only=True)
    env: Mapping[str, str] | None = attrs.field(default=None, kw_only=True)
    name: str | None = attrs.field(default=None, kw_only=True)
    shell_integration: bool = attrs.field(default=False, kw_only=True)


class SendOptions(TypedDict, total=False):
    """The keywords of `Terminal.tap`, which are those of `Terminal.send`."""

    leave_mode: bool
    seen: Screen | None


class OutputWatch(Protocol):
    """Ends a wait when a pane's program writes, so that it need not ask all the time.

    Examples:
        >>> shell = ScriptedShell({"make": after(3.0, "done")})
        >>> terminal = FakeTerminal(programs={"sh": shell})
        >>> console = Console(terminal, terminal.open("sh"))
        >>> _ = console.wait_ready(), console.send("make")
        >>> output_watch = terminal.watch_output(console.pane)
        >>> output_watch.wait(60.0)
        True
        >>> output_watch.close()
    """

    def wait(self, seconds: float) -> bool:
        """Let time pass until the program writes, and no longer than *seconds*.

        It may end sooner for no reason, and it may miss a write.

        Returns:
            Whether it rang, now or since it was last asked.
        """
        ...

    def close(self) -> None:
        """Stop watching."""
        ...


class Tap(Protocol):
    r"""The text that a pane's program writes, from a moment on.

    The kernel's echo of what is typed is part of it.

    Examples:
        >>> terminal = FakeTerminal()
        >>> console = Console(terminal, terminal.open())
        >>> _ = console.wait_ready()
        >>> tap = terminal.tap(console.pane)
        >>> _ = console.run("echo hi")
        >>> "\rhi\r\n" in tap.read()
        True
        >>> tap.close()
    """

    @property
    def screen(self) -> Screen:
        """The screen of that moment: what is read was written after it was so."""
        ...

    @property
    def is_as_new(self) -> bool:
        """Whether text went, at that moment, where it goes on a new screen.

        Tab stops, margins, wrapping, inserting and the origin were then as they are at first.
        """
        ...

    @property
    def unavailable(self) -> str:
        """Why it takes nothing; empty if it does."""
        ...

    def read(self) -> str:
        """Return what has arrived since it was last read, with its control sequences.

        Of very much it returns the first part, some hundred kilobytes or more: there is no more
        when it returns an empty text.

        What the screen shows may arrive a moment later. Bytes that are no UTF-8 are U+FFFD.
        """
        ...

    def close(self) -> None:
        """Take no more. Twice is no error."""
        ...


class Terminal(Protocol):
    """Opens panes, types into them and looks at them.

    Every method that takes a pane takes its id or its name, and raises `PaneNotFoundError`
    when there is no such pane.

    Examples:
        >>> def open_shell(terminal: Terminal) -> Console:
        ...     console = Console(terminal, terminal.open(size=Size(100, 30)))
        ...     console.wait_ready()
        ...     return console
        >>> open_shell(FakeTerminal()).read()  # open_shell(TmuxTerminal()) for the real thing
        '$'
    """

    @property
    def clock(self) -> Clock:
        """The clock by which this terminal lives; waiting is done on it."""
        ...

    def open(
        self,
        command: str | Sequence[str] | None = None,
        *,
        size: Size = DEFAULT_SIZE,
        cwd: StrPath | None = None,
        env: Mapping[str, str] | None = None,
        name: str | None = None,
        shell_integration: bool = False,
    ) -> Pane:
        """Open a pane, in a session of its own, and return its id.

        The program has only just been started: wait until it is ready before you type.

        Args:
            command: What runs in it: words of one program, or a text for the user's shell.
                None is the user's shell itself.
            size: Columns and rows.
            cwd: Directory that the program starts in.
            env: Environment variables to add for the program; ``dict(os.environ)`` are all of this
                process. Those that tmux sets itself, such as ``PATH`` and ``TERM``, are left out if
                they are only passed on. If not, ``env`` gives them to the words of a program; for
                the user's shell they are refused.
            name: Name of the session: letters, digits, ``_`` and ``-``.
            shell_integration: Whether the shell reports each command, so that `Console.run` knows
                its exit status and exactly its output. *command* is bash, zsh or fish, as words;
                None is the shell that ``SHELL`` names. Nothing of it is seen, and the user's own
                files are read as always, since a file of ours does so first.
        """
        ...

    def close(self, pane: Pane) -> None:
        """End the pane and its program. A pane that is gone already is no error."""
        ...

    def panes(self) -> tuple[PaneInfo, ...]:
        """Return all panes, each with its id, its place and what runs in it; none without a server.

        A pane of a window that is linked into several sessions is listed once.
        """
        ...

    def resolve(self, pane: Pane) -> Pane:
        """Return the pane by its id, which stays right when the pane is renamed or moved.

        The id says which server it is of (`Pane.server`), so it never means a pane of the next
        one. An id that says so already is returned as it is, unchecked.

        Raises:
            PaneNotFoundError: If no pane has exactly that name, or that id.
        """
        ...

    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        """Type *keys*, all of them or nothing, and return the screen from right before.

        Screen and delivery are one turn of the server: nothing happens in between. Typing is
        not waiting: the program has not read the keys yet when this returns.

        Args:
            pane: Where to.
            keys: What to type.
            leave_mode: Whether to leave copy mode, or any other, first, instead of refusing;
                also if *keys* are none.
            seen: A snapshot of the pane that may still hold. If it does, the terminal may return it
                in place of a new one, which is quicker. tmux takes it to hold if size, cursor,
                history and alternate screen are as they were: what a program has painted elsewhere
                since is then not on it.

        Raises:
            PaneDeadError: If the pane's program has exited.
            PaneBusyError: If the pane is in a mode, its input is off, or it is synchronized with
                other panes, which would get the keys as well.
        """
        ...

    def observe(self, pane: Pane, *, history: int = 0, styled: bool = False) -> Screen:
        """Return the screen and its state, of one moment.

        Args:
            pane: The pane to look at.
            history: How many rows of the history to include, at most.
            styled: Whether to tell the colours and attributes, too (`Screen.styles`).
        """
        ...

    def read(self, pane: Pane, *, history: int = 0) -> str:
        """Return what the screen says: `Screen.text`, and the cheapest snapshot there is.

        Args:
            pane: The pane to read.
            history: How many rows of the history to put above the screen, at most.
        """
        ...

    def probe(self, pane: Pane) -> TtyState | None:
        """Return what the kernel knows about the pane's terminal.

        Returns:
            The evidence, or None where there is none to be had: the server runs on another
            machine, or the pane has just gone.
        """
        ...

    def watch_output(self, pane: Pane) -> OutputWatch:
        """Return a watch on the output of the pane's program; it has to be closed.

        Where no output can be watched, a wait lasts its whole time, and the pane is not looked up.
        """
        ...

    def tap(
        self,
        pane: Pane,
        keys: KeySequence | None = None,
        *,
        leave_mode: bool = False,
        seen: Screen | None = None,
    ) -> Tap:
        """Return a tap, for all that the pane's program writes from now on; it has to be closed.

        Args:
            pane: The pane.
            keys: What to type at that moment, as `send` does; so not a character is missing that
                the keys bring about. None types nothing.
            leave_mode: See `send`.
            seen: See `send`; the tap's screen may be this one.

        Raises:
            TapUnavailableError: If there is none to be had, as from tmux on another machine, or of
                another user. With *keys* that may be found when they have been typed; then a tap is
                returned that says so (`Tap.unavailable`).
            PaneBusyError: If what it writes goes to somebody already: a pane has one ``pipe-pane``;
                or if *keys* would be refused by `send`. Then nothing is typed.
            PaneDeadError: If the pane's program has exited.
        """
        ...

    def resize(self, pane: Pane, size: Size) -> None:
        """Change the size of the pane; its program is told by SIGWINCH."""
        ...


class AsyncClock(Protocol):
    """Tells the time and lets it pass, both in seconds, while others go on.

    Examples:
        >>> import asyncio
        >>> async def nap() -> float:
        ...     clock = AsyncFakeTerminal().clock  # a virtual one: no second passes
        ...     await clock.sleep(60.0)
        ...     return clock.now()
        >>> asyncio.run(nap())
        60.0
    """

    def now(self) -> float:
        """Return the seconds since some fixed moment; never goes back."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Let that many seconds pass."""
        ...


class AsyncOutputWatch(Protocol):
    """Ends a wait when a pane's program writes; see `OutputWatch`.

    Examples:
        >>> import asyncio
        >>> async def watch() -> bool:
        ...     shell = ScriptedShell({"make": after(3.0, "done")})
        ...     terminal = AsyncFakeTerminal(FakeTerminal(programs={"sh": shell}))
        ...     console = AsyncConsole(terminal, await terminal.open("sh"))
        ...     await console.wait_ready()
        ...     await console.send("make")
        ...     output_watch = await terminal.watch_output(await console.locate())
        ...     rang = await output_watch.wait(60.0)
        ...     output_watch.close()
        ...     return rang
        >>> asyncio.run(watch())
        True
    """

    async def wait(self, seconds: float) -> bool:
        """Let time pass until the program writes, *seconds* at most; return whether it did."""
        ...

    def close(self) -> None:
        """Stop watching."""
        ...


class AsyncTerminal(Protocol):
    """Opens panes, types into them and looks at them, each to be awaited; see `Terminal`.

    A call that is cancelled may have been carried out, or may still be.

    Examples:
        >>> import asyncio
        >>> async def open_shell(terminal: AsyncTerminal) -> str:
        ...     console = AsyncConsole(terminal, await terminal.open())
        ...     await console.wait_ready()
        ...     return await console.read()
        >>> asyncio.run(open_shell(AsyncFakeTerminal()))  # AsyncTmuxTerminal() for the real thing
        '$'
    """

    @property
    def clock(self) -> AsyncClock:
        """The clock by which this terminal lives; waiting is done on it."""
        ...

    async def open(self, command: Command = None, **options: Unpack[OpenOptions]) -> Pane:
        """Open a pane, in a session of its own, and return its id; see `Terminal.open`."""
        ...

    async def close(self, pane: Pane) -> None:
        """End the pane and its program; see `Terminal.close`."""
        ...

    async def panes(self) -> tuple[PaneInfo, ...]:
        """Return all panes; see `Terminal.panes`."""
        ...

    async def resolve(self, pane: Pane) -> Pane:
        """Return the pane by its id; see `Terminal.resolve`."""
        ...

    async def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        """Type *keys*, and return the screen from right before; see `Terminal.send`."""
        ...

    async def observe(self, pane: Pane, *, history: int = 0, styled: bool = False) -> Screen:
        """Return the screen and its state, of one moment; see `Terminal.observe`."""
        ...

    async def read(self, pane: Pane, *, history: int = 0) -> str:
        """Return what the screen says; see `Terminal.read`."""
        ...

    async def probe(self, pane: Pane) -> TtyState | None:
        """Return what the kernel knows about the pane's terminal; see `Terminal.probe`."""
        ...

    async def watch_output(self, pane: Pane) -> AsyncOutputWatch:
        """Return a watch on the output of the pane's program; see `Terminal.watch_output`."""
        ...

    async def tap(
        self, pane: Pane, keys: KeySequence | None = None, **how: Unpack[SendOptions]
    ) -> Tap:
        """Return a tap, which is read and closed without awaiting; see `Terminal.tap`."""
        ...

    async def resize(self, pane: Pane, size: Size) -> None:
        """Change the size of the pane; see `Terminal.resize`."""
        ...
