"""`Outcome` and the verdicts: how they read."""

import pytest

from tmuxprim import Outcome
from tmuxprim.readiness import Busy, Pass, Ready, Verdict


@pytest.mark.parametrize(
    ("verdict", "text"),
    [
        (Ready(Outcome.AWAITING_INPUT, "it asks"), "ready (awaiting input): it asks"),
        (Busy("it works"), "busy: it works"),
        (Pass("no idea"), "pass: no idea"),
    ],
)
def test_verdict_reads_as_english(verdict: Verdict, text: str) -> None:
    """A verdict says what it is, and why."""
    assert str(verdict) == text


@pytest.mark.parametrize("verdict", [Busy("it works"), Pass("no idea")])
def test_verdict_is_asked_again_soon(verdict: Busy | Pass) -> None:
    """A strategy that says nothing of time is asked again after 50 ms."""
    assert verdict.again_in == 0.05


def test_outcomes_are_words() -> None:
    """Each outcome has a word of its own, in lower case, that a message can use."""
    words = [outcome.value for outcome in Outcome]
    assert len(set(words)) == len(Outcome.__members__)
    assert all(word == word.lower() for word in words)
