"""A terminal for asyncio as a `Terminal`, so that the same contract holds it."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar, Unpack

from tmuxprim import AsyncTerminal, KeySequence, Pane, PaneInfo, Screen, TtyState
from tmuxprim._terminal import OpenOptions, SendOptions
from tmuxprim._values.checks import Command
from tmuxprim._values.pane import SizeLike
from tmuxprim.testing import AsyncOutputWatch, Tap

T = TypeVar("T")


class Blocking:
    """Carries out each call of an `AsyncTerminal` on an event loop of its own."""

    def __init__(self, terminal: AsyncTerminal) -> None:
        self.terminal = terminal
        self.loop = asyncio.new_event_loop()
        self.clock = BlockingClock(self)

    def wait_for(self, answer: Coroutine[Any, Any, T]) -> T:
        """Run the loop until the answer is there."""
        return self.loop.run_until_complete(answer)

    def open(self, command: Command = None, **options: Unpack[OpenOptions]) -> Pane:
        """Open a pane."""
        return self.wait_for(self.terminal.open(command, **options))

    def close(self, pane: Pane) -> None:
        """Close a pane."""
        self.wait_for(self.terminal.close(pane))

    def panes(self) -> tuple[PaneInfo, ...]:
        """List the panes."""
        return self.wait_for(self.terminal.panes())

    def resolve(self, pane: Pane) -> Pane:
        """Look a pane up."""
        return self.wait_for(self.terminal.resolve(pane))

    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        """Type."""
        return self.wait_for(self.terminal.send(pane, keys, leave_mode=leave_mode, seen=seen))

    def observe(self, pane: Pane, *, history: int = 0, styled: bool = False) -> Screen:
        """Look."""
        return self.wait_for(self.terminal.observe(pane, history=history, styled=styled))

    def read(self, pane: Pane, *, history: int = 0) -> str:
        """Read."""
        return self.wait_for(self.terminal.read(pane, history=history))

    def probe(self, pane: Pane) -> TtyState | None:
        """Ask the kernel."""
        return self.wait_for(self.terminal.probe(pane))

    def watch_output(self, pane: Pane) -> "BlockingOutputWatch":
        """Listen."""
        return BlockingOutputWatch(self, self.wait_for(self.terminal.watch_output(pane)))

    def tap(self, pane: Pane, keys: KeySequence | None = None, **how: Unpack[SendOptions]) -> Tap:
        """Tap."""
        return self.wait_for(self.terminal.tap(pane, keys, **how))

    def resize(self, pane: Pane, size: SizeLike) -> None:
        """Change the size."""
        self.wait_for(self.terminal.resize(pane, size))


class BlockingClock:
    """The clock of such a terminal."""

    def __init__(self, blocking: Blocking) -> None:
        self.blocking = blocking

    def now(self) -> float:
        """Tell the time."""
        return self.blocking.terminal.clock.now()

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self.blocking.wait_for(self.blocking.terminal.clock.sleep(seconds))


class BlockingOutputWatch:
    """A bell of such a terminal."""

    def __init__(self, blocking: Blocking, output_watch: AsyncOutputWatch) -> None:
        self.blocking = blocking
        self.output_watch = output_watch

    def wait(self, seconds: float) -> bool:
        """Wait until it rings."""
        return self.blocking.wait_for(self.output_watch.wait(seconds))

    def close(self) -> None:
        """Stop watching."""
        self.output_watch.close()
