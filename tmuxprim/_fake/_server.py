"""`FakeServer`: the panes of a fake terminal, and whether anybody answers for them."""

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from tmuxprim._errors import TmuxprimError, TmuxServerError
from tmuxprim._fake._clock import FakeClock
from tmuxprim._fake._pane import FakePane
from tmuxprim._pane import Pane
from tmuxprim._refusals import check_timeout, no_answer, pane_not_found

T = TypeVar("T")


class FakeServer:
    """Holds panes by their ids and names.

    Args:
        clock: What time passes on.
        timeout: Seconds after which a call that gets no answer gives up.
        remain_on_exit: Whether a pane whose program has ended stays.

    Raises:
        ValueError: If calls are given no time.
    """

    def __init__(self, clock: FakeClock, *, timeout: float, remain_on_exit: bool) -> None:
        self.clock = clock
        self.timeout: float = check_timeout(timeout)
        self.remain_on_exit = remain_on_exit
        self.wakes_at: float = 0.0
        self._panes: dict[Pane, FakePane] = {}
        self._ids: dict[str, Pane] = {}

    def call(self, command: str, action: Callable[[], T]) -> T:
        """Do what *command* asks for; if the server hangs, when it wakes up.

        Raises:
            TmuxTimeoutError: If that is too late for the caller.
        """
        left = self.wakes_at - self.clock.now()
        if left > self.timeout:
            self.clock.call_later(left, lambda: _quietly(action))
            self.clock.sleep(self.timeout)
            raise no_answer(self.timeout, command)
        self.clock.sleep(left)
        return action()

    def add(self, pane: FakePane) -> None:
        """Take a new pane."""
        pane.tty.on_end = lambda: self._ended(pane)
        self._panes[pane.pane] = pane
        window = f"{pane.name}:0"
        self._ids |= dict.fromkeys((pane.name, window, f"{window}.0"), pane.pane)

    def remove(self, pane: Pane) -> None:
        """Close a pane, if it is there."""
        found = self._panes.pop(self.id_of(pane), None)
        if found is not None:
            found.tty.hang_up()

    def stop(self) -> None:
        """End all programs and forget all panes."""
        for pane in [*self._panes]:
            self.remove(pane)

    def panes(self) -> dict[Pane, FakePane]:
        """Return the panes there are, ordered by their names, as tmux lists sessions."""
        return dict(sorted(self._panes.items(), key=lambda item: item[1].name))

    def id_of(self, pane: Pane) -> Pane:
        """Return the id of a pane; also of one that has gone, for asking what it was sent."""
        return pane if pane.is_id else self._ids.get(pane.target, pane)

    def get(self, pane: Pane) -> FakePane:
        """Return a pane.

        Raises:
            TmuxServerError: If there is none at all.
            PaneNotFoundError: If this one is not there.
        """
        if not self._panes:
            raise TmuxServerError("there is no tmux server with a pane; Terminal.open() starts one")
        found = self._panes.get(self.id_of(pane))
        if found is None:
            raise pane_not_found(pane)
        return found

    def _ended(self, pane: FakePane) -> None:
        """Let a pane go whose program has ended, or remain."""
        if pane.pane not in self._panes:
            return  # it is closed already
        if self.remain_on_exit:
            pane.show_death(self.clock.now())
        else:
            del self._panes[pane.pane]


def _quietly(action: Callable[[], object]) -> None:
    """Do what nobody waits for any more."""
    with suppress(TmuxprimError):
        action()
