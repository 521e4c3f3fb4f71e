"""What is new on a screen, and where the row of a mark is now."""

import pickle

import attrs
import pytest

from tests.unit.builders import SMALL, screen
from tmuxprim import Cursor, NewText, Screen, Size
from tmuxprim._values.new_text import find_row, new_text, rows_to_read, still_there
from tmuxprim.testing import Layout

BEFORE = screen("$ ls\na\n$ make")


def scrolled(text: str, above: str, *, size: int | None = None, limit: int = 2000) -> Screen:
    """Return a screen with all of its history, or the end of it."""
    history = tuple(above.split("\n"))
    size = len(history) if size is None else size
    return attrs.evolve(screen(text), history=history, history_size=size, history_limit=limit)


def told(before: Screen | None, now: Screen) -> tuple[str, bool]:
    """Return what is new, without the blank rows at the end, and whether that is sure."""
    new = new_text(before, now)
    return new.rstrip("\n"), new.complete


def test_new_text_begins_behind_what_was_typed() -> None:
    """What stood there before is not new, and a line is whole."""
    assert told(BEFORE, screen("$ ls\na\n$ make\nb\n$ ")) == ("b\n$", True)
    assert told(BEFORE, screen("$ ls\na\n$ make\n\nb\n$ ")) == ("\nb\n$", True)
    assert told(BEFORE, BEFORE) == ("", True)
    assert told(screen("Sure? y"), screen("Sure? y: ok")) == (": ok", True)
    full = "x" * SMALL.columns
    wrapped = attrs.evolve(screen(f"$ make\n{full}\ny"), layout=Layout((False, True)))
    assert told(screen("$ make"), wrapped) == (f"{full}y", True)
    at_the_edge = attrs.evolve(screen(f"{full}\n{full}\ny"), layout=Layout((True, True)))
    assert told(screen(full), at_the_edge) == (f"{full}y", True)
    assert told(screen(full[:30]), at_the_edge) == (f"{full[30:]}{full}y", True)


@pytest.mark.parametrize("shown", ["$", "$ m", "$ make", "$ make  x"])
def test_what_was_typed_may_be_shown_later(shown: str) -> None:
    """The mark is taken when the program has read it, which may be sooner."""
    now = screen("$ make  x\nb")
    assert new_text(screen(shown), now, "make  x").rstrip() == "b"
    before = attrs.evolve(screen(shown), size=attrs.evolve(SMALL, columns=80))
    assert new_text(before, now, "make  x").rstrip() == "b"


def test_what_was_typed_may_never_be_shown() -> None:
    """Then it is no part of what is."""
    now = screen("Password: ok\nb")
    assert new_text(screen("Password:"), now, "hunter2").rstrip() == " ok\nb"
    assert new_text(screen("Password:"), now, "x" * 100_000).rstrip() == " ok\nb"


def test_it_is_found_in_the_history() -> None:
    """Which is read as far back as the mark."""
    lines = "\n".join(map(str, range(20)))
    now = scrolled("19\n$ ", f"$ ls\na\n$ make\n{lines}")
    assert rows_to_read(BEFORE, now) == 23
    assert told(BEFORE, now) == (f"{lines}\n19\n$", True)


def test_the_beginning_is_gone() -> None:
    """What is left is told, and that it is not all."""
    rest = "\n".join(map(str, range(20)))
    assert told(BEFORE, scrolled("x\n$ ", rest, size=20, limit=20)) == (f"{rest}\nx\n$", False)
    assert told(attrs.evolve(BEFORE, history_size=9), screen("a\nb")) == ("a\nb", False)
    assert told(BEFORE, screen("a\nb")) == ("a\nb", False)


