"""Where the row of a mark is now.

A row is found again by its number, counted from the oldest row of the history. tmux throws the
oldest tenth of a full history away, which shifts all numbers; then the row is found by what it
and the rows above it show. A change of width lays all rows out anew; then lines are compared.
"""

from tmuxprim._screen import Screen
from tmuxprim._wrap import join_rows


def find_row(before: Screen, now: Screen) -> int | None:
    """Return where the row is now on which the cursor stood before.

    Args:
        before: The screen from before.
        now: The screen as it is, with as much history as there is to be searched.

    Returns:
        An index into history and rows, or None if the row is gone: cleared, scrolled out of the
        history, or painted over.
    """
    if before.size.columns != now.size.columns:
        line = find_line(before, now)
        return None if line is None else _last_rows(now)[line]
    rows = now.history + now.rows
    place = before.cursor_line_number - first_number(now)
    # A line editor may drop what stood right of the cursor: a suggestion, a right-hand prompt.
    text = before.before_cursor.rstrip(" ").casefold()
    above = before.rows[: before.cursor.row]
    if 0 <= place < len(rows) and rows[place].casefold().startswith(text):
        known = min(place, len(above)) if may_have_shifted(before, now) else 0
        if rows[place - known : place] == above[len(above) - known :]:
            return place
    for index in range(min(place, len(rows)) - 1, -1, -1):
        known = min(index, len(above))
        if above and not known:
            break  # nothing tells it from any other row
        if (
            rows[index].casefold().startswith(text)
            and rows[index - known : index] == above[len(above) - known :]
        ):
            return index
    return None


def find_line(before: Screen, now: Screen) -> int | None:
    """Return which line is now the one on which the cursor stood before, whatever the width.

    It is the lowest that shows the same, below the same lines. The highest line that the screen
    showed before may have begun above it.
    """
    typed = before.line_before_cursor.rstrip(" ").casefold()
    above = [line.rstrip(" ") for line in lines_from(before, len(before.history))]
    above = above[: lines_above_cursor(before)]
    lines = [line.rstrip(" ") for line in now.lines]
    for index in range(len(lines) - 1, -1, -1):
        if not lines[index].casefold().startswith(typed):
            continue
        known = above[max(len(above) - index, 0) :]
        there = lines[index - len(known) : index]
        is_below_them = there[1:] == known[1:] and "".join(there[:1]).endswith("".join(known[:1]))
        if is_below_them and (typed or any(known)):
            return index
    return None


def may_have_shifted(before: Screen, now: Screen) -> bool:
    """Whether tmux may have thrown rows away: it then keeps nine tenths of what it can.

    The alternate screen keeps nothing that scrolls off it.
    """
    kept = now.history_limit - thrown_away(now)
    return now.alternate or now.history_size < before.history_size or now.history_size >= kept


def thrown_away(screen: Screen) -> int:
    """Return how many rows tmux throws away at a time."""
    return max(screen.history_limit // 10, 1)


def first_number(screen: Screen) -> int:
    """Return the number of the first row that was read."""
    return screen.history_size - len(screen.history)


def lines_from(screen: Screen, row: int) -> list[str]:
    """Return the lines from a row on, an index into history and rows."""
    rows = (screen.history + screen.rows)[row:]
    return join_rows(rows, screen.layout.part(row), screen.size.columns)


def lines_above_cursor(screen: Screen) -> int:
    """Return how many of the lines on the screen end above the cursor's row."""
    first = len(screen.history)
    return screen.cursor.row - sum(screen.layout.wrapped[first : first + screen.cursor.row])


def _last_rows(screen: Screen) -> list[int]:
    """Return the last row of each line."""
    rows = range(len(screen.history + screen.rows))
    return [row for row in rows if True not in screen.layout.wrapped[row : row + 1]] + [rows[-1]]
