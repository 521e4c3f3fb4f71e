"""The live table of `tmuxprim watch`, as text: one row for each pane."""

from collections.abc import Sequence
from typing import Final

import attrs

from tmuxprim._cli.report import painted
from tmuxprim._readiness.pane_state import PaneState, State
from tmuxprim._values.lines import cut_at_column, text_columns
from tmuxprim._values.pane import Size

_BOLD_MAGENTA, _GREEN, _BLUE, _FAINT, _BOLD, _REVERSE = (1, 35), (32,), (34,), (2,), (1,), (7,)
_COLOURS: Final = {
    State.ASKING: _BOLD_MAGENTA,
    State.SECRET: _BOLD_MAGENTA,
    State.WORKING: _BLUE,
    State.PROMPT: _GREEN,
    State.EXITED: _FAINT,
    State.DEAD: _FAINT,
}
_ASKS: Final = (State.ASKING, State.SECRET)
# A name of a pane or a program takes no more columns than this.
_LONGEST_NAME: Final = 16
# From so many columns on, the last row of a pane is shown beside its question.
_WIDE: Final = 120
_SHARE_OF_QUESTION: Final = 0.4
# The first line, and the two at the bottom.
_LINES_AROUND: Final = 3
_UNITS: Final = ((86400.0, "d"), (3600.0, "h"), (60.0, "m"))


@attrs.frozen(kw_only=True)
class PaneRow:
    """One pane.

    Args:
        name: Its session, window and index.
        state: Its state.
        age: Seconds since that began.
        last: The last row of its screen.
    """

    name: str
    state: PaneState
    age: float
    last: str

    @property
    def asks(self) -> bool:
        """Whether it waits for a person's answer."""
        return self.state.state in _ASKS


def coloured(word: str, state: PaneState) -> str:
    """Return a word in the colour of a state."""
    colour = _COLOURS.get(state.state)
    return painted(word, *colour) if colour else word


def word_of(state: PaneState) -> str:
    """Return the name of a state; a question mark is behind a guess."""
    return f"{state.state.value}{'?' if state.is_guess else ''}"


def draw_table(
    rows: Sequence[PaneRow], selected: int, size: Size, footer: Sequence[str]
) -> list[str]:
    """Return the lines of the whole screen, each as wide as it at most.

    Args:
        rows: The panes, in their order.
        selected: Which of them is selected.
        size: The screen.
        footer: The last lines.
    """
    room = max(size.rows - _LINES_AROUND, 1)
    first = min(max(selected - room // 2, 0), max(len(rows) - room, 0))
    cells = [_cells(row) for row in rows]
    widths = [max(map(text_columns, column)) for column in zip(*cells, strict=True)]
    lines = [_head(rows, size.columns)]
    for number in range(first, min(first + room, len(rows))):
        is_selected = number == selected
        lines.append(
            _line(cells[number], widths, rows[number], size.columns, is_selected=is_selected)
        )
    lines += [""] * (size.rows - len(lines) - len(footer))
    return [*lines, *(_fit(line, size.columns) for line in footer)]


def _head(rows: Sequence[PaneRow], columns: int) -> str:
    asks = sum(row.asks for row in rows)
    works = sum(row.state.state is State.WORKING for row in rows)
    counts = f"{len(rows)} panes: {asks} ask, {works} work"
    return painted(_fit(f"tmuxprim watch   {counts}", columns), *_BOLD)


def _cells(row: PaneRow) -> tuple[str, str, str, str, str]:
    name, program = (_fit(text, _LONGEST_NAME) for text in (row.name, row.state.program))
    return str(row.state.pane), name, word_of(row.state), _age(row.age), program


def _line(
    cells: Sequence[str], widths: Sequence[int], row: PaneRow, columns: int, *, is_selected: bool
) -> str:
    """Return a line; colours in one that is reversed would be hard to read."""
    padded = [cut_at_column(cell, width) for cell, width in zip(cells, widths, strict=True)]
    padded[3] = padded[3].strip().rjust(widths[3])
    before = "  ".join(padded) + "  "
    text = _fit(before + _end(row, columns - text_columns(before)), columns)
    if is_selected:
        return painted(cut_at_column(text, columns), *_REVERSE)
    place = sum(widths[:2]) + 4
    word = text[place : place + len(cells[2])]
    return f"{text[:place]}{coloured(word, row.state)}{text[place + len(word) :]}"


def _end(row: PaneRow, columns: int) -> str:
    """Return the question, or the work in the background, and the last row where there is room."""
    told = row.state.question or row.state.background
    if not told or columns < _WIDE * (1 - _SHARE_OF_QUESTION) or told in row.last:
        return told or row.last
    width = int(columns * _SHARE_OF_QUESTION)
    return f"{cut_at_column(_printable(told), width)}  {row.last}"


def _age(seconds: float) -> str:
    for unit, letter in _UNITS:
        if seconds >= unit:
            return f"{int(seconds // unit)}{letter}"
    return f"{int(seconds)}s"


def _fit(text: str, columns: int) -> str:
    """Return a text in one line that has room."""
    return cut_at_column(_printable(text), max(columns, 0)).rstrip(" ")


def _printable(text: str) -> str:
    """Return a text without what moves the cursor, such as a line break in a question."""
    return "".join(char if char.isprintable() else " " for char in text)
