"""Terminal titles by which a program says that it works or asks.

A title stays when its program has ended, so the one that is there may be another program's.
"""

import re
from typing import Final

from tmuxprim._readiness.box import AssistantState
from tmuxprim._readiness.snapshot import Snapshot

# Characters that turn in a title while a program works: dots of Braille, and those of Gemini CLI.
_SPINS: Final = re.compile(r"[\u2801-\u28ff◐◑◒◓✦]")
_ASKS: Final = re.compile(r"Action Required|✋")


def said_in_title(snapshot: Snapshot) -> AssistantState:
    """Return the state in which a program is by its title: WORKS, ASKS or NEITHER.

    A title that another program has left does not count.
    """
    title, mark = snapshot.screen.title, snapshot.mark
    left = mark.left_title if mark else ""
    # A program that was just started has not set its own yet, if the title is that of the mark.
    if mark is not None and was_just_started(snapshot):
        left = mark.screen.title
    if title == left:
        return AssistantState.NEITHER
    if _ASKS.search(title):
        return AssistantState.ASKS
    return AssistantState.WORKS if _SPINS.search(title) else AssistantState.NEITHER


def was_just_started(snapshot: Snapshot) -> bool:
    """Whether another program had the terminal when the last key was sent."""
    if snapshot.tty is None or snapshot.mark is None or snapshot.mark.tty is None:
        return False
    return snapshot.mark.tty.foreground_pid != snapshot.tty.foreground_pid
