"""Every line that a terminal writes to its client in control mode."""

from collections.abc import Callable, Generator
from typing import Any, Final, TypeAlias

from tmuxprim import KeySequence, Pane, PaneNotFoundError, Size
from tmuxprim._tmux.commands import TmuxCall
from tmuxprim._tmux.connection import PANES
from tmuxprim._tmux.operations import Operations, PaneDevice
from tmuxprim._values.screen import Cursor, Screen

Steps: TypeAlias = Generator[Any, str, Any]

MIXED: Final = KeySequence.text("a") + KeySequence.keys("Up", "F5") + KeySequence.text("b;")
SEEN: Final = Screen(
    size=Size(80, 24),
    rows=("",) * 24,
    history=(),
    cursor=Cursor(0, 0),
    history_size=0,
    history_limit=2000,
)


def _first(steps: Steps) -> TmuxCall:
    call = next(steps)
    steps.close()
    assert isinstance(call, TmuxCall)
    return call


def _pasting(pane: Pane) -> TmuxCall:
    """Return the line that pastes, from a buffer that is not there."""
    keys = KeySequence.text("x" * 5000) + KeySequence.keys("Enter")
    steps = Operations().send(pane, keys, leave_mode=False, seen=None)
    next(steps)
    call = steps.send("3.3a")
    steps.close()
    return call


def _dropping(pane: Pane) -> TmuxCall:
    """Return the line that deletes a buffer whose text could not be sent."""
    keys = KeySequence.text("x" * 5000)
    steps = Operations().send(pane, keys, leave_mode=False, seen=None)
    next(steps)
    call = steps.throw(PaneNotFoundError("gone"))
    steps.close()
    return call


def _glancing(pane: Pane, *, styled: bool) -> TmuxCall:
    operations = Operations()
    vars(operations)["_devices"][pane] = PaneDevice("/dev/null", 1, pane.server, catches_up=True)
    return _first(operations.observe(pane, 3, styled=styled))


def _sending(
    pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: bool = False
) -> TmuxCall:
    screen = SEEN if seen else None
    return _first(Operations().send(pane, keys, leave_mode=leave_mode, seen=screen))


def _tapping(pane: Pane, keys: KeySequence | None = None, seen: Screen | None = None) -> TmuxCall:
    return _first(Operations(is_local=True).tap(pane, keys, leave_mode=False, seen=seen))


LINES: Final[dict[str, Callable[[Pane], TmuxCall]]] = {
    "observe": lambda pane: _first(Operations().observe(pane, 0)),
    "observe styled": lambda pane: _first(Operations().observe(pane, 7, styled=True)),
    "glance": lambda pane: _glancing(pane, styled=False),
    "glance styled": lambda pane: _glancing(pane, styled=True),
    "read": lambda pane: _first(Operations().read(pane, 5)),
    "resize": lambda pane: _first(Operations().resize(pane, Size(70, 20))),
    "send": lambda pane: _sending(pane, MIXED),
    "send out of a mode": lambda pane: _sending(pane, MIXED, leave_mode=True),
    "send nothing": lambda pane: _sending(pane, KeySequence.text("")),
    "send as seen": lambda pane: _sending(pane, MIXED, seen=True),
    "paste": _pasting,
    "drop": _dropping,
    "tap": _tapping,
    "tap and send": lambda pane: _tapping(pane, MIXED),
    "tap and send as seen": lambda pane: _tapping(pane, MIXED, SEEN),
    "close": lambda pane: _first(Operations().close(pane)),
    "panes": lambda _: _first(Operations().panes()),
    "resolve": lambda _: _first(Operations().resolve(Pane("nobody"))),
    "panes of the session": lambda _: PANES,
}
"""The name of each, and the call for a pane."""
