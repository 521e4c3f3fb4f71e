"""What was seen when: the answers to looks, on a line of time that begins anew with each action.

In virtual time polling hits moments at which nobody looked when it was recorded. These rules
keep what is then seen together:

* Evidence of a reader that was another one the next time was a moment's, and nobody judged by it:
  whoever waits asks the kernel before and after a look. To a replay it would seem to last; so it is
  left out. Evidence of work is not: nobody takes that for ready, and what came before it is over.
* A program that may be reading has shown what it had to show. So the first screen that was seen
  after the kernel's evidence changed to that counts from that change on.
* A screen that was first seen later changed at some time since it was known to be the old one: half
  way, so that a replay, whose calls cost no time, may come a little earlier to either look.
* Evidence that was first asked for after a new screen was seen may be as old as that screen, which
  nobody shall see with the evidence from before it; so it counts from the same time on.
* An open, a resize or a close has its effect at once, so the first look after it counts from then.
* The pane that is typed into keeps the evidence that the code under test has been shown: its mark
  holds that, and evidence that differs from the mark means that the keys were taken.
"""

from collections import defaultdict
from collections.abc import Iterable
from itertools import chain

import attrs

from tmuxprim._recording._event import AT_ONCE, Answer, Event, Question
from tmuxprim._recording._history import complete_history
from tmuxprim._screen import Screen
from tmuxprim._tty import TtyState

# Times are written in microseconds; so a moment is as long as that.
_MOMENT = 2e-6


@attrs.frozen
class Seen:
    """Is an answer, and from how many seconds after the action on it holds."""

    after: float
    question: Question
    answer: Answer


@attrs.frozen
class Scene:
    """Is an action, none at the beginning, and what was seen before the next one."""

    action: Event | None
    seen: tuple[Seen, ...]


class Timeline:
    """Knows what is to be seen at which time.

    Args:
        events: What was recorded.

    Attributes:
        actions: The actions among them.
    """

    def __init__(self, events: Iterable[Event]) -> None:
        self._scenes = _to_scenes(_with_histories(events))
        self.actions: tuple[Event, ...] = tuple(s.action for s in self._scenes if s.action)
        self._number = 0
        self._next = 0
        self._began = 0.0
        self._shown: dict[Question, Answer] = {}
        self._changes: dict[str, int] = {}

    @property
    def number(self) -> int:
        """How many actions have been taken."""
        return self._number

    def act(self, now: float) -> None:
        """Begin the scene of the next action."""
        action = self.actions[self._number]
        self.move_to(now)
        evidence = "probe", action.target
        kept = self._shown.get(evidence)
        self._show_until(float("inf"))
        if action.call == "send" and evidence in self._shown and kept is not None:
            self._shown[evidence] = kept
        self._number += 1
        self._next, self._began = 0, now
        self.move_to(now)

    def move_to(self, now: float) -> None:
        """Show what was to be seen up to *now*."""
        self._show_until(now - self._began + _MOMENT)

    def look(self, question: Question) -> Seen | None:
        """Return what is shown; else what was seen next, before the next action had an effect."""
        if question in self._shown:
            return Seen(0.0, question, self._shown[question])
        following = self._scenes[self._number + 1 :][:1]
        right_before = chain.from_iterable(scene.seen[:1] for scene in following)
        later = chain(self._seen[self._next :], right_before)
        return next((seen for seen in later if seen.question == question), None)

    def screens(self) -> dict[str, Screen]:
        """Return what is shown of each pane that was seen so far."""
        return {
            target: answer
            for (call, target), answer in self._shown.items()
            if call == "observe" and isinstance(answer, Screen)
        }

    def changes(self, target: str) -> int:
        """Return how often what is shown of a pane has changed."""
        return self._changes.get(target, 0)

    def next_change(self) -> float:
        """Return when something changes, if no action comes first."""
        is_last = self._next == len(self._seen)
        return float("inf") if is_last else self._began + self._seen[self._next].after

    @property
    def _seen(self) -> tuple[Seen, ...]:
        return self._scenes[self._number].seen

    def _show_until(self, after: float) -> None:
        while self._next < len(self._seen) and self._seen[self._next].after <= after:
            seen = self._seen[self._next]
            target = seen.question[1]
            is_news = self._shown.get(seen.question) != seen.answer
            self._changes[target] = self.changes(target) + is_news
            self._shown[seen.question] = seen.answer
            self._next += 1


