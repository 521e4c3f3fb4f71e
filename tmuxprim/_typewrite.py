"""Typing a text and pressing Enter so that the program notices the difference.

A full-screen program that reads a text and a carriage return in one go takes them for a paste
and does not submit. So Enter is pressed only after the program has taken the text: the kernel
says when (nothing unread, and the reader has run and sleeps again). That costs no fixed delay.
"""

from typing import Final

from tmuxprim._errors import PaneBusyError, PaneDeadError
from tmuxprim._mark import Mark
from tmuxprim._pane import Pane
from tmuxprim._plan import Now, Observe, Pause, Plan, Probe, Send
from tmuxprim._refusals import partly
from tmuxprim._screen import Screen
from tmuxprim._sequence import KeySequence
from tmuxprim._tty import TtyState

ENTER: Final = KeySequence.keys("Enter")

# A program that does not read at all still gets its Enter, after so many seconds.
_PATIENCE: Final = 1.0
_BLIND_PATIENCE: Final = 0.3
_POLL: Final = 0.0005
_BLIND_POLL: Final = 0.01


def press(pane: Pane, keys: KeySequence, *, leave_mode: bool = False) -> Plan[Mark]:
    """Send keys in one go."""
    tty: TtyState | None = yield Probe(pane)
    screen: Screen = yield Send(pane, keys, leave_mode)
    return Mark(screen=screen, tty=tty, prompt=screen.before_cursor)


def submit(pane: Pane, text: KeySequence, *, leave_mode: bool = False) -> Plan[Mark]:
    """Type *text*, and press Enter once the program has taken it."""
    before: TtyState | None = yield Probe(pane)
    shown: Screen = yield Send(pane, text, leave_mode)
    if before is None:
        yield from _until_shown(pane, shown)
    elif before.is_raw:
        yield from _until_taken(pane, before)
    # In canonical mode the kernel collects the line itself and hands it over with the Enter.
    try:
        mark = yield from press(pane, ENTER, leave_mode=leave_mode)
    except (PaneBusyError, PaneDeadError) as error:
        raise partly(
            error, "the text has been typed, and Enter was not pressed after it"
        ) from error
    return Mark(screen=mark.screen, tty=mark.tty, prompt=shown.before_cursor)


def _until_taken(pane: Pane, before: TtyState) -> Plan[None]:
    """Wait until the program has read the text and sleeps in its next read."""
    start: float = yield Now()
    tty: TtyState | None = yield Probe(pane)
    while tty is not None and not _has_taken(tty, before):
        if (yield Now()) - start > (_BLIND_PATIENCE if tty.reading is None else _PATIENCE):
            return
        yield Pause(_POLL)
        tty = yield Probe(pane)


def _has_taken(tty: TtyState, before: TtyState) -> bool:
    if tty.canonical:
        return True
    return not tty.unread and bool(tty.reading) and tty != before


def _until_shown(pane: Pane, before: Screen) -> Plan[None]:
    """Wait, without the kernel's evidence, until the screen shows an effect of the text."""
    start: float = yield Now()
    while (yield Now()) - start <= _BLIND_PATIENCE:
        screen: Screen = yield Observe(pane)
        if screen.rows != before.rows or screen.cursor != before.cursor:
            return
        yield Pause(_BLIND_POLL)
