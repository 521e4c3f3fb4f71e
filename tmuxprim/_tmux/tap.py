"""`FileTap`: what a pane's program writes, by way of ``pipe-pane``.

tmux starts a shell, and that a ``cat``, which writes to a file of ours. The shell waits at a pipe
that this process holds open. So both end when we say so, and when this process ends, however that
happens; tmux then ends the pane's pipe, and no other one. Nobody has to drain the file: a reader
that was slow would let the tmux server grow.
"""

import codecs
import os
import select
import shlex
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from tmuxprim._values.screen import Screen

# The shell removes the names of both files as soon as it has opened them, and then writes one byte.
# Standard input is tmux, of which only cat may keep hold: tmux waits for it to end.
_COMMAND: Final = (
    "exec 3<&0 4<{alive} 5>{written} </dev/null >/dev/null"
    " && rm -f {alive} {written} && rmdir {folder} && echo >&5"
    " && trap '' XFSZ && ulimit -f {most}; cat <&3 >&5 3<&- 4<&- 5>&- & exec 3<&- 5>&-"
    "; read -r end <&4; kill $!; wait"
)
# What ulimit counts in.
_BLOCK: Final = 512
_MOST: Final = 1 << 28
_PIECE: Final = 1 << 20
_PATIENCE: Final = 1.0
_POLL: Final = 0.001


class FileTap:
    """Takes what is written to its `command`.

    Attributes:
        command: What tmux is to start, for sh.
        screen: The screen of when it did.
        is_as_new: Whether text went there then where it goes on a new screen.
    """

    screen: Screen
    is_as_new: bool

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="tmuxprim-tap-"))
        written, alive = self._folder / "written", self._folder / "alive"
        self._file = os.open(written, os.O_RDONLY | os.O_CREAT | os.O_EXCL, 0o600)
        os.mkfifo(alive, 0o600)
        self._reader = os.open(alive, os.O_RDONLY | os.O_NONBLOCK)
        self._writer = os.open(alive, os.O_WRONLY | os.O_NONBLOCK)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._is_closed = False
        os.lseek(self._file, 1, os.SEEK_SET)
        names = {"alive": alive, "written": written, "folder": self._folder}
        quoted = {name: shlex.quote(str(path)) for name, path in names.items()}
        self.command: str = _COMMAND.format(most=_MOST // _BLOCK, **quoted)

    def read(self) -> str:
        """Return what has arrived since it was last read."""
        pieces: list[bytes] = []
        while not self._is_closed and (piece := os.read(self._file, _PIECE)):
            pieces.append(piece)
        return self._decoder.decode(b"".join(pieces))

    def close(self) -> None:
        """End the shell and its cat, and wait until they have ended."""
        if self._is_closed:
            return
        deadline = time.monotonic() + _PATIENCE
        while not os.fstat(self._file).st_size and time.monotonic() < deadline:
            time.sleep(_POLL)
        os.write(self._writer, b"\n")
        os.close(self._reader)
        self._reader = -1
        ended = select.poll()
        ended.register(self._writer, 0)  # an error: nobody reads from it any more
        ended.poll(_PATIENCE * 1000)
        self.drop()

    def drop(self) -> None:
        """Give back what there is; what tmux may still start finds nothing, and ends."""
        self._is_closed = True
        with suppress(OSError):  # the shell has removed it
            for path in self._folder.iterdir():
                path.unlink()
            self._folder.rmdir()
        for number in {self._file, self._reader, self._writer} - {-1}:
            os.close(number)
