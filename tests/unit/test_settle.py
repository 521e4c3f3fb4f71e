"""`once_settled`: what is ready, but only on a screen that stands still."""

import pytest

from tests.unit.builders import screen
from tmuxprim import Look, Outcome, Pass, Ready, Verdict
from tmuxprim._readiness._settle import once_settled

READY = Ready(Outcome.STABLE, "quiet")
TORN = Pass("quiet, but the program worked meanwhile", again_in=0.0)


@pytest.mark.parametrize(
    ("seconds", "unchanged_for", "verdict"),
    [
        (0.0, 0.0, READY),
        (0.5, 0.5, READY),
        (0.5, 9.0, READY),
        (0.5, 0.0, Pass("quiet, not settled yet", again_in=0.5)),
        (0.5, 0.375, Pass("quiet, not settled yet", again_in=0.125)),
    ],
)
def test_time_to_settle(seconds: float, unchanged_for: float, verdict: Verdict) -> None:
    """Ready from so many seconds on; before, the verdict says how many are left."""
    look = Look(screen=screen(), unchanged_for=unchanged_for)
    assert once_settled(look, seconds, Outcome.STABLE, "quiet") == verdict


@pytest.mark.parametrize("seconds", [0.0, 0.5])
@pytest.mark.parametrize("unchanged_for", [0.0, 60.0])
def test_unsteady_look(seconds: float, unchanged_for: float) -> None:
    """A screen and evidence of two moments prove nothing, for however long nothing changed."""
    look = Look(screen=screen(), unchanged_for=unchanged_for, steady=False)
    assert once_settled(look, seconds, Outcome.STABLE, "quiet") == TORN
