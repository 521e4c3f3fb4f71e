"""The protocols that every backend implements: `Terminal`, its clock, output watch and tap."""

from collections.abc import Collection, Mapping, Sequence
from os import PathLike
from types import NoneType
from typing import Final, Protocol, TypeAlias, TypedDict, Unpack

import attrs

from tmuxprim._values.argument_types import check_type
from tmuxprim._values.checks import Command
from tmuxprim._values.evidence import TtyState
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.pane import Pane, PaneInfo, Size, SizeLike, to_size
from tmuxprim._values.screen import Screen


class Clock(Protocol):
    """Reads the time and waits, both in seconds.

    Examples:
        >>> clock = FakeTerminal().clock  # a virtual one: no second passes
        >>> clock.sleep(60.0)
        >>> clock.now()
        60.0
    """

    def now(self) -> float:
        """Return the seconds since some fixed moment; they never go back."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait.

        Args:
            seconds: How long; a negative number is 0.
        """
        ...


StrPath: TypeAlias = str | PathLike[str]
"""A path, as a text or as `pathlib.Path`."""
DEFAULT_SIZE: Final = Size(80, 24)
# Rows of history of a new pane. tmux's own history-limit, 2,000, is too short for the output of
# many commands, and `Console.run` returns no more than the history holds.
KEPT_ROWS: Final = 50_000


class OpenOptions(TypedDict, total=False):
    """The keywords of `Terminal.open`, for classes that implement it.

    To add one, add a key here, a field to `OpenRequest` and a keyword to `Terminal.open`.
    """

    size: SizeLike
    cwd: StrPath | None
    env: Mapping[str, str] | None
    name: str | None
    shell_integration: bool


@attrs.frozen
class OpenRequest:
    """The arguments of one `Terminal.open`, with the defaults of those that are left out."""

    command: Command = None
    size: Size = attrs.field(default=DEFAULT_SIZE, converter=to_size, kw_only=True)
    cwd: StrPath | None = attrs.field(default=None, kw_only=True)
    env: Mapping[str, str] | None = attrs.field(default=None, kw_only=True)
    name: str | None = attrs.field(default=None, kw_only=True)
    shell_integration: bool = attrs.field(default=False, kw_only=True)

    def __attrs_post_init__(self) -> None:
        check_type("command", self.command, str, Sequence, NoneType)
        check_type("cwd", self.cwd, str, PathLike, NoneType)
        check_type("env", self.env, Mapping, NoneType)
        check_type("name", self.name, str, NoneType)


class SendOptions(TypedDict, total=False):
    """The keywords of `Terminal.tap`, which are those of `Terminal.send`."""

    leave_mode: bool
    seen: Screen | None


