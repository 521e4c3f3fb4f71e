"""`EditorFlag`: the flag of bracketed paste that tmux keeps for a pane."""

from hypothesis import given
from hypothesis import strategies as st

from tmuxprim._values.line_editor import EditorFlag, LineEditor


def test_a_line_that_was_taken() -> None:
    """It is off while the command runs, and on when the next line is edited."""
    flag = EditorFlag(was_on=True)
    assert flag.note(is_on=True) is None  # the line may not have been taken yet
    assert flag.note(is_on=False) is LineEditor.OFF
    assert flag.note(is_on=True) is LineEditor.ON


@given(st.lists(st.booleans()))
def test_a_shell_without_it(flags: list[bool]) -> None:
    """If it was off when the line was sent, a program may have switched it on for good."""
    flag = EditorFlag(was_on=False)
    assert {flag.note(is_on=is_on) for is_on in flags} <= {None}
