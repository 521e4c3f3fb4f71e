"""`Screen` and `Cursor`: what can be read from one snapshot."""

import attrs
import pytest

from tests.unit.builders import screen
from tmuxprim import Cursor, Screen, Size
from tmuxprim.errors import InvalidScreenError


@pytest.mark.parametrize("place", [-1, 1.0, "1", None])
def test_cursor_counts_cells_from_zero(place: int) -> None:
    """There is no place above or left of the screen, and none between two cells."""
    with pytest.raises(InvalidScreenError) as row:
        Cursor(place, 0)
    with pytest.raises(InvalidScreenError) as column:
        Cursor(0, place)
    rule = "is a whole number from 0, got"
    assert str(row.value) == f"a cursor's row {rule} {place!r}"
    assert str(column.value) == f"a cursor's column {rule} {place!r}"


@pytest.mark.parametrize("rows", [(), ("a",), ("a", "b", "c")])
def test_rows_are_as_many_as_the_size_says(rows: tuple[str, ...]) -> None:
    """A screen has all of its rows, the empty ones too."""
    with pytest.raises(InvalidScreenError) as caught:
        Screen(size=Size(9, 2), rows=rows, cursor=Cursor(0, 0))
    assert str(caught.value) == (
        f"a screen of 9x2 has 2 rows, got {len(rows)}; pad with empty rows"
    )


@pytest.mark.parametrize("cursor", [Cursor(2, 0), Cursor(0, 10)])
def test_cursor_stands_on_the_screen(cursor: Cursor) -> None:
    """The cursor is on the screen."""
    with pytest.raises(InvalidScreenError) as caught:
        Screen(size=Size(9, 2), rows=("", ""), cursor=cursor)
    assert str(caught.value) == f"the cursor is within the screen of 9x2, got {cursor}"


def test_cursor_waits_behind_a_full_row() -> None:
    """Behind a full row the cursor's column is the number of columns (deferred wrap)."""
    full = Screen(size=Size(3, 1), rows=("abc",), cursor=Cursor(0, 3))
    assert full.before_cursor == "abc"


def test_text_is_history_and_screen() -> None:
    """Text reads from the oldest row down, without the empty rows at the end."""
    assert attrs.evolve(screen("\nb\n\nc"), history=("", "a")).text == "\na\n\nb\n\nc"


def test_text_of_an_empty_screen() -> None:
    """Nothing is to be read on an empty screen."""
    assert screen("").text == ""


@pytest.mark.parametrize(
    ("text", "last"), [("a\nb", "b"), ("a\n\n", "a"), ("", ""), ("a\n  b", "  b")]
)
def test_last_line(text: str, last: str) -> None:
    """The last line is the lowest row that is not empty."""
    assert screen(text).last_line == last


@pytest.mark.parametrize(
    ("row", "column", "before"),
    [
        ("$", 2, "$ "),
        ("$ make", 2, "$ "),
        ("", 3, "   "),
        ("日本 $", 4, "日本"),
        ("日本", 3, "日 "),
    ],
)
def test_before_cursor(row: str, column: int, before: str) -> None:
    """Before the cursor is what the cells left of it hold, spaces included."""
    snapshot = Screen(size=Size(9, 2), rows=("", row), cursor=Cursor(1, column))
    assert snapshot.before_cursor == before
    assert snapshot.cursor_line == row


def test_cursor_line_number_counts_the_history() -> None:
    """The same row of the screen has a higher number after output has scrolled."""
    before, after = screen("a\n$ "), attrs.evolve(screen("b\n$ "), history_size=30)
    assert (before.cursor_line_number, after.cursor_line_number) == (1, 31)
