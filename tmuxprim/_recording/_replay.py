"""`ReplayTerminal`: plays a recording to a unit test, in virtual time."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tmuxprim._errors import ReplayMismatchError
from tmuxprim._fake._clock import FakeClock
from tmuxprim._pane import Pane
from tmuxprim._recording._arguments import close_args, open_args, resize_args, send_args
from tmuxprim._recording._event import Answer, Event, require
from tmuxprim._recording._history import cut_history, give_history
from tmuxprim._recording._lines import read_recording
from tmuxprim._recording._secrets import Secrets, asks_for_secret
from tmuxprim._recording._timeline import Timeline
from tmuxprim._recording._values import HIDDEN, Fields
from tmuxprim._refusals import check_history
from tmuxprim._screen import Screen
from tmuxprim._sequence import KeySequence
from tmuxprim._size import Size
from tmuxprim._terminal import DEFAULT_SIZE
from tmuxprim._tty import TtyState

_ADVICE: Final = "mend the code under test, or record the session again if it is meant to do that"
_MOST_LEFT: Final = 5  # actions in a message


class ReplayTerminal:
    r"""Is a terminal that does again what was recorded, and waits in no time.

    What the code under test opens, sends, resizes and closes has to be what was recorded, in the
    same order. What it looks at is not compared: it is shown what was seen as long after the
    last action, however often it looks. Any text may be sent where one was hidden.

    Args:
        path: What a `RecordingTerminal` has written.

    Raises:
        InvalidRecordingError: If it is no recording.
        OSError: If the file cannot be read.

    Examples:
        >>> import tempfile
        >>> folder = tempfile.TemporaryDirectory()
        >>> path = f"{folder.name}/session.jsonl"
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
        tmuxprim.ReplayMismatchError: action 2 of 2 is not what was recorded in ...session.jsonl
          recorded: send(pane=%0, keys='echo hi' + Enter)
          now:      send(pane=%0, keys='echo hello' + Enter)
        mend the code under test, or record the session again if it is meant to do that
        >>> folder.cleanup()
    """

    def __init__(self, path: str | Path) -> None:
        self._path = path
        self._clock = FakeClock()
        self._secrets = Secrets()
        self._mismatch: ReplayMismatchError | None = None
        self._timeline = Timeline(read_recording(Path(path)).events)

    def __repr__(self) -> str:
        done, all_of_them = self._timeline.number, len(self._timeline.actions)
        return f"ReplayTerminal({str(self._path)!r}, {done} of {all_of_them} actions done)"

    @property
    def clock(self) -> FakeClock:
        """The virtual clock; ``clock.sleep(60)`` lets a minute pass at once."""
        return self._clock

    def assert_finished(self) -> None:
        """Do nothing if all that was recorded has been done, and nothing else.

        Raises:
            ReplayMismatchError: If something else was done, even if the code under test has caught
                the error, as one that catches `TmuxprimError` does. Or if actions are left.
        """
        if self._mismatch is not None:
            raise self._mismatch
        actions = self._timeline.actions
        left = actions[self._timeline.number :]
        if left:
            told = "".join(f"\n  {action}" for action in left[:_MOST_LEFT])
            more = "\n  ..." if left[_MOST_LEFT:] else ""
            raise ReplayMismatchError(
                f"{len(left)} of {len(actions)} actions in {self._path} were not done:"
                f"{told}{more}\n{_ADVICE}"
            )

    def last_screens(self) -> dict[Pane, Screen]:
        """Return what was seen last of each pane up to now; this look is never a mismatch.

        It is for reports of what failed, such as those that the plugin for pytest makes.
        """
        self._timeline.move_to(self._clock.now())
        return {Pane(target): screen for target, screen in self._timeline.screens().items()}

    def open(
        self,
        command: str | Sequence[str] | None = None,
        *,
        size: Size = DEFAULT_SIZE,
        cwd: str | Path | None = None,
        env: Mapping[str, str] | None = None,
        name: str | None = None,
    ) -> Pane:
        """Open the pane that was opened; see `Terminal.open`."""
        return require(self._act("open", open_args(command, size, cwd, env, name)), Pane)

    def close(self, pane: Pane) -> None:
        """End a pane; see `Terminal.close`."""
        require(self._act("close", close_args(pane)), type(None))

    def resize(self, pane: Pane, size: Size) -> None:
        """Change the size of a pane; see `Terminal.resize`."""
        require(self._act("resize", resize_args(pane, size)), type(None))

    def send(self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False) -> Screen:
        """Return the screen from right before; see `Terminal.send`."""
        was_hidden = HIDDEN in self._recorded_keys()
        tty, screen = (self._look(call, pane, is_required=False) for call in ("probe", "observe"))
        is_asked = was_hidden or asks_for_secret(tty, screen)
        hide = self._secrets.hide(pane, keys, is_asked=is_asked)
        args = send_args(pane, keys, leave_mode=leave_mode, hide=was_hidden)
        told = send_args(pane, keys, leave_mode=leave_mode, hide=hide)
        return cut_history(require(self._act("send", args, told), Screen), 0)

    def observe(self, pane: Pane, *, history: int = 0) -> Screen:
        """Return the screen of this time; see `Terminal.observe`.

        Rows of the history that were not recorded are told of in one row in their place.
        """
        check_history(history)
        return give_history(require(self._look("observe", pane), Screen), history)

    def read(self, pane: Pane, *, history: int = 0) -> str:
        """Return what the screen of this time says; see `Terminal.read`."""
        return self.observe(pane, history=history).text

    def probe(self, pane: Pane) -> TtyState | None:
        """Return the evidence of this time, None where none was asked for; see `Terminal.probe`."""
        answer = self._look("probe", pane, is_required=False)
        return None if answer is None else require(answer, TtyState)

    def panes(self) -> tuple[Pane, ...]:
        """Return the panes of this time; see `Terminal.panes`."""
        return require(self._look("panes", None), tuple)

    def resolve(self, pane: Pane) -> Pane:
        """Return a pane by its id; see `Terminal.resolve`."""
        answer = self._look("resolve", pane, is_required=not pane.is_id)
        return pane if answer is None else require(answer, Pane)

    def listen(self, pane: Pane) -> "ReplayBell":
        """Return a bell that rings when another look is due; see `Terminal.listen`."""
        require(self._look("listen", pane, is_required=False), type(None))
        return ReplayBell(pane, self._timeline, self._clock)

    def _recorded_keys(self) -> Sequence[object]:
        """Return what the next action types, if it does."""
        upcoming = self._timeline.actions[self._timeline.number :][:1]
        return upcoming[0].args.get("keys", ()) if upcoming else ()

    def _act(self, call: str, args: Fields, told: Fields | None = None) -> Answer:
        """Do the next action, if it is the recorded one; else *told* says what was tried."""
        actions, number = self._timeline.actions, self._timeline.number
        recorded = actions[number] if number < len(actions) else None
        if recorded is None or (recorded.call, recorded.args) != (call, args):
            raise self._kept(
                f"action {number + 1} of {len(actions)} is not what was recorded in {self._path}\n"
                f"  recorded: {recorded or 'nothing more'}\n"
                f"  now:      {Event(0.0, call, told or args)}\n{_ADVICE}"
            )
        self._timeline.act(self._clock.now())
        return recorded.answer

    def _look(self, call: str, pane: Pane | None, *, is_required: bool = True) -> Answer:
        target = "" if pane is None else pane.target
        self._timeline.move_to(self._clock.now())
        seen = self._timeline.look((call, target))
        if seen is None and is_required:
            raise self._kept(
                f"after action {self._timeline.number} nothing was recorded in {self._path} that "
                f"answers {call}({target}): it was not asked then; record the session again"
            )
        return seen.answer if seen else None

    def _kept(self, message: str) -> ReplayMismatchError:
        """Return an error; the first one is kept, since the code under test may swallow it."""
        error = ReplayMismatchError(message)
        self._mismatch = self._mismatch or error
        return error


class ReplayBell:
    """Rings, in virtual time, when a look shows something new.

    Args:
        pane: The pane.
        timeline: What is to be seen when.
        clock: What time passes on.
    """

    def __init__(self, pane: Pane, timeline: Timeline, clock: FakeClock) -> None:
        self._target = pane.target
        self._timeline = timeline
        self._clock = clock
        self._heard = timeline.changes(self._target)

    def wait(self, seconds: float) -> bool:
        """Let time pass until it rings, at most so long; return whether it did."""
        now = self._clock.now()
        until = now + seconds
        self._timeline.move_to(now)
        while now < until and not self._rings():
            self._clock.sleep(min(until, self._timeline.next_change()) - now)
            now = self._clock.now()
            self._timeline.move_to(now)
        rang = self._rings()
        self._heard = self._timeline.changes(self._target)
        return rang

    @contextmanager
    def calling(self, listener: Callable[[], None]) -> Iterator[None]:
        """Have *listener* called when it rings; so `AsyncFakeTerminal` waits."""
        is_heard = True

        def look() -> None:
            self._timeline.move_to(self._clock.now())
            if self._rings():
                listener()
            elif is_heard and math.isfinite(change := self._timeline.next_change()):
                self._clock.call_later(change - self._clock.now(), look)

        look()
        try:
            yield
        finally:
            is_heard = False

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""

    def _rings(self) -> bool:
        return self._heard != self._timeline.changes(self._target)
