"""Rows become lines; how wide text is, and where it is cut."""

import pytest

from tmuxprim._values.lines import (
    char_columns,
    cut_at_column,
    find_layout,
    join_rows,
    text_columns,
)
from tmuxprim.testing import Layout

WIDTH = 4


@pytest.mark.parametrize(
    ("rows", "lines", "wrapped", "blanks"),
    [
        (["ab", "c"], ["ab", "c"], (False, False), (0, 0)),
        (["1234", "5"], ["12345"], (True, False), (0, 0)),
        (["1234", "5678", "9", "x"], ["123456789", "x"], (True, True, False, False), (0,) * 4),
        # An exactly full row that goes on in none.
        (["1234", "5"], ["1234", "5"], (False, False), (0, 0)),
        # Spaces at the end of a row that goes on, and at the beginning of the one below.
        (["a", "b"], ["a   b"], (True, False), (3, 0)),
        (["a", " b"], ["a    b"], (True, False), (3, 0)),
        # A wide character that does not fit leaves a cell that is no space.
        (["abc", "日"], ["abc日"], (True, False), (0, 0)),
        # A space in that cell is one.
        (["abc", "日"], ["abc 日"], (True, False), (1, 0)),
        # Spaces that were written at the end of a line.
        (["a", "b"], ["a  ", "b"], (False, False), (2, 0)),
        (["", "b"], ["    ", "b"], (False, False), (4, 0)),
        (["", " b"], ["     b"], (True, False), (4, 0)),
        # Fewer spaces were written than the row has room for.
        (["a", "bc"], ["a  bc"], (True, False), (2, 0)),
        (["a", " b"], ["a  b"], (True, False), (1, 0)),
        # Nothing was written to the row above, and yet it goes on.
        (["", "b", "c"], ["b", "c"], (False, False, False), (0, 0, 0)),
        # What follows is blank: there is one line too few.
        (["1234", "", ""], ["1234", ""], (True, False, False), (0, 0, 0)),
        (["ab", "", ""], ["ab", ""], (False, False, False), (0, 0, 0)),
    ],
)
def test_layout(
    rows: list[str], lines: list[str], wrapped: tuple[bool, ...], blanks: tuple[int, ...]
) -> None:
    """It is found by holding rows against the lines that tmux makes of them."""
    assert find_layout(rows, lines, WIDTH) == Layout(wrapped, blanks)


def test_what_does_not_belong_together_has_no_layout() -> None:
    """Then each row is a line."""
    layout = find_layout(["ab", "cd"], ["xy"], WIDTH)
    assert layout == Layout()
    assert join_rows(["ab", "cd"], layout, WIDTH) == ["ab", "cd"]


@pytest.mark.parametrize(
    ("rows", "layout", "lines"),
    [
        ([], Layout(), []),
        (["12", "3"], Layout((True,)), ["12  3"]),
        (["123", "日"], Layout((True,)), ["123日"]),
        (["a"], Layout(blanks=(2,)), ["a  "]),
        (["a", "b"], Layout((True,), (1,)), ["a b"]),
        (["1234"], Layout((True,)), ["1234"]),
    ],
)
def test_join(rows: list[str], layout: Layout, lines: list[str]) -> None:
    """A row that goes on is as full as it can be."""
    assert join_rows(rows, layout, WIDTH) == lines


def test_part_of_a_layout() -> None:
    """It is the layout of part of the rows."""
    layout = Layout((True, False, True), (0, 1, 2))
    assert layout.part(1) == Layout((False, True), (1, 2))
    assert layout.part(0, 1) == Layout((True,), (0,))


def test_start_of_a_line() -> None:
    """It is the row above which no row goes on."""
    layout = Layout((True, True, False))
    assert [layout.line_start(row) for row in range(5)] == [0, 0, 0, 3, 4]


@pytest.mark.parametrize(
    ("char", "columns"),
    [
        ("a", 1),
        ("é", 1),
        ("❯", 1),  # noqa: RUF001  # a prompt of the time
        ("\ue0b0", 1),
        ("日", 2),
        ("Ａ", 2),  # noqa: RUF001  # a fullwidth letter is the point
        ("😀", 2),
        ("\u0301", 0),
        ("\u200d", 0),
        ("\u20dd", 0),
    ],
)
def test_char_columns(char: str, columns: int) -> None:
    """Wide and fullwidth characters take two columns, combining and invisible ones none."""
    assert char_columns(char) == columns


@pytest.mark.parametrize(
    ("text", "columns"),
    [("", 0), ("abc", 3), ("日本", 4), ("e\u0301", 1), ("\t", 8), ("1234567\t", 8), ("日\tb", 9)],
)
def test_text_columns(text: str, columns: int) -> None:
    """A text is as wide as its characters, and a tab reaches to the next multiple of eight."""
    assert text_columns(text) == columns


@pytest.mark.parametrize(
    ("text", "column", "cut"),
    [
        ("$ make", 2, "$ "),
        ("$", 2, "$ "),
        ("abc", 0, ""),
        ("日本", 2, "日"),
        ("日本", 3, "日 "),
        ("日", 4, "日  "),
        ("e\u0301x", 1, "e\u0301"),
        ("a\tb", 4, "a   "),
        ("a\tb", 8, "a\t"),
    ],
)
def test_cut_at_column(text: str, column: int, cut: str) -> None:
    """A cut goes between cells; half of a wide character or of a tab becomes spaces."""
    assert cut_at_column(text, column) == cut


def test_what_a_joiner_joins_takes_no_columns() -> None:
    """A family of several emoji is drawn in the two columns of the first, as tmux does."""
    family = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
    assert text_columns(f"{family}$") == 3
    assert cut_at_column(f"{family}$ x", 4) == f"{family}$ "
