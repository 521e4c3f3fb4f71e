"""How a wait ended: in a line for people, in facts for programs, and as an exit status."""

from typing import Final

from tmuxprim._cli._status import Status
from tmuxprim._readiness._result import Readiness
from tmuxprim._readiness._verdict import Outcome, Ready

_STATUS: Final = {Outcome.TIMEOUT: Status.TIMED_OUT, Outcome.EXITED: Status.GONE}


def summary(readiness: Readiness) -> str:
    """Return how a wait ended, in a line."""
    text = str(Ready(readiness.outcome, readiness.reason))
    return text if readiness else f"not {text}"


def facts_of(readiness: Readiness) -> dict[str, object]:
    """Return how a wait ended, for programs."""
    screen = readiness.screen
    return {
        "outcome": readiness.outcome.value,
        "ready": bool(readiness),
        "reason": readiness.reason,
        "strategy": readiness.strategy,
        "elapsed": round(readiness.elapsed, 6),
        "screen": screen.text,
        "cursor": {"row": screen.cursor.row, "column": screen.cursor.column},
        "command": screen.command,
        "title": screen.title,
        "exit_status": screen.exit_status,
    }


def status_of(readiness: Readiness) -> Status:
    """Return how a wait ended, as an exit status."""
    return _STATUS.get(readiness.outcome, Status.READY)
