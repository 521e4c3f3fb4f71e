"""Which rows of a screen are the answer."""

import pytest

from tests.unit.builders import screen
from tmuxprim import InvalidPatternError, Size
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


@pytest.mark.parametrize("shown", ["> two", "> ne tw"])
def test_a_row_that_shows_a_part_of_the_question_is_not_the_question(shown: str) -> None:
    """Such as what the program runs for its answer: only the beginning or the end is."""
    rows = screen(f"top\n> one two three\n  Yes.\n{shown}\n  No.\n{BOX}", size=TALL)
    assert ROWS.cut(rows, "one two three")[0] == f"Yes.\n{shown}\nNo."


def test_a_pattern_has_a_group() -> None:
    """Else nobody would know what was asked."""
    with pytest.raises(InvalidPatternError, match="this pattern needs a group around the text"):
        AnswerRows(asked="^>", box="x")
