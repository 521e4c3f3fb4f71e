"""`Readiness`: how a wait ended, and why."""

import attrs

from tmuxprim._readiness._verdict import Outcome, Verdict
from tmuxprim._screen import Screen
from tmuxprim._tty import TtyState


@attrs.frozen(kw_only=True)
class Readiness:
    """Is how a wait ended, and why.

    It is true unless the wait timed out or the program exited, so ``if console.wait_ready():``
    reads as it should.

    Args:
        outcome: What was found.
        strategy: Name of the strategy that decided.
        reason: Why, in plain words.
        screen: The screen it was found on.
        elapsed: How long the wait took, in seconds.
        tty: The kernel's evidence at that moment, or None where there was none.
        verdicts: What each strategy said in the last round, with its name, in order.

    Examples:
        >>> screen = Screen(size=Size(9, 1), rows=("$",), cursor=Cursor(0, 2))
        >>> readiness = Readiness(
        ...     outcome=Outcome.PROMPT, strategy="PromptStrategy",
        ...     reason="prompt '$' at the cursor", screen=screen, elapsed=0.0042,
        ... )
        >>> print(readiness)
        ready after 0.004 s: prompt '$' at the cursor (prompt, PromptStrategy)
    """

    outcome: Outcome
    strategy: str
    reason: str
    screen: Screen
    elapsed: float
    tty: TtyState | None = None
    verdicts: tuple[tuple[str, Verdict], ...] = ()

    def __bool__(self) -> bool:
        return self.outcome not in {Outcome.TIMEOUT, Outcome.EXITED}

    def __str__(self) -> str:
        head = "ready" if self else "not ready"
        lines = [
            (
                f"{head} after {self.elapsed:.3f} s: {self.reason} "
                f"({self.outcome.value}, {self.strategy})"
            )
        ]
        if not self:
            lines += [f"  {name} said {verdict}" for name, verdict in self.verdicts[:-1]]
            lines += [f"  | {row}" for row in self.screen.text.splitlines()]
        return "\n".join(lines)
