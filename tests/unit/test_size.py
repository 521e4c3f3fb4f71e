"""`Size`: how many cells a screen can have."""

import pytest

from tmuxprim import Size
from tmuxprim.errors import InvalidScreenError


def test_columns_come_first() -> None:
    """A size reads as people write it."""
    assert str(Size(80, 24)) == "80x24"
    assert Size(80, 24) == Size(columns=80, rows=24)


@pytest.mark.parametrize("cells", [1, 10_000])
def test_limits_are_sizes(cells: int) -> None:
    """One cell is a screen, and so is the largest one that tmux makes."""
    assert Size(cells, cells).rows == cells


@pytest.mark.parametrize("cells", [0, -1, 10_001, 80.0, "80", True, None])
def test_refused(cells: object) -> None:
    """Anything but a whole number that tmux takes is refused, on both sides."""
    with pytest.raises(InvalidScreenError) as columns:
        Size(cells, 24)  # type: ignore[arg-type]  # the point of the test
    with pytest.raises(InvalidScreenError) as rows:
        Size(80, cells)  # type: ignore[arg-type]  # the point of the test
    rule = "are a whole number from 1 to 10000, got"
    assert str(columns.value) == f"a screen's columns {rule} {cells!r}"
    assert str(rows.value) == f"a screen's rows {rule} {cells!r}"
