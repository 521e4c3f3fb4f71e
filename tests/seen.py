"""What can be seen of a pane, without what tells which terminal it is on."""

import re
import socket
from collections.abc import Sequence
from typing import Final, NamedTuple

import attrs

from tmuxprim import Cursor, Screen, Size, TmuxprimError, TtyState
from tmuxprim.testing import Layout

_NOTICE: Final = re.compile(r"(Pane is dead \(\w+ \d+, )(.{,24})")
_TIME: Final = "Thu Jan  1 00:00:00 1970"


class Shown(NamedTuple):
    """What can be seen of a pane, and what does not tell which terminal it is on."""

    size: Size
    rows: tuple[str, ...]
    cursor: Cursor
    history: tuple[str, ...]
    history_size: int
    joined: tuple[int, ...]
    blanks: tuple[int, ...]
    modes: dict[str, bool]
    mode: str
    exit: tuple[int | None, int | None]
    title: str
    command: str


class Known(NamedTuple):
    """What the kernel tells of a pane."""

    canonical: bool
    echo: bool
    signals: bool
    edits: bool | None
    reading: bool | None
    only_reading: bool | None
    passes_on: bool | None
    foreground_is_pane: bool | None
    unread: int | None
    line_limit: int | None


class Seen(NamedTuple):
    """What a snapshot of a pane tells; of one that is gone, the type of the error."""

    shown: Shown | type[TmuxprimError]
    known: Known | type[TmuxprimError] | None


def differences(faked: Seen, real: Seen) -> str:
    """Tell in which fields two snapshots differ."""
    told = []
    for one, other in zip(faked, real, strict=True):
        if isinstance(one, tuple) and type(one) is type(other):
            fields = zip(one._fields, one, other, strict=True)
            told += [f"{field}: {a!r} != {b!r}" for field, a, b in fields if a != b]
        elif one != other:
            told.append(f"{one} != {other}")
    return "fake != tmux\n" + "\n".join(told)


def shown(screen: Screen) -> Shown:
    """Return what can be seen of a screen."""
    if screen.dead:  # tmux writes into the pane when its program ended
        screen = attrs.evolve(screen, rows=map(_timeless, screen.rows))
    rows = screen.history + screen.rows
    modes = ("alternate", "cursor_visible", "dead", "input_off", "synchronized")
    return Shown(
        screen.size,
        screen.rows,
        screen.cursor,
        screen.history,
        screen.history_size,
        joined(rows, screen.layout.wrapped),
        blanks(rows, screen.layout),
        {mode: getattr(screen, mode) for mode in modes},
        screen.mode,
        (screen.exit_status, screen.exit_signal),
        "" if screen.title == socket.gethostname() else screen.title,
        screen.command,
    )


def known(tty: TtyState) -> Known:
    """Return what the kernel tells of any terminal."""
    return Known(*(getattr(tty, field) for field in Known._fields))


def _timeless(row: str) -> str:
    return _NOTICE.sub(lambda notice: notice[1] + _TIME[: len(notice[2])], row)


def joined(rows: tuple[str, ...], wrapped: Sequence[bool]) -> tuple[int, ...]:
    """Return the rows whose line goes on in the next, as far as that can be seen.

    tmux does not tell whether a line goes on from or in a row that is blank.
    """
    pairs = enumerate(zip(wrapped, rows, rows[1:], strict=False))
    return tuple(n for n, (goes_on, row, below) in pairs if goes_on and row and below)


def blanks(rows: tuple[str, ...], layout: Layout) -> tuple[int, ...]:
    """Return how many spaces were written behind each row, as far as that can be told.

    Behind a row that goes on, and in one that is blank, it cannot be determined.
    """
    every = zip(rows, layout.blanks, layout.wrapped, strict=False)
    return tuple(count if row and not goes_on else 0 for row, count, goes_on in every)
