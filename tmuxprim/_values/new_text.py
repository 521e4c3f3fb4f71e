"""The text that a pane has printed since a mark."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Self

import attrs

from tmuxprim._values.lines import join_rows
from tmuxprim._values.screen import Screen


def find_row(before: Screen, now: Screen) -> int | None:
    """Return where the row is now on which the cursor was before, as far as history was read.

    Returns:
        An index into history and rows, or None if the row is gone: cleared, scrolled out of the
        history, or painted over.
    """
    if before.size.columns != now.size.columns:
        line = find_line(before, now)
        return None if line is None else _last_rows(now)[line]
    rows = now.history + now.rows
    place = before.cursor_line_number - first_number(now)
    # A line editor may drop the text right of the cursor: a suggestion, a right-hand prompt.
    text = before.before_cursor.rstrip(" ").casefold()
    above = before.rows[: before.cursor.row]
    if 0 <= place < len(rows):
        # Rows are counted from the first one that was ever shown. So the number alone is proof,
        # unless tmux has thrown the oldest away: then the rows above have to be the same as well.
        known = min(place, len(above)) if may_have_shifted(before, now) else 0
        if _is_below(above[len(above) - known :], text, rows, place):
            return place
    for index in range(min(place, len(rows)) - 1, -1, -1):
        known = min(index, len(above))
        if above and not known:
            break  # nothing distinguishes it from any other row
        if _is_below(above[len(above) - known :], text, rows, index):
            return index
    return None


def _is_below(above: Sequence[str], text: str, rows: Sequence[str], index: int) -> bool:
    """Whether a row begins with a text, which is in lower case, right below these rows."""
    return rows[index].casefold().startswith(text) and rows[index - len(above) : index] == above


def find_line(before: Screen, now: Screen) -> int | None:
    """Return which line is now the one on which the cursor was before, whatever the width.

    It is the lowest that shows the same, below the same lines. The highest line that the screen
    showed before may have begun above the screen, so only its end is compared.
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
    """Whether tmux may have thrown rows away: it then keeps nine tenths of its limit.

    The alternate screen keeps no row that scrolls off it.
    """
    kept = now.history_limit - thrown_away(now)
    return now.alternate or now.history_size < before.history_size or now.history_size >= kept


