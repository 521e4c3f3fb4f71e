"""`LineEditorStrategy`: a shell's line editor writes when it begins and ends to edit a line."""

import re

import attrs
from typing_extensions import override

from tmuxprim._readiness.chain import Strategy
from tmuxprim._readiness.continuation import wants_more
from tmuxprim._readiness.menus import history_search
from tmuxprim._readiness.snapshot import Busy, Outcome, Pass, Snapshot, Verdict, once_settled
from tmuxprim._readiness.words import (
    DEFAULT_PROMPT,
    is_only_a_prompt,
    what_follows,
)
from tmuxprim._values.line_editor import LineEditor

# Seconds until the next look: no output watch reports the writes of a remote pane.
_AGAIN = 0.1


@attrs.frozen
class LineEditorStrategy(Strategy):
    """Believes a shell's line editor where the kernel does not report the reader.

    The kernel does not report it behind ssh, of another user's programs, and on macOS. While the
    editor is off a command runs: the shell's prompt on the screen is output. When the editor is on
    again, and a prompt is at the cursor, the shell reads.

    Args:
        settled: Seconds without change. If the shell has marked the row of its prompt, no time is
            needed.

    Examples:
        >>> screen = Screen(size=Size(9, 1), rows=("$",), cursor=Cursor(0, 2))
        >>> snapshot = Snapshot(screen=screen, editor=LineEditor.ON, unchanged_for=0.2)
        >>> print(LineEditorStrategy().assess(snapshot))
        ready (prompt): prompt '$' at the cursor, and the line editor is on
    """

    settled: float = 0.1

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say PROMPT where the editor is on at a prompt, and busy where it is off at one."""
        facts, text = snapshot.facts, snapshot.facts.text
        if snapshot.editor is None or (facts.is_reported and not facts.is_pass_through):
            return Pass("the line editor has reported no state")
        if snapshot.editor is LineEditor.OFF:
            return _while_off(snapshot)
        patience = self._patience(snapshot)
        if patience is None:
            return Pass(f"the line editor is on, but {text!r} is no prompt for certain")
        reason = f"prompt {text.strip()!r} at the cursor, and the line editor is on"
        return once_settled(snapshot, patience, Outcome.PROMPT, reason)

    def _patience(self, snapshot: Snapshot) -> float | None:
        """Return the seconds for which a prompt must have been there; None if it may be none."""
        facts, text = snapshot.facts, snapshot.facts.text
        if facts.is_canonical or facts.is_fullscreen or history_search(snapshot):
            return None
        if snapshot.editor is LineEditor.AT_PROMPT:
            return 0.0
        if wants_more(snapshot):
            return None
        known = facts.known_prompt
        is_prompt = (known and facts.is_same_prompt) or _looks_like_a_new_prompt(text, known)
        return self.settled if is_prompt else None


def _looks_like_a_new_prompt(text: str, known: str) -> bool:
    """Whether a text looks like a prompt, and like neither a question nor a prompt for more."""
    # gdb and others have a prompt of another kind for the rest of what was begun.
    is_for_more = re.search(what_follows(known), text) is not None
    return DEFAULT_PROMPT.search(text) is not None and is_only_a_prompt(text) and not is_for_more


def _while_off(snapshot: Snapshot) -> Verdict:
    """Say busy at the shell's prompt, which is output; else leave it to the other strategies."""
    facts, known = snapshot.facts, snapshot.facts.known_prompt
    # Another shell than that of the mark may write no marks: its prompt is one all the same.
    before = snapshot.mark.command if snapshot.mark else ""
    is_another_shell = facts.is_shell and snapshot.command != before
    if known and facts.shows_known_prompt and not is_another_shell:
        return Busy(f"{known!r} is output: the shell's line editor is off", _AGAIN)
    return Pass("the line editor is off: a command runs")


def is_by_editor(strategy: str) -> bool:
    """Whether the strategy of this name is the one that has believed a line editor."""
    return strategy == LineEditorStrategy.__name__
