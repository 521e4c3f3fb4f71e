"""Values written as what has changed since the one before: a minute of looking is some lines."""

from collections.abc import Sequence
from typing import Final

from tmuxprim._recording._values import Fields

_HISTORY: Final = "history"


class Changes:
    """Is one series of values, as whoever writes it or reads it knows it so far."""

    def __init__(self) -> None:
        self._fields: Fields = {}
        self._history: list[str] = []

    def shrink(self, fields: Fields) -> Fields:
        """Return what has changed since the last value."""
        old, self._fields = self._fields, fields
        change = {name: fields[name] for name in fields if old.get(name, ...) != fields[name]}
        if _HISTORY in change:
            rows = fields[_HISTORY]
            start = overlap(self._history, rows)
            change[_HISTORY] = {"from": start, "then": rows[len(self._history) - start :]}
            self._history = rows or self._history
        return change

    def grow(self, change: Fields) -> Fields:
        """Return the whole value; the other way round than `shrink`."""
        if _HISTORY in change:
            rows = self._history[change[_HISTORY]["from"] :] + change[_HISTORY]["then"]
            self._history = rows or self._history
            change = {**change, _HISTORY: rows}
        self._fields = {**self._fields, **change}
        return self._fields


def overlap(old: Sequence[str], new: Sequence[str]) -> int:
    """Return from where on *old* is the beginning of *new*: rows are added below.

    Searches as Knuth, Morris and Pratt do, since the rows of a flood are often all the same, and
    whoever is recorded waits for it.
    """
    shorter = [0] * len(new)  # of each beginning of *new*: the next shorter one that it ends with
    for end in range(1, len(new)):
        shorter[end] = _go_on(new, shorter, shorter[end - 1], new[end])
    matched = 0
    for row in old:
        matched = _go_on(new, shorter, matched, row)
    return len(old) - matched


def _go_on(rows: Sequence[str], shorter: Sequence[int], matched: int, row: str) -> int:
    """Return how many of the first *rows* end with *row*, where so many ended before it."""
    while matched and (matched == len(rows) or rows[matched] != row):
        matched = shorter[matched - 1]
    return matched + (matched < len(rows) and rows[matched] == row)
