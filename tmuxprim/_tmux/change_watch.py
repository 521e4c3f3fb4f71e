"""A watch on a pane of another machine, which waits there, so that a wait takes few calls."""

from collections.abc import Callable
from typing import Final, Generic, TypeVar

from tmuxprim._tmux.beside import Seen, Wait, Waited
from tmuxprim._tmux.operations import Operations, Steps, TimedSteps
from tmuxprim._tmux.output_watch import Backoff
from tmuxprim._values.pane import Pane
from tmuxprim._values.screen import Screen
from tmuxprim.errors import PaneNotFoundError, TmuxprimError

R = TypeVar("R")
# The share of the time for a call that is spent waiting. The rest is for the call itself, and for
# another one that waits for its turn, as in a sandbox that carries out one command at a time.
_SHARE: Final = 0.5


class RemoteChangeWatch(Generic[R]):
    """Waits for a pane on its machine; see `ChangeWatch`.

    Where that machine cannot, it pauses here, and looks again and again.

    Args:
        operations: The operations of the terminal.
        pane: The pane.
        timeout: Longest time for one call, in seconds.
        run: Carries steps out, and returns the result, or an awaitable of it.
    """

    def __init__(
        self,
        operations: Operations,
        pane: Pane,
        timeout: float,
        run: Callable[[TimedSteps[tuple[Screen, float]]], R],
    ) -> None:
        self._operations = operations
        self._pane = pane
        self._longest = timeout * _SHARE
        self._run = run
        self._seen = Seen()
        self._backoff = Backoff()

    def look(self, seconds: float, *, history: int, hears_output: bool) -> R:
        """Wait for a change, and return the screen; see `ChangeWatch.look`."""
        return self._run(self._look(seconds, history, hears_output=hears_output))

    def _look(
        self, seconds: float, history: int, *, hears_output: bool
    ) -> TimedSteps[tuple[Screen, float]]:
        if seconds > 0.0 and self._operations.waits_there and self._seen.shown:
            wait = Wait(self._seen, min(seconds, self._longest), hears_output)
            return (yield from self._wait_there(wait, history))
        pause = self._backoff.next(seconds)
        if pause > 0.0:
            yield pause
        screen, _ = yield from self._observe(history, Wait())
        return screen, pause

    def _wait_there(self, wait: Wait, history: int) -> Steps[tuple[Screen, float]]:
        try:
            screen, waited = yield from self._observe(history, wait)
        except PaneNotFoundError:
            raise
        except TmuxprimError:
            # It may end calls that take long. If it fails again, that is no matter of waiting.
            screen, waited = yield from self._observe(history, Wait())
            self._operations.waits_there = False
        return screen, waited.seconds

    def _observe(self, history: int, wait: Wait) -> Steps[tuple[Screen, Waited]]:
        screen, waited = yield from self._operations.observe_change(self._pane, history, wait)
        self._seen = waited.seen
        return screen, waited
