"""Pseudo-terminals of a test's own, and programs that write to them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import attrs


@attrs.frozen
class Pty:
    """The two ends of a pseudo-terminal: a program writes to one, tmux reads the other."""

    ours: int
    theirs: int

    @property
    def path(self) -> str:
        """The device that the program has."""
        return os.ttyname(self.theirs)

    def write(self) -> None:
        """Write as a program does, to the device itself."""
        os.write(self.theirs, b"x")


@contextmanager
def open_pty() -> Iterator[Pty]:
    """Give a pseudo-terminal, and close it."""
    pty = Pty(*os.openpty())
    try:
        yield pty
    finally:
        for end in (pty.ours, pty.theirs):
            with suppress(OSError):
                os.close(end)


def descriptors() -> set[str]:
    """Return what this process has open, as far as that can be listed without opening more."""
    return {path.name for path in Path("/proc/self/fd").iterdir() if path.exists()}
