"""Which keys are a secret, as far as that can be told."""

import re
from typing import Final

from tmuxprim._fake._input import to_characters
from tmuxprim._pane import Pane
from tmuxprim._recording._event import Answer
from tmuxprim._screen import Screen
from tmuxprim._sequence import KeySequence
from tmuxprim._tty import TtyState

# All by which readiness is judged, and more: to hide too much does little harm, since a replay
# takes any text in its place.
_WORDS: Final = re.compile(
    r"(?:pass(?:word|[ -]?phrase|code)|\bPIN\b|secret|token|\bOTP\b"
    r"|(?:api|access|private|licen[cs]e)[ _-]key"
    r"|(?:authentication|verification|security|one-time|login) code"
    r"|passwort|kennwort|mot de passe|contrase\xf1a).*[:?\])]\s*$",
    re.IGNORECASE,
)
# What ends a line, or gives it up: Enter, C-j, C-c and C-d.
_LINE_ENDS: Final = ("\r", "\n", "\x03", "\x04")


def asks_for_secret(tty: Answer, screen: Answer) -> bool:
    """Whether the kernel or the words before the cursor say that what is typed is not shown."""
    if isinstance(tty, TtyState) and tty.hides_input:
        return True
    line = screen.line_before_cursor if isinstance(screen, Screen) else ""
    return _WORDS.search(line) is not None


class Secrets:
    """Knows in which panes a secret is being typed, since a prompt shows stars behind its words."""

    def __init__(self) -> None:
        self._begun: set[str] = set()

    def hide(self, pane: Pane, keys: KeySequence, *, is_asked: bool) -> bool:
        """Return whether *keys* are of a secret: from when it is asked for until its line ends."""
        if not is_asked and pane.target not in self._begun:
            return False
        if to_characters(KeySequence(tuple(keys)[-1:])).endswith(_LINE_ENDS):
            self._begun.discard(pane.target)
        else:
            self._begun.add(pane.target)
        return True