class OutputWatch(Protocol):
    """Wakes a wait when the pane's program writes, so that it need not poll.

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
        """Wait until the program writes.

        It may end sooner for no reason, and it may miss a write.

        Args:
            seconds: Longest wait.

        Returns:
            Whether the program has written since the last call.
        """
        ...

    def close(self) -> None:
        """Stop watching."""
        ...


class ChangeWatch(Protocol):
    """Waits on another machine until a pane may be ready, so that a wait takes few calls.

    A terminal that has one returns it by ``watch_changes()``, which `Terminal` does not ask for.
    """

    def look(self, seconds: float, *, history: int, hears_output: bool) -> tuple[Screen, float]:
        """Wait until the pane has changed since the last look, and return its screen.

        It may end sooner for no reason, and it may miss a change.

        Args:
            seconds: Longest wait.
            history: Number of rows of the history to return.
            hears_output: Whether a screen that shows something else is a change, and not only a
                program that may wait for a key.

        Returns:
            The screen, and the seconds that the wait took at least.
        """
        ...


class OutputHub(Protocol):
    """Reports which of several programs have written, so that a watch on states need not poll.

    A terminal that has one returns it by ``watch_outputs()``, which `Terminal` does not ask for.
    """

    def add(self, pane: Pane) -> bool:
        """Watch a pane as well; return whether its output can be watched.

        Raises:
            PaneNotFoundError: If the pane is gone.
        """
        ...

    def discard(self, pane: Pane) -> None:
        """Stop watching a pane."""
        ...

    def wait(self, seconds: float) -> Collection[Pane]:
        """Wait for a write, *seconds* at most; return the panes that may have changed.

        It may end sooner for no reason, and it may miss a write.
        """
        ...

    def close(self) -> None:
        """Stop watching all panes."""
        ...


class Tap(Protocol):
    r"""The raw output of a pane's program, from one moment on.

    The kernel's echo of typed text is part of it.

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
        """The screen at that moment; all text of the tap was written after it."""
        ...

    @property
    def is_as_new(self) -> bool:
        """Whether the terminal's modes were those of a new screen at that moment.

        Tab stops, margins, wrapping, inserting and the origin then had their initial values, so an
        emulator that starts from `screen` draws the text where the pane draws it.
        """
        ...

    @property
    def unavailable(self) -> str:
        """The reason why the tap receives nothing; empty if it works."""
        ...

    def read(self) -> str:
        """Return the text that has arrived since the last call, with its control sequences.

        One call returns a part of a long text, some hundred kilobytes or more. An empty text means
        that nothing is left.

        Text may be on the screen a moment before it arrives here. Bytes that are not UTF-8 become
        U+FFFD.
        """
        ...

    def close(self) -> None:
        """Stop the tap. Closing it twice is no error."""
        ...


