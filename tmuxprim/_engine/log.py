"""A wait's lines in Python's log, at DEBUG: what it saw, and which strategy said what.

Nothing that was typed is told, and nothing that the screen shows, which may be the same: texts in a
reason are left out.
"""

import re
import sys
from collections.abc import Callable
from contextvars import ContextVar
from typing import Final

from tmuxprim._readiness.chain import Judgement
from tmuxprim._readiness.snapshot import Readiness, Snapshot
from tmuxprim._values.pane import Pane

_NAME: Final = "tmuxprim"
watcher: Final[ContextVar[Callable[[Judgement], None] | None]] = ContextVar("watcher", default=None)
"""Gets the judgement of each snapshot of a wait in this context, with its texts."""
_QUOTED: Final = re.compile(r"""(?<!\w)(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""")


def log_snapshot(pane: Pane, snapshot: Snapshot, judgement: Judgement) -> None:
    """Tell what was seen, and what was made of it."""
    if (watches := watcher.get()) is not None:
        watches(judgement)
    if _is_heard():
        said = "; ".join(f"{name}: {verdict}" for name, verdict in judgement.verdicts)
        _tell(f"{pane}: {_seen(snapshot)}; {said}")


def log_end(pane: Pane, readiness: Readiness) -> None:
    """Tell how a wait has ended."""
    if _is_heard():
        end = f"{readiness.outcome.value} after {readiness.elapsed:.3f} s by {readiness.strategy}"
        _tell(f"{pane}: {end}: {readiness.reason}")


def _seen(snapshot: Snapshot) -> str:
    screen, tty = snapshot.screen, snapshot.tty
    place = f"{snapshot.command or 'no program'}, cursor {screen.cursor.row},{screen.cursor.column}"
    place += f" of {screen.size}, {screen.history_size} rows above"
    if tty is None:
        return f"{place}, no kernel evidence"
    mode = "canonical" if tty.canonical else "raw"
    return f"{place}, {mode}, echo {tty.echo}, reading {tty.reading}, unread {tty.unread}"


def _is_heard() -> bool:
    """Whether somebody listens: nobody does who has not imported the log, which takes a while."""
    logging = sys.modules.get("logging")
    return logging is not None and logging.getLogger(_NAME).isEnabledFor(logging.DEBUG)


def _tell(message: str) -> None:
    sys.modules["logging"].getLogger(_NAME).debug("%s", _QUOTED.sub("'...'", message))
