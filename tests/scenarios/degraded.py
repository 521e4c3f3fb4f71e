"""A terminal of which the kernel tells less than of others."""

from collections.abc import Mapping, Sequence

import attrs

from tmuxprim import KeySequence, Pane, PaneInfo, Screen, Size, Terminal, TtyState
from tmuxprim._terminal import StrPath
from tmuxprim.testing import Bell, Clock

# All there is; as on macOS, where nothing tells who reads; as through a launcher such as ssh.
EVIDENCE = ("all evidence", "line discipline only", "screen only")


@attrs.frozen
class Degraded(Terminal):
    """Passes everything on to a terminal, but only some of the kernel's evidence back.

    Args:
        terminal: The terminal.
        evidence: One of `EVIDENCE`.
    """

    terminal: Terminal
    evidence: str

    @property
    def clock(self) -> Clock:
        """The terminal's clock."""
        return self.terminal.clock

    def open(
        self,
        command: str | Sequence[str] | None = None,
        *,
        size: Size = Size(80, 24),  # noqa: B008  # a frozen value
        cwd: StrPath | None = None,
        env: Mapping[str, str] | None = None,
        name: str | None = None,
    ) -> Pane:
        """Open a pane."""
        return self.terminal.open(command, size=size, cwd=cwd, env=env, name=name)

    def close(self, pane: Pane) -> None:
        """Close a pane."""
        self.terminal.close(pane)

    def panes(self) -> tuple[PaneInfo, ...]:
        """Return all panes."""
        return self.terminal.panes()

    def resolve(self, pane: Pane) -> Pane:
        """Return the pane by its id."""
        return self.terminal.resolve(pane)

    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        """Type keys."""
        return self.terminal.send(pane, keys, leave_mode=leave_mode, seen=seen)

    def observe(self, pane: Pane, *, history: int = 0) -> Screen:
        """Look at the screen."""
        return self.terminal.observe(pane, history=history)

    def read(self, pane: Pane, *, history: int = 0) -> str:
        """Read the screen."""
        return self.terminal.read(pane, history=history)

    def probe(self, pane: Pane) -> TtyState | None:
        """Return as much of the evidence as there shall be."""
        tty = self.terminal.probe(pane)
        if tty is None or self.evidence == EVIDENCE[0]:
            return tty
        if self.evidence == EVIDENCE[2]:
            return None
        return TtyState(
            canonical=tty.canonical,
            echo=tty.echo,
            signals=tty.signals,
            edits=tty.edits,
            unread=tty.unread,
            line_limit=tty.line_limit,
        )

    def listen(self, pane: Pane) -> Bell:
        """Listen for what the program writes."""
        return self.terminal.listen(pane)

    def resize(self, pane: Pane, size: Size) -> None:
        """Change the size."""
        self.terminal.resize(pane, size)
