"""The laws of widths and of what stands left of the cursor."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from tmuxprim import Cursor, Screen, Size
from tmuxprim._values.lines import char_columns, cut_at_column, text_columns

# What a row can hold: letters, wide and combining characters, tabs, spaces.
_characters = st.one_of(
    st.sampled_from("ab $>日本語😀Ａ\u0301\u200d\u20dd\t"),  # noqa: RUF001  # wide on purpose
    st.characters(codec="utf-8", exclude_categories=["Cc"]),
)
rows = st.text(_characters, max_size=12)
columns = st.integers(0, 40)


@given(rows, columns)
def test_cut_has_exactly_the_width(row: str, column: int) -> None:
    """A cut reaches up to the column and not past it."""
    assert text_columns(cut_at_column(row, column)) == column


@given(rows, columns)
def test_cut_is_a_beginning_and_spaces(row: str, column: int) -> None:
    """Nothing but spaces is added to the beginning of a text."""
    cut = cut_at_column(row, column)
    kept = cut.rstrip(" ")
    assert row.startswith(kept)
    assert set(cut[len(kept) :]) <= {" "}


@given(rows, columns)
def test_cut_loses_nothing_that_fits(row: str, column: int) -> None:
    """As much is kept as there is room for: the next character reaches past the column."""
    kept = len(cut_at_column(row, column).rstrip(" "))
    rest = row[kept:].lstrip(" ")
    if rest and char_columns(rest[0]):
        assert text_columns(row[: len(row) - len(rest) + 1]) > column


@given(rows, columns, columns)
def test_cut_of_a_cut_is_the_shorter_cut(row: str, one: int, other: int) -> None:
    """Cutting twice is cutting once, at the smaller column."""
    short, long = sorted((one, other))
    assert cut_at_column(cut_at_column(row, long), short) == cut_at_column(row, short)


@given(rows)
def test_cut_at_the_end_is_the_text(row: str) -> None:
    """A text that ends at the cursor is cut right, whatever its widths are."""
    assert cut_at_column(row, text_columns(row)) == row


@given(rows, rows)
def test_width_grows(row: str, more: str) -> None:
    """More text is never narrower."""
    assert text_columns(row) <= text_columns(row + more)


@given(st.text("ab 日\u0301", max_size=9), st.text("ab 日\u0301", max_size=9))
def test_width_is_a_sum_without_tabs(one: str, other: str) -> None:
    """But for tabs, a text is as wide as its halves."""
    assert text_columns(one + other) == text_columns(one) + text_columns(other)


@given(st.characters(codec="utf-8", exclude_categories=["Cc"]))
def test_width_does_not_depend_on_the_form(char: str) -> None:
    """A letter is as wide composed as decomposed (UAX #15), as far as it is one letter."""
    decomposed = unicodedata.normalize("NFD", char)
    if len(decomposed) > 1 and all(unicodedata.combining(mark) for mark in decomposed[1:]):
        assert text_columns(decomposed) == char_columns(char)


@given(rows.filter(lambda row: "\t" not in row), columns)
def test_before_cursor_ends_at_the_cursor(row: str, column: int) -> None:
    """What stands left of the cursor is as wide as the cursor's column."""
    snapshot = Screen(size=Size(40, 1), rows=(row.rstrip(" "),), cursor=Cursor(0, column))
    assert text_columns(snapshot.before_cursor) == column
    assert snapshot.before_cursor.rstrip(" ") == cut_at_column(row, column).rstrip(" ")
