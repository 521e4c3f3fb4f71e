"""`tmuxprim watch` at a terminal: a live table, in which a pane can be entered or answered."""

import os
import re
import select
import shutil
import signal
import sys
import termios
import tty
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final

import attrs

from tmuxprim._cli.live_table import PaneRow, draw_table
from tmuxprim._cli.report import write
from tmuxprim._cli.site import Site
from tmuxprim._console import Console
from tmuxprim._readiness.chain import ReadinessStrategy
from tmuxprim._readiness.pane_state import PaneState, State
from tmuxprim._readiness.snapshot import same_but_for_clock
from tmuxprim._readiness.state_change import StateChange
from tmuxprim._states import StateWatch
from tmuxprim._values.pane import Pane, Size
from tmuxprim._values.screen import Screen
from tmuxprim.errors import TmuxprimError

# Seconds for which the keyboard has to wait at most.
_STEP: Final = 0.05
# Seconds between two looks at the last rows of panes that work, and for which a row stays.
_REFRESH: Final = 1.0
_STAYS: Final = 10.0
_MOVES: Final = {"\x1b[A": -1, "\x1bOA": -1, "k": -1, "\x1b[B": 1, "\x1bOB": 1, "j": 1}
_ENTER: Final = ("\r", "\n")
_KEY: Final = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])|.", re.DOTALL)
_QUIT, _ANSWER = "q", "a"
_ESCAPE, _BACKSPACE = "\x1b", ("\x7f", "\b")
_SHOW: Final = "\x1b[?1049h\x1b[?25l"
_LEAVE: Final = "\x1b[?25h\x1b[?1049l"
_KEYS: Final = "up/down select   Enter attach   a answer   q quit"
_CONFIRM: Final = "y: yes, and Enter   k: these keys alone   any other key: no"
_CHANGED: Final = "has changed meanwhile: nothing was typed"
_GONE: Final = (State.EXITED,)


class Keyboard:
    """The keys that a person presses, one by one, without an Enter."""

    def __init__(self, number: int) -> None:
        self._number = number

    def read(self) -> list[str]:
        """Return what was pressed since the last time."""
        if not select.select([self._number], [], [], 0.0)[0]:
            return []
        text = os.read(self._number, 4096).decode("utf-8", "replace")
        return _KEY.findall(text) or [_QUIT]  # nobody is there any more

    @contextmanager
    def raw(self) -> Iterator[None]:
        """Take key by key, on a screen of its own; C-c stays a signal."""
        before = termios.tcgetattr(self._number)
        tty.setcbreak(self._number)
        write(_SHOW)
        try:
            yield
        finally:
            write(_LEAVE)
            termios.tcsetattr(self._number, termios.TCSADRAIN, before)


@attrs.define(eq=False)
class _Draft:
    """An answer that a person writes to a dialog.

    Args:
        asked: The dialog as it was when the person began.
        is_whole: Whether it is written, so that the person is asked whether to type it.
    """

    asked: PaneState
    text: str = ""
    is_whole: bool = False


