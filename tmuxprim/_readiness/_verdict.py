"""`Outcome` and the three verdicts: what a strategy can say about a `Look`."""

import enum
import math
from typing import Final

import attrs

SOON: Final = 0.05
ON_CHANGE: Final = math.inf


class Outcome(enum.Enum):
    """Tells why a wait ended.

    Examples:
        >>> terminal = FakeTerminal(programs={"rm": question("Remove? [y/N] ", lambda said: said)})
        >>> console = Console(terminal, terminal.open("rm"))
        >>> if console.wait_ready().outcome is Outcome.AWAITING_INPUT:
        ...     _ = console.send("y")
        >>> console.wait_ready().outcome
        <Outcome.EXITED: 'exited'>
    """

    PROMPT = "prompt"
    """A shell or a REPL stands at its prompt."""
    CONTINUATION = "continuation"
    """A shell or a REPL wants the rest of what was begun, as at ``> `` in an open quote."""
    AWAITING_INPUT = "awaiting input"
    """A program asks something, such as ``Continue? [y/N]``."""
    AWAITING_SECRET = "awaiting secret"  # noqa: S105  # the word, not a password
    """A program reads a line without showing it, such as a password."""
    FULLSCREEN = "full-screen"
    """A full-screen program (alternate screen) has drawn and waits for keys."""
    STABLE = "stable"
    """Nothing has changed for a while, and nothing better is known."""
    MATCHED = "matched"
    """The text that was waited for is on the screen."""
    EXITED = "exited"
    """The pane's program has ended, or the pane is gone."""
    TIMEOUT = "timed out"
    """The time is up, and nobody can say that the pane takes input."""


@attrs.frozen
class Ready:
    """Says that the wait is over.

    Args:
        outcome: What was found.
        reason: Why, in plain words.

    Examples:
        >>> print(Ready(Outcome.MATCHED, "the title is 'done'"))
        ready (matched): the title is 'done'
    """

    outcome: Outcome
    reason: str

    def __str__(self) -> str:
        return f"ready ({self.outcome.value}): {self.reason}"


@attrs.frozen
class Busy:
    """Says that the program works, and vetoes every strategy behind this one.

    Args:
        reason: Why, in plain words.
        again_in: Seconds after which to ask again even if the kernel has seen no change; infinite
            if only a change could tell something new.

    Examples:
        >>> print(Busy("the title spins", again_in=0.5))
        busy: the title spins
    """

    reason: str
    again_in: float = SOON

    def __str__(self) -> str:
        return f"busy: {self.reason}"


@attrs.frozen
class Pass:
    """Says that this strategy cannot decide; the next one is asked.

    Args:
        reason: Why not, in plain words.
        again_in: Seconds after which to ask again even if the kernel has seen no change; infinite
            if only a change could tell something new.

    Examples:
        >>> print(Pass("the title is 'make'"))
        pass: the title is 'make'
    """

    reason: str
    again_in: float = SOON

    def __str__(self) -> str:
        return f"pass: {self.reason}"


Verdict = Ready | Busy | Pass