class Terminal(Protocol):
    """A tmux server, or a backend that acts like one: opens panes, types into them, reads them.

    Every method that takes a pane takes its id or its name, and raises `PaneNotFoundError`
    when there is no such pane.

    Examples:
        >>> def open_shell(terminal: Terminal) -> Console:
        ...     console = Console(terminal, terminal.open(size=(100, 30)))
        ...     console.wait_ready()
        ...     return console
        >>> open_shell(FakeTerminal()).read()  # open_shell(TmuxTerminal()) for the real thing
        '$'
    """

    @property
    def clock(self) -> Clock:
        """The clock that all waits on this terminal use."""
        ...

    def open(
        self,
        command: str | Sequence[str] | None = None,
        *,
        size: SizeLike = DEFAULT_SIZE,
        cwd: StrPath | None = None,
        env: Mapping[str, str] | None = None,
        name: str | None = None,
        shell_integration: bool = False,
    ) -> Pane:
        """Open a pane, in a session of its own.

        The program has only just been started: wait until it is ready before you type.

        Args:
            command: The program to run: its words, or a text for the user's shell. None is the
                user's shell itself.
            size: Columns and rows, as a `Size` or a tuple.
            cwd: Directory that the program starts in.
            env: Environment variables to add for the program; ``dict(os.environ)`` passes on those
                of this process. tmux sets some itself, such as ``PATH`` and ``TERM``: such a
                variable is left out if it has the value of this process. With another value
                ``env(1)`` sets it for a program; for the user's shell, or a text for it, it is
                refused.
            name: Name of the session: letters, digits, ``_`` and ``-``.
            shell_integration: Whether the shell reports each command, so that `Console.run` knows
                its exit status and its exact output. *command* is bash, zsh or fish, as words;
                None is the shell that ``SHELL`` names. The reports are invisible. The shell reads
                a startup file of tmuxprim, which reads the user's own files first.

        Returns:
            The pane, by its id.

        Raises:
            InvalidPaneError: If *name* cannot be the name of a session.
            InvalidTextError: If *command* names no program, or a word of it, the directory or a
                variable holds a NUL or a lone surrogate.
            InvalidScreenError: If a terminal cannot have that *size*.
            PaneExistsError: If a session of that name already exists.
            ProgramNotFoundError: If *command* is words, and there is no such program.
            TmuxTimeoutError: If tmux hangs.
        """
        ...

    def close(self, pane: Pane) -> None:
        """End the pane and its program. A pane that is gone already is no error.

        Args:
            pane: The pane.

        Raises:
            TmuxTimeoutError: If tmux hangs.
        """
        ...

    def panes(self) -> tuple[PaneInfo, ...]:
        """Return all panes, each with its id, position and program; empty without a server.

        A pane of a window that is linked into several sessions is listed once.

        Raises:
            TmuxTimeoutError: If tmux hangs.
        """
        ...

    def resolve(self, pane: Pane) -> Pane:
        """Return the pane by its id, which stays right when the pane is renamed or moved.

        The id names its server (`Pane.server`), so it never means a pane of a later server. An id
        that already names one is returned as it is, unchecked.

        Args:
            pane: The pane, by an id or a name.

        Raises:
            PaneNotFoundError: If no pane has exactly that name, or that id.
        """
        ...

    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        """Type *keys*, all of them or nothing.

        The server takes the screen and delivers the keys in one step, so nothing happens in
        between. When this returns, the program may not have read the keys yet.

        Args:
            pane: The pane to type into.
            keys: The text and keys to type.
            leave_mode: Whether to leave copy mode, or another mode, first, instead of refusing;
                this happens even if *keys* are empty.
            seen: An earlier screen of the pane that may still be valid. If it is, the terminal may
                return it instead of a new one, which is quicker. `TmuxTerminal` takes it for valid
                if size, cursor, history and alternate screen are unchanged, so it may lack text
                that a program has painted elsewhere since.

        Returns:
            The screen from right before.

        Raises:
            PaneNotFoundError: If the pane is gone.
            PaneDeadError: If the pane's program has exited.
            PaneBusyError: If the pane is in a mode, its input is off, or it is synchronized with
                other panes, which would get the keys as well.
            TmuxTimeoutError: If tmux hangs.
        """
        ...

    def observe(self, pane: Pane, *, history: int = 0, styled: bool = False) -> Screen:
        """Return the screen and its state, both of the same moment.

        Args:
            pane: The pane to look at.
            history: How many rows of the history to include, at most.
            styled: Whether to include the colours and attributes (`Screen.styles`).

        Raises:
            InvalidScreenError: If *history* is negative.
            PaneNotFoundError: If the pane is gone.
            TmuxTimeoutError: If tmux hangs.
        """
        ...

    def read(self, pane: Pane, *, history: int = 0) -> str:
        """Return the text of the screen (`Screen.text`), by the cheapest possible snapshot.

        Args:
            pane: The pane to read.
            history: How many rows of the history to put above the screen, at most.

        Raises:
            InvalidScreenError: If *history* is negative.
            PaneNotFoundError: If the pane is gone.
            TmuxTimeoutError: If tmux hangs.
        """
        ...

    def probe(self, pane: Pane) -> TtyState | None:
        """Return the kernel's evidence about the pane's terminal.

        Args:
            pane: The pane.

        Returns:
            The evidence. None if it cannot be read, since the server runs on another machine, or
            the pane has just closed.

        Raises:
            PaneNotFoundError: If the pane is gone.
        """
        ...

    def watch_output(self, pane: Pane) -> OutputWatch:
        """Return a watch on the output of the pane's program; the caller has to close it.

        Where output cannot be watched, each wait of the watch lasts its whole time, and the pane is
        not looked up.

        Args:
            pane: The pane.

        Raises:
            PaneNotFoundError: If the pane is gone.
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
        """Return a tap on the raw output of the pane's program; the caller has to close it.

        Args:
            pane: The pane.
            keys: Keys to type in the same step, as `send` does, so that the tap misses no character
                of their effect. None types nothing.
            leave_mode: See `send`.
            seen: See `send`; the tap's screen may be this one.

        Raises:
            PaneNotFoundError: If the pane is gone.
            TapUnavailableError: If the output cannot be read, as from tmux on another machine, or
                of another user. With *keys* this may be found after they have been typed; then the
                returned tap says so (`Tap.unavailable`).
            PaneBusyError: If the pane's one ``pipe-pane`` is already in use, or if `send` would
                refuse *keys*; nothing was typed.
            PaneDeadError: If the pane's program has exited.
            TmuxTimeoutError: If tmux hangs.
        """
        ...

    def resize(self, pane: Pane, size: SizeLike) -> None:
        """Change the size of the pane; its program gets a SIGWINCH.

        Args:
            pane: The pane.
            size: Columns and rows, as a `Size` or a tuple.

        Raises:
            InvalidScreenError: If tmux has no such size.
            PaneNotFoundError: If the pane is gone.
            TmuxTimeoutError: If tmux hangs.
        """
        ...


class AsyncClock(Protocol):
    """Reads the time and waits, both in seconds, while other tasks run.

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
        """Return the seconds since some fixed moment; they never go back."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait.

        Args:
            seconds: How long; a negative number is 0.
        """
        ...


