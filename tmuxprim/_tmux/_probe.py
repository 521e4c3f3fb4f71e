"""What the kernel knows about the terminal behind a pane.

The terminal device is opened for one question and closed again: no descriptor is kept, and a
pane's end is never delayed. Opening it with ``O_NOCTTY`` changes nothing for the programs in
the pane.
"""

import fcntl
import os
import struct
import sys
import termios
from typing import Final

from tmuxprim._tmux._procfs import Procfs
from tmuxprim._tty import TtyState

# What the kernel's line buffer holds besides the line's end: N_TTY_BUF_SIZE of Linux, MAX_CANON of
# macOS. pathconf(3) tells the least that POSIX asks for, and not what there is.
_LINE_LIMIT: Final = 1023 if sys.platform == "darwin" else 4095
# The places of c_iflag and c_lflag in what tcgetattr returns.
_INPUT_FLAGS: Final = 0
_LOCAL_FLAGS: Final = 3


def probe_tty(path: str, pane_pid: int, procfs: Procfs) -> TtyState | None:
    """Return the state of a pane's terminal, or None if it cannot be had.

    Args:
        path: The terminal device, such as ``/dev/pts/3``.
        pane_pid: The program that the pane was opened with.
        procfs: Where the kernel tells about processes.
    """
    if not is_alive(pane_pid):
        return None  # the terminal may be another pane's by now
    try:
        device = os.open(path, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:  # gone, or another user's
        return None
    try:
        attributes = termios.tcgetattr(device)
        unread = struct.unpack("i", fcntl.ioctl(device, termios.FIONREAD, bytes(4)))[0]
        number = os.fstat(device).st_rdev
    except (OSError, termios.error):  # the pane has just exited (EIO)
        return None
    finally:
        os.close(device)
    into: int = attributes[_INPUT_FLAGS]
    flags: int = attributes[_LOCAL_FLAGS]
    foreground = procfs.foreground(pane_pid, number)
    if foreground is None:
        return None
    stack, depth = foreground.place or (None, None)
    return TtyState(
        canonical=bool(flags & termios.ICANON),
        echo=bool(flags & termios.ECHO),
        signals=bool(flags & termios.ISIG),
        edits=_edits(into, flags),
        unread=unread,
        line_limit=_LINE_LIMIT,
        foreground_pid=foreground.leader,
        foreground_is_pane=None if foreground.leader is None else foreground.leader == pane_pid,
        reading=foreground.reading,
        only_reading=foreground.only_reading,
        relays=foreground.relays,
        reader_pid=foreground.reader,
        wakeups=foreground.wakeups,
        stack=stack,
        depth=depth,
    )


def is_alive(process: int) -> bool:
    """Whether there is such a process, of whomever."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return process > 0


def _edits(into: int, flags: int) -> bool:
    """Whether a line editor has set these flags, rather than a read of single keys.

    readline, fish and mksh want CR as it is (no ICRNL), zsh swaps CR and LF (INLCR), BusyBox
    takes C-c itself (no ISIG); bash's ``read -n1`` and zsh's ``read -k`` do none of this.
    """
    if flags & (termios.ICANON | termios.ECHO):
        return False
    return not into & termios.ICRNL or bool(into & termios.INLCR) or not flags & termios.ISIG
