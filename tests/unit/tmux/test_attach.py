"""Which session a client in control mode sits in."""

import pytest

from tmuxprim import Pane
from tmuxprim._tmux.connection import PANES, attach, is_last_of, pick_session


@pytest.mark.parametrize(
    ("sessions", "picked"),
    [
        ("", None),
        ("0 0 $1\n0 0 $2\n", "$1"),
        ("1 0 $1\n0 0 $2\n", "$2"),
        ("1 off $1\n2 off $2\n", "$1"),
        ("0 1 $1\n", None),
        ("0 on $1\n0 keep-last $2\n0 keep-group $3\n", None),
        ("0 1 $1\n1 0 $2\n", "$2"),
        ("1 1 $1\n", "$1"),
        ("1 1 $1\n1 0 $2\n", "$2"),
        ("1 on $1\n0 off $2\n", "$2"),
    ],
)
def test_a_session_is_picked_that_is_not_changed_by_it(sessions: str, picked: str | None) -> None:
    """One that nobody watches before one that is watched; none that would end, or not end."""
    told = sessions.replace("\n", " 0 3.3a\n")
    assert pick_session(told) == picked


@pytest.mark.parametrize(
    ("panes", "is_last"), [("%1\n", True), ("%1\n%2\n", False), ("%2\n", False), ("", False)]
)
def test_a_session_ends_with_its_last_pane(panes: str, *, is_last: bool) -> None:
    """And with no other."""
    assert is_last_of(Pane("%1"), panes) is is_last


def test_panes_are_listed_where_the_client_sits() -> None:
    """Without a target it is the client's session, which may have become another."""
    assert "-t" not in PANES.commands[0]


def test_a_client_attaches_without_a_trace() -> None:
    """No server is started, no environment overwritten, no window resized, no output sent."""
    words = attach("$3")
    assert words == (
        *("-N", "-C", "attach-session", "-E"),
        *("-f", "ignore-size,no-output,no-detach-on-destroy", "-t", "$3"),
    )
