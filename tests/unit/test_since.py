"""What is new on a screen."""

import attrs
import pytest

from tests.unit.builders import SMALL, screen
from tmuxprim import Layout
from tmuxprim._since import find_row, text_since

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


@pytest.mark.parametrize("now", [screen("$ "), screen("b\n$ ls\nc\n$ "), screen("x\n" * 5 + "$ ")])
def test_a_row_that_was_cleared_is_gone(now: object) -> None:
    """What stands in its place is another."""
    assert isinstance(now, type(BEFORE))
    assert find_row(BEFORE, now) is None


def test_new_text_begins_behind_what_was_typed() -> None:
    """What stood there before is not new, and a line is whole."""
    now = screen("$ ls\na\n$ make\nb\n$ ")
    assert text_since(BEFORE, now) == "\nb\n$\n"
    assert text_since(BEFORE, BEFORE).strip() == ""
    answered = screen("Sure? y: ok")
    assert text_since(screen("Sure? y"), answered).strip() == ": ok"
    full = "x" * SMALL.columns
    wrapped = attrs.evolve(screen(f"$ make\n{full}\ny"), layout=Layout((False, True)))
    assert text_since(screen("$ make"), wrapped) == f"\n{full}y\n\n\n"


def test_all_is_new_where_nothing_is_known() -> None:
    """Without a mark, on the other screen, and after the screen was cleared."""
    now = screen("a\nb")
    picture = attrs.evolve(now, alternate=True)
    assert text_since(None, now).split() == ["a", "b"]
    assert text_since(BEFORE, picture).split() == ["a", "b"]
    assert text_since(BEFORE, now).split() == ["a", "b"]


def test_of_a_picture_the_rows_that_changed_are_new() -> None:
    """A full-screen program paints anywhere."""
    before, now = (attrs.evolve(screen(text), alternate=True) for text in ("a\nb", "a\nc"))
    assert text_since(before, now) == "c"
