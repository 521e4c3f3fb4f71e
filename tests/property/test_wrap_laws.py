"""The laws of lines that wrap."""

from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from tmuxprim._values.lines import char_columns, find_layout, join_rows
from tmuxprim.testing import Layout

_LINES: Final = st.lists(st.text(st.sampled_from("ab  é日本"), max_size=25), max_size=6)
_WIDTHS: Final = st.integers(2, 9)


def lay_out(line: str, columns: int) -> list[str]:
    """Return the rows of a line, with the spaces at their ends: what a terminal does."""
    rows, used = [""], 0
    for char in line:
        if used + char_columns(char) > columns:
            rows.append("")
            used = 0
        rows[-1] += char
        used += char_columns(char)
    return rows


def show(lines: list[str], columns: int) -> tuple[list[str], Layout]:
    """Return the rows of some lines, and their true layout."""
    wrapped: list[bool] = []
    rows: list[str] = []
    for line in lines:
        own = lay_out(line, columns)
        rows += own
        wrapped += [True] * (len(own) - 1) + [False]
    bare = [row.rstrip(" ") for row in rows]
    blanks = [len(row) - len(text) for row, text in zip(rows, bare, strict=True)]
    return bare, Layout(tuple(wrapped), tuple(blanks))


@given(_LINES, _WIDTHS)
def test_rows_are_joined_to_what_was_written(lines: list[str], columns: int) -> None:
    """With the true layout nothing is lost, and nothing added."""
    rows, layout = show(lines, columns)
    assert join_rows(rows, layout, columns) == lines


@given(_LINES, _WIDTHS)
def test_rows_are_joined_even_if_blanks_are_unknown(lines: list[str], columns: int) -> None:
    """Then only spaces may differ."""
    rows, layout = show(lines, columns)
    joined = join_rows(rows, Layout(layout.wrapped), columns)
    assert [line.replace(" ", "") for line in joined] == [line.replace(" ", "") for line in lines]


@given(_LINES, _WIDTHS)
def test_the_layout_is_found_again(lines: list[str], columns: int) -> None:
    """Rows and lines together say how they belong together."""
    rows, layout = show(lines, columns)
    assert find_layout(rows, lines, columns) == layout


@given(_LINES, _LINES, _WIDTHS)
def test_any_rows_and_lines_have_a_layout_of_their_length(
    rows: list[str], lines: list[str], columns: int
) -> None:
    """Or none; nothing that a pane shows makes it fail."""
    bare = [row.rstrip(" ") for row in rows]
    layout = find_layout(bare, lines, columns)
    assert layout == Layout() or len(layout.wrapped) == len(layout.blanks) == len(bare)
    assert len(join_rows(bare, layout, columns)) <= len(bare)