class AsyncOutputWatch(Protocol):
    """Wakes a wait when the pane's program writes; see `OutputWatch`.

    Examples:
        >>> import asyncio
        >>> async def watch() -> bool:
        ...     shell = ScriptedShell({"make": after(3.0, "done")})
        ...     terminal = AsyncFakeTerminal(FakeTerminal(programs={"sh": shell}))
        ...     console = AsyncConsole(terminal, await terminal.open("sh"))
        ...     await console.wait_ready()
        ...     await console.send("make")
        ...     output_watch = await terminal.watch_output(await console.locate())
        ...     has_written = await output_watch.wait(60.0)
        ...     output_watch.close()
        ...     return has_written
        >>> asyncio.run(watch())
        True
    """

    async def wait(self, seconds: float) -> bool:
        """Wait until the program writes; see `OutputWatch.wait`.

        Args:
            seconds: Longest wait.

        Returns:
            Whether the program has written since the last call.
        """
        ...

    def close(self) -> None:
        """Stop watching."""
        ...


class AsyncOutputHub(Protocol):
    """Reports which of several programs have written; see `OutputHub`."""

    async def add(self, pane: Pane) -> bool:
        """Watch a pane as well; return whether its output can be watched."""
        ...

    def discard(self, pane: Pane) -> None:
        """Stop watching a pane."""
        ...

    async def wait(self, seconds: float) -> Collection[Pane]:
        """Wait for a write, *seconds* at most; return the panes that may have changed."""
        ...

    def close(self) -> None:
        """Stop watching all panes."""
        ...