def test_it_was_painted_over() -> None:
    """Rows that are others now are new, wherever they stand."""
    assert told(BEFORE, screen("hi\na\n$ make\n$ ")) == ("hi\n$", False)
    assert told(BEFORE, screen("$ ls\na\nall done\n$ ")) == ("all done\n$", False)
    progress = screen("10 %")
    above = "done\n" * 9 + "done"
    before = attrs.evolve(progress, history_size=10)
    assert told(before, scrolled("20 %", above)) == ("20 %", False)


def test_a_row_that_cannot_be_told_from_others() -> None:
    """Nothing was on the screen, so it may have been cleared meanwhile."""
    blank = screen("")
    assert told(blank, screen("a")) == ("a", False)
    assert told(blank, scrolled("b", "a")) == ("a\nb", False)
    assert told(screen("x\n"), screen("x\na")) == ("a", True)


def test_what_stood_below_the_cursor_is_not_new() -> None:
    """The rows are left out, and the result is not complete, since they may be new."""
    before = attrs.evolve(screen("$ x\nmenu\n\nhint"), cursor=Cursor(0, 3))
    assert told(before, screen("$ x\nmenu\n\nhint")) == ("", False)
    assert told(before, screen("$ x\nnew\n\nhint\nlow")) == ("new\n\nlow", False)
    bar = attrs.evolve(before, rows=("$ x", "", "", "", "", "[10 %]"))
    now = attrs.evolve(screen("b\nc"), rows=("b", "c", "d", "e", "f", "[10 %]"))
    now = attrs.evolve(now, history=("$ x", "a"), history_size=2)
    assert told(bar, now) == ("a\nb\nc\nd\ne\nf", False)


def test_what_stood_right_of_the_cursor() -> None:
    """The text is not new while the row is unchanged; after a change the result is not complete."""
    before = attrs.evolve(screen("$ x       12:00"), cursor=Cursor(0, 3))
    assert told(before, screen("$ x       12:00\na")) == ("a", True)
    assert told(before, screen("$ x\na")) == ("a", True)
    assert told(before, screen("$ x ok    12:00")) == (" ok    12:00", False)


def test_a_history_that_lost_its_oldest_tenth() -> None:
    """The row is where it can be then; anywhere else it may be another."""
    lines = "\n".join(map(str, range(10)))
    before = attrs.evolve(BEFORE, history_size=18, history_limit=20)
    now = scrolled("x\n$ ", f"{lines}\n9\n9\n9\n9\n9\n9\n$ ls\na", size=18, limit=20)
    now = attrs.evolve(now, rows=("$ make", "x", "$", "", "", ""))
    assert told(before, now) == ("x\n$", True)
    odd = attrs.evolve(now, history=now.history[1:], history_size=17)
    assert told(before, odd) == ("x\n$", False)
    assert rows_to_read(before, now) == 18


def test_all_is_new_where_nothing_is_known() -> None:
    """Without a mark, on the other screen, and after the screen was cleared."""
    now = screen("a\nb")
    picture = attrs.evolve(now, alternate=True, history=("old",), history_size=1)
    assert told(None, scrolled("b", "a")) == ("a\nb", False)
    assert told(None, picture) == ("a\nb", False)
    assert told(BEFORE, picture) == ("a\nb", False)
    assert rows_to_read(BEFORE, picture) == 0


def test_back_from_the_other_screen() -> None:
    """Rows that were in the history are not new; the other rows may be old."""
    picture = attrs.evolve(screen("file"), alternate=True, history_size=2)
    assert told(picture, scrolled("$ less\n$ ", "x\ny")) == ("$ less\n$", False)
    assert told(picture, scrolled("$ less\n$ ", "y", size=1)) == ("y\n$ less\n$", False)


def test_of_a_picture_the_rows_that_changed_are_new() -> None:
    """A full-screen program paints anywhere."""
    before, now = (attrs.evolve(screen(text), alternate=True) for text in ("a\nb\nc", "c\nx\na\na"))
    assert told(before, now) == ("x\na", False)