def _with_histories(events: Iterable[Event]) -> list[Event]:
    """Give each screen the rows of history that are known from a later look at its pane."""
    later: dict[str, Screen] = {}
    completed: list[Event] = []
    for event in reversed([*events]):
        screen = event.answer
        if isinstance(screen, Screen):
            screen = complete_history(screen, later.get(event.target, screen))
            later[event.target] = screen
        completed.append(attrs.evolve(event, answer=screen))
    return completed[::-1]


def _to_scenes(events: Iterable[Event]) -> list[Scene]:
    scenes: list[Scene] = []
    action: Event | None = None
    looks: list[Event] = []
    known: dict[str, Answer] = {}
    for event in events:
        if event.is_action:
            scenes.append(_to_scene(action, looks, known))
            action, looks = event, []
        else:
            looks.append(event)
    return [*scenes, _to_scene(action, looks, known)]


def _without_moments(looks: Iterable[Event]) -> list[Event]:
    """Leave out evidence of a reader that was seen once and then was another."""
    following: dict[str, Answer] = {}
    kept: list[Event] = []
    for look in reversed([*looks]):
        if look.call != "probe":
            kept.append(look)
            continue
        reads = isinstance(look.answer, TtyState) and look.answer.reading is True
        if not reads or following.get(look.target, look.answer) == look.answer:
            kept.append(look)
        following[look.target] = look.answer
    return kept[::-1]


def _to_scene(action: Event | None, looks: Iterable[Event], known: dict[str, Answer]) -> Scene:
    """Return a scene.

    Args:
        action: What begins it.
        looks: What was seen.
        known: The evidence of each pane so far; kept up to date.
    """
    began = action.at if action else 0.0
    seen: list[Seen] = []
    if action and action.call == "send" and isinstance(action.answer, Screen):
        # The screen from right before the keys; nobody has seen a later one yet.
        seen.append(Seen(0.0, ("observe", action.target), action.answer))
    met: set[Question] = set()
    dates: defaultdict[str, _Dates] = defaultdict(_Dates)
    for look in _without_moments(looks):
        question, after = look.question, max(look.at - began, 0.0)
        old_until = None if look.old_until is None else look.old_until - began
        if action and action.call in AT_ONCE and question not in met:
            after = 0.0
        if look.call == "probe" and known.get(look.target) != look.answer:
            known[look.target] = look.answer
            after = dates[look.target].of_evidence(after, old_until, look.answer)
        elif look.call == "observe":
            after = dates[look.target].of_screen(after, old_until)
        met.add(question)
        seen.append(Seen(after, question, look.answer))
    return Scene(action, tuple(sorted(seen, key=lambda one: one.after)))


@attrs.define
class _Dates:
    """Says from when on what is seen of a pane holds, in one scene; see the rules above.

    Args:
        evidence: From when on the last evidence holds.
        reads: The same, if it is of a program that may be reading, until a screen was seen.
        screen: From when on the last screen holds.
        looked: When that was seen.
    """

    evidence: float = 0.0
    reads: float | None = None
    screen: float = 0.0
    looked: float | None = None

    def of_evidence(self, after: float, old_until: float | None, answer: Answer) -> float:
        """Return from when on new evidence holds that was seen so late."""
        if old_until is not None and self.looked is not None and old_until <= self.looked:
            after = min(after, self.screen)
        may_read = isinstance(answer, TtyState) and answer.reading is not False
        self.evidence, self.reads = after, after if may_read else None
        return after

    def of_screen(self, after: float, old_until: float | None) -> float:
        """Return from when on a screen holds that was seen so late."""
        earliest = max(after if old_until is None else old_until, self.evidence)
        self.looked = after
        self.screen = (earliest + after) / 2 if self.reads is None else self.reads
        self.reads = None
        return self.screen
