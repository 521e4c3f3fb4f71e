"""Backends that are wrong on purpose about what is seen of a pane."""

import attrs
from typing_extensions import override

from tests.unit.wrong_panes import Wrong
from tmuxprim import Cursor, KeySequence, Pane, PaneNotFoundError, Screen, TtyState
from tmuxprim.testing import Layout


class ShowsAnother(Wrong):
    """Shows another screen than there is."""

    def instead(self, screen: Screen) -> Screen:
        """Return what is shown."""
        raise NotImplementedError

    @override
    def observe(self, pane: Pane, *, history: int = 0) -> Screen:
        return self.instead(super().observe(pane, history=history))


class LosesBlanks(ShowsAnother):
    """Knows of a line what its rows tell, as tmux before 3.3 does."""

    @override
    def instead(self, screen: Screen) -> Screen:
        return attrs.evolve(screen, layout=Layout(screen.layout.wrapped))


class KeepsTheCursorInTheRow(ShowsAnother):
    """Knows no cursor that waits behind a full row."""

    @override
    def instead(self, screen: Screen) -> Screen:
        column = min(screen.cursor.column, screen.size.columns - 1)
        return attrs.evolve(screen, cursor=Cursor(screen.cursor.row, column))


class TellsNoSignals(ShowsAnother):
    """Knows no end but an exit."""

    @override
    def instead(self, screen: Screen) -> Screen:
        return attrs.evolve(screen, exit_signal=None)


class TakesEveryEndForSuccess(ShowsAnother):
    """Never asks for the exit status."""

    @override
    def instead(self, screen: Screen) -> Screen:
        return attrs.evolve(screen, exit_status=0 if screen.dead else None)


class TellsAnotherLimit(ShowsAnother):
    """Takes some number for how much history is kept."""

    @override
    def instead(self, screen: Screen) -> Screen:
        return attrs.evolve(screen, history_limit=5)


class ShowsAHundredRows(Wrong):
    """Gives no more of the history than most need."""

    @override
    def observe(self, pane: Pane, *, history: int = 0) -> Screen:
        return super().observe(pane, history=min(history, 100))


class SendsBackTheRowsAlone(Wrong):
    """Leaves out of the screen before the keys what costs another question."""

    @override
    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        screen = super().send(pane, keys, leave_mode=leave_mode, seen=seen)
        return attrs.evolve(screen, command="", title="", pane_pid=0)


class ReadsTheLookBefore(Wrong):
    """Returns what was read last, and reads for the next time."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[Pane, str] = {}

    @override
    def read(self, pane: Pane, *, history: int = 0) -> str:
        text = super().read(pane, history=history)
        before = self._known.get(pane, text)
        self._known[pane] = text
        return before


class ReadsNoHistory(Wrong):
    """Reads the screen alone."""

    @override
    def read(self, pane: Pane, *, history: int = 0) -> str:
        return super().read(pane, history=min(history, 0))


class ReadsOneRowMore(Wrong):
    """Counts the rows of the history from 0."""

    @override
    def read(self, pane: Pane, *, history: int = 0) -> str:
        return super().read(pane, history=history + 1 if history > 0 else history)


class ReadsAnyHistory(Wrong):
    """Reads no rows where less than none are asked for."""

    @override
    def read(self, pane: Pane, *, history: int = 0) -> str:
        return super().read(pane, history=max(history, 0))


class ReadsWhatIsGone(Wrong):
    """Reads nothing of a pane that is not there, and is content with it."""

    @override
    def read(self, pane: Pane, *, history: int = 0) -> str:
        try:
            return super().read(pane, history=history)
        except PaneNotFoundError:
            return ""


class ProbesAnother(Wrong):
    """Tells another state of the terminal."""

    def instead(self, tty: TtyState) -> TtyState:
        """Return what is told."""
        raise NotImplementedError

    @override
    def probe(self, pane: Pane) -> TtyState | None:
        tty = super().probe(pane)
        return tty and self.instead(tty)


class TakesInitForTheLeader(ProbesAnother):
    """Names a process that is none of the pane's."""

    @override
    def instead(self, tty: TtyState) -> TtyState:
        return attrs.evolve(tty, foreground_pid=1)


class TakesThePaneForTheLeader(ProbesAnother):
    """Takes what the pane was opened with for what runs in it."""

    @override
    def instead(self, tty: TtyState) -> TtyState:
        return attrs.evolve(tty, foreground_pid=1000)


class TakesAnotherForTheReader(ProbesAnother):
    """Names as the reader a process that is none of the pane's."""

    @override
    def instead(self, tty: TtyState) -> TtyState:
        return attrs.evolve(tty, reader_pid=1)


class InvertsSignals(ProbesAnother):
    """Has the flag for its opposite."""

    @override
    def instead(self, tty: TtyState) -> TtyState:
        return attrs.evolve(tty, signals=not tty.signals)


class ProbesTheLookBefore(Wrong):
    """Returns what was known last, and asks for the next time."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[Pane, TtyState | None] = {}

    @override
    def probe(self, pane: Pane) -> TtyState | None:
        tty = super().probe(pane)
        before = self._known.get(pane, tty)
        self._known[pane] = tty
        return before
