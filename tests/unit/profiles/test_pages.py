"""Pages that are put together."""

import pytest

from tmuxprim._profiles.answer import put_above, without_head

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
