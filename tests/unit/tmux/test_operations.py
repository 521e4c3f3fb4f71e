"""`Operations`: the calls that depend on the version of tmux."""

import pytest

from tests.unit.tmux.test_answers import answer
from tmuxprim import KeySequence, Pane
from tmuxprim._tmux.operations import Operations

PANE = Pane("%5", server="7.1700000000")


@pytest.mark.parametrize(("version", "is_raw"), [("3.6b", False), ("3.7", True), ("master", True)])
def test_a_paste_sends_control_characters(version: str, *, is_raw: bool) -> None:
    """From 3.7 on tmux escapes them unless it is told to leave them."""
    steps = Operations().send(PANE, KeySequence.paste("a\tb"), leave_mode=False, seen=None)
    next(steps)
    assert ("-S" in str(steps.send(version))) == is_raw


@pytest.mark.parametrize(("version", "has_round"), [("3.2a", False), ("3.3a", True)])
def test_a_snapshot_waits_for_a_round(version: str, *, has_round: bool) -> None:
    """Before 3.3 no command lets the server read the output of programs."""
    operations = Operations()
    first = operations.observe(PANE, 0)
    next(first)
    with pytest.raises(StopIteration):
        first.send(answer([""] * 3, version=version))
    assert ("run-shell" in str(next(operations.observe(PANE, 0)))) == has_round