@attrs.define(eq=False)
class LiveTable:
    """The table, its keys, and the answer that is written."""

    site: Site
    changes: StateWatch
    keyboard: Keyboard
    strategy: ReadinessStrategy | None
    only: frozenset[str]
    ends: bool
    """Whether the table ends with its panes."""
    tell: Callable[[StateChange], None]
    _last: dict[Pane, StateChange] = attrs.field(factory=dict, init=False)
    _screens: dict[Pane, Screen] = attrs.field(factory=dict, init=False)
    _names: dict[str, str] = attrs.field(factory=dict, init=False)
    _selected: Pane | None = attrs.field(default=None, init=False)
    _draft: _Draft | None = attrs.field(default=None, init=False)
    _note: str = attrs.field(default="", init=False)
    _drawn: str = attrs.field(default="", init=False)
    _refresh_at: float = attrs.field(default=0.0, init=False)
    _has_ended: bool = attrs.field(default=False, init=False)

    def show(self, timeout: float | None) -> None:
        """Show the table until a person quits, or the time is over."""
        clock = self.site.terminal.clock
        end = None if timeout is None else clock.now() + timeout
        with self.keyboard.raw():
            while not self._has_ended and (end is None or clock.now() < end):
                if (change := self.changes.poll(_STEP)) is not None:
                    self._note_change(change)
                self._has_ended = self.ends and self._are_gone()
                for key in self.keyboard.read():
                    self._press(key)
                self._refresh(clock.now())
                self._draw()

    def _are_gone(self) -> bool:
        states = [change.now.state for change in self._last.values()]
        return bool(states) and all(state in _GONE for state in states)

    def _note_change(self, change: StateChange) -> None:
        if change.before is None:
            self._names = {pane.target: pane.name for pane in self.site.terminal.panes()}
        self._last[change.pane] = change
        if change.now.screen is not None:
            self._screens[change.pane] = change.now.screen
        self.tell(change)

    def _refresh(self, now: float) -> None:
        """Look at the panes that work, and drop those that are gone."""
        if now < self._refresh_at:
            return
        self._refresh_at = now + _REFRESH
        for pane, change in tuple(self._last.items()):
            if change.now.state in _GONE and now - change.since > _STAYS:
                del self._last[pane]
            elif change.now.state is State.WORKING:
                with suppress(TmuxprimError):  # the next change tells it
                    self._screens[pane] = self.site.terminal.observe(pane)

    def _rows(self) -> list[PaneRow]:
        now = self.site.terminal.clock.now()
        rows = [
            PaneRow(
                name=self._names.get(pane.target, ""),
                state=change.now,
                age=now - change.since,
                last=self._screens[pane].last_line if pane in self._screens else "",
            )
            for pane, change in self._last.items()
            if not self.only or change.now.state.value in self.only
        ]
        return sorted(rows, key=lambda row: (not row.asks, int(row.state.pane.target[1:])))

    def _draw(self) -> None:
        columns, lines = shutil.get_terminal_size()
        rows = self._rows()
        pane = self._chosen(rows)
        place = next((n for n, row in enumerate(rows) if row.state.pane == pane), 0)
        text = "".join(
            f"\x1b[{number};1H{line}\x1b[K"
            for number, line in enumerate(
                draw_table(rows, place, Size(columns, lines), self._footer()), start=1
            )
        )
        if text != self._drawn:
            write(text)
            self._drawn = text

    def _footer(self) -> tuple[str, str]:
        draft = self._draft
        if draft is None:
            return self._note, _KEYS
        asked = f"{draft.asked.pane} {draft.asked.program} asks: {draft.asked.question}"
        if draft.is_whole:
            return asked, f"type {draft.text!r}?   {_CONFIRM}"
        return asked, f"answer (Enter when it is written, Esc to leave it): {draft.text}"

    def _press(self, key: str) -> None:
        draft, self._note = self._draft, ""
        if draft is None:
            self._command(key)
        elif draft.is_whole:
            self._draft = None
            if key in {"y", "k"}:
                self._answer(draft, enter=key == "y")
        elif key == _ESCAPE:
            self._draft = None
        elif key in _ENTER:
            draft.is_whole = True
        elif key in _BACKSPACE:
            draft.text = draft.text[:-1]
        elif key.isprintable():
            draft.text += key

    def _chosen(self, rows: Sequence[PaneRow]) -> Pane | None:
        """Return the pane that a person has moved to, or else the first one, which asks if any."""
        panes = [row.state.pane for row in rows]
        return self._selected if self._selected in panes else next(iter(panes), None)

    def _command(self, key: str) -> None:
        rows = self._rows()
        pane = self._chosen(rows)
        if key == _QUIT:
            self._has_ended = True
        elif pane is None:
            return
        elif key in _MOVES:
            panes = [row.state.pane for row in rows]
            place = panes.index(pane) + _MOVES[key]
            self._selected = panes[min(max(place, 0), len(panes) - 1)]
        elif key in _ENTER:
            self._attach(pane)
        elif key == _ANSWER:
            self._selected = pane
            self._begin_answer(pane)

    def _attach(self, pane: Pane) -> None:
        write(_LEAVE)
        with suppress_errors(self):
            self.site.show(pane)
        write(_SHOW)
        self._drawn = ""

    def _begin_answer(self, pane: Pane) -> None:
        """Look again, since the table is as old as the last change."""
        with suppress_errors(self):
            state = Console(self.site.terminal, pane, strategy=self.strategy).state()
            if state.state is State.ASKING:
                self._draft = _Draft(state)
            elif state.state is State.SECRET:
                self._note = f"{pane} reads a secret: type it there (Enter attaches)"
            else:
                self._note = f"{pane} asks nothing: {state.state.value}"

    def _answer(self, draft: _Draft, *, enter: bool) -> None:
        """Type an answer if the dialog is still the one that the person has seen."""
        asked = draft.asked
        console = Console(self.site.terminal, asked.pane, strategy=self.strategy)
        with suppress_errors(self):
            if not _is_same_dialog(asked, console.state()):
                self._note = f"{asked.pane} {_CHANGED}"
                return
            only = [asked.program] if asked.program else None
            console.send(draft.text, enter=enter, only=only)
            self._note = f"typed {draft.text!r} into {asked.pane}"

    def refuse(self, error: TmuxprimError) -> None:
        """Show why something could not be done."""
        self._note = str(error)


@contextmanager
def suppress_errors(table: LiveTable) -> Iterator[None]:
    """Show an error in the table instead of ending it."""
    try:
        yield
    except TmuxprimError as error:
        table.refuse(error)


@contextmanager
def ended_by_signal() -> Iterator[None]:
    """Let SIGTERM end the program in order, so that the terminal is as it was before."""
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _is_same_dialog(asked: PaneState, now: PaneState) -> bool:
    """Whether a person who has seen one dialog answers this one."""
    if asked.screen is None or now.screen is None or now.state is not State.ASKING:
        return False
    is_same = (asked.program, asked.question) == (now.program, now.question)
    is_there = asked.screen.cursor == now.screen.cursor
    return is_same and is_there and same_but_for_clock(now.screen, asked.screen)
