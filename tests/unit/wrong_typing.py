"""Backends that are wrong on purpose about what a pane shows and what it is sent."""

import attrs
from typing_extensions import override

from tests.unit.wrong_panes import Wrong
from tmuxprim import (
    Cursor,
    Key,
    KeySequence,
    Pane,
    PaneBusyError,
    PaneDeadError,
    Screen,
    Size,
)


class HistoryIsOneShort(Wrong):
    """Counts the first row of the screen to the history, and so leaves one out."""

    @override
    def observe(self, pane: Pane, *, history: int = 0) -> Screen:
        screen = super().observe(pane, history=history)
        return attrs.evolve(screen, history=screen.history[:-1])


class TakesAnyHistory(Wrong):
    """Gives no rows where less than none are asked for."""

    @override
    def observe(self, pane: Pane, *, history: int = 0) -> Screen:
        return super().observe(pane, history=max(history, 0))


class CountsCharacters(Wrong):
    """Takes every character for one column."""

    @override
    def observe(self, pane: Pane, *, history: int = 0) -> Screen:
        screen = super().observe(pane, history=history)
        column = min(len(screen.before_cursor), screen.size.columns)
        return attrs.evolve(screen, cursor=Cursor(screen.cursor.row, column))


class PadsRows(Wrong):
    """Gives rows with the blanks that fill them."""

    @override
    def observe(self, pane: Pane, *, history: int = 0) -> Screen:
        screen = super().observe(pane, history=history)
        return attrs.evolve(screen, rows=[row.ljust(screen.size.columns) for row in screen.rows])


class ResizesOnlyTheWidth(Wrong):
    """Forgets the rows."""

    @override
    def resize(self, pane: Pane, size: Size) -> None:
        super().resize(pane, Size(size.columns, self.observe(pane).size.rows))


class LosesSemicolons(Wrong):
    """Takes a semicolon at the end of a text for the end of a command, as tmux does."""

    @override
    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        parts = (part.removesuffix(";") if isinstance(part, str) else part for part in keys)
        parts = (part for part in parts if part != Key(";"))
        return super().send(pane, KeySequence(tuple(parts)), leave_mode=leave_mode, seen=seen)


class TypesNames(Wrong):
    """Types the names of keys, as tmux does with those that it does not know."""

    @override
    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        parts = (part.name if isinstance(part, Key) else part for part in keys)
        return super().send(pane, KeySequence(tuple(parts)), leave_mode=leave_mode, seen=seen)


class SendsKeysLast(Wrong):
    """Sends all texts in one command, and then all keys in another."""

    @override
    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        parts = sorted(keys, key=lambda part: isinstance(part, Key))
        return super().send(pane, KeySequence(tuple(parts)), leave_mode=leave_mode, seen=seen)


class LooksAfterwards(Wrong):
    """Returns the screen from after the keys."""

    @override
    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        super().send(pane, keys, leave_mode=leave_mode, seen=seen)
        self.clock.sleep(0.01)
        return self.observe(pane)


class TakesAnyLook(Wrong):
    """Believes that a look still holds."""

    @override
    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        return seen or super().send(pane, keys, leave_mode=leave_mode)


class SendsInAnyMode(Wrong):
    """Never looks whether the pane takes input."""

    @override
    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        return super().send(pane, keys, leave_mode=True)


class SendsWithoutInput(Wrong):
    """Forgets that a pane's input may be off."""

    @override
    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        if self.observe(pane).input_off:
            return self.observe(pane)
        return super().send(pane, keys, leave_mode=leave_mode, seen=seen)


class SendsToAll(Wrong):
    """Forgets that a pane may be synchronized with others."""

    @override
    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        if self.observe(pane).synchronized:
            self.set_synchronized(pane, on=False)
        return super().send(pane, keys, leave_mode=leave_mode, seen=seen)


class RefusesTooLate(Wrong):
    """Sends the first part before it looks."""

    @override
    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        try:
            return super().send(pane, keys, leave_mode=leave_mode, seen=seen)
        except PaneBusyError:
            self.set_mode(pane, "")
            super().send(pane, KeySequence(keys.parts[:1]))
            self.set_mode(pane, "copy-mode")
            raise


class TakesDeadForBusy(Wrong):
    """Raises the wrong one of two errors."""

    @override
    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        try:
            return super().send(pane, keys, leave_mode=leave_mode, seen=seen)
        except PaneDeadError as error:
            raise PaneBusyError("the pane takes nothing") from error
