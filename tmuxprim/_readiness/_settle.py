"""Ready, but only once the screen has stood still."""

from typing import Final

from tmuxprim._readiness._look import Look
from tmuxprim._readiness._verdict import Outcome, Pass, Ready, Verdict

_SHARE_IF_UNCHANGED: Final = 0.6


def once_settled(look: Look, seconds: float, outcome: Outcome, reason: str) -> Verdict:
    """Return ready if the screen has not changed for so long, and belongs to the evidence.

    Args:
        look: The look.
        seconds: How long the screen must have stood still; 0 if the evidence is enough.
        outcome: What was found.
        reason: Why, in plain words.
    """
    if not look.steady:
        return Pass(f"{reason}, but the program worked meanwhile", again_in=0.0)
    if look.unchanged_for < seconds:
        return Pass(f"{reason}, not settled yet", again_in=seconds - look.unchanged_for)
    # The kernel tells that a program reads as soon as it has written all, which tmux may still be
    # reading. It asks all terminals for more between two looks, so a second one that shows the
    # same is enough.
    if look.tty is not None and not look.confirmed:
        return Pass(f"{reason}, not seen twice yet", again_in=0.0)
    return Ready(outcome, reason)


def patience_for_text(look: Look, settled: float, *, known: bool) -> float:
    """Return how long a text that looks like a prompt must have stood, in seconds.

    Args:
        look: The look.
        settled: Seconds that stand in for knowledge of who reads.
        known: Whether the text has been seen as a prompt before.
    """
    if look.tty is None or (look.tty.canonical and look.tty.only_reading is False):
        # Text without a line break at its end may look like a prompt.
        return settled * (3 if known else 10)
    if look.is_relayed:
        # What works may be another program, behind this one, perhaps far away.
        return settled * (1 if known else 10)
    if look.tty.reading is None:
        return settled
    # Where nothing has changed, sooner than a question is asked: at a prompt that was typed at and
    # emptied again there is none.
    return 0.0 if look.changed else settled * _SHARE_IF_UNCHANGED
