"""The kernel's report of a pane's terminal and of who reads it."""

from typing import Final, NamedTuple, get_args

import attrs

from tmuxprim._kernel.files import TtySettings
from tmuxprim._kernel.procfs import Foreground, Procfs
from tmuxprim._kernel.wait_targets import Device
from tmuxprim._values.evidence import Level, TtyState

_WEAKEST_LAST: Final = (*get_args(Level), None)
# So many pass-through programs within one another are followed.
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
    # The server of a multiplexer reads for one of its several terminals, and the kernel does not
    # report for which.
    if examined.foreground.is_multiplexer_server and examined.state.reading:
        return attrs.evolve(examined.state, reading=None, only_reading=None, wakeups=None)
    return examined.state


class _Examined(NamedTuple):
    """One terminal: its rows and columns, its foreground group, and its state."""

    device: Device
    size: tuple[int, int]
    foreground: Foreground
    state: TtyState


def _inner_terminal(outer: _Examined, procfs: Procfs) -> _Examined | None:
    """Return the inner terminal of a pass-through program; None if it has none.

    Its state is that of the way from the pane to it. It reads only if the pass-through program also
    reads: otherwise a typed text may still be on its way. Text that either has not read is unread.
    """
    found = procfs.inner_terminal(outer.device, outer.foreground)
    inner = None if found is None else _examine(found.path, found.program, procfs)
    if inner is None:
        return None
    size = outer.size if inner.size == _NO_SIZE else inner.size  # some programs set none
    if size != outer.size and not outer.foreground.is_multiplexer_server:
        return None  # it is a window of an editor, beside others
    reads = outer.state.reading and inner.state.reading
    state = attrs.evolve(
        inner.state,
        command=inner.state.command or procfs.command(inner.foreground.leader),
        pass_through_count=outer.state.pass_through_count + 1,
        foreground_is_pane=False,
        reading=reads,
        only_reading=reads and inner.state.only_reading,
        unread=sum(filter(None, (outer.state.unread, inner.state.unread))),
        level=max(outer.state.level, inner.state.level, key=_WEAKEST_LAST.index),
    )
    return inner._replace(size=size, state=state)


def _examine(path: str, program: int, procfs: Procfs) -> _Examined | None:
    """Return the state of one terminal; None if it cannot be had."""
    try:
        tty = procfs.files.terminal(path)
    except OSError:  # gone, or another user's
        return None
    try:
        settings = tty.settings()
        while settings is not None:
            device = _device(settings)
            foreground = procfs.foreground(program, device)
            if foreground is None:
                return None
            # If the modes have changed meanwhile, another program may read now than did then.
            if tty.modes() == settings.modes:
                state = _state(settings, foreground, procfs, program)
                return _Examined(device, settings.size, foreground, state)
            settings = tty.settings()
    finally:
        tty.close()
    return None


def _device(settings: TtySettings) -> Device:
    """Return the terminal as a wait for it depends on it."""
    canonical, _, signals, edits = settings.modes
    is_for_lines = canonical or (edits and signals)
    return Device(settings.number, not canonical, is_for_lines, edits, settings.limit)


def _state(settings: TtySettings, foreground: Foreground, procfs: Procfs, program: int) -> TtyState:
    """Return the state of a terminal: its settings, and the facts of its foreground group."""
    leader, is_raw = foreground.leader, not settings.modes.canonical
    stack, depth = foreground.read_site or (None, None)
    # Name and children cost time. A reader that waits for nothing but the terminal does not need
    # them.
    may_work = is_raw and not foreground.only_reading
    name, children = procfs.program_and_children(leader) if may_work else (None, None)
    return TtyState(
        canonical=settings.modes.canonical,
        echo=settings.modes.echo,
        signals=settings.modes.signals,
        edits=settings.modes.edits,
        program=name,
        children=children,
        status=procfs.status(leader, name),
        unread=settings.unread,
        line_limit=settings.line_limit,
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
