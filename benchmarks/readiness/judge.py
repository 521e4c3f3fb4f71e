"""The verdict on a claim: what the program did, held against what a design said and when."""

import enum
import re
import time
from collections.abc import Callable
from pathlib import Path

import attrs

from benchmarks.readiness.stage import READY, TIMEOUT, Claim, Stage
from benchmarks.readiness.truth import TtyWatch
from tests.scenarios.model import Turn
from tests.scenarios.play import GUESS
from tmuxprim import Outcome

# How long past its end a design may wait for a program, in seconds.
GRACE = 6.0

# A program that has not written for so long has drawn what it is going to; interpreters pause
# before they draw their prompt.
_QUIET = 0.4

# A prompt takes several writes. A wait that ends between the one that shows it and the last one,
# which asks the terminal for bracketed paste, is not early.
_TOLERANCE = 0.005

# tmux may take so long to show what a program has written.
_DISPLAY = 0.05
_POLL = 0.005

RAISED = "raised"


class Verdict(enum.Enum):
    """Tells how a claim compares with the truth; the worst is last."""

    NOT_APPLICABLE = "n/a"
    OK = "ok"
    GUESS = "guess"
    """Called one, where it cannot be determined, and not before two seconds."""
    WRONG = "WRONG"
    """A wrong reason, or the program did not get the whole text, or the design raised."""
    MISSED = "MISSED"
    """Ready only `GRACE` seconds after the program's end, or never."""
    EARLY = "EARLY"
    """Ready while the program worked."""


@attrs.frozen
class Scene:
    """A program on its stage, with all that tells the truth about it."""

    stage: Stage
    watch: TtyWatch
    directory: Path

    def settle(self, turn: Turn, begin: float) -> float:
        """Wait until a turn that began at *begin* is over, and return when that was.

        A turn that ends in a guess lasts until nothing has been written for long, so no write ends
        it: one that comes later, as of a clock, is none of it.
        """
        over = begin + turn.lasts
        not_before = begin if Outcome.STABLE in turn.outcomes else over
        settled = self.watch.settle(not_before=not_before, quiet=_QUIET, limit=turn.lasts + GRACE)
        # None: it writes on and on, or it has not written a thing.
        return settled or max(over, self.watch.last_write)

    def has_left(self, turn: Turn) -> bool:
        """Whether the file is there that the program makes as its last act."""
        return not turn.leaves or (self.directory / turn.leaves).exists()

    def shows(self, turn: Turn) -> bool:
        """Whether the screen shows what it has to; of a program that is gone there is none."""
        screen = self.stage.screen() if turn.shows else None
        return screen is None or re.search(turn.shows, screen, re.MULTILINE) is not None


@attrs.frozen
class Answer:
    """A claim with its time.

    Args:
        claim: What the design said.
        begin: When it began, on the monotonic clock.
        end: When it returned.
    """

    claim: Claim
    begin: float
    end: float

    @property
    def total(self) -> float:
        """Seconds from before the first key to the return."""
        return self.end - self.begin


def limit_of(turn: Turn) -> float:
    """Return how long a design may wait, in seconds."""
    return turn.timeout if Outcome.TIMEOUT in turn.outcomes else turn.lasts + GRACE


def is_guess(answer: Answer, turn: Turn) -> bool:
    """Whether it was called a guess, late enough, what was to be known.

    What asks for a secret keeps that name, so that nobody shows what is typed next.
    """
    claim = answer.claim
    reason, secret = claim.detail.partition("\n")[0], Outcome.AWAITING_SECRET
    is_secret = claim.outcome == secret.value and ": a guess: " in reason
    if claim.outcome != Outcome.STABLE.value and not (is_secret and secret not in turn.outcomes):
        return False
    return answer.total >= GUESS and Outcome.STABLE not in turn.outcomes


def judge(scene: Scene, turn: Turn, answer: Answer) -> tuple[Verdict, float | None]:
    """Return the verdict, and the lateness in seconds if it was right and can be told."""
    plain = _plain_verdict(scene, turn, answer) or _why_unfinished(scene, turn)
    if plain is not None:
        return plain, None
    truth = _truth(scene, turn, answer)
    if truth is not None and answer.end < truth - _TOLERANCE:
        return Verdict.EARLY, None
    allowed = {READY, RAISED, *(outcome.value for outcome in turn.outcomes)}
    if answer.claim.outcome not in allowed:
        return Verdict.WRONG, None
    return Verdict.OK, None if truth is None else max(0.0, answer.end - truth)


def _plain_verdict(scene: Scene, turn: Turn, answer: Answer) -> Verdict | None:
    """Return the verdict where it takes no look at the program; None if it does."""
    claimed = answer.claim.outcome
    if claimed == TIMEOUT:
        return Verdict.OK if Outcome.TIMEOUT in turn.outcomes else Verdict.MISSED
    if claimed == RAISED:
        # A wait that fails since the pane is gone has noticed the end.
        noticed = Outcome.EXITED in turn.outcomes and scene.stage.screen() is None
        return None if noticed else Verdict.WRONG
    is_busy = turn.outcomes == (Outcome.TIMEOUT,) or answer.total < turn.lasts
    return Verdict.EARLY if is_busy else None


def _why_unfinished(scene: Scene, turn: Turn) -> Verdict | None:
    """Tell what is wrong if the program has not done all it has to; None if it has.

    If it gets there later, the claim was early. If not, it was told something else.
    """
    if scene.has_left(turn) and _becomes_true(lambda: scene.shows(turn), _DISPLAY):
        return None
    done = _becomes_true(lambda: scene.has_left(turn) and scene.shows(turn), GRACE)
    return Verdict.EARLY if done else Verdict.WRONG


def _truth(scene: Scene, turn: Turn, answer: Answer) -> float | None:
    """Return when the program became ready; None if its writes do not tell.

    That is its last write. A full-screen program may write on by itself, as htop does; if its
    screen showed all that was to be seen, its first rest counts instead. So it does for a prompt
    that is drawn again.
    """
    truth = scene.settle(turn, answer.begin)
    is_restless = turn.draws_again or (Outcome.FULLSCREEN in turn.outcomes and bool(turn.shows))
    if is_restless and answer.end < truth:
        return scene.watch.first_rest(answer.begin + turn.lasts)
    return truth


def _becomes_true(condition: Callable[[], bool], limit: float) -> bool:
    deadline = time.monotonic() + limit
    while not condition():
        if time.monotonic() >= deadline:
            return False
        time.sleep(_POLL)
    return True
