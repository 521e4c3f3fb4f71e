"""The kernel's report of a pane's terminal and of who reads it."""

from typing import Final, NamedTuple, get_args

import attrs

from tmuxprim._kernel.files import TtySettings
from tmuxprim._kernel.procfs import Foreground, Procfs
from tmuxprim._kernel.wait_targets import Device
from tmuxprim._values.evidence import Level, TtyState

_WEAKEST_LAST: Final = (*get_args(Level), None)
# PassThroughs within relays that are followed.
_MOST_PASS_THROUGHS: Final = 8
_NO_SIZE: Final = (0, 0)


def probe_tty(path: str, pane_pid: int, procfs: Procfs) -> TtyState | None:
    """Return the state of a pane's terminal, or None if it cannot be had.

    Behind programs that pass on what another one shows, as script does, it is the state of the
    innermost terminal that this machine has.
    """
    examined = _examine(path, pane_pid, procfs)
    if examined is None:
        return None
    for _ in range(_MOST_PASS_THROUGHS):
        further = _inner_terminal(examined, procfs)
        if further is None:
            break
        examined = further
    if (
        examined.foreground.is_multiplexer_server and examined.state.reading
    ):  # it shows one of several terminals
        return attrs.evolve(examined.state, reading=None, only_reading=None, wakeups=None)
    return examined.state


class _Examined(NamedTuple):
    """One terminal, with its rows and columns, and who is in its foreground."""

    device: Device
    size: tuple[int, int]
    foreground: Foreground
    state: TtyState


def _inner_terminal(near: _Examined, procfs: Procfs) -> _Examined | None:
    """Return the inner terminal of a pass-through program, and its state as seen from there.

    Text that the program has not read yet has not arrived. While it works, it cannot be determined
    how much has.
    """
    inner = procfs.inner_terminal(near.device, near.foreground)
    far = None if inner is None else _examine(inner.path, inner.program, procfs)
    if far is None:
        return None
    size = near.size if far.size == _NO_SIZE else far.size  # some relays set none
    if size != near.size and not near.foreground.is_multiplexer_server:
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


def _examine(path: str, program: int, procfs: Procfs) -> _Examined | None:
    """Return the state of one terminal; None if it cannot be had."""
    try:
        line = procfs.files.terminal(path)
    except OSError:  # gone, or another user's
        return None
    try:
        known = line.ask()
        while known is not None:
            device = _device(known)
            foreground = procfs.foreground(program, device)
            if foreground is None:
                return None
            # Else who reads now may not have read when the terminal was like that.
            if line.modes() == known.modes:
                state = _state(known, foreground, procfs, program)
                return _Examined(device, known.size, foreground, state)
            known = line.ask()
    finally:
        line.close()
    return None


def _device(known: TtySettings) -> Device:
    """Return the terminal, as those see it who wait for it."""
    canonical, _, signals, edits = known.modes
    is_for_lines = canonical or (edits and signals)
    return Device(known.number, not canonical, is_for_lines, edits, known.limit)


def _state(known: TtySettings, foreground: Foreground, procfs: Procfs, program: int) -> TtyState:
    """Return what a terminal and those who read it come to."""
    leader, is_raw = foreground.leader, not known.modes.canonical
    stack, depth = foreground.read_site or (None, None)
    # Who does nothing but read is told by that alone.
    may_work = is_raw and not foreground.only_reading
    name, children = procfs.program_and_children(leader) if may_work else (None, None)
    return TtyState(
        canonical=known.modes.canonical,
        echo=known.modes.echo,
        signals=known.modes.signals,
        edits=known.modes.edits,
        program=name,
        children=children,
        status=procfs.status(leader, name),
        unread=known.unread,
        line_limit=known.line_limit,
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
