"""How values, screens and errors are told."""

import pytest

from tmuxprim import TmuxCommandError, TmuxNotFoundError, TmuxTimeoutError
from tmuxprim._tool.replies import ADVICE, LONGEST_REPLY, cut, explain
from tmuxprim.errors import Advice


def test_models_are_told_what_they_can_do() -> None:
    """Each advice has words for them, none of which are Python."""
    assert ADVICE.keys() == set(Advice)
    assert not any("(" in words or "=" in words for words in ADVICE.values())


@pytest.mark.parametrize(
    ("screen", "told"),
    [
        ("", "(pane is empty)"),
        (" \n ", "(pane is empty)"),
        ("$", "$"),
        ("x" * LONGEST_REPLY, "x" * LONGEST_REPLY),
        ("ab\n" + "x" * LONGEST_REPLY, "(cut: 3 characters above are not shown)\n" + "x" * 20_000),
        ("ab\n" + "x" * 19_999, "(cut: 3 characters above are not shown)\n" + "x" * 19_999),
    ],
    ids=len,
)
def test_cut(screen: str, told: str) -> None:
    """A screen is cut at a row's end where there is one, and its end is always told."""
    assert cut(screen) == told


def test_commands_are_not_told() -> None:
    """The command line of an error holds what was typed, so it is left out."""
    refused = TmuxCommandError(("tmux", "send-keys", "hunter2"), 1, "not so\n")
    assert explain(refused) == "tmux refused: 'not so'"
    assert "hunter2" not in explain(TmuxTimeoutError("The command was send-keys hunter2"))


def test_advice_that_no_model_can_take_is_left_out() -> None:
    """Nobody but a programmer can use the fake."""
    error = TmuxNotFoundError("cannot run 'tmux': install tmux (...)", advice=Advice.USE_FAKE)
    assert explain(error) == "cannot run 'tmux': install tmux (...)"
