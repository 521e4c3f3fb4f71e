"""Where the row of a mark is now."""

import attrs
import pytest

from tests.unit.builders import screen
from tmuxprim import Cursor, Screen, Size
from tmuxprim._values.new_text import find_row
from tmuxprim.testing import Layout

BEFORE = screen("$ ls\na\n$ make")


def test_the_row_is_found_by_its_number() -> None:
    """Also when a suggestion right of the cursor has gone, or more has scrolled off."""
    assert find_row(BEFORE, screen("$ ls\na\n$ make\nb\n$ ")) == 2
    suggested = attrs.evolve(BEFORE, rows=("$ ls", "a", "$ make install", "", "", ""))
    assert find_row(suggested, screen("$ ls\na\n$ make\nb\n$ ")) == 2
    scrolled = attrs.evolve(screen("b\n$ "), history=("$ make",), history_size=3)
    assert find_row(BEFORE, scrolled) == 0


def test_the_row_is_found_by_its_text_when_numbers_have_shifted() -> None:
    """A full history loses its oldest rows; then what stands above decides, too."""
    before = attrs.evolve(BEFORE, history_size=10)
    rows = ("$ make", "$ ls", "x", "$ make", "$ ls", "a", "$ make", "b")
    now = attrs.evolve(screen("$ "), history=rows, history_size=len(rows))
    assert find_row(before, now) == 6
    assert find_row(before, attrs.evolve(now, history=rows[4:], history_size=8)) == 2


def test_the_row_that_has_its_number_may_be_another() -> None:
    """If rows may have been thrown away, what stands above it tells."""
    before = attrs.evolve(BEFORE, history_size=18, history_limit=20)
    rows = (*"abcdefghijklmn", "$ ls", "a", "$ make", *"xyz")
    now = attrs.evolve(screen("$ make\n$ "), history=rows, history_size=20, history_limit=20)
    assert find_row(before, now) == 16


@pytest.mark.parametrize("now", [screen("$ "), screen("b\n$ ls\nc\n$ "), screen("x\n" * 5 + "$ ")])
def test_a_row_that_was_cleared_is_gone(now: object) -> None:
    """What stands in its place is another."""
    assert isinstance(now, type(BEFORE))
    assert find_row(BEFORE, now) is None


LONG = "$ echo abcdefgh"
WIDE = Screen(size=Size(20, 4), rows=("$ ls", "a", LONG, ""), cursor=Cursor(2, 15))


def narrow(*rows: str, wrapped: tuple[bool, ...], history: int = 0) -> Screen:
    """Return the same at half the width, with the cursor in the last row."""
    return Screen(
        size=Size(10, len(rows) - history),
        history=rows[:history],
        rows=rows[history:],
        history_size=history,
        cursor=Cursor(len(rows) - history - 1, 0),
        layout=Layout(wrapped),
    )


def test_the_row_is_found_when_the_width_has_changed() -> None:
    """Its line ends in another row by then; of several the lowest is meant."""
    wrapped = (False, False, True, False)
    rows = ("$ ls", "a", "$ echo abc", "defgh")
    assert find_row(WIDE, narrow(*rows, "x", wrapped=wrapped)) == 3
    assert find_row(WIDE, narrow(*rows, *rows, wrapped=wrapped * 2, history=4)) == 7
    half = narrow(*rows, "", wrapped=wrapped)
    assert find_row(attrs.evolve(half, cursor=Cursor(3, 5)), WIDE) == 2


def test_the_highest_line_may_have_begun_above_the_screen() -> None:
    """Then a screen that is wider shows more of it."""
    before = narrow("defgh", "a", "$ make", wrapped=())
    before = attrs.evolve(before, cursor=Cursor(2, 6))
    now = Screen(size=Size(20, 4), rows=(LONG, "a", "$ make", ""), cursor=Cursor(3, 0))
    assert find_row(before, now) == 2


@pytest.mark.parametrize(
    "rows",
    [("$ ls", "b", "$ echo abc", "defgh"), ("$ ls", "a", "$ echo abc", "x"), ("$", "", "", "")],
)
def test_a_line_that_is_gone_when_the_width_has_changed(rows: tuple[str, ...]) -> None:
    """Others look alike."""
    assert find_row(WIDE, narrow(*rows, wrapped=(False, False, True))) is None


def test_nothing_tells_a_line_without_text_from_others() -> None:
    """Where another width has laid them out anew."""
    blank = Screen(size=Size(20, 4), rows=("",) * 4, cursor=Cursor(2, 0))
    assert find_row(blank, narrow("", "", "", wrapped=())) is None
