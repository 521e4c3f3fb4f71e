"""A person at a terminal: a client of a test's own, who sees what tmux draws."""

import os
import pty
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Person:
    """Is attached with a terminal, whose every byte is read at once.

    Attributes:
        pid: The process id of the client.
        remembers: Whether what is drawn is kept for `seen`; a flood would fill our memory.
    """

    def __init__(self, socket: Path, session: str, columns: int, rows: int) -> None:
        self.remembers = True
        self._ours, theirs = pty.openpty()
        size = ["stty", "cols", str(columns), "rows", str(rows)]
        subprocess.run(size, stdin=theirs, check=True)
        argv = ["tmux", "-u", "-S", str(socket), "attach-session", "-t", session]
        environment = {**os.environ, "TERM": "xterm-256color"}
        self._client = subprocess.Popen(
            argv, stdin=theirs, stdout=theirs, stderr=theirs, env=environment
        )
        os.close(theirs)
        self.pid = self._client.pid
        os.read(self._ours, 1)  # something was drawn: the client is attached
        self._seen = bytearray()
        self._wrote = threading.Event()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def quiet(self) -> None:
        """Wait until nothing is drawn any more."""
        while self._wrote.wait(0.3):
            self._wrote.clear()

    def seen(self) -> bytes:
        """Return what was drawn since the last time this was asked, once it is quiet."""
        self.quiet()
        seen, self._seen = bytes(self._seen), bytearray()
        return seen

    def leave(self) -> None:
        """Close the terminal, as with its window."""
        self._client.terminate()
        self._client.wait()
        self._reader.join()
        os.close(self._ours)

    def _read(self) -> None:
        while True:
            try:
                drawn = os.read(self._ours, 65536)
            except OSError:  # Linux says so when the other end is closed
                return
            if self.remembers:
                self._seen += drawn
            self._wrote.set()


@contextmanager
def person(socket: Path, session: str, columns: int = 140, rows: int = 45) -> Iterator[Person]:
    """Let a person attach to a session with a terminal of that size."""
    attached = Person(socket, session, columns, rows)
    try:
        yield attached
    finally:
        attached.leave()
