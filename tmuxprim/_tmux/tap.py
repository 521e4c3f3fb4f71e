"""`FileTap`: the raw output of a pane's program, by way of ``pipe-pane``.

tmux starts a shell, and the shell starts a ``cat``, which writes to a file of ours. The shell waits
at a pipe that this process holds open. So both end when we close the pipe, and when this process
ends, however that happens; tmux then ends the pane's pipe, and no other one. It is a file and no
pipe, since the tmux server would keep in memory all that a slow reader has not read.
"""

import codecs
import os
import select
import shlex
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from itertools import repeat
from pathlib import Path
from typing import Final

from tmuxprim._values.screen import Screen
from tmuxprim.errors import TapUnavailableError

# The shell writes one byte when it has opened both files, whose names we remove then. If it cannot,
# it ends. Standard input is tmux, of which only cat may keep hold: tmux waits for it to end.
# If our process has closed the pipe by then, open(2) would keep the shell for ever (fifo(7)). So
# the shell is a writer itself until it has opened the pipe for reading. A pipe that ends without a
# line is that of a process that was killed, perhaps before it had removed the names.
_COMMAND: Final = (
    "[ -p {alive} ] && exec 3<&0 6<>{alive} 4<{alive} 6>&- 5>{written} </dev/null >/dev/null"
    " && command -v cat && echo >&5 || exit"
    "; trap '' XFSZ && ulimit -f {most}; cat <&3 >&5 3<&- 4<&- 5>&- & exec 3<&- 5>&-"
    "; read -r end <&4 || {{ rm -f {alive} {written}; rmdir {directory}; }} 2>/dev/null"
    "; kill $!; wait"
)
# ulimit -f counts in blocks of so many bytes (sh(1)).
_BLOCK: Final = 512
_MOST: Final = 1 << 28
_PIECE: Final = 1 << 20
# The pauses of one second, in which a shell whose pipe was closed nearly always has ended.
_ENDING: Final = (*(0.001 * 2**n for n in range(6)), *repeat(0.05, 19))
# No process has the pipe open for reading (poll(2)).
_NO_READER: Final = select.POLLERR | select.POLLHUP


LONG_PAUSE: Final = 0.1
"""After so many seconds, tmux is to be asked whether it still has the shell."""
# Most shells have begun after one or two of them; of 300 at once, the last one within a second.
_PAUSES: Final = (*(0.0005 * 1.5**n for n in range(11)), *repeat(LONG_PAUSE, 50))


class FileTap:
    """Reads the text that tmux writes to its `command`.

    Attributes:
        command: The command line, for sh, that tmux is to start.
        screen: The screen of when it did.
        is_as_new: Whether text went there then where it goes on a new screen.
        is_piped: Whether tmux still had the shell when it was asked.
        unavailable: Why it takes nothing; empty if it does.
    """

    screen: Screen
    is_as_new: bool
    is_piped: bool = True
    unavailable: str = ""

    def __init__(self) -> None:
        self._directory = Path(tempfile.mkdtemp(prefix="tmuxprim-tap-"))
        written, alive = self._directory / "written", self._directory / "alive"
        self._file = os.open(written, os.O_RDONLY | os.O_CREAT | os.O_EXCL, 0o600)
        os.mkfifo(alive, 0o600)
        self._reader = os.open(alive, os.O_RDONLY | os.O_NONBLOCK)
        self._writer = os.open(alive, os.O_WRONLY | os.O_NONBLOCK)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._is_closed = False
        # Numbers of descriptors that were closed may be another file's. So only one thread uses
        # them at a time.
        self._lock = threading.Lock()
        os.lseek(self._file, 1, os.SEEK_SET)
        paths = {"directory": self._directory, "alive": alive, "written": written}
        quoted = {name: shlex.quote(str(path)) for name, path in paths.items()}
        self.command: str = _COMMAND.format(most=_MOST // _BLOCK, **quoted)

    def starting(self) -> Iterator[float]:
        """Yield pauses, in seconds, until the shell has opened the file.

        Raises:
            TapUnavailableError: If it has ended before it could, or has not done so in 5 s.
        """
        for pause in _PAUSES:
            if self._has_begun() or not self.is_piped:
                break
            yield pause
        if not self._has_begun():
            raise TapUnavailableError(self._why_unavailable())
        self._remove_names()

    def read(self) -> str:
        """Return the text that has arrived since the last call, up to a megabyte of it."""
        with self._lock:
            return "" if self._is_closed else self._decoder.decode(os.read(self._file, _PIECE))

    def close(self) -> None:
        """End the shell and its cat, and wait until they have ended."""
        with self._lock:
            if self._is_closed:
                return
            os.write(self._writer, b"\n")
            os.close(self._reader)
            self._reader = -1
            # Linux reports at once that there is no reader any more. macOS reports it only to a
            # poll that asks for room as well, and so would end at once while there is a reader.
            asking, waking = select.poll(), select.poll()
            asking.register(self._writer, select.POLLOUT)
            waking.register(self._writer, 0)
            for pause in _ENDING:
                if any(event & _NO_READER for _, event in asking.poll(0)):
                    break
                waking.poll(pause * 1000)
            self._drop()

    def drop(self) -> None:
        """Give back what there is; what tmux may still start finds nothing, and ends."""
        with self._lock:
            if not self._is_closed:
                self._drop()

    def _drop(self) -> None:
        self._is_closed = True
        self._remove_names()
        for number in {self._file, self._reader, self._writer} - {-1}:
            os.close(number)

    def _has_begun(self) -> bool:
        return os.fstat(self._file).st_size > 0

    def _remove_names(self) -> None:
        with suppress(FileNotFoundError):  # that is done already
            # A shell that is late would make a new file in the old directory.
            directory = self._directory.rename(f"{self._directory}-gone")
            for path in directory.iterdir():
                path.unlink()
            directory.rmdir()

    def _why_unavailable(self) -> str:
        own = theirs = os.geteuid()
        with suppress(OSError):  # the pane may have gone
            theirs = Path(self.screen.tty).stat().st_uid  # tmux has made it, so this is its user
        if theirs in (own, 0):
            return (
                f"the shell that tmux has started could not write into {str(self._directory)!r}; "
                "it needs that directory, room on its disk, and the programs sh and cat"
            )
        return (
            f"the tmux server is run by user {theirs}, who cannot write into a file of user {own}; "
            f"run this process as user {theirs}"
        )
