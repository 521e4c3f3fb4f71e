"""`Display`: a fake pane's screen."""

from collections.abc import Callable
from typing import TypeAlias

from tmuxprim._emulator.emulator import Emulator
from tmuxprim._values.pane import Size
from tmuxprim._values.style import PLAIN

Listener: TypeAlias = Callable[[], None]


class Display(Emulator):
    """An emulator that counts writes, and that listeners and taps can observe."""

    def __init__(self, size: Size, history_limit: int) -> None:
        super().__init__(size, history_limit)
        self.writes: int = 0
        self.listeners: set[Listener] = set()
        self.taps: list[list[str]] = []

    def write(self, text: str) -> None:
        """Show a program's output; LF begins a new row, as the kernel makes it (ONLCR)."""
        self.writes += 1
        for listener in tuple(self.listeners):
            listener()
        text = text.replace("\n", "\r\n")
        for tap in self.taps:
            tap.append(text)
        self.feed(text)

    def show_notice(self, text: str) -> None:
        """Scroll up a row, and show *text*, cut, on the lowest; hide the cursor."""
        grid, size = self.grid, self.grid.size
        self.writes += 1
        grid.style = PLAIN
        grid.move(size.rows - 1, 0)
        grid.line_feed()
        self.feed(f"{text[: size.columns]}\r")
        self.cursor_visible = False
