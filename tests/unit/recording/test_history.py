"""How much history a recorded screen has."""

import attrs

from tests.unit.builders import screen
from tmuxprim import Layout, Screen, Size
from tmuxprim._recording._history import complete_history, cut_history, give_history


def with_history(*rows: str, size: int) -> Screen:
    """Return a screen with some of its history."""
    return attrs.evolve(screen(), history=rows, history_size=size)


def test_cut() -> None:
    """The newest rows stay, and what is known of each row stays with it."""
    layout = Layout((False, True, False), (0, 0, 1))
    whole = attrs.evolve(with_history("a", "b", size=2), layout=layout)
    cut = cut_history(whole, 1)
    assert (cut.history, cut.layout) == (("b",), layout.part(1))
    assert cut_history(whole, 0).history == ()
    assert cut_history(whole, 2) is whole


def test_as_much_as_there_is() -> None:
    """Nothing is missing if the pane had no more."""
    assert give_history(with_history("a", "b", size=2), 100).history == ("a", "b")


def test_what_is_missing_is_told() -> None:
    """In one row, in the place of the rows that are not there."""
    layout = Layout((True, False), (0, 0))
    given = give_history(attrs.evolve(with_history("b", size=9), layout=layout), 5)
    assert given.history == ("(4 rows of the history are not in the recording)", "b")
    assert given.layout == Layout((False, True, False), (0, 0, 0))


def test_completed_by_a_later_look() -> None:
    """A row of the history keeps its number while others are added below."""
    early = with_history(size=2)
    later = attrs.evolve(with_history("1", "2", "3", size=3), layout=Layout((True,)))
    completed = complete_history(early, later)
    assert completed.history == ("1", "2")
    assert completed.layout == Layout((True, False), (0, 0))


def test_not_completed_by_another_history() -> None:
    """One that was cleared, was laid out anew, or tells nothing more."""
    early = with_history("2", size=2)
    assert complete_history(early, with_history("1", size=1)) is early
    assert complete_history(early, with_history("3", size=3)) is early
    small = attrs.evolve(screen(size=Size(9, 6)), history=("1", "2", "3"), history_size=3)
    assert complete_history(early, small) is early
