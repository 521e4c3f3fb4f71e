"""`Row`: the cells of one row of a fake screen.

A wide character takes two cells, of which the second is empty; a combining one joins the cell
before it.
"""

from typing import Final

BLANK: Final = " "


class Row:
    """Holds the cells of a row, and what tmux remembers of it.

    Attributes:
        cells: What each cell shows.
        used: Up to which column anything, be it a blank, was written since the row was cleared.
        is_wrapped: Whether the text goes on in the row below.
    """

    __slots__ = ("cells", "is_wrapped", "used")

    def __init__(self, columns: int) -> None:
        self.cells: list[str] = [BLANK] * columns
        self.used: int = 0
        self.is_wrapped: bool = False

    @property
    def text(self) -> str:
        """What the row shows, without the blanks at its end."""
        return "".join(self.cells).rstrip(BLANK)

    @property
    def blanks(self) -> int:
        """How many blanks were written at its end."""
        shown = len(self.cells)
        while shown and self.cells[shown - 1] == BLANK:
            shown -= 1
        return max(self.used - shown, 0)

    def write(self, column: int, char: str, width: int) -> None:
        """Write a character of one or two cells; half a wide character is blanked."""
        self._part(column)
        self._part(column + width)
        self.cells[column : column + width] = [char] + [""] * (width - 1)
        self.used = max(self.used, column + width)

    def combine(self, column: int, char: str) -> None:
        """Let *char* join the character left of *column*."""
        column -= 1
        while column > 0 and self.cells[column] == "":
            column -= 1
        if column >= 0:
            self.cells[column] += char

    def erase(self, start: int, end: int) -> None:
        """Blank the cells from *start* up to *end*; a row without text left is as new."""
        if start == 0 and end >= len(self.cells):
            self.used, self.is_wrapped = 0, False
        self.cells[start:end] = [BLANK] * len(self.cells[start:end])

    def resize(self, columns: int) -> None:
        """Cut the row, or pad it with blanks."""
        self._part(columns)
        del self.cells[columns:]
        self.cells += [BLANK] * (columns - len(self.cells))
        self.used = min(self.used, columns)

    def _part(self, column: int) -> None:
        """Blank a wide character of which *column* would begin the second half."""
        if 0 < column < len(self.cells) and self.cells[column] == "":
            self.cells[column - 1 : column + 1] = [BLANK, BLANK]
