"""`WrappingTerminal`: forwards every call to another terminal, as a base for wrappers."""

from typing import Unpack

from tmuxprim._terminal import (
    Clock,
    OpenOptions,
    OutputWatch,
    SendOptions,
    Tap,
    Terminal,
)
from tmuxprim._values.checks import Command
from tmuxprim._values.evidence import TtyState
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.pane import Pane, PaneInfo, SizeLike
from tmuxprim._values.screen import Screen


class WrappingTerminal:
    """Forwards every call to another terminal: inherit from it, and override a few methods.

    It has all methods of `Terminal`, so a wrapper stays complete when `Terminal` gets a new one.
    Each method calls the same method of the inner terminal, and no other method of the wrapper.

    Args:
        inner: The terminal that does the work.

    Attributes:
        inner: The same.

    Examples:
        >>> class CountingTerminal(WrappingTerminal):
        ...     looks = 0
        ...
        ...     def observe(self, pane: Pane, *, history: int = 0, styled: bool = False) -> Screen:
        ...         self.looks += 1
        ...         return super().observe(pane, history=history, styled=styled)
        >>> terminal = CountingTerminal(FakeTerminal())  # TmuxTerminal() for a real one
        >>> print(terminal.observe(terminal.open()).size, terminal.looks)
        80x24 1
    """

    def __init__(self, inner: Terminal) -> None:
        self.inner = inner

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.inner!r})"

    @property
    def clock(self) -> Clock:
        """The clock of the inner terminal."""
        return self.inner.clock

    def open(self, command: Command = None, **options: Unpack[OpenOptions]) -> Pane:
        """Open a pane; see `Terminal.open`."""
        return self.inner.open(command, **options)

    def close(self, pane: Pane) -> None:
        """End a pane; see `Terminal.close`."""
        self.inner.close(pane)

    def panes(self) -> tuple[PaneInfo, ...]:
        """Return all panes; see `Terminal.panes`."""
        return self.inner.panes()

    def resolve(self, pane: Pane) -> Pane:
        """Return a pane by its id; see `Terminal.resolve`."""
        return self.inner.resolve(pane)

    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        """Type keys; see `Terminal.send`."""
        return self.inner.send(pane, keys, leave_mode=leave_mode, seen=seen)

    def observe(self, pane: Pane, *, history: int = 0, styled: bool = False) -> Screen:
        """Look at the screen; see `Terminal.observe`."""
        return self.inner.observe(pane, history=history, styled=styled)

    def read(self, pane: Pane, *, history: int = 0) -> str:
        """Return the text of the screen; see `Terminal.read`."""
        return self.inner.read(pane, history=history)

    def probe(self, pane: Pane) -> TtyState | None:
        """Ask the kernel; see `Terminal.probe`."""
        return self.inner.probe(pane)

    def watch_output(self, pane: Pane) -> OutputWatch:
        """Watch the output of the program; see `Terminal.watch_output`."""
        return self.inner.watch_output(pane)

    def tap(self, pane: Pane, keys: KeySequence | None = None, **how: Unpack[SendOptions]) -> Tap:
        """Tap the program's raw output from now on; see `Terminal.tap`."""
        return self.inner.tap(pane, keys, **how)

    def resize(self, pane: Pane, size: SizeLike) -> None:
        """Change the size of a pane; see `Terminal.resize`."""
        self.inner.resize(pane, size)
