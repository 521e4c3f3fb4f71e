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
# What ends a line, or gives it up: Enter, C-j and C-c. C-d may do neither.
_LINE_ENDS: Final = ("\r", "\n", "\x03")


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

    def hide(self, pane: Pane, keys: KeySequence, *, is_asked: bool, is_sent: bool = True) -> bool:
        """Return whether *keys* are of a secret: from when it is asked for until its line ends.

        Args:
            pane: Where they are typed.
            keys: What is typed.
            is_asked: Whether a secret is asked for there.
            is_sent: Whether they got there; who is refused tries again.
        """
        if not is_asked and not self._is_begun(pane):
            return False
        if is_sent and to_characters(KeySequence(tuple(keys)[-1:])).endswith(_LINE_ENDS):
            self._begun.discard(pane.target)
        else:
            self._begun.add(pane.target)
        return True

    def _is_begun(self, pane: Pane) -> bool:
        """Whether it may be in this pane, which has names beside its id."""
        return any(
            pane.target == other or not (pane.is_id and Pane(other).is_id) for other in self._begun
        )
