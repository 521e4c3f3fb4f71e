"""How much history a recorded screen has: cut it, complete it, say what is missing."""

import attrs

from tmuxprim._screen import Screen
from tmuxprim._wrap import Layout


def cut_history(screen: Screen, rows: int) -> Screen:
    """Return *screen* with no more than so many rows of history."""
    surplus = len(screen.history) - rows
    if surplus <= 0:
        return screen
    return attrs.evolve(
        screen, history=screen.history[surplus:], layout=screen.layout.part(surplus)
    )


def give_history(screen: Screen, rows: int) -> Screen:
    """Return *screen* with so many rows of history, and a row that says so if some are missing."""
    missing = min(rows, screen.history_size) - len(screen.history)
    if missing <= 0:
        return cut_history(screen, rows)
    note = f"({missing} rows of the history are not in the recording)"
    layout = Layout((False, *screen.layout.wrapped), (0, *screen.layout.blanks))
    return attrs.evolve(screen, history=(note, *screen.history), layout=layout)


def complete_history(screen: Screen, later: Screen) -> Screen:
    """Return *screen* with the rows of history that a later look has shown.

    A history only grows, until it is full or cleared, so a row keeps its number.
    """
    known_from = later.history_size - len(later.history)
    count = screen.history_size - known_from
    has_grown = screen.history_size <= later.history_size and screen.size == later.size
    if not has_grown or count <= len(screen.history):
        return screen
    above, below = later.layout.part(0, count), screen.layout.part(len(screen.history))
    layout = Layout(
        (*above.wrapped, *[False] * (count - len(above.wrapped)), *below.wrapped),
        (*above.blanks, *[0] * (count - len(above.blanks)), *below.blanks),
    )
    return attrs.evolve(screen, history=later.history[:count], layout=layout)
