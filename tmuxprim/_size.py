"""`Size`: how many cells a screen has."""

from typing import Final

import attrs

from tmuxprim._errors import InvalidScreenError

_LARGEST: Final = 10_000  # tmux's own limit for a window (WINDOW_MAXIMUM)


def _check_cells(_size: object, field: "attrs.Attribute[int]", cells: object) -> None:
    if not isinstance(cells, int) or isinstance(cells, bool) or not 1 <= cells <= _LARGEST:
        raise InvalidScreenError(
            f"a screen's {field.name} are a whole number from 1 to {_LARGEST}, got {cells!r}"
        )


@attrs.frozen
class Size:
    """The size of a screen, in cells; columns come first, as in ``80x24``.

    Args:
        columns: Cells in a row, 1 to 10,000.
        rows: Rows on the screen, 1 to 10,000.

    Raises:
        InvalidScreenError: If one of them is no such number.

    Examples:
        >>> str(Size(80, 24))
        '80x24'
    """

    columns: int = attrs.field(validator=_check_cells)
    rows: int = attrs.field(validator=_check_cells)

    def __str__(self) -> str:
        return f"{self.columns}x{self.rows}"
