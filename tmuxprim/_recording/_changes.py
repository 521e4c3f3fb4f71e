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
            start = _overlap(self._history, rows)
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


def _overlap(old: Sequence[str], new: Sequence[str]) -> int:
    """Return from where on *old* is the beginning of *new*: rows are added below."""
    for start, row in enumerate(old):
        if new[:1] == [row] and old[start:] == new[: len(old) - start]:
            return start
    return len(old)
