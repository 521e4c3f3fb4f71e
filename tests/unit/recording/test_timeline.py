"""What is seen between two recorded looks, where virtual time lets code look more often."""

from collections.abc import Sequence
from pathlib import Path

import attrs
import pytest

from tests.unit.builders import ASKING, AT_PROMPT, HIDING, RUNNING, screen
from tmuxprim import Console, Outcome, Pane, Screen, TtyState
from tmuxprim._recording._event import Answer, Event
from tmuxprim._recording._lines import LineWriter
from tmuxprim._recording._timeline import Seen, Timeline
from tmuxprim.testing import ReplayTerminal

PANE = {"pane": "%7"}
TYPED = {"pane": "%7", "keys": [{"key": "Enter"}], "leave_mode": False}
OLD, NEW = screen("$ make"), screen("$ make\ndone\n$ ")


def probe(at: float, tty: TtyState | None) -> Event:
    """Return a look at the evidence."""
    return Event(at, "probe", PANE, tty)


def observe(at: float, shown: Screen) -> Event:
    """Return a look at the screen."""
    return Event(at, "observe", PANE, shown)


def action(at: float, call: str = "send", answer: Answer = OLD) -> Event:
    """Return an action."""
    return Event(at, call, TYPED if call == "send" else PANE, answer)


def seen_at(events: Sequence[Event], now: float) -> list[Answer]:
    """Return what evidence and screen are to be seen at a time, once all actions were done at 0."""
    timeline = Timeline(events)
    for _ in timeline.actions:
        timeline.act(0.0)
    timeline.move_to(now)
    found = [timeline.look((call, "%7")) for call in ("probe", "observe")]
    return [seen.answer if seen else None for seen in found]


RETURNS = (
    action(1.0),
    *(probe(1.1, RUNNING), probe(1.2, RUNNING), observe(1.3, OLD)),
    *(probe(2.0, AT_PROMPT), observe(2.4, NEW), probe(2.5, AT_PROMPT)),
)


@pytest.mark.parametrize(
    ("now", "tty", "shown"),
    [(0.1, RUNNING, OLD), (0.9, RUNNING, OLD), (1.0, AT_PROMPT, NEW), (99.0, AT_PROMPT, NEW)],
)
def test_a_prompt_is_seen_with_its_screen(now: float, tty: TtyState, shown: Screen) -> None:
    """Never is the evidence of the prompt seen with the screen from before."""
    assert seen_at(RETURNS, now) == [tty, shown]


def test_a_later_screen_keeps_its_time() -> None:
    """Only the first one that was seen with the evidence counts from there on."""
    later = screen("$ make\ndone\n$ more")
    events = [*RETURNS, attrs.evolve(observe(5.0, later), old_until=5.0)]
    assert seen_at(events, 3.9) == [AT_PROMPT, NEW]
    assert seen_at(events, 4.0) == [AT_PROMPT, later]


def test_a_screen_that_grows_while_a_program_works_keeps_its_time() -> None:
    """Evidence of work says nothing of what is shown."""
    seen = attrs.evolve(observe(3.0, NEW), old_until=3.0)
    events = [action(1.0), probe(1.1, RUNNING), seen, probe(3.1, RUNNING)]
    assert seen_at(events, 1.9) == [RUNNING, OLD]
    assert seen_at(events, 2.0) == [RUNNING, NEW]


def test_evidence_of_a_moment_is_left_out() -> None:
    """A shell that is about to edit a line looks for a moment as if it asked a question."""
    events = [*RETURNS[:4], probe(1.9, ASKING), *RETURNS[4:]]
    assert seen_at(events, 0.95) == [RUNNING, OLD]
    assert seen_at(events[:-3], 0.95) == [ASKING, OLD]  # the last one is all that is known


