"""Programs in panes that tell what reached them, and when: a sink for bytes, and a shell.

Each notes the time itself, on the machine's own clock. So a design is not charged for how often
we look, and text that is there before the call returns is seen to be there before.
"""

import os
import struct
import sys
import time
from pathlib import Path

from tests.tmux_server import Server
from tmuxprim import Console, Outcome, Pane

_SINK = """\
import os, struct, time, tty
tty.setraw(0)
with open("data", "ab", 0) as data, open("log", "ab", 0) as log:
    os.write(1, b".")
    total = 0
    while chunk := os.read(0, 65536):
        data.write(chunk)
        total += len(chunk)
        log.write(struct.pack("=qd", total, time.monotonic()))
"""
_RECORD = struct.Struct("=qd")

# printf is built in: the trap starts no program, so it costs hardly any time.
_SHELL_SETTINGS = """\
PS1='$ '
unset HISTFILE
trap 'printf "%s %s\\n" "$EPOCHREALTIME" "$BASH_COMMAND" >> log' DEBUG
"""

# No text holds a NUL, so these bytes end one.
END = b"\0END\0"
_PATIENCE = 20.0
_POLL = 0.0002


class NothingCameError(Exception):
    """Raised when what was sent has not come after a long time."""


class Sink:
    """A pane in raw mode whose program writes all its input to a file.

    Args:
        server: Where to open it.
        directory: Where its files go.
    """

    def __init__(self, server: Server, directory: Path) -> None:
        self._data, self._log = directory / "data", directory / "log"
        self._read = 0
        self._server = server
        terminal = server.terminal
        self.pane: Pane = terminal.open([sys.executable, "-c", _SINK], cwd=directory)
        deadline = time.monotonic() + _PATIENCE
        while terminal.observe(self.pane).rows[0] != ".":
            assert time.monotonic() < deadline, "the sink did not open"

    def prepare(self) -> None:
        """Skip what has come late."""
        self._read = self._data.stat().st_size

    def arrival(self, expected: bytes, patience: float) -> float:
        """Return when the last byte of *expected* was in the file."""
        deadline = time.monotonic() + patience
        while True:
            total, when = self._last_record()
            if total >= self._read + len(expected):
                break
            if time.monotonic() > deadline:
                raise NothingCameError(f"{total - self._read} of {len(expected)} bytes")
            time.sleep(_POLL)
        received = self._receive()
        assert received == expected, f"got {received[:80]!r}, not {expected[:80]!r}"
        return when

    def drain(self) -> bytes:
        """Return all that has been sent up to now, however much that is."""
        self._server.tmux("send-keys", "-t", self.pane.target, "-H", *(f"{b:02x}" for b in END))
        received = b""
        deadline = time.monotonic() + _PATIENCE
        while not received.endswith(END):
            assert time.monotonic() < deadline, f"no end after {received[:80]!r}"
            time.sleep(_POLL)
            received += self._receive()
        return received.removesuffix(END)

    def _last_record(self) -> tuple[int, float]:
        with self._log.open("rb") as file:
            whole = file.seek(0, os.SEEK_END) // _RECORD.size
            file.seek(max(0, whole - 1) * _RECORD.size)
            record = file.read(_RECORD.size)
        return _RECORD.unpack(record) if whole else (0, 0.0)

    def _receive(self) -> bytes:
        with self._data.open("rb") as file:
            file.seek(self._read)
            received = file.read()
        self._read += len(received)
        return received


class Shell:
    """A bash that notes when it starts which command.

    Args:
        server: Where to open it.
        directory: Where its files go.
    """

    def __init__(self, server: Server, directory: Path) -> None:
        self._log = directory / "log"
        self._seen = 0
        settings = directory / "rc"
        settings.write_text(_SHELL_SETTINGS, encoding="utf-8")
        env = {"LC_ALL": "C.UTF-8", "INPUTRC": "/dev/null"}
        words = ["bash", "--rcfile", str(settings), "-i"]
        self.pane: Pane = server.terminal.open(words, cwd=directory, env=env)
        self._console = Console(server.terminal, self.pane)

    def prepare(self) -> None:
        """Wait until it is at its prompt, and forget what it did before."""
        readiness = self._console.wait_ready()
        assert readiness.outcome is Outcome.PROMPT, str(readiness)
        self._seen = len(self._lines())

    def arrival(self, expected: bytes, patience: float) -> float:
        """Return when the shell started the command *expected*."""
        deadline = time.monotonic() + patience
        while len(lines := self._lines()) <= self._seen:
            if time.monotonic() > deadline:
                raise NothingCameError("the shell started no command")
            time.sleep(_POLL)
        when, command = lines[self._seen].split(" ", 1)
        assert when, "bash is too old to tell the time; 5.0 can"
        assert command == expected.decode(), f"{command!r} was run, not {expected!r}"
        # bash tells the time of day; how far that is from our clock is the same a moment later.
        return float(when) - time.time() + time.monotonic()

    def _lines(self) -> list[str]:
        if not self._log.exists():
            return []
        # A line that is just being written counts later.
        return self._log.read_text(encoding="utf-8").split("\n")[:-1]
