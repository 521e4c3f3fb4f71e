"""`FakePane`: a pane of a fake server, and what was sent to it."""

from datetime import UTC, datetime

import attrs

from tmuxprim._fake._display import Display
from tmuxprim._fake._input import to_characters
from tmuxprim._fake._tty import FakeTty
from tmuxprim._keys import Key
from tmuxprim._pane import Pane
from tmuxprim._screen import Screen
from tmuxprim._sequence import KeySequence, Part
from tmuxprim._size import Size


@attrs.frozen
class Sent:
    """One delivery of keys to a fake pane.

    Args:
        pane: Where it went.
        keys: What was typed.
        at: When, in seconds of virtual time.
    """

    pane: Pane
    keys: KeySequence
    at: float


@attrs.define
class FakePane:
    """A program, its screen, and what tmux keeps of them."""

    pane: Pane
    name: str
    pid: int
    tty: FakeTty
    display: Display
    mode: str = ""
    input_off: bool = False
    synchronized: bool = False
    swallowed: list[Key] = attrs.field(factory=list)

    def type(self, keys: KeySequence) -> None:
        """Let the program have *keys*, but for those that are to be swallowed."""
        arriving = KeySequence(tuple(part for part in keys if not self._swallows(part)))
        self.tty.type(to_characters(arriving, bracketed=self.display.bracketed_paste))

    def resize(self, size: Size) -> None:
        """Change the size, and let the program know (SIGWINCH)."""
        self.display.resize(size)
        self.tty.resize()

    def look(self, history: int) -> Screen:
        """Return the screen, with so many rows of the history at most."""
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
            pane_pid=self.pid,
            tty=f"/dev/pts/{self.pane.target[1:]}",
            caught_up=True,
        )

    def show_death(self, now: float) -> None:
        """Say below all else how the program has ended, as tmux does (``remain-on-exit-format``).

        Args:
            now: Seconds since 1970, which is when virtual time begins.
        """
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