def thrown_away(screen: Screen) -> int:
    """Return how many rows tmux throws away at a time."""
    return max(screen.history_limit // 10, 1)


def first_number(screen: Screen) -> int:
    """Return the number of the first row that was read."""
    return screen.history_size - len(screen.history)


def lines_from(screen: Screen, start: int, end: int | None = None) -> list[str]:
    """Return the lines from a row on, an index into history and rows, up to another one."""
    rows = (screen.history + screen.rows)[start:end]
    return join_rows(rows, screen.layout.part(start, end), screen.size.columns)


def lines_above_cursor(screen: Screen) -> int:
    """Return how many of the lines on the screen end above the cursor's row."""
    first = len(screen.history)
    return screen.cursor.row - sum(screen.layout.wrapped[first : first + screen.cursor.row])


def _last_rows(screen: Screen) -> list[int]:
    """Return the last row of each line."""
    rows = range(len(screen.history + screen.rows))
    return [row for row in rows if not screen.layout.goes_on(row)] + [rows[-1]]


class NewText(str):
    """The text that is new since a mark, and whether it is all of it.

    Args:
        text: The text.
        complete: Whether it is known to be exactly the printed text. False if its beginning is
            gone: cleared, scrolled out of the history or painted over. Also False where text was
            below the cursor, on the alternate screen, and after the width changed.

    Examples:
        >>> terminal = FakeTerminal(programs={"sh": ScriptedShell({"date": "Sunday"})})
        >>> console = Console(terminal, terminal.open("sh"))
        >>> mark = console.send("date")
        >>> _ = console.wait_ready()
        >>> console.read(since=mark).complete
        True
    """

    __slots__ = ("complete",)

    complete: bool

    def __new__(cls, text: str, *, complete: bool = False) -> Self:
        new = super().__new__(cls, text)
        new.complete = complete
        return new


def rows_to_read(before: Screen, now: Screen) -> int:
    """Return how many rows of the history it takes to see all that is new."""
    if now.alternate:
        return 0
    if before.size.columns != now.size.columns or may_have_shifted(before, now):
        return now.history_size
    return now.history_size - before.history_size


def new_text(before: Screen | None, now: Screen, typed: str | None = "") -> NewText:
    """Return what is new on a screen that has as much history as is to be searched.

    Args:
        before: The screen from before; None if all is new.
        now: The screen as it is.
        typed: What had been typed before, and was perhaps not shown yet. None if something was, and
            it is not known: then all that follows in its line may be that.
    """
    if now.alternate:  # a full-screen program paints anywhere
        known = before.rows if before and before.alternate else ()
        return NewText("\n".join(_unlike(now.rows, known)))
    if before is None:
        return NewText("\n".join(now.lines))
    if before.alternate:
        hidden = 0 if may_have_shifted(before, now) else before.history_size - first_number(now)
        return NewText("\n".join(lines_from(now, max(hidden, 0))))
    if before.size.columns != now.size.columns:
        return NewText("\n".join(_new_lines(before, now, typed)))
    overlay = _lay_over(before, now)
    return NewText("\n".join(now.lines)) if overlay is None else overlay.new_text(typed)


def still_there(before: Screen, now: Screen, *, typed: bool) -> Screen | None:
    """Return the screen from before without the rows that are gone: drawn again, they are new.

    Args:
        before: The screen from before.
        now: The screen as it is.
        typed: Whether its cursor's row shows what was typed, which is never new.

    Returns:
        None if nothing of it is known to be there.
    """
    if now.alternate != before.alternate or now.size.columns != before.size.columns:
        return before
    if now.alternate:
        rows = [row if row in now.rows else "" for row in before.rows]
        return attrs.evolve(before, rows=rows)
    overlay = _lay_over(before, now)
    return None if overlay is None else overlay.without_gone_rows(typed=typed)


def _unlike(rows: Iterable[str], known: Iterable[str]) -> list[str]:
    """Return the rows without those that are known, of which each is left out once."""
    left, new = Counter(known), []
    for row in rows:
        left[row] -= 1
        if left[row] < 0:
            new.append(row)
    return new


def _new_lines(before: Screen, now: Screen, typed: str | None) -> list[str]:
    """Return the lines that are new, though all rows are laid out anew."""
    known = lines_from(before, len(before.history))
    found = find_line(before, now)
    if found is None:
        return _unlike(lines_from(now, len(now.history)), filter(None, known))
    rest = now.lines[found].removeprefix(before.line_before_cursor.rstrip(" "))
    rest = _without_echo(rest, before, typed)
    below = known[lines_above_cursor(before) + 1 :]
    return [*filter(None, [rest]), *_unlike(now.lines[found + 1 :], filter(None, below))]


def _without_echo(rest: str, before: Screen, typed: str | None) -> str:
    """Return the rest of a line without the echo of text that was typed and not shown yet."""
    if typed is None:
        return ""
    shown = before.line_before_cursor
    longest = min(len(typed), len(shown))
    known = next(n for n in range(longest, -1, -1) if shown.endswith(typed[:n]))
    missing = typed[known:].lstrip(" ")
    echo = rest.lstrip(" ")
    return echo.removeprefix(missing) if missing and echo.startswith(missing) else rest


def _lay_over(before: Screen, now: Screen) -> "_Overlay | None":
    """Lay a screen from before over history and rows, at its place; None if that is not known."""
    numbered = before.history_size - first_number(now)
    row = find_row(before, now)
    found = numbered if row is None else row - before.cursor.row
    for top in dict.fromkeys((found, numbered)):  # mostly the same
        overlay = _Overlay(before, now, top)
        if overlay.is_evident:
            return overlay
    # Otherwise all may have been cleared, and other rows have these numbers now.
    is_sure = not any(before.rows) or now.history_size == before.history_size
    return _Overlay(before, now, numbered) if is_sure else None


class _Overlay:
    """A screen from before, laid over one of the same width.

    Args:
        before: The screen from before.
        now: The screen as it is.
        top: Where the first row from before is now, an index into history and rows; negative is
            above what was read.
    """

    def __init__(self, before: Screen, now: Screen, top: int) -> None:
        self._before, self._now, self._top = before, now, top
        self._rows = now.history + now.rows
        self._cursor = before.cursor.row
        self._place = top + self._cursor
        self._typed = before.before_cursor.rstrip(" ")
        self._shows_typed = 0 <= self._place < len(self._rows) and (
            self._rows[self._place].casefold().startswith(self._typed.casefold())
        )
        # The rows from before that are still there, except the cursor's.
        self._standing: dict[int, int] = {}
        for number in range(before.size.rows):
            place = self._place_of(number)
            if place is not None and number != self._cursor:
                self._standing[number] = place

    def _place_of(self, number: int) -> int | None:
        """Return where a row from before is now; one that was not read counts as still there."""
        row = self._before.rows[number : number + 1]
        place, still = self._top + number, len(self._now.history) + number
        if place < 0 or self._rows[place : place + 1] == row:
            return place
        # A row below the cursor may stay where it is while the rows above it scroll.
        return still if number > self._cursor and self._rows[still : still + 1] == row else None

    @property
    def is_evident(self) -> bool:
        """Whether some text of the screen from before is seen at its place."""
        return bool(self._typed and self._shows_typed) or any(
            place == self._top + number >= 0 and self._before.rows[number]
            for number, place in self._standing.items()
        )

    @property
    def _is_whole(self) -> bool:
        """Whether all rows are where they were, and nothing can have been painted over."""
        above, below = range(self._cursor), self._before.rows[self._cursor + 1 :]
        shift = self._before.history_size - first_number(self._now) - self._top
        return (
            self._shows_typed
            and self.is_evident
            and self._standing.keys() >= set(above)
            and not any(below)
            and shift % thrown_away(self._now) == 0
        )

    def without_gone_rows(self, *, typed: bool) -> Screen:
        """Return the screen from before, with blank rows for those that are gone."""
        there = {*self._standing}
        if typed or self._shows_typed or self._place < 0:
            there.add(self._cursor)
        before = self._before.rows
        rows = tuple([row if number in there else "" for number, row in enumerate(before)])
        return self._before if rows == before else attrs.evolve(self._before, rows=rows)

    def new_text(self, typed: str | None) -> NewText:
        """Return all text that was not there before, and whether that is sure."""
        before, layout, rows = self._before, self._now.layout, self._rows
        start, new = min(max(self._place, 0), len(rows)), self._new_places()
        split = bisect_left(new, start)
        above = [rows[place] for place in new[:split]]
        below = [rows[place] for place in new[split:]]
        lines = join_rows(below, layout.of_rows(new[split:]), self._now.size.columns)
        if not self._shows_typed:
            return NewText("\n".join(above + lines), complete=self._is_whole)
        is_as_before = rows[start] == before.cursor_line
        rest = lines[0].removeprefix(before.cursor_line if is_as_before else self._typed)
        is_known = typed is not None or not rest.strip(" ")
        rest = _without_echo(rest, before, typed)
        if not rest.strip(" "):
            return NewText("\n".join(above + lines[1:]), complete=self._is_whole and is_known)
        # A part of the rest may have been there before, right of the cursor.
        is_whole = self._is_whole and before.cursor_line == self._typed
        return NewText("\n".join([*above, rest, *lines[1:]]), complete=is_whole)

    def _new_places(self) -> list[int]:
        """Return the rows that were not there before, as indexes into history and rows."""
        # A blank row below the cursor may be a part of the output, so it counts as new.
        old = {
            place
            for number, place in self._standing.items()
            if number < self._cursor or self._before.rows[number]
        }
        return [place for place in range(max(self._top, 0), len(self._rows)) if place not in old]