ASKED = (probe(0.0, HIDING), probe(0.0, HIDING), action(1.0))
WORK_OF_A_MOMENT = (
    *ASKED,
    *(probe(1.1, RUNNING), attrs.evolve(observe(1.2, NEW), old_until=0.5)),
    *(probe(1.4, AT_PROMPT), probe(1.5, AT_PROMPT)),
)
EVIDENCE_THAT_CAME_LATE = (
    *ASKED,
    *(probe(1.1, HIDING), attrs.evolve(observe(1.2, NEW), old_until=0.8)),
    *(attrs.evolve(probe(1.4, AT_PROMPT), old_until=1.1), probe(1.5, AT_PROMPT)),
)


@pytest.mark.parametrize(
    ("events", "dated", "between"),
    [(WORK_OF_A_MOMENT, 0.15, RUNNING), (EVIDENCE_THAT_CAME_LATE, 0.1, AT_PROMPT)],
)
def test_no_new_screen_is_seen_with_evidence_from_before_it(
    events: Sequence[Event], dated: float, between: TtyState
) -> None:
    """A shell's prompt with the evidence of who asked for a password would be such a request."""
    assert seen_at(events, dated - 0.01)[1] == OLD
    assert seen_at(events, dated) == [between, NEW]
    assert seen_at(events, 0.4) == [AT_PROMPT, NEW]


def test_evidence_that_was_asked_for_in_between_keeps_its_time() -> None:
    """It was known to be otherwise when the screen was there already."""
    late = attrs.evolve(probe(1.4, AT_PROMPT), old_until=1.3)
    events = [*EVIDENCE_THAT_CAME_LATE[:-2], late, probe(1.5, AT_PROMPT)]
    assert seen_at(events, 0.39) == [HIDING, NEW]
    assert seen_at(events, 0.4) == [AT_PROMPT, NEW]


@pytest.mark.parametrize("events", [WORK_OF_A_MOMENT, EVIDENCE_THAT_CAME_LATE])
def test_what_came_of_it_is_the_same_in_the_replay(events: Sequence[Event], tmp_path: Path) -> None:
    """Once the password has been typed, the shell is ready; nothing asks for one again."""
    path = tmp_path / "session.jsonl"
    writer = LineWriter(path)
    for event in (observe(0.0, OLD), *events, observe(1.5, NEW)):
        writer.write(event)
    console = Console(ReplayTerminal(path), Pane("%7"))
    console.keys("Enter")
    assert console.wait_ready().outcome is Outcome.PROMPT


def test_a_change_that_nobody_saw_happen_is_dated_half_way() -> None:
    """Between the last look at the old screen and the first at the new one."""
    late = attrs.evolve(observe(3.0, NEW), old_until=2.0)
    assert seen_at([action(1.0), late], 1.4) == [None, OLD]
    assert seen_at([action(1.0), late], 1.5) == [None, NEW]
    events = [action(1.0), probe(2.8, RUNNING), late]
    assert seen_at(events, 1.8) == [RUNNING, OLD]
    assert seen_at(events, 1.9) == [RUNNING, NEW]


def test_a_resize_is_seen_at_once() -> None:
    """However late the first look after it was."""
    events = [observe(0.1, OLD), action(1.0, "resize", None), observe(1.5, NEW), observe(2.0, OLD)]
    assert seen_at(events, 0.0) == [None, NEW]
    assert seen_at(events, 1.0) == [None, OLD]


def test_the_mark_holds_what_was_shown() -> None:
    """Evidence that nobody was shown before the send does not count as a change after it."""
    woken = attrs.evolve(AT_PROMPT, wakeups=99)
    events = [probe(0.0, AT_PROMPT), probe(0.1, AT_PROMPT), probe(5.0, woken), action(5.1)]
    assert seen_at(events, 0.0)[0] == AT_PROMPT
    timeline = Timeline(events)
    timeline.act(6.0)
    assert timeline.look(("probe", "%7")) == Seen(0.0, ("probe", "%7"), woken)
