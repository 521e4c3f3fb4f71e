"""How wide text is, and where it is cut."""

import pytest

from tmuxprim._values.lines import char_columns, cut_at_column, text_columns


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
