"""The panes of a fake server."""

import itertools
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final, TypeVar

import attrs

from tmuxprim._fake.clock import FakeClock
from tmuxprim._fake.display import Display
from tmuxprim._fake.streams import to_characters
from tmuxprim._fake.tty import FakeTty
from tmuxprim._values.argument_types import check_type
from tmuxprim._values.checks import check_timeout, no_answer, pane_not_found
from tmuxprim._values.keys import Key, KeySequence, Part
from tmuxprim._values.pane import Pane, PaneInfo, Size, is_meant
from tmuxprim._values.screen import Screen
from tmuxprim.errors import Advice, PaneNotFoundError, TmuxprimError


@attrs.frozen
class Sent:
    """One delivery of keys to a fake pane.

    Args:
        pane: The pane that got them.
        keys: The text and keys that were typed.
        at: The time, in seconds of virtual time.

    Examples:
        >>> terminal = FakeTerminal()
        >>> Console(terminal, terminal.open()).keys("Up").pane
        Pane(target='%0')
        >>> [str(sent.keys) for sent in terminal.sent()]
        ['Up']
    """

    pane: Pane
    keys: KeySequence
    at: float


@attrs.define
class FakePane:
    """A program, its screen, and the state that tmux keeps for its pane."""

    pane: Pane
    name: str
    pid: int
    tty: FakeTty
    display: Display
    shell_integration: bool
    mode: str = ""
    input_off: bool = False
    synchronized: bool = False
    swallowed: list[Key] = attrs.field(factory=list)

    def type(self, keys: KeySequence) -> None:
        """Pass *keys* to the program, without those that a fault swallows."""
        arriving = KeySequence(tuple(part for part in keys if not self._swallows(part)))
        self.tty.type(to_characters(arriving, bracketed=self.display.bracketed_paste))

    def resize(self, size: Size) -> None:
        """Change the size, and notify the program (SIGWINCH)."""
        self.display.resize(size)
        self.tty.resize()

    def snapshot(self, history: int, *, styled: bool = False) -> Screen:
        """Return the screen, with *history* rows of the history at most."""
        display, tty = self.display, self.tty
        grid = display.grid
        above = min(history, grid.above)
        return Screen(
            size=display.grid.size,
            rows=display.grid.rows,
            cursor=display.cursor,
            history=grid.history(above),
            layout=grid.layout(above),
            history_size=grid.above,
            history_limit=display.grid.history_limit,
            cursor_visible=display.cursor_visible,
            alternate=display.is_alternate,
            mode=self.mode,
            input_off=self.input_off,
            synchronized=self.synchronized,
            dead=not tty.is_alive,
            exit_status=tty.exit_status,
            exit_signal=tty.exit_signal,
            title=display.title,
            command=tty.command,
            shell_integration=self.shell_integration,
            pane_pid=self.pid,
            tty=f"/dev/pts/{self.pane.target[1:]}",
            caught_up=True,
            styles=grid.styles if styled else None,
        )

    def info(self) -> PaneInfo:
        """Return its entry in a list of all panes: it is the only pane of its session."""
        return PaneInfo(
            target=self.pane.target,
            server=self.pane.server,
            session=self.name,
            window=0,
            window_name=self.tty.command,
            index=0,
            size=self.display.grid.size,
            command=self.tty.command,
            title=self.display.title,
            active=True,
            dead=not self.tty.is_alive,
        )

    def show_death(self, now: float) -> None:
        """Show on the last row how the program has ended (tmux(1), ``remain-on-exit-format``)."""
        tty = self.tty
        how = (
            f"status {tty.exit_status}" if tty.exit_signal is None else f"signal {tty.exit_signal}"
        )
        at = datetime.fromtimestamp(now, UTC).ctime()
        self.display.show_notice(f"Pane is dead ({how}, {at})")

    def _swallows(self, part: Part) -> bool:
        if not isinstance(part, Key) or part not in self.swallowed:
            return False
        self.swallowed.remove(part)
        return True


T = TypeVar("T")

# All fakes share the counter, so that a pane of one is never taken for a pane of another.
_servers: Final = itertools.count(1)


class FakeServer:
    """The panes of a fake, by their ids and names.

    As with tmux, the server ends with its last pane. The next pane starts another server, which has
    another name and counts its panes from 0 again.
    """

    name: str
    numbers: Iterator[int]
    sessions: Iterator[int]

    def __init__(self, clock: FakeClock, *, timeout: float, remain_on_exit: bool) -> None:
        self.clock = clock
        self.timeout: float = check_timeout(timeout)
        self.remain_on_exit = remain_on_exit
        self.wakes_at: float = 0.0
        self._panes: dict[Pane, FakePane] = {}
        self._ids: dict[str, Pane] = {}

    def call(self, command: str, action: Callable[[], T]) -> T:
        """Carry out *action*; if the server hangs, wait until it wakes up, or time out."""
        left = self.wakes_at - self.clock.now()
        if left > self.timeout:
            self.clock.call_later(left, lambda: _quietly(action))
            self.clock.sleep(self.timeout)
            raise no_answer(self.timeout, command)
        self.clock.sleep(left)
        return action()

    def start(self) -> None:
        """Become a new server, unless one runs already."""
        if not self._panes:
            self.name = str(next(_servers))
            self.numbers, self.sessions = itertools.count(), itertools.count()

    def add(self, pane: FakePane) -> None:
        """Add a new pane."""
        pane.tty.on_end = lambda: self._ended(pane)
        self._panes[pane.pane] = pane
        window = f"{pane.name}:0"
        self._ids |= dict.fromkeys((pane.name, window, f"{window}.0"), pane.pane)

    def remove(self, pane: Pane) -> None:
        """Close a pane, if it exists."""
        found = self._find(pane)
        if found is not None:
            del self._panes[found.pane]
            found.tty.hang_up()

    def stop(self) -> None:
        """End all programs and forget all panes."""
        for pane in [*self._panes]:
            self.remove(pane)

    def panes(self) -> dict[Pane, FakePane]:
        """Return all panes, ordered by their names, as tmux lists sessions."""
        return dict(sorted(self._panes.items(), key=lambda item: item[1].name))

    def id_of(self, pane: Pane) -> Pane:
        """Return the id of a pane, even of a closed one, whose input can still be asserted."""
        check_type("pane", pane, Pane)
        return pane if pane.is_id else self._ids.get(pane.target, pane)

    def get(self, pane: Pane) -> FakePane:
        """Return a pane, or raise `PaneNotFoundError`."""
        if not self._panes:
            raise PaneNotFoundError("there is no tmux server with a pane", advice=Advice.OPEN_PANE)
        found = self._find(pane)
        if found is None:
            raise pane_not_found(pane)
        return found

    def _find(self, pane: Pane) -> FakePane | None:
        wanted = self.id_of(pane)
        found = self._panes.get(wanted)
        return found if found is not None and is_meant(wanted, found.pane) else None

    def _ended(self, pane: FakePane) -> None:
        """Remove a pane whose program has ended, or keep it, dead."""
        if self._panes.get(pane.pane) is not pane:
            return  # `remove` has closed it already
        if self.remain_on_exit:
            pane.show_death(self.clock.now())
        else:
            del self._panes[pane.pane]


def _quietly(action: Callable[[], object]) -> None:
    """Carry out a call that has timed out, whose errors no caller would get."""
    with suppress(TmuxprimError):
        action()
