"""What a screen shows that it did not show before a key was sent.

A row is found again by its number, counted from the oldest row of the history. tmux throws the
oldest tenth of a full history away, which shifts all numbers; then the row is found by what it
and the rows above it show.
"""

from collections import Counter

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
    rows = now.history + now.rows
    place = before.cursor_line_number - (now.history_size - len(now.history))
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


def may_have_shifted(before: Screen, now: Screen) -> bool:
    """Whether tmux may have thrown rows away: it then keeps nine tenths of what it can."""
    kept = now.history_limit - max(now.history_limit // 10, 1)
    return now.history_size < before.history_size or now.history_size >= kept


def text_since(before: Screen | None, now: Screen) -> str:
    """Return what is new on a screen, as lines; all of it if nothing is known from before."""
    if before is None or now.alternate != before.alternate:
        return "\n".join(now.lines)
    if now.alternate:  # a full-screen program paints anywhere
        return "\n".join((Counter(now.rows) - Counter(before.rows)).elements())
    place = find_row(before, now)
    if place is None:
        return "\n".join(now.lines)
    rows = list((now.history + now.rows)[place:])
    is_as_before = rows[0] == before.cursor_line
    rows[0] = "" if is_as_before else rows[0].removeprefix(before.before_cursor.rstrip(" "))
    return "\n".join(join_rows(rows, now.layout.part(place), now.size.columns))
