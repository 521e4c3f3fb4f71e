"""The files by which a machine reports its processes and terminals: those of this machine.

All that the evidence of the kernel asks goes through `Files`, so that it can be another machine's.
"""

import fcntl
import os
import struct
import sys
import termios
from typing import Any, Final, NamedTuple, Protocol

# What a socket is of, as the kernel tells of the open file itself (net/socket.c). Its tables of
# connections also tell it, but it may take the kernel 90 ms to write them.
_PROTOCOL: Final = "system.sockprotoname"
_LARGEST_FILE: Final = 65536
# A file that is no plain one must not be waited for, nor become our terminal.
_READ: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY
# The places of c_iflag, c_lflag and c_cc in what tcgetattr returns.
_INPUT_FLAGS: Final = 0
_LOCAL_FLAGS: Final = 3
_CHARACTERS: Final = 6
# What the kernel's line buffer holds besides the line's end: N_TTY_BUF_SIZE of Linux, MAX_CANON of
# macOS. pathconf(3) tells the least that POSIX asks for, and not what there is.
_LINE_LIMIT: Final = 1023 if sys.platform == "darwin" else 4095


class FileStatus(Protocol):
    """The part of `os.stat_result` that we need."""

    @property
    def st_mode(self) -> int:
        """The type of the file."""

    @property
    def st_rdev(self) -> int:
        """The number of its device."""


class Modes(NamedTuple):
    """The flags of a terminal (termios(3)), and whether a line editor has set them."""

    canonical: bool
    echo: bool
    signals: bool
    edits: bool


class TtySettings(NamedTuple):
    """The settings of a terminal, and how much is typed and not read; None if that is not told.

    Its *limit* is that of a read of keys, in seconds; None if it has none. Of a line the kernel
    keeps *line_limit* bytes.
    """

    number: int
    modes: Modes
    unread: int | None
    size: tuple[int, int]
    limit: float | None
    line_limit: int


class OpenTty(Protocol):
    """An open terminal."""

    def ask(self) -> TtySettings | None:
        """Return its settings now; None if its pane has just exited."""
        ...

    def modes(self) -> Modes | None:
        """Return its flags now, which takes a fraction of the time; None as above."""
        ...

    def close(self) -> None:
        """Close it."""
        ...


class Files(Protocol):
    """The files of a machine. A path that a method takes begins with `root`, or with ``/dev``.

    Every method raises OSError as the kernel does: if a file is not there, or not ours to read.
    """

    @property
    def root(self) -> str:
        """The directory in which the kernel tells of processes."""

    @property
    def machine(self) -> str:
        """The name of the processor, as ``uname -m`` prints it."""

    def read(self, path: str) -> str:
        """Return what a file says now."""
        ...

    def head(self, path: str, length: int) -> bytes:
        """Return the first bytes of a file."""
        ...

    def names(self, directory: str) -> list[str]:
        """Return the names in a directory."""
        ...

    def link(self, path: str) -> str:
        """Return what a link leads to: for an open file, what it is."""
        ...

    def status(self, path: str) -> FileStatus:
        """Return what a file is, behind all links."""
        ...

    def protocol(self, path: str) -> bytes:
        """Return the protocol of a socket that is open, as ``TCP``."""
        ...

    def memory(self, path: str, address: int, length: int) -> bytes:
        """Return a part of a process's memory."""
        ...

    def terminal(self, path: str) -> OpenTty:
        """Open a terminal."""
        ...

    def is_alive(self, process: int) -> bool:
        """Whether there is such a process, of whomever."""
        ...


