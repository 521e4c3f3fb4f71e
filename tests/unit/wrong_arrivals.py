"""Backends that are wrong on purpose about what a program reads of what is sent."""

import re

from typing_extensions import override

from tests.unit.wrong_panes import Wrong
from tmuxprim import Key, KeySequence, Pane, Screen
from tmuxprim._values.keys import Part
from tmuxprim.testing import Paste


class SendsAnother(Wrong):
    """Sends something else for each part."""

    def instead(self, part: Part) -> Part:
        """Return what is sent for a part."""
        raise NotImplementedError

    @override
    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        instead = KeySequence(tuple(self.instead(part) for part in keys))
        return super().send(pane, instead, leave_mode=leave_mode, seen=seen)


class DropsRareKeys(SendsAnother):
    """Drops keys that are not on its list."""

    @override
    def instead(self, part: Part) -> Part:
        return "" if part in (Key("DC"), Key("F1"), Key("F12"), Key("PPage")) else part


class LosesModifiers(SendsAnother):
    """Presses an arrow as it is, whatever is held down with it."""

    @override
    def instead(self, part: Part) -> Part:
        if not isinstance(part, Key):
            return part
        return Key(re.sub(r"^.*-(?=(Up|Down|Left|Right)$)", "", part.name))


class TypesPastes(SendsAnother):
    """Types what was to be pasted."""

    @override
    def instead(self, part: Part) -> Part:
        return part.text if isinstance(part, Paste) else part


class PastesWithoutMarks(SendsAnother):
    """Sends the lines of a paste as a clipboard does, to everybody alike."""

    @override
    def instead(self, part: Part) -> Part:
        return part.as_sent if isinstance(part, Paste) else part


class LosesEmojis(SendsAnother):
    """Knows 65,536 characters."""

    @override
    def instead(self, part: Part) -> Part:
        return re.sub(r"[^\0-\uffff]", "", part) if isinstance(part, str) else part


class EndsLinesWithEnter(SendsAnother):
    """Takes LF in a text for the Enter key."""

    @override
    def instead(self, part: Part) -> Part:
        return part.replace("\n", "\r") if isinstance(part, str) else part


class DropsControls(SendsAnother):
    """Types what can be seen, and nothing else."""

    @override
    def instead(self, part: Part) -> Part:
        return re.sub(r"[\0-\x1f]", "", part) if isinstance(part, str) else part


class SendsNothingTwice(Wrong):
    """Takes the same keys again for a call that is repeated because it failed."""

    def __init__(self) -> None:
        super().__init__()
        self._last: tuple[Pane, KeySequence] | None = None

    @override
    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        keys = KeySequence(()) if self._last == (pane, keys) else keys
        self._last = pane, keys
        return super().send(pane, keys, leave_mode=leave_mode, seen=seen)
