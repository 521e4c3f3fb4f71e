"""Lines that are blanked and moved, and what that does to the ones that go on (tmux's grid.c)."""

from tmuxprim._fake._row import Row


def clear_lines(lines: list[Row], start: int, end: int) -> None:
    """Blank lines, and let the one above them end there (``grid_clear_lines``).

    tmux does the latter for less than no lines, too, but not for none.
    """
    for number in range(start, end):
        lines[number] = Row()
    if start and start != end:
        lines[start - 1].is_wrapped = False


def move_lines(lines: list[Row], to: int, start: int, count: int) -> None:
    """Move lines, and blank where they were (``grid_move_lines``)."""
    if count == 0 or to == start:
        return
    if to:
        lines[to - 1].is_wrapped = False
    lines[to : to + count] = lines[start : start + count]
    moved = range(to, to + count)
    for number in range(start, start + count):
        if number not in moved:
            lines[number] = Row()
    if start and start not in moved:
        lines[start - 1].is_wrapped = False
