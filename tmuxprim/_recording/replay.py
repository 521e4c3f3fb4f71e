"""`ReplayTerminal`: answers as a recording says."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final, TypeAlias, Unpack

import attrs

from tmuxprim._fake.clock import FakeClock
from tmuxprim._recording.record import hide
from tmuxprim._recording.recorded_events import (
    Fields,
    RecordedEvent,
    arguments,
    open_arguments,
    read_recording,
    snapshot_arguments,
)
from tmuxprim._terminal import OpenOptions, OpenRequest, SendOptions, Tap
from tmuxprim._values.checks import Command, check_history
from tmuxprim._values.evidence import TtyState
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.pane import Pane, PaneInfo, SizeLike, to_size
from tmuxprim._values.screen import Screen
from tmuxprim.errors import Advice, ReplayMismatchError, TapUnavailableError

Fits: TypeAlias = Callable[[RecordedEvent], bool]

# Times are written in microseconds, so two that are equal may differ by that much.
_MICROSECOND = 1e-6


class Tape:
    """The events of a recording, and the place up to which they were played."""

    def __init__(self, events: Sequence[RecordedEvent], clock: FakeClock) -> None:
        self.done: int = 0
        self._events = events
        self._clock = clock
        self._actions = [place for place, event in enumerate(events) if event.is_action]
        self._place = 0
        self._offset = 0.0  # from a recorded time to the virtual one

    @property
    def actions(self) -> list[RecordedEvent]:
        """All actions."""
        return [self._events[place] for place in self._actions]

    @property
    def action(self) -> RecordedEvent | None:
        """The next action."""
        return next(iter(self._events[self._end :]), None)

    def act(self) -> None:
        """Do the next action."""
        action = self._play(self._end)
        self._offset = self._clock.now() - action.at
        self.done += 1

    def find(self, fits: Fits) -> RecordedEvent | None:
        """Play the first event from now on, before the next action, that fits."""
        return self._play_first(fits, self._coming())

    def find_last(self, fits: Fits) -> RecordedEvent | None:
        """Play the last event before the next action that fits, also if it is over."""
        return self._play_first(fits, reversed(range(self._end)))

    def wait(self, pane: str, seconds: float) -> bool:
        """Let time pass as in a watch on *pane*, and return whether the program wrote.

        It did if it did when it was recorded, or if the pane was observed in that time.
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

    def _play_first(self, fits: Fits, places: Iterable[int]) -> RecordedEvent | None:
        place = next((place for place in places if fits(self._events[place])), None)
        return None if place is None else self._play(place)

    def _play(self, place: int) -> RecordedEvent:
        event = self._events[place]
        self._place = max(self._place, place + 1)
        self._clock.sleep(self._until(event))
        return event

    def _until(self, event: RecordedEvent) -> float:
        """Return how many seconds are left until an event; 0 if it is over."""
        return max(event.at + self._offset - self._clock.now(), 0.0)


_ADVICE: Final = "fix the code under test, or record the session again if it is meant to do that"


