"""The kernel's report of a pane's terminal and of who reads it."""

import fcntl
import os
import struct
import sys
import termios
from typing import Final, NamedTuple, get_args

import attrs

from tmuxprim._kernel.procfs import Foreground, Procfs
from tmuxprim._kernel.wait_targets import Device
from tmuxprim._values.evidence import Level, TtyState

_WEAKEST_LAST: Final = (*get_args(Level), None)
# PassThroughs within relays that are followed.
_MOST_PASS_THROUGHS: Final = 8
_NO_SIZE: Final = (0, 0)

# What the kernel's line buffer holds besides the line's end: N_TTY_BUF_SIZE of Linux, MAX_CANON of
# macOS. pathconf(3) tells the least that POSIX asks for, and not what there is.
_LINE_LIMIT: Final = 1023 if sys.platform == "darwin" else 4095
# The places of c_iflag and c_lflag in what tcgetattr returns.
_INPUT_FLAGS: Final = 0
_LOCAL_FLAGS: Final = 3
_CHARACTERS: Final = 6


def probe_tty(path: str, pane_pid: int, procfs: Procfs) -> TtyState | None:
    """Return the state of a pane's terminal, or None if it cannot be had.

    Behind programs that pass on what another one shows, as script does, it is the state of the
    innermost terminal that this machine has.
    """
    if not is_alive(pane_pid):
        return None  # the terminal may be another pane's by now
    examined = _examine(path, pane_pid, procfs)
    if examined is None:
        return None
    for _ in range(_MOST_PASS_THROUGHS):
        further = _behind(examined, procfs)
        if further is None:
            break
        examined = further
    if examined.foreground.serves and examined.state.reading:  # it shows one of several terminals
        return attrs.evolve(examined.state, reading=None, only_reading=None, wakeups=None)
    return examined.state


class _Examined(NamedTuple):
    """One terminal, with its rows and columns, and who is in its foreground."""

    device: Device
    size: tuple[int, int]
    foreground: Foreground
    state: TtyState


def _behind(near: _Examined, procfs: Procfs) -> _Examined | None:
    """Return the inner terminal of a pass-through program, and its state as seen from there.

    Text that the program has not read yet has not arrived. While it works, it cannot be determined
    how much has.
    """
    inner = procfs.behind(near.device, near.foreground)
    far = None if inner is None else _examine(inner.path, inner.program, procfs)
    if far is None:
        return None
    size = near.size if far.size == _NO_SIZE else far.size  # some relays set none
    if size != near.size and not near.foreground.serves:
        return None  # a window of an editor
    reads = far.state.reading if near.state.reading else near.state.reading
    state = attrs.evolve(
        far.state,
        command=far.state.command or procfs.command(far.foreground.leader),
        pass_through_count=near.state.pass_through_count + 1,
        foreground_is_pane=False,
        reading=reads,
        only_reading=far.state.only_reading if reads else reads,
        unread=(near.state.unread or 0) + (far.state.unread or 0),
        level=max(near.state.level, far.state.level, key=_WEAKEST_LAST.index),
    )
    return far._replace(size=size, state=state)


class _Discipline(NamedTuple):
    """The settings of a terminal: its flags (termios(3)), and what is typed and not read.

    Its *limit* is that of a read of keys, in seconds; None if it has none.
    """

    number: int
    into: int
    flags: int
    unread: int
    size: tuple[int, int]
    limit: float | None = None

    @property
    def device(self) -> Device:
        """The terminal, as those see it who wait for it."""
        is_raw = not self.flags & termios.ICANON
        is_edited = _edits(self.into, self.flags)
        is_for_lines = not is_raw or (is_edited and bool(self.flags & termios.ISIG))
        return Device(self.number, is_raw, is_for_lines, is_edited, self.limit)


def _examine(path: str, program: int, procfs: Procfs) -> _Examined | None:
    """Return the state of one terminal; None if it cannot be had."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:  # gone, or another user's
        return None
    try:
        known = _ask(file)
        while known is not None:
            foreground = procfs.foreground(program, known.device)
            again = _ask(file)
            if foreground is None or again is None:
                return None
            # Else who reads now may not have read when the terminal was like that.
            if (again.into, again.flags) == (known.into, known.flags):
                state = _state(known, foreground, procfs, program)
                return _Examined(known.device, known.size, foreground, state)
            known = again
    finally:
        os.close(file)
    return None


def _ask(file: int) -> _Discipline | None:
    """Ask a terminal itself; None if its pane has just exited (EIO)."""
    try:
        attributes = termios.tcgetattr(file)
        unread = struct.unpack("i", fcntl.ioctl(file, termios.FIONREAD, bytes(4)))[0]
        size = fcntl.ioctl(file, termios.TIOCGWINSZ, bytes(8))
        number = os.fstat(file).st_rdev
    except (OSError, termios.error):
        return None
    rows, columns, _, _ = struct.unpack("HHHH", size)
    into, flags = attributes[_INPUT_FLAGS], attributes[_LOCAL_FLAGS]
    limit = None if flags & termios.ICANON else _limit(attributes[_CHARACTERS])
    return _Discipline(number, into, flags, unread, (rows, columns), limit)


def _limit(characters: list[int]) -> float | None:
    """Return after how many seconds a read of keys ends without one; None if it does not.

    With VMIN, VTIME counts from the first key on only.
    """
    least, tenths = characters[termios.VMIN], characters[termios.VTIME]
    return None if least or not tenths else tenths / 10


def _state(known: _Discipline, foreground: Foreground, procfs: Procfs, program: int) -> TtyState:
    """Return what a terminal and those who read it come to."""
    leader, is_raw = foreground.leader, known.device.is_raw
    stack, depth = foreground.read_site or (None, None)
    # Who does nothing but read is told by that alone.
    may_work = is_raw and not foreground.only_reading
    name, children = procfs.doings(leader) if may_work else (None, None)
    return TtyState(
        canonical=not is_raw,
        echo=bool(known.flags & termios.ECHO),
        signals=bool(known.flags & termios.ISIG),
        edits=_edits(known.into, known.flags),
        program=name,
        children=children,
        status=procfs.status(leader, name),
        unread=known.unread,
        line_limit=_LINE_LIMIT,
        foreground_pid=leader,
        foreground_is_pane=None if leader is None else leader == program,
        reading=foreground.reading,
        only_reading=foreground.only_reading,
        passes_on=foreground.passes_on,
        may_work=foreground.may_work,
        reader_pid=foreground.reader,
        limit=foreground.limit,
        wakeups=foreground.wakeups,
        stack=stack,
        depth=depth,
        ignores_stop=foreground.ignores_stop,
        command=procfs.reader_command(foreground),
        activity=procfs.activity(leader) if foreground.may_poll and leader else None,
        level=foreground.level,
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
