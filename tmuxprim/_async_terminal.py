"""`AsyncTerminal`: the `Terminal` protocol for asyncio: the same names, to be awaited."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from tmuxprim._pane import Pane
from tmuxprim._screen import Screen
from tmuxprim._sequence import KeySequence
from tmuxprim._size import Size
from tmuxprim._terminal import DEFAULT_SIZE
from tmuxprim._tty import TtyState


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


class AsyncBell(Protocol):
    """Rings when a pane's program writes; see `Bell`.

    Examples:
        >>> import asyncio
        >>> async def listen() -> bool:
        ...     shell = ScriptedShell({"make": after(3.0, "done")})
        ...     terminal = AsyncFakeTerminal(FakeTerminal(programs={"sh": shell}))
        ...     console = AsyncConsole(terminal, await terminal.open("sh"))
        ...     await console.wait_ready()
        ...     await console.send("make")
        ...     bell = await terminal.listen(await console.locate())
        ...     rang = await bell.wait(60.0)
        ...     bell.close()
        ...     return rang
        >>> asyncio.run(listen())
        True
    """

    async def wait(self, seconds: float) -> bool:
        """Let time pass until it rings, and no longer than *seconds*; return whether it rang."""
        ...

    def close(self) -> None:
        """Stop listening."""
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

    async def open(
        self,
        command: str | Sequence[str] | None = None,
        *,
        size: Size = DEFAULT_SIZE,
        cwd: str | Path | None = None,
        env: Mapping[str, str] | None = None,
        name: str | None = None,
    ) -> Pane:
        """Open a pane, in a session of its own, and return its id; see `Terminal.open`."""
        ...

    async def close(self, pane: Pane) -> None:
        """End the pane and its program; see `Terminal.close`."""
        ...

    async def panes(self) -> tuple[Pane, ...]:
        """Return the ids of all panes; see `Terminal.panes`."""
        ...

    async def resolve(self, pane: Pane) -> Pane:
        """Return the pane by its id; see `Terminal.resolve`."""
        ...

    async def send(self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False) -> Screen:
        """Type *keys*, and return the screen from right before; see `Terminal.send`."""
        ...

    async def observe(self, pane: Pane, *, history: int = 0) -> Screen:
        """Return the screen and its state, of one moment; see `Terminal.observe`."""
        ...

    async def read(self, pane: Pane, *, history: int = 0) -> str:
        """Return what the screen says; see `Terminal.read`."""
        ...

    async def probe(self, pane: Pane) -> TtyState | None:
        """Return what the kernel knows about the pane's terminal; see `Terminal.probe`."""
        ...

    async def listen(self, pane: Pane) -> AsyncBell:
        """Return a bell that rings when the pane's program writes; see `Terminal.listen`."""
        ...

    async def resize(self, pane: Pane, size: Size) -> None:
        """Change the size of the pane; see `Terminal.resize`."""
        ...
