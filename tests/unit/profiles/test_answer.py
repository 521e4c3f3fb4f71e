"""Which rows of a screen are the answer."""

import pytest

from tests.unit.builders import screen
from tmuxprim import InvalidPatternError, Size
from tmuxprim._profiles.answer import put_above, without_head
from tmuxprim.profiles import AnswerRows

TALL = Size(40, 12)
ROWS = AnswerRows(asked="^> (.*)", box=r"^---\n\|", skip="^= ", margin="^  ")
BOX = "---\n|"


@pytest.mark.parametrize(
    ("shown", "answer", "begins"),
    [
        (f"top\n> hi\n\n  Hello.\n{BOX}", "Hello.", True),
        (f"top\n> hi\n  old\n\n> hi\n  new\n= 1 s\n{BOX}", "new", True),
        (f"top\n> hi\n  > not asked\n{BOX}", "> not asked", True),
        ("top\n> hi\n  it writes", "it writes", True),
        (f"  the end\n{BOX}", "the end", False),
        (f"top\n> earlier\n  the end\n{BOX}", "the end", False),
        (f"> hi\n  it may be kept here\n{BOX}", "it may be kept here", False),
        (f"top\n> hi\n{BOX}", "", True),
        (f"top\n> hi\n  a\n---\n  b\n{BOX}", "a\n---\nb", True),
    ],
)
def test_the_answer_is_cut_out(shown: str, answer: str, *, begins: bool) -> None:
    """It stands below the question, above the box, without margin and foot."""
    assert ROWS.cut(screen(shown, size=TALL), "hi") == (answer, begins)


@pytest.mark.parametrize(
    "shown", ["> one two three", "> one two\n  three", "> one\n> two three", "> one two thr"]
)
def test_a_question_may_be_shown_in_several_rows(shown: str) -> None:
    """Wrapped, in rows of the question's kind or of the answer's, or in short."""
    rows = screen(f"top\n{shown}\n  Yes.\n{BOX}", size=TALL)
    assert ROWS.cut(rows, "one two three") == ("Yes.", True)


@pytest.mark.parametrize(
    ("shown", "begins"),
    [
        ("> two\n> three", True),
        ("> one", False),
        ("> one two three", False),
        ("> one\n> two", False),
    ],
)
def test_a_question_in_the_first_row_of_all(shown: str, *, begins: bool) -> None:
    """Its beginning may be kept there while the answer scrolls; its end alone never is."""
    assert ROWS.cut(screen(f"{shown}\n  Yes.\n{BOX}", size=TALL), "one two three") == (
        "Yes.",
        begins,
    )


@pytest.mark.parametrize("shown", ["> two\n> three", "> o three", "> one two\n> three"])
def test_a_question_may_be_shown_twice(shown: str) -> None:
    """As aider does with one that is higher than its screen, without its beginning."""
    rows = screen(f"top\n{shown}\n{shown}\n  Yes.\n{BOX}", size=TALL)
    assert ROWS.cut(rows, "one two three") == ("Yes.", True)


@pytest.mark.parametrize("shown", ["> two", "> ne tw"])
def test_a_row_that_shows_a_part_of_the_question_is_not_the_question(shown: str) -> None:
    """Such as what the program runs for its answer: only the beginning or the end is."""
    rows = screen(f"top\n> one two three\n  Yes.\n{shown}\n  No.\n{BOX}", size=TALL)
    assert ROWS.cut(rows, "one two three")[0] == f"Yes.\n{shown}\nNo."


def test_a_pattern_has_a_group() -> None:
    """Else nobody would know what was asked."""
    with pytest.raises(InvalidPatternError, match="this pattern needs a group around the text"):
        AnswerRows(asked="^>", box="x")


# Pages that are put together.

TEXT = tuple(f"row {number}" for number in range(12))


@pytest.mark.parametrize("shift", range(5))
def test_a_page_further_up_adds_what_is_new(shift: int) -> None:
    """However far the program scrolls, as long as a row is on both pages."""
    assert put_above(TEXT[:5], TEXT[shift:]) == TEXT


def test_a_margin_below_does_not_count() -> None:
    """Blank rows at a page's end may belong to the program and not to the text."""
    assert put_above(("a", "b", "", ""), ("b", "c", "d")) == ("a", "b", "c", "d")


def test_the_same_page_adds_nothing() -> None:
    """That is how the top is found."""
    assert put_above(TEXT[:5], TEXT) == TEXT


@pytest.mark.parametrize("page", [("x", "y"), (), ("", ""), ("same",) * 6])
def test_what_does_not_fit_is_none(page: tuple[str, ...]) -> None:
    """Nothing in common, nothing at all, or a place that nobody can tell."""
    assert put_above(page, ("same",) * 9 if "same" in page else TEXT) is None


def test_the_head_is_what_stays() -> None:
    """Blank rows and rows of its kind that are the same on both pages, and no others."""
    head = ("", "# title", "")
    one, other = (*head, "a", "b"), (*head, "b", "c")
    assert without_head(one, other, is_head=lambda row: row.startswith("#")) == ("a", "b")
    assert without_head(("x", "a"), ("x", "b"), is_head=lambda _: False) == ("x", "a")
    assert without_head((), (), is_head=lambda _: False) == ()