def resized(*rows: str, wrapped: tuple[bool, ...] = ()) -> Screen:
    """Return a screen that is ten cells wide."""
    filled = (*rows, *[""] * (6 - len(rows)))
    size = attrs.evolve(SMALL, columns=10)
    return Screen(size=size, rows=filled, cursor=Cursor(0, 0), layout=Layout(wrapped))


def test_what_another_width_has_laid_out_anew_is_not_new() -> None:
    """Lines are compared, not rows."""
    long = "abcdefghijklm"
    before = attrs.evolve(screen(f"{long}\n$ make\nhint"), cursor=Cursor(1, 6))
    rows = (long[:10], long[10:], "$ make", "hint", "new")
    assert told(before, resized(*rows, wrapped=(True,))) == ("new", False)
    asked = (long[:10], long[10:], "$ make: a", "b")
    assert told(before, resized(*asked, wrapped=(True,))) == (": a\nb", False)
    assert told(before, resized(long[:10], long[10:], "new", wrapped=(True,))) == ("new", False)
    assert rows_to_read(before, attrs.evolve(resized("x"), history_size=7)) == 7


def test_a_row_that_was_gone_is_new_when_it_is_drawn_again() -> None:
    """Others still stand, and what was typed is not drawn."""
    before = screen("$ ls\na\nidle")
    still = still_there(before, screen("$ ls\na\nbusy"), typed=False)
    assert still is not None
    assert still.rows[:3] == ("$ ls", "a", "")
    assert new_text(still, before).rstrip() == "idle"
    assert still_there(before, screen("$ ls\na\nbusy"), typed=True) == before
    assert still_there(before, screen("$ ls\na\nidle: x"), typed=False) == before


def test_rows_that_are_out_of_sight_still_stand() -> None:
    """They scrolled away, as far as anybody knows."""
    now = scrolled("x\n$ ", "a\n$ make", size=3)
    assert still_there(BEFORE, now, typed=False) == BEFORE
    far = scrolled("x\n$ ", "y\nz", size=30)
    assert still_there(BEFORE, far, typed=False) is None


def test_nothing_stands_that_was_cleared() -> None:
    """From then on all is new."""
    cleared = attrs.evolve(screen("x"), history_size=0)
    assert still_there(attrs.evolve(BEFORE, history_size=9), cleared, typed=False) is None


def test_a_picture_or_another_width_is_not_compared_row_by_row() -> None:
    """On the other screen nobody sees what stands on this one."""
    picture = attrs.evolve(BEFORE, alternate=True)
    assert still_there(BEFORE, picture, typed=False) == BEFORE
    assert still_there(BEFORE, resized("x"), typed=False) == BEFORE
    again = still_there(picture, attrs.evolve(screen("a\n$ ls"), alternate=True), typed=False)
    assert again is not None
    assert again.rows[:3] == ("$ ls", "a", "")


@pytest.mark.parametrize("complete", [True, False])
def test_new_text_is_a_text(*, complete: bool) -> None:
    """That can be pickled, and knows whether it is whole."""
    new = NewText("a", complete=complete)
    assert new == "a"
    assert pickle.loads(pickle.dumps(new)).complete is complete  # noqa: S301  # our own


def test_the_row_is_found_by_its_number() -> None:
    """Also when a suggestion right of the cursor has gone, or more has scrolled off."""
    assert find_row(BEFORE, screen("$ ls\na\n$ make\nb\n$ ")) == 2
    suggested = attrs.evolve(BEFORE, rows=("$ ls", "a", "$ make install", "", "", ""))
    assert find_row(suggested, screen("$ ls\na\n$ make\nb\n$ ")) == 2
    scrolled = attrs.evolve(screen("b\n$ "), history=("$ make",), history_size=3)
    assert find_row(BEFORE, scrolled) == 0


def test_the_row_is_found_by_its_text_when_numbers_have_shifted() -> None:
    """A full history loses its oldest rows, so the rows above also decide."""
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