class ReplayTerminal:
    r"""A terminal that gives the recorded answers, and waits in virtual time.

    The code under test has to open, send, resize and close as recorded, in the same order. The
    number of its snapshots may differ: each one gets the next recorded answer before the next
    action, and then the last answer again.

    Args:
        path: The file of a `RecordingTerminal`.

    Raises:
        InvalidRecordingError: If the file is not a recording.
        OSError: If the file cannot be read.

    Examples:
        >>> import tempfile
        >>> directory = tempfile.TemporaryDirectory()
        >>> path = f"{directory.name}/session.jsonl"
        >>> terminal = RecordingTerminal(FakeTerminal(), path)
        >>> _ = Console(terminal, terminal.open("sh")).run("echo hi")
        >>> replay = ReplayTerminal(path)
        >>> Console(replay, replay.open("sh")).run("echo hi").output
        'hi\n'
        >>> replay.assert_finished()
        >>> replay = ReplayTerminal(path)
        >>> Console(replay, replay.open("sh")).run("echo hello")
        Traceback (most recent call last):
        ...
        tmuxprim.errors.ReplayMismatchError: action 2 of 2 is not what was recorded ...
          recorded: send(pane=%0, keys='echo hi' + Enter)
          now:      send(pane=%0, keys='echo hello' + Enter)
        fix the code under test, or record the session again if it is meant to do that
        >>> directory.cleanup()
    """

    def __init__(self, path: str | Path) -> None:
        self._path = path
        self._clock = FakeClock()
        self._tape = Tape(read_recording(Path(path)).events, self._clock)
        self._mismatch: ReplayMismatchError | None = None

    def __repr__(self) -> str:
        done, count = self._tape.done, len(self._tape.actions)
        return f"ReplayTerminal({str(self._path)!r}, {done} of {count} actions done)"

    @property
    def clock(self) -> FakeClock:
        """The virtual clock; ``clock.sleep(60)`` lets a minute pass at once."""
        return self._clock

    def assert_finished(self) -> None:
        """Fail unless exactly the recorded actions were done.

        Raises:
            ReplayMismatchError: If another action was done, even if the code under test has caught
                the error of that action, for example as a `TmuxprimError`. Or if actions are left.
        """
        if self._mismatch is not None:
            raise self._mismatch
        if self._tape.action is not None:
            done, count = self._tape.done, len(self._tape.actions)
            raise ReplayMismatchError(
                f"{done} of {count} actions in {self._path} were done; the next is "
                f"{self._tape.action}; {_ADVICE}"
            )

    def open(self, command: Command = None, **options: Unpack[OpenOptions]) -> Pane:
        """Open the pane that was opened; see `Terminal.open`."""
        args = open_arguments(OpenRequest(command, **options))
        return self._act("open", args).result(Pane)

    def close(self, pane: Pane) -> None:
        """End a pane; see `Terminal.close`."""
        self._act("close", arguments(pane=pane)).result(type(None))

    def resize(self, pane: Pane, size: SizeLike) -> None:
        """Change the size of a pane; see `Terminal.resize`."""
        self._act("resize", arguments(pane=pane, size=to_size(size))).result(type(None))

    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        """Return the screen from right before; see `Terminal.send`."""
        del seen  # the screen is the recorded one
        recorded = self._tape.action
        secret = recorded is not None and recorded.args.get("secret", False)
        shown = hide(keys) if secret else keys
        args = arguments(pane=pane, keys=shown, leave_mode=leave_mode, secret=secret)
        return self._act("send", args).result(Screen)

    def observe(self, pane: Pane, *, history: int = 0, styled: bool = False) -> Screen:
        """Return the next screen; see `Terminal.observe`."""
        check_history(history)
        args = snapshot_arguments(pane, history, styled=styled)

        def shows_pane(event: RecordedEvent) -> bool:
            is_snapshot = event.call == "observe" or isinstance(event.answer, Screen)
            return is_snapshot and event.pane == pane.target

        screen = self._snapshot("observe", args, shows_pane).result(Screen)
        lacks_styles = styled and screen.styles is None
        if lacks_styles or len(screen.history) < min(history, screen.history_size):
            raise self._no_answer("observe", args)
        surplus = max(len(screen.history) - history, 0)
        return attrs.evolve(
            screen,
            history=screen.history[surplus:],
            layout=screen.layout.part(surplus),
            styles=screen.styles if styled else None,
        )

    def read(self, pane: Pane, *, history: int = 0) -> str:
        """Return the text of the next screen; see `Terminal.read`."""
        return self.observe(pane, history=history).text

    def probe(self, pane: Pane) -> TtyState | None:
        """Return the next evidence; see `Terminal.probe`."""
        event = self._snapshot("probe", arguments(pane=pane))
        return None if event.answer is None else event.result(TtyState)

    def panes(self) -> tuple[PaneInfo, ...]:
        """Return the next list of panes; see `Terminal.panes`."""
        return self._snapshot("panes", {}).result(tuple)

    def resolve(self, pane: Pane) -> Pane:
        """Return a pane by its id; see `Terminal.resolve`."""
        return self._snapshot("resolve", arguments(pane=pane)).result(Pane)

    def watch_output(self, pane: Pane) -> "ReplayOutputWatch":
        """Return a watch that ends its waits as recorded; see `Terminal.watch_output`."""
        event = self._tape.find(_is_call("watch_output", arguments(pane=pane)))
        if event is not None:
            event.result(type(None))
        return ReplayOutputWatch(self._tape, pane)

    def tap(self, pane: Pane, keys: KeySequence | None = None, **how: Unpack[SendOptions]) -> Tap:
        """Raise an error, since a recording has no raw output.

        Args:
            pane: The pane.
            keys: The keys to type.
            how: As for `send`.

        Raises:
            TapUnavailableError: Always.
        """
        del keys, how
        raise TapUnavailableError(
            f"a recording holds the screens of pane {pane}, not its raw output",
            advice=Advice.READ_SCREEN,
        )

    def _act(self, call: str, args: Fields) -> RecordedEvent:
        """Do the next action, if it is the recorded one."""
        recorded = self._tape.action
        if recorded is None or (recorded.call, recorded.args) != (call, args):
            raise self._kept(
                f"action {self._tape.done + 1} of {len(self._tape.actions)} is not what was "
                f"recorded in {self._path}\n"
                f"  recorded: {recorded or 'nothing more'}\n"
                f"  now:      {RecordedEvent(0.0, call, args)}\n{_ADVICE}"
            )
        self._tape.act()
        return recorded

    def _snapshot(self, call: str, args: Fields, again: Fits | None = None) -> RecordedEvent:
        """Return the next such look before the next action, or the last one that *again* fits."""
        fits = _is_call(call, args)
        event = self._tape.find(fits) or self._tape.find_last(again or fits)
        if event is None:
            raise self._no_answer(call, args)
        return event

    def _no_answer(self, call: str, args: Fields) -> ReplayMismatchError:
        return self._kept(
            f"after action {self._tape.done} nothing was recorded in {self._path} that answers "
            f"{RecordedEvent(0.0, call, args)}; record the session again"
        )

    def _kept(self, message: str) -> ReplayMismatchError:
        """Return an error; the first one is kept, since the code under test may swallow it."""
        error = ReplayMismatchError(message)
        self._mismatch = self._mismatch or error
        return error


class ReplayOutputWatch:
    """An output watch that ends its waits as recorded, in virtual time."""

    def __init__(self, tape: Tape, pane: Pane) -> None:
        self._tape = tape
        self._pane = pane

    def wait(self, seconds: float) -> bool:
        """Let time pass until the program writes, at most so long; return whether it did."""
        return self._tape.wait(self._pane.target, seconds)

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""


def _is_call(call: str, args: Fields) -> Fits:
    return lambda event: (event.call, event.args) == (call, args)
