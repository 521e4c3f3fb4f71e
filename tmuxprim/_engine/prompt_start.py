"""The cell where a prompt begins on the screen.

A shell's marks in the raw output show which characters draw the prompt, but not at which cell it
begins: a prompt may move the cursor and use escape sequences. So they are drawn again, on a virtual
screen, at each cell where the prompt may begin. It begins where the drawing looks like the pane.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from tmuxprim._emulator.emulator import Emulator
from tmuxprim._values.lines import Layout, cut_at_column, text_columns
from tmuxprim._values.pane import Size
from tmuxprim._values.screen import Screen

# Rows of history of the virtual screen. If any is used, the prompt is higher than the screen.
_HISTORY: Final = 1
# A hook that prints more rows than these is not drawn.
_MOST_ROWS: Final = 1000
# A row above the prompt on the virtual screen: in the top row some sequences do something else.
_TOP: Final = 1
UNPLACED: Final = (
    "where the prompt begins cannot be determined: the screen does not show it as it was written, "
    "or the output moved the cursor last"
)
"""The doubt where marks report a prompt that is not found on the screen."""


class PromptStart(NamedTuple):
    """The cell in which a prompt begins: the output before it ends there.

    Args:
        above: How many rows it is above the cursor's.
        column: Its column; that is the number of columns if it follows a full row.
        doubt: Why the text right before it may belong to the prompt; empty if it does not.
    """

    above: int
    column: int
    doubt: str = ""


def find_start(drawn: str, screen: Screen, *, last: str) -> PromptStart | None:
    r"""Return where the prompt begins that *drawn* has drawn; None if that is not certain.

    If the *last* character of the output is "\n", the prompt begins a row. If not, it is drawn
    behind each cell of its row that holds that character, and the screen looks like one drawing.
    """
    columns = range(1) if last == "\n" else range(1, screen.size.columns + 1)
    found = list(_starts(drawn, screen, columns, last.strip("\n"))) if drawn and last else []
    return found[0] if len(found) == 1 else None


def rows_of(text: str, size: Size) -> tuple[str, ...] | None:
    """Return the rows that a text fills from the start of a row on; None if that is not certain."""
    emulator = Emulator(size, _MOST_ROWS)
    emulator.feed(text)
    grid = emulator.grid
    if not emulator.is_sure or grid.column or emulator.is_alternate:
        return None
    return (*grid.history(grid.above), *grid.rows[: grid.row])


def _starts(drawn: str, screen: Screen, columns: Iterable[int], last: str) -> Iterator[PromptStart]:
    """Yield each cell where the drawn prompt looks like the one on the screen."""
    for column in columns:
        blank = _draw("", column, drawn, screen)
        height = blank.grid.row - _TOP
        top = screen.cursor.row - height
        if top < 0 or blank.cursor.column != screen.cursor.column or blank.grid.above:
            continue
        left = cut_at_column(screen.rows[top], column)
        if left.endswith(last[-len(left) :]) and _is_like(
            _draw(left, column, drawn, screen), screen, top
        ):
            yield PromptStart(height, column)


def _draw(left: str, column: int, drawn: str, screen: Screen) -> Emulator:
    """Draw a prompt at a column, with the text that is left of it there."""
    emulator = Emulator(Size(screen.size.columns, screen.size.rows + _TOP), _HISTORY)
    emulator.grid.paint(("", cut_at_column(left, column)), Layout())
    emulator.feed(drawn)
    return emulator


def _is_like(emulator: Emulator, screen: Screen, top: int) -> bool:
    """Whether a drawn prompt looks like that on the screen, of which *top* is the first row."""
    grid, place = emulator.grid, len(screen.history) + top
    height = grid.row + 1 - _TOP
    if grid.rows[_TOP:][:height] != screen.rows[top : top + height] or not emulator.is_sure:
        return False
    seen = screen.layout.part(place, place + height)
    columns = text_columns(screen.rows[top]) + seen.blanks_behind(0)
    if height == 1:  # tmux before 3.3 does not report blanks at the end
        columns = max(columns, screen.cursor.column)
    drawn = grid.layout(0).wrapped[_TOP:][: height - 1]
    is_same = drawn == (*seen.wrapped, *[False] * height)[: height - 1]
    return is_same and columns == len(grid.lines[_TOP].cells)
