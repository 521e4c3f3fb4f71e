"""Python's log of a wait, at DEBUG: a line for each snapshot, with the verdict of each strategy.

The screen may show typed text that is secret. So the log has no text of it, and a quoted text in a
reason is left out.
"""

import re
import sys
from collections.abc import Callable
from contextvars import ContextVar
from typing import Final

from tmuxprim._readiness.chain import Judgement
from tmuxprim._readiness.snapshot import Snapshot
from tmuxprim._values.pane import Pane

_NAME: Final = "tmuxprim"
watcher: Final[ContextVar[Callable[[Judgement], None] | None]] = ContextVar("watcher", default=None)
"""A function that gets the judgement of each snapshot of a wait in this context, with texts.

The progress line of the command line sets it.
"""
_QUOTED: Final = re.compile(r"""(?<!\w)(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""")


def log_snapshot(pane: Pane, snapshot: Snapshot, judgement: Judgement) -> None:
    """Write a line for a snapshot and its verdicts."""
    if (watches := watcher.get()) is not None:
        watches(judgement)
    if is_heard():
        said = "; ".join(f"{name}: {verdict}" for name, verdict in judgement.verdicts)
        write(f"{pane}: {_seen(snapshot)}; {said}")


def _seen(snapshot: Snapshot) -> str:
    """Return the snapshot in a few words, without any text of the screen."""
    screen, tty = snapshot.screen, snapshot.tty
    place = f"{snapshot.command or 'no program'}, cursor {screen.cursor.row},{screen.cursor.column}"
    place += f" of {screen.size}, {screen.history_size} rows above"
    if tty is None:
        return f"{place}, no kernel evidence"
    mode = "canonical" if tty.canonical else "raw"
    return f"{place}, {mode}, echo {tty.echo}, reading {tty.reading}, unread {tty.unread}"


def is_heard() -> bool:
    """Whether the log is on at this level."""
    # To import logging takes a while. If no other module has imported it, no level is set.
    logging = sys.modules.get("logging")
    return logging is not None and logging.getLogger(_NAME).isEnabledFor(logging.DEBUG)


def without_texts(reason: str) -> str:
    """Return a reason without the texts that it quotes."""
    return _QUOTED.sub("'...'", reason)


def write(message: str) -> None:
    """Write a line, if the log is on, without the texts that it quotes."""
    if is_heard():
        sys.modules["logging"].getLogger(_NAME).debug("%s", without_texts(message))
