"""What is ready, but only on a screen that stands still, and for how long it has to."""

import attrs
import pytest

from tests.unit.builders import ASKING, AT_PROMPT, COOKED_ONLY, MARK, RAW_ONLY, RUNNING, screen
from tmuxprim import Mark, Outcome, TtyState
from tmuxprim._readiness.snapshot import once_settled, patience_for_text
from tmuxprim.readiness import Pass, Ready, Snapshot, Verdict

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
    snapshot = Snapshot(screen=screen(), unchanged_for=unchanged_for)
    assert once_settled(snapshot, seconds, Outcome.STABLE, "quiet") == verdict


@pytest.mark.parametrize("seconds", [0.0, 0.5])
@pytest.mark.parametrize("unchanged_for", [0.0, 60.0])
def test_unsteady_look(seconds: float, unchanged_for: float) -> None:
    """A screen and evidence of two moments prove nothing, for however long nothing changed."""
    snapshot = Snapshot(screen=screen(), unchanged_for=unchanged_for, steady=False)
    assert once_settled(snapshot, seconds, Outcome.STABLE, "quiet") == TORN


STALE = Mark(screen=screen("$ "))
RELAY = attrs.evolve(AT_PROMPT, only_reading=False, passes_on=True)


@pytest.mark.parametrize(
    ("tty", "mark", "known", "unknown"),
    [
        (None, MARK, 0.3, 1.0),
        (RUNNING, MARK, 0.3, 1.0),
        (attrs.evolve(ASKING, only_reading=False), MARK, 0.3, 1.0),
        (RELAY, MARK, 0.1, 1.5),
        (RELAY, STALE, 0.1, 1.5),
        (RAW_ONLY, MARK, 0.1, 0.1),
        (COOKED_ONLY, MARK, 0.3, 1.0),
        (AT_PROMPT, STALE, 0.06, 0.06),
        (AT_PROMPT, MARK, 0.0, 0.0),
        (AT_PROMPT, None, 0.0, 0.0),
        (ASKING, MARK, 0.0, 0.0),
        (attrs.evolve(RELAY, passes_on=False), MARK, 0.0, 0.0),
    ],
    ids=[
        "no evidence",
        "nobody reads",
        "whole lines are read, and more is waited for",
        "a relay",
        "a relay that shows nothing new",
        "keys are read, nobody knows by whom",
        "lines are read, nobody knows by whom",
        "nothing new",
        "a line editor",
        "a line editor, and nothing was sent",
        "a reader of lines",
        "a line editor that waits for more",
    ],
)
def test_patience(tty: TtyState | None, mark: Mark | None, known: float, unknown: float) -> None:
    """The less is known of who reads, and of the prompt, the longer a text has to stand."""
    snapshot = Snapshot(screen=screen("$ "), tty=tty, mark=mark)
    assert patience_for_text(snapshot, 0.1, known=True) == pytest.approx(known)
    assert patience_for_text(snapshot, 0.1, known=False) == pytest.approx(unknown)


@pytest.mark.parametrize(
    ("tty", "is_ready"),
    [(AT_PROMPT, False), (ASKING, False), (None, True)],
    ids=["a line editor", "a reader of lines", "no evidence"],
)
@pytest.mark.parametrize("confirmed", [False, True])
def test_what_tmux_may_still_be_reading_is_looked_at_twice(
    tty: TtyState | None, *, is_ready: bool, confirmed: bool
) -> None:
    """The program has written all before it reads; tmux may not have read all of that."""
    snapshot = Snapshot(screen=screen("$ "), tty=tty, mark=MARK, confirmed=confirmed)
    verdict = once_settled(snapshot, 0.0, Outcome.STABLE, "quiet")
    unsure = Pass("quiet, not seen twice yet", again_in=0.0)
    assert verdict == (READY if is_ready or confirmed else unsure)


@pytest.mark.parametrize(("passes_on", "seconds"), [(0, 0.0), (1, 0.03), (2, 0.06)])
def test_a_relay_takes_a_moment(passes_on: int, seconds: float) -> None:
    """What stands behind it may read already, while its text is still on its way."""
    tty = attrs.evolve(AT_PROMPT, pass_through_count=passes_on)
    snapshot = Snapshot(screen=screen("$ "), tty=tty, unchanged_for=seconds)
    assert isinstance(once_settled(snapshot, 0.0, Outcome.PROMPT, "a prompt"), Ready)
    early = once_settled(attrs.evolve(snapshot, unchanged_for=0.0), 0.0, Outcome.PROMPT, "a prompt")
    assert isinstance(early, Pass) is bool(passes_on)
