"""Values as JSON: what is strict, what forgives, what is hidden."""

import pytest

from tests.unit.builders import AT_PROMPT, screen
from tmuxprim import (
    KeySequence,
    PaneDeadError,
    TmuxCommandError,
    TmuxprimError,
    TmuxTimeoutError,
    TtyState,
)
from tmuxprim._recording._values import (
    HIDDEN,
    error_from_json,
    error_to_json,
    keys_from_json,
    keys_to_json,
    screen_from_json,
    screen_to_json,
    tty_from_json,
    tty_to_json,
)


def test_unknown_fields_are_skipped() -> None:
    """A later version of the library may know more."""
    assert tty_from_json({**tty_to_json(AT_PROMPT), "mood": "good"}) == AT_PROMPT


def test_missing_fields_have_their_defaults() -> None:
    """An earlier version knew less."""
    assert tty_from_json({"canonical": True, "echo": False}) == TtyState(True, False)  # noqa: FBT003


@pytest.mark.parametrize(("field", "wrong"), [("canonical", "yes"), ("unread", "many")])
def test_another_type_is_refused(field: str, wrong: object) -> None:
    """What cannot be meant is an error, not a value that surprises later."""
    with pytest.raises(TypeError, match=f"'{field}' is .*, got '{wrong}'"):
        tty_from_json({**tty_to_json(AT_PROMPT), field: wrong})


def test_a_row_is_text() -> None:
    """So is checked where attrs does not."""
    with pytest.raises(TypeError, match="a row is a text, got 7"):
        screen_from_json({**screen_to_json(screen()), "rows": [7]})


@pytest.mark.parametrize("name", ["wrapped", "blanks"])
def test_a_layout_is_of_no_more_rows_than_there_are(name: str) -> None:
    """A number in a file that was changed by hand does not take all memory."""
    json = screen_to_json(screen())
    json["layout"][name] = [10**12]
    with pytest.raises(ValueError, match="a layout knows of 6 rows at most, got 1000000000000"):
        screen_from_json(json)


def test_empty_rows_at_the_end_are_left_out() -> None:
    """Most of most screens is empty."""
    assert screen_to_json(screen("$ ls\na\n\n$ "))["rows"] == ["$ ls", "a", "", "$"]
    assert screen_to_json(screen(""))["rows"] == []


def test_hidden_text_is_one_mark() -> None:
    """It tells neither what was typed nor how much; keys that are no character stay."""
    typed = KeySequence.text("hun") + KeySequence.keys("t", "2") + KeySequence.paste("x")
    keys = typed + KeySequence.keys("Enter") + KeySequence.text("y")
    assert keys_to_json(keys, hide=True) == [HIDDEN, {"key": "Enter"}, HIDDEN]
    assert str(keys_from_json([HIDDEN, {"key": "Enter"}])) == "'(hidden)' + Enter"


def test_an_error_of_a_foreign_class_is_told_by_ours() -> None:
    """A backend may have subclasses with arguments that no JSON can hold."""

    class GoneError(PaneDeadError):
        """A foreign error."""

        def __init__(self, cause: object) -> None:
            super().__init__(cause)

        def __str__(self) -> str:
            return "it has gone"

    found = error_from_json(error_to_json(GoneError(object())))
    assert (type(found), str(found)) == (PaneDeadError, "it has gone")


@pytest.mark.parametrize(
    "error",
    [
        TmuxCommandError(("send-keys", "-l", "hunter2"), 1, "no hunter2"),
        TmuxTimeoutError("'send-keys' '-l' 'hunter2' took too long"),
    ],
)
def test_an_error_may_quote_what_was_typed(error: TmuxprimError) -> None:
    """So nothing is left of its message when that was a secret."""
    json = error_to_json(error, hide=True)
    assert "hunter2" not in str(json)
    assert type(error_from_json(json)) is type(error)
    assert "not recorded" in str(error_from_json(json))
