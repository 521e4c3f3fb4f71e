"""The process of a tmux client in control mode, and its pipes."""

import fcntl
import os
import select
import signal
import subprocess
import tempfile
import time
import weakref
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Final, cast

from tmuxprim._tmux.commands import Words
from tmuxprim._tmux.launch import Prefix
from tmuxprim._tmux.subprocess import environment, kill, refuse_unless_runs

if TYPE_CHECKING:
    from io import FileIO

_CHUNK: Final = 1 << 18
# A client leaves when its input has ended; one that does not is killed after so many seconds.
_PATIENCE: Final = 1.0
_SSH_FAILED: Final = 255


class ControlClient:
    """A running tmux client in control mode; it ends at the latest with this object.

    Raises:
        TmuxNotFoundError: If there is no such program.
    """

    def __init__(self, prefix: Prefix, words: Words) -> None:
        argv = prefix.argv(*words)
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115  # it is closed with the client
        pipe = subprocess.PIPE
        watched, lifeline = os.pipe()
        try:
            process = subprocess.Popen(
                argv,
                bufsize=0,
                stdin=pipe,
                stdout=pipe,
                stderr=self._complaints,
                env=environment(),
                start_new_session=prefix.is_by_ssh,  # as of `SubprocessTransport`
                pass_fds=(watched,),
            )
            _kill_when_closed(process.pid, watched)
        except OSError as error:
            self._complaints.close()
            os.close(lifeline)
            refuse_unless_runs(prefix, argv, error)
            raise
        finally:
            os.close(watched)
        self._process = process
        self._is_by_ssh = prefix.is_by_ssh
        # Calling it ends the client: closes its pipes, waits for it, kills it if need be. Once.
        self.close = weakref.finalize(self, _end, os.getpid(), process, self._complaints, lifeline)
        self._in, self._out = _pipes(process)
        self.stdin, self.stdout = self._in.fileno(), self._out.fileno()
        os.set_blocking(self.stdin, False)
        os.set_blocking(self.stdout, False)
        self._readable, self._writable = select.poll(), select.poll()
        self._readable.register(self.stdout, select.POLLIN)
        self._writable.register(self.stdin, select.POLLOUT)

    def wait_for_output(self, seconds: float) -> bool:
        """Wait for output or the end of it, *seconds* at most; return whether there is some."""
        return bool(self._readable.poll(max(seconds, 0.0) * 1000))

    def read(self) -> bytes | None:
        """Return its output; empty when it has ended or was closed, None if there is none yet."""
        try:
            return self._out.read(_CHUNK)
        except ValueError:  # closed: the number may be another file's
            return b""

    def write(self, data: bytes, seconds: float) -> bytes:
        """Write what fits into the pipe, waiting *seconds* at most for room; return the rest.

        Raises:
            BrokenPipeError: If the client has ended or was closed.
        """
        try:
            written = self._in.write(data)
        except ValueError as error:  # closed: the number may be another file's
            raise BrokenPipeError from error
        if written is None:  # no room, or none for a line that may not be torn
            self._writable.poll(max(seconds, 0.0) * 1000)
            return data
        return data[written:]

    @property
    def was_cut_off(self) -> bool:
        """Whether ssh failed, and not tmux: its exit status says so."""
        status = self._process.poll()
        return self._is_by_ssh and status is not None and (status < 0 or status == _SSH_FAILED)

    def last_words(self) -> str:
        """Wait a while for it to end, and return what it wrote to standard error."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_PATIENCE)
        self._complaints.seek(0)
        return self._complaints.read().decode(errors="replace").strip()


def _kill_when_closed(process: int, watched: int) -> None:
    """Have the kernel kill a process when no process has the other end of a pipe any more.

    Our end closes when this process ends, however that happens. Without this, a client whose output
    is not read would stay for ever, and with it a server that is asked to end. The process must
    also have its own end open (O_ASYNC in open(2), F_SETSIG in fcntl(2)). Only Linux has this.
    """
    with suppress(AttributeError, OSError):  # another system, or a sandbox
        fcntl.fcntl(watched, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(watched, fcntl.F_SETOWN, process)
        fcntl.fcntl(watched, fcntl.F_SETFL, os.O_ASYNC)


def _end(
    owner: int, process: "subprocess.Popen[bytes]", complaints: IO[bytes], lifeline: int
) -> None:
    """End the client and close its pipes; in a forked process only close them."""
    deadline = time.monotonic() + _PATIENCE
    stdin, stdout = _pipes(process)
    stdin.close()
    if os.getpid() == owner:
        _exhaust(stdout, deadline)  # tmux keeps the client until all its output is read
    stdout.close()
    try:
        process.wait(max(deadline - time.monotonic(), 0.0))
    except subprocess.TimeoutExpired:
        kill(process)
    complaints.close()
    os.close(lifeline)  # not before the client has ended by itself


def _pipes(process: "subprocess.Popen[bytes]") -> "tuple[FileIO, FileIO]":
    """Return its unbuffered input and output, which know whether they are closed."""
    return cast("FileIO", process.stdin), cast("FileIO", process.stdout)


def _exhaust(pipe: "FileIO", deadline: float) -> None:
    """Read to the end, or until *deadline*."""
    readable = select.poll()
    readable.register(pipe, select.POLLIN)
    while readable.poll(max(deadline - time.monotonic(), 0.0) * 1000):
        if not os.read(pipe.fileno(), _CHUNK) or time.monotonic() >= deadline:
            return
