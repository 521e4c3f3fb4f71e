"""`Tape`: the events of a recording, which run past as virtual time does.

A tape runs forward only. Each look is answered by an event that was recorded after the last answer,
so what is seen together was seen together; and virtual time goes on to when it was recorded. Code
that looks as often as when it was recorded sees the same. Code that looks less often skips events,
and code that looks more often sees the last ones again.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from tmuxprim._fake._clock import FakeClock
from tmuxprim._recording._event import Event

Fits: TypeAlias = Callable[[Event], bool]

# Times are written in microseconds, so two that are equal may differ by that much.
_MICROSECOND = 1e-6


class Tape:
    """The events of a recording, and the place up to which they were played.

    Args:
        events: All events, in order.
        clock: The virtual time.

    Attributes:
        done: How many actions have been done.
    """

    def __init__(self, events: Sequence[Event], clock: FakeClock) -> None:
        self.done: int = 0
        self._events = events
        self._clock = clock
        self._actions = [place for place, event in enumerate(events) if event.is_action]
        self._place = 0
        self._offset = 0.0  # from a recorded time to the virtual one

    @property
    def actions(self) -> list[Event]:
        """All actions."""
        return [self._events[place] for place in self._actions]

    @property
    def action(self) -> Event | None:
        """The next action."""
        return next(iter(self._events[self._end :]), None)

    def act(self) -> None:
        """Do the next action."""
        action = self._play(self._end)
        self._offset = self._clock.now() - action.at
        self.done += 1

    def find(self, fits: Fits) -> Event | None:
        """Play the first event from now on, before the next action, that fits."""
        return self._play_first(fits, self._coming())

    def find_last(self, fits: Fits) -> Event | None:
        """Play the last event before the next action that fits, also if it is over."""
        return self._play_first(fits, reversed(range(self._end)))

    def wait(self, pane: str, seconds: float) -> bool:
        """Let time pass as at a bell of *pane*, and return whether it rang.

        It rings if it did when it was recorded, or if the pane was looked at in that time.
        """
        coming = ((at, self._events[at]) for at in self._coming())
        events = ((at, event) for at, event in coming if event.pane == pane)
        for place, event in events:
            until = self._until(event)
            if event.call == "wait":
                self._clock.sleep(min(until, seconds))
                self._place = place + 1
                return event.result(bool)
            if until > 0:
                self._clock.sleep(min(until, seconds))
                return until < seconds
        self._clock.sleep(seconds)
        return False

    @property
    def _end(self) -> int:
        """The place of the next action."""
        return [*self._actions, len(self._events)][self.done]

    def _coming(self) -> Iterable[int]:
        """Return the places from here to the next action whose time is not over."""
        earliest = self._clock.now() - self._offset - _MICROSECOND
        return (at for at in range(self._place, self._end) if self._events[at].at >= earliest)

    def _play_first(self, fits: Fits, places: Iterable[int]) -> Event | None:
        place = next((place for place in places if fits(self._events[place])), None)
        return None if place is None else self._play(place)

    def _play(self, place: int) -> Event:
        event = self._events[place]
        self._place = max(self._place, place + 1)
        self._clock.sleep(self._until(event))
        return event

    def _until(self, event: Event) -> float:
        """Return how many seconds are left until an event; 0 if it is over."""
        return max(event.at + self._offset - self._clock.now(), 0.0)