class AsyncTerminal(Protocol):
    """Opens panes, types into them and reads them from asyncio; see `Terminal`.

    A cancelled call may have been carried out, or may still be.

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
        """The clock that all waits on this terminal use."""
        ...

    async def open(self, command: Command = None, **options: Unpack[OpenOptions]) -> Pane:
        """Open a pane, in a session of its own, and return its id; see `Terminal.open`.

        Args:
            command: The program to run: its words, or a text for the user's shell. None is the
                user's shell itself.
            options: *size*, *cwd*, *env*, *name* and *shell_integration*, as for `Terminal.open`.

        Returns:
            The pane, by its id.

        Raises:
            InvalidPaneError: If *name* cannot be the name of a session.
            InvalidTextError: If *command* names no program, or a word of it, the directory or a
                variable holds a NUL or a lone surrogate.
            InvalidScreenError: If a terminal cannot have that *size*.
            PaneExistsError: If a session of that name already exists.
            ProgramNotFoundError: If *command* is words, and there is no such program.
            TmuxTimeoutError: If tmux hangs.
        """
        ...

    async def close(self, pane: Pane) -> None:
        """End the pane and its program; see `Terminal.close`.

        Args:
            pane: The pane.

        Raises:
            TmuxTimeoutError: If tmux hangs.
        """
        ...

    async def panes(self) -> tuple[PaneInfo, ...]:
        """Return all panes; see `Terminal.panes`.

        Raises:
            TmuxTimeoutError: If tmux hangs.
        """
        ...

    async def resolve(self, pane: Pane) -> Pane:
        """Return the pane by its id; see `Terminal.resolve`.

        Args:
            pane: The pane, by an id or a name.

        Raises:
            PaneNotFoundError: If no pane has exactly that name, or that id.
        """
        ...

    async def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        """Type *keys*, and return the screen from right before; see `Terminal.send`.

        Args:
            pane: The pane to type into.
            keys: The text and keys to type.
            leave_mode: Whether to leave copy mode, or another mode, first, instead of refusing;
                this happens even if *keys* are empty.
            seen: An earlier screen of the pane that may still be valid. If it is, the terminal may
                return it instead of a new one, which is quicker. `TmuxTerminal` takes it for valid
                if size, cursor, history and alternate screen are unchanged, so it may lack text
                that a program has painted elsewhere since.

        Returns:
            The screen from right before.

        Raises:
            PaneNotFoundError: If the pane is gone.
            PaneDeadError: If the pane's program has exited.
            PaneBusyError: If the pane is in a mode, its input is off, or it is synchronized with
                other panes, which would get the keys as well.
            TmuxTimeoutError: If tmux hangs.
        """
        ...

    async def observe(self, pane: Pane, *, history: int = 0, styled: bool = False) -> Screen:
        """Return the screen and its state; see `Terminal.observe`.

        Args:
            pane: The pane to look at.
            history: How many rows of the history to include, at most.
            styled: Whether to include the colours and attributes (`Screen.styles`).

        Raises:
            InvalidScreenError: If *history* is negative.
            PaneNotFoundError: If the pane is gone.
            TmuxTimeoutError: If tmux hangs.
        """
        ...

    async def read(self, pane: Pane, *, history: int = 0) -> str:
        """Return the text of the screen; see `Terminal.read`.

        Args:
            pane: The pane to read.
            history: How many rows of the history to put above the screen, at most.

        Raises:
            InvalidScreenError: If *history* is negative.
            PaneNotFoundError: If the pane is gone.
            TmuxTimeoutError: If tmux hangs.
        """
        ...

    async def probe(self, pane: Pane) -> TtyState | None:
        """Return the kernel's evidence about the pane's terminal; see `Terminal.probe`.

        Args:
            pane: The pane.

        Returns:
            The evidence. None if it cannot be read, since the server runs on another machine, or
            the pane has just closed.

        Raises:
            PaneNotFoundError: If the pane is gone.
        """
        ...

    async def watch_output(self, pane: Pane) -> AsyncOutputWatch:
        """Return a watch on the output of the pane's program; see `Terminal.watch_output`.

        Args:
            pane: The pane.

        Raises:
            PaneNotFoundError: If the pane is gone.
        """
        ...

    async def tap(
        self, pane: Pane, keys: KeySequence | None = None, **how: Unpack[SendOptions]
    ) -> Tap:
        """Return a tap, whose own methods are not awaited; see `Terminal.tap`.

        Args:
            pane: The pane.
            keys: Keys to type in the same step, as `send` does, so that the tap misses no character
                of their effect. None types nothing.
            how: *leave_mode* and *seen*, as for `send`; the tap's screen may be the one *seen*.

        Raises:
            PaneNotFoundError: If the pane is gone.
            TapUnavailableError: If the output cannot be read, as from tmux on another machine, or
                of another user. With *keys* this may be found after they have been typed; then the
                returned tap says so (`Tap.unavailable`).
            PaneBusyError: If the pane's one ``pipe-pane`` is already in use, or if `send` would
                refuse *keys*; nothing was typed.
            PaneDeadError: If the pane's program has exited.
            TmuxTimeoutError: If tmux hangs.
        """
        ...

    async def resize(self, pane: Pane, size: SizeLike) -> None:
        """Change the size of the pane; see `Terminal.resize`.

        Args:
            pane: The pane.
            size: Columns and rows, as a `Size` or a tuple.

        Raises:
            InvalidScreenError: If tmux has no such size.
            PaneNotFoundError: If the pane is gone.
            TmuxTimeoutError: If tmux hangs.
        """
        ...
