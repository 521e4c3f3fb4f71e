"""What a person sees who waits at a terminal: one line, from the first second of a wait on."""

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, TextIO

from tmuxprim._cli.answer import takes_codes
from tmuxprim._engine.log import watcher
from tmuxprim._readiness.chain import Judgement
from tmuxprim._readiness.look import Ready
from tmuxprim._values.lines import text_columns

_TICK: Final = 1.0
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
    """The line, which a thread of its own draws once a second: a wait sleeps meanwhile."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._reason = ""
        self._thread: threading.Thread | None = None
        self._ended = threading.Event()

    def note(self, judgement: Judgement) -> None:
        """Note what a look found to stand in the way; the first one begins the wait."""
        if isinstance(judgement.verdict, Ready):
            return
        self._reason = judgement.obstacle
        if self._thread is None:
            self._thread = threading.Thread(
                target=self._draw, args=(time.monotonic(),), daemon=True
            )
            self._thread.start()

    def end(self) -> None:
        """Take the line away."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()

    def _draw(self, began: float) -> None:
        is_drawn = False
        while not self._ended.wait(_TICK):
            self._write(f"{self._reason}, {time.monotonic() - began:.0f} s")
            is_drawn = True
        if is_drawn:
            self._write("")

    def _write(self, text: str) -> None:
        columns = os.get_terminal_size(self._stream.fileno()).columns or 80
        text = "".join(char if char.isprintable() else "?" for char in text)
        while text and text_columns(text) >= columns:  # a line that wraps could not be taken away
            text = text[:-1]
        self._stream.write(f"{_CLEARED}{text}")
        self._stream.flush()
