"""`strip_ansi` and `AnsiStripper` on the hand-made cases."""

from collections.abc import Callable

import pytest

from tests.unit.ansi_cases import CASES, Case
from tmuxprim._values.ansi import AnsiStripper, strip_ansi

every_case = pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in CASES])


@every_case
def test_strip_ansi(case: Case) -> None:
    """Each case is stripped as its rule says."""
    assert strip_ansi(case.text) == case.stripped, case.rule


def test_case_ids_are_unique() -> None:
    """No case hides another of the same name."""
    assert len({case.id for case in CASES}) == len(CASES)


def test_stripper_gives_text_at_once() -> None:
    """Executed C0 controls of an open sequence are not held back until it ends."""
    stripper = AnsiStripper()
    assert stripper.feed("one\x1b[3\n") == "one\n"
    assert stripper.feed("1mtwo") == "two"


def test_stripper_drops_what_is_open_for_good() -> None:
    """An open title swallows every chunk that comes, until it is ended."""
    stripper = AnsiStripper()
    assert [stripper.feed(chunk) for chunk in ("\x1b]0;a", "b\n", "c", "\x07d")] == [
        "",
        "",
        "",
        "d",
    ]


def test_stripper_takes_no_other_attributes() -> None:
    """The state of a stripper is its slots, and nothing can be added to it."""
    with pytest.raises(AttributeError):
        AnsiStripper().title = "x"  # type: ignore[attr-defined]  # the point of the test


@pytest.mark.parametrize("strip", [strip_ansi, AnsiStripper().feed])
@pytest.mark.parametrize(
    ("value", "shown"),
    [(b"x", "b'x'"), (None, "None"), (b"x" * 99, "b'xxxxxxxxxxx...xxxxxxxxxxxxx'")],
)
def test_what_is_no_text_is_refused(
    strip: Callable[[object], str], value: object, shown: str
) -> None:
    """By rule and value, the right way round."""
    with pytest.raises(TypeError) as caught:
        strip(value)
    assert str(caught.value) == f"text to strip is a str, got {shown}; decode bytes first"
