"""Which keys belong to a secret, as far as that can be told."""

import re
from typing import Final

from tmuxprim._fake._input import to_characters
from tmuxprim._keys import Key
from tmuxprim._readiness._words import CONFIDENTIAL
from tmuxprim._recording._values import Answer
from tmuxprim._screen import Screen
from tmuxprim._sequence import KeySequence, Part
from tmuxprim._tty import TtyState

_HIDDEN: Final = "(hidden)"
# More than readiness takes for a request: to hide too much does little harm.
_ASKS: Final = re.compile(rf"{CONFIDENTIAL}.*[:?\])]\s*$", re.IGNORECASE)
# Enter, C-j and C-c. C-d may only hand over what there is.
_LINE_ENDS: Final = ("\r", "\n", "\x03")


class Secrets:
    """The panes in which a secret is being typed."""

    def __init__(self) -> None:
        self._begun: set[str] = set()

    def note(self, pane: str, keys: KeySequence, tty: Answer, screen: Answer) -> bool:
        """Return whether *keys* belong to a secret: from its prompt until its line ends.

        A prompt may show stars for what was typed, so its words are gone after the first key.

        Args:
            pane: The pane's id.
            keys: What is typed.
            tty: What the kernel said before.
            screen: What the pane showed right before, or why the keys were refused.
        """
        is_secret = pane in self._begun or _asks_for_secret(tty, screen)
        is_over = isinstance(screen, Screen) and _ends_line(keys)
        if is_secret and not is_over:
            self._begun.add(pane)
        else:
            self._begun.discard(pane)
        return is_secret


def hide(keys: KeySequence) -> KeySequence:
    """Return *keys* with one word in place of each text, which does not tell its length."""
    hidden: list[Part] = []
    for part in keys:
        shown = _HIDDEN if _is_text(part) else part
        if shown != _HIDDEN or hidden[-1:] != [_HIDDEN]:
            hidden.append(shown)
    return KeySequence(tuple(hidden))


def _asks_for_secret(tty: Answer, screen: Answer) -> bool:
    """Whether the kernel or the words before the cursor say so; in doubt they do."""
    if isinstance(tty, TtyState) and tty.hides_input:
        return True
    if isinstance(screen, Screen):
        return _ASKS.search(screen.line_before_cursor) is not None
    return not isinstance(tty, TtyState)


def _ends_line(keys: KeySequence) -> bool:
    return to_characters(keys).endswith(_LINE_ENDS)


def _is_text(part: Part) -> bool:
    """Whether a part tells what was typed: a text, a paste, a key with a single character."""
    return not isinstance(part, Key) or len(part.name) == 1
