"""The process of a tmux client in control mode, and its pipes."""

import os
import select
import subprocess
import tempfile
import weakref
from typing import IO, Final

from tmuxprim._tmux._command import Words
from tmuxprim._tmux._launch import Prefix
from tmuxprim._tmux._subprocess import environment, not_to_be_run

_CHUNK: Final = 1 << 18
# A client whose input has ended leaves; one that does not is killed after so many seconds.
_PATIENCE: Final = 1.0


class ControlClient:
    """Is a running client; it ends at the latest with this object.

    Args:
        prefix: How tmux is started.
        words: What it is told to attach to.

    Raises:
        TmuxNotFoundError: If there is no such program.
    """

    def __init__(self, prefix: Prefix, words: Words) -> None:
        argv = prefix.argv(*words)
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115  # it is closed with the client
        pipe = subprocess.PIPE
        try:
            process = subprocess.Popen(
                argv, bufsize=0, stdin=pipe, stdout=pipe, stderr=self._complaints, env=environment()
            )
        except (FileNotFoundError, PermissionError) as error:
            self._complaints.close()
            raise not_to_be_run(argv[0], error) from error
        self._process = process
        # The client's end: it is closed, waited for and, if need be, killed; once.
        self.close = weakref.finalize(self, _end, process, self._complaints)
        self.stdin, self.stdout = _number(process.stdin), _number(process.stdout)
        os.set_blocking(self.stdin, False)
        self._readable, self._writable = select.poll(), select.poll()
        self._readable.register(self.stdout, select.POLLIN)
        self._writable.register(self.stdin, select.POLLOUT)

    def read(self, seconds: float) -> bytes | None:
        """Return what it says next; empty when it has ended, None if it says nothing so long."""
        if not self._readable.poll(max(seconds, 0.0) * 1000):
            return None
        return os.read(self.stdout, _CHUNK)

    def write(self, data: bytes, seconds: float) -> bytes:
        """Write what it takes, waiting so many seconds at most for room; return the rest.

        Raises:
            BrokenPipeError: If the client has ended.
        """
        if not self._writable.poll(max(seconds, 0.0) * 1000):
            return data
        try:
            return data[os.write(self.stdin, data) :]
        except BlockingIOError:  # there is room, but not for a line that may not be torn
            return data

    def hang_up(self) -> None:
        """Let it leave: its input ends."""
        if self._process.stdin is not None:
            self._process.stdin.close()

    def complaints(self) -> str:
        """Return what it wrote to its standard error."""
        self._complaints.seek(0)
        return self._complaints.read().decode(errors="replace").strip()


def _number(pipe: IO[bytes] | None) -> int:
    return -1 if pipe is None else pipe.fileno()


def _end(process: "subprocess.Popen[bytes]", complaints: IO[bytes]) -> None:
    """End the client and give everything back."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    complaints.close()
