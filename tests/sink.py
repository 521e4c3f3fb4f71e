"""Where everything that is sent to a pane ends up, byte for byte, in a file."""

import time
from collections.abc import Callable
from pathlib import Path

from tmuxprim import Console, Pane, Terminal

# Raw mode, then say so: what is typed before that would be cooked.
_SINK = "stty raw -echo; printf '%s\\033[31m.'; exec cat > '%s'"


class Sink:
    """A pane whose program writes all its input to a file.

    Args:
        terminal: Where to open the pane.
        file: The file, as the pane's program sees it.
        seen: The same file, as we see it.
        ask_for_brackets: Whether the program asks for pastes to be bracketed.
    """

    def __init__(
        self,
        terminal: Terminal,
        file: Path,
        *,
        seen: Path | None = None,
        ask_for_brackets: bool = False,
    ) -> None:
        self._file = seen or file
        self._read = 0
        brackets = "\\033[?2004h" if ask_for_brackets else ""
        script = _SINK.replace("%s", brackets, 1).replace("%s", str(file), 1)
        self.pane: Pane = terminal.open(["sh", "-c", script])
        self.console = Console(terminal, self.pane)
        self._until(self._file.exists, "opened")
        while terminal.observe(self.pane).rows[0] != ".":
            pass

    def receive(self, length: int) -> bytes:
        """Return the next bytes, as soon as so many have come."""
        self._until(lambda: self._file.stat().st_size >= self._read + length, f"{length} bytes")
        with self._file.open("rb") as file:
            file.seek(self._read)
            received = file.read()
        self._read += len(received)
        return received

    def _until(self, condition: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + 60
        while not condition():
            if time.monotonic() > deadline:
                size = self._file.stat().st_size if self._file.exists() else None
                raise AssertionError(f"not {what}: {size} bytes after {self._read}")
            time.sleep(0.0002)
