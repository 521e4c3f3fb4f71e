"""Answers as JSON: what forgives, what is hidden."""

import pytest

from tests.unit.builders import AT_PROMPT
from tmuxprim import (
    PaneDeadError,
    TmuxCommandError,
    TmuxprimError,
    TmuxTimeoutError,
    TtyState,
)
from tmuxprim._recording.recorded_events import error_from_json, error_to_json, from_json, to_json


def test_unknown_fields_are_skipped() -> None:
    """A later version of the library may know more."""
    assert from_json({**to_json(AT_PROMPT), "mood": "good"}) == AT_PROMPT


def test_missing_fields_have_their_defaults() -> None:
    """An earlier version knew less."""
    assert from_json({"canonical": True, "echo": False}) == TtyState(canonical=True, echo=False)


def test_an_error_of_a_foreign_class_is_told_by_ours() -> None:
    """A backend may have subclasses with arguments that no JSON can hold."""

    class GoneError(PaneDeadError):
        """A foreign error."""

        def __init__(self, cause: object) -> None:
            super().__init__(cause)

        def __str__(self) -> str:
            return "it has gone"

    found = error_from_json(error_to_json(GoneError(object()), secret=False))
    assert (type(found), str(found)) == (PaneDeadError, "it has gone")


def test_an_error_about_the_pane_is_told_also_of_a_secret() -> None:
    """It quotes nothing that was typed."""
    error = PaneDeadError("pane %1 has exited")
    assert error_to_json(error, secret=True) == ["PaneDeadError", "pane %1 has exited"]


@pytest.mark.parametrize(
    "error",
    [
        TmuxCommandError(("send-keys", "-l", "hunter2"), 1, "no hunter2"),
        TmuxTimeoutError("'send-keys' '-l' 'hunter2' took too long"),
    ],
)
def test_an_error_may_quote_what_was_typed(error: TmuxprimError) -> None:
    """So nothing is left of its message when that was a secret."""
    json = error_to_json(error, secret=True)
    assert "hunter2" not in str(json)
    assert type(error_from_json(json)) is type(error)
    assert "not recorded" in str(error_from_json(json))