class LocalFiles:
    """The files of this machine.

    Args:
        root: The directory in which the kernel tells of processes.
    """

    machine = os.uname().machine

    def __init__(self, root: str = "/proc") -> None:
        self.root = root

    def read(self, path: str) -> str:
        """Return what a file says now; this is the hot path, so no `pathlib`."""
        return self.head(path, _LARGEST_FILE).decode(errors="replace")

    def head(self, path: str, length: int) -> bytes:
        """Return the first bytes of a file, as far as the kernel gives them at once."""
        descriptor = os.open(path, _READ)
        try:
            return os.read(descriptor, length)
        finally:
            os.close(descriptor)

    def names(self, directory: str) -> list[str]:
        """Return the names in a directory."""
        return os.listdir(directory)

    def link(self, path: str) -> str:
        """Return what a link leads to."""
        return os.readlink(path)

    def status(self, path: str) -> FileStatus:
        """Return what a file is."""
        return os.stat(path)

    def protocol(self, path: str) -> bytes:
        """Return the protocol of a socket."""
        return os.getxattr(path, _PROTOCOL)

    def memory(self, path: str, address: int, length: int) -> bytes:
        """Return a part of a process's memory."""
        descriptor = os.open(path, os.O_RDONLY)
        try:
            return os.pread(descriptor, length, address)
        finally:
            os.close(descriptor)

    def terminal(self, path: str) -> "LocalTty":
        """Open a terminal; that does not keep it open for its programs."""
        return LocalTty(os.open(path, _READ))

    def is_alive(self, process: int) -> bool:
        """Whether there is such a process."""
        return is_alive(process)


class LocalTty:
    """An open terminal of this machine."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def ask(self) -> TtySettings | None:
        """Ask the terminal itself; None if its pane has just exited (EIO)."""
        descriptor = self._descriptor
        try:
            attributes = termios.tcgetattr(descriptor)
            unread = struct.unpack("i", fcntl.ioctl(descriptor, termios.FIONREAD, bytes(4)))[0]
            size = fcntl.ioctl(descriptor, termios.TIOCGWINSZ, bytes(8))
            number = os.fstat(descriptor).st_rdev
        except (OSError, termios.error):
            return None
        rows, columns, _, _ = struct.unpack("HHHH", size)
        modes, characters = _modes_in(attributes), attributes[_CHARACTERS]
        least, tenths = characters[termios.VMIN], characters[termios.VTIME]
        limit = None if modes.canonical else time_limit(least, tenths)
        return TtySettings(number, modes, unread, (rows, columns), limit, _LINE_LIMIT)

    def modes(self) -> Modes | None:
        """Ask the terminal for its flags; None as above."""
        try:
            return _modes_in(termios.tcgetattr(self._descriptor))
        except (OSError, termios.error):
            return None

    def close(self) -> None:
        """Close it."""
        os.close(self._descriptor)


def is_alive(process: int) -> bool:
    """Whether there is such a process on this machine, of whomever."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return process > 0


def _modes_in(attributes: list[Any]) -> Modes:
    """Return the modes in what tcgetattr has returned."""
    into, flags = attributes[_INPUT_FLAGS], attributes[_LOCAL_FLAGS]
    return modes_of(
        canonical=bool(flags & termios.ICANON),
        echo=bool(flags & termios.ECHO),
        signals=bool(flags & termios.ISIG),
        icrnl=bool(into & termios.ICRNL),
        inlcr=bool(into & termios.INLCR),
    )


def modes_of(*, canonical: bool, echo: bool, signals: bool, icrnl: bool, inlcr: bool) -> Modes:
    """Return the modes of a terminal, by its flags.

    For a line editor: readline, fish and mksh want CR as it is (no ICRNL), zsh swaps CR and LF
    (INLCR), BusyBox takes C-c itself (no ISIG); bash's ``read -n1`` and zsh's ``read -k`` do none
    of this.
    """
    edits = not (canonical or echo) and (not icrnl or inlcr or not signals)
    return Modes(canonical, echo, signals, edits)


def time_limit(least: int, tenths: int) -> float | None:
    """Return after how many seconds a read of keys ends without one; None if it does not.

    With VMIN, VTIME counts from the first key on only.
    """
    return None if least or not tenths else tenths / 10
