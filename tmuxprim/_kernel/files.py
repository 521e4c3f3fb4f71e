"""`Files`: the files by which a machine reports its processes and terminals.

The kernel's evidence reads nothing but these. So the same rules judge this machine (`LocalFiles`)
and another one, whose files a shell there has printed (`PrintedFiles`).
"""

import fcntl
import os
import struct
import sys
import termios
from typing import Any, Final, NamedTuple, Protocol

# The attribute of an open socket that names its protocol (net/socket.c). The kernel's tables of
# connections have it as well, but the kernel may take 90 ms to write them.
_PROTOCOL: Final = "system.sockprotoname"
_LARGEST_FILE: Final = 65536
# A pipe must not block us when it is opened, and a terminal must not become ours.
_READ: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY
# The places of c_iflag, c_lflag and c_cc in what tcgetattr returns.
_INPUT_FLAGS: Final = 0
_LOCAL_FLAGS: Final = 3
_CHARACTERS: Final = 6
# Bytes in the kernel's line buffer without the line's end: N_TTY_BUF_SIZE of Linux, MAX_CANON of
# macOS. pathconf(3) reports the least that POSIX asks for, and not the real size.
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
    """The settings of a terminal at one moment.

    Args:
        number: The number of its device.
        modes: Its flags.
        unread: How many typed bytes no process has read; None if that is not known.
        size: Its rows and columns.
        limit: Seconds after which a read of keys ends by itself; None if it does not.
        line_limit: How many bytes of a line the kernel keeps.
    """

    number: int
    modes: Modes
    unread: int | None
    size: tuple[int, int]
    limit: float | None
    line_limit: int


class OpenTty(Protocol):
    """An open terminal."""

    def settings(self) -> TtySettings | None:
        """Return its settings now; None if its pane has just exited."""
        ...

    def modes(self) -> Modes | None:
        """Return only its flags now, which is much quicker; None if its pane has just exited."""
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
        """The directory in which the kernel reports processes."""

    @property
    def machine(self) -> str:
        """The name of the processor, as ``uname -m`` prints it."""

    def read(self, path: str) -> str:
        """Return the text of a file now."""
        ...

    def head(self, path: str, length: int) -> bytes:
        """Return the first bytes of a file."""
        ...

    def names(self, directory: str) -> list[str]:
        """Return the names in a directory."""
        ...

    def link(self, path: str) -> str:
        """Return the target of a link: for an open file, its path or its kind, as ``pipe:[12]``."""
        ...

    def status(self, path: str) -> FileStatus:
        """Return the type and the device of a file, behind all links."""
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
        """Whether there is such a process, of any user."""
        ...


class LocalFiles:
    """The files of this machine.

    Args:
        root: The directory in which the kernel reports processes.
    """

    machine = os.uname().machine

    def __init__(self, root: str = "/proc") -> None:
        self.root = root

    def read(self, path: str) -> str:
        """Return the text of a file now. A probe reads dozens, so this avoids `pathlib`."""
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
        """Return the target of a link."""
        return os.readlink(path)

    def status(self, path: str) -> FileStatus:
        """Return the type and the device of a file."""
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

    def settings(self) -> TtySettings | None:
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
        """Ask the terminal for its flags; None if its pane has just exited."""
        try:
            return _modes_in(termios.tcgetattr(self._descriptor))
        except (OSError, termios.error):
            return None

    def close(self) -> None:
        """Close it."""
        os.close(self._descriptor)


def is_alive(process: int) -> bool:
    """Whether there is such a process on this machine, of any user."""
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

    A line editor is known by these flags, in raw mode without echo: readline, fish and mksh want CR
    as it is (no ICRNL), zsh swaps CR and LF (INLCR), and BusyBox takes C-c itself (no ISIG).
    bash's ``read -n1`` and zsh's ``read -k`` set none of these.
    """
    edits = not (canonical or echo) and (not icrnl or inlcr or not signals)
    return Modes(canonical, echo, signals, edits)


def time_limit(least: int, tenths: int) -> float | None:
    """Return after how many seconds a read of keys ends without one; None if it does not.

    With VMIN, VTIME counts from the first key on only.
    """
    return None if least or not tenths else tenths / 10
