"""The progress of a wait on a terminal: one line, from the first second of the wait on."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final, TextIO

from tmuxprim._cli.report import takes_codes
from tmuxprim._engine.log import watcher
from tmuxprim._readiness.chain import Judgement
from tmuxprim._readiness.snapshot import Ready
from tmuxprim._values.lines import text_columns

_CLEARED: Final = "\r\x1b[K"


@contextmanager
def shown_while_waiting() -> Iterator[None]:
    """Show on stderr what a wait waits for, and how long it has; nothing if that is no terminal."""
    if not takes_codes(sys.stderr):
        yield
        return
    line = _Line(sys.stderr)
    token = watcher.set(line.note)
    try:
        yield
    finally:
        watcher.reset(token)
        line.end()


class _Line:
    """The line; while somebody watches, the engine looks once a second or more."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._began: float | None = None
        self._shown = 0  # seconds

    def note(self, judgement: Judgement) -> None:
        """Show why a snapshot was not ready; the first one begins the wait."""
        if isinstance(judgement.verdict, Ready):
            return
        now = time.monotonic()
        self._began = now if self._began is None else self._began
        seconds = int(now - self._began)
        if seconds != self._shown:
            self._shown = seconds
            self._write(f"{judgement.obstacle}, {seconds} s")

    def end(self) -> None:
        """Take the line away."""
        if self._shown:
            self._write("")

    def _write(self, text: str) -> None:
        with suppress(OSError):  # a terminal that is gone shows nothing
            columns = os.get_terminal_size(self._stream.fileno()).columns or 80
            text = "".join(char if char.isprintable() else "?" for char in text)
            # A line that wraps could not be taken away.
            while text and text_columns(text) >= columns:
                text = text[:-1]
            self._stream.write(f"{_CLEARED}{text}")
            self._stream.flush()
