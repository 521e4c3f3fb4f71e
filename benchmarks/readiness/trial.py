"""One trial: a design opens a program, types, says "ready", and is held against the truth."""

import enum
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager

import attrs

from benchmarks.readiness.designs import READY, TIMEOUT, Claim, Design, Stage
from benchmarks.readiness.scenarios import Program, Scenario
from benchmarks.readiness.server import Server
from benchmarks.readiness.truth import TtyWatch, watching

# How long past its end a design may wait for a command, in seconds.
GRACE = 5.0

# A program that has not written for so long has drawn its prompt; fish pauses for 20 ms before.
_QUIET = 0.25
_QUIET_AT_START = 0.15  # where a late write would do no harm to the truth

# A prompt takes several writes. Whoever comes between the one that shows it and the last one,
# which asks the terminal for bracketed paste, is not early.
_TOLERANCE = 0.005


class Verdict(enum.Enum):
    """Tells how a claim compares with the truth; the worst is last."""

    NOT_APPLICABLE = "n/a"
    OK = "ok"
    WRONG = "WRONG"
    """A wrong reason, or the program did not get the whole text, or the design raised."""
    MISSED = "MISSED"
    """Ready only `GRACE` seconds after the command's end, or never."""
    EARLY = "EARLY"
    """Ready while the command ran."""


_RAISED = "raised"
_NO_CLAIM = Claim("")
_FAILURES = {TIMEOUT: Verdict.MISSED, _RAISED: Verdict.WRONG}


@attrs.frozen(kw_only=True)
class Trial:
    """Is the result of one trial.

    Args:
        scenario: Name of the scenario.
        design: Name of the design.
        verdict: How it compares with the truth.
        total: Seconds from before the first key to the return.
        late: Seconds from the program's last write to the return, if it was right.
        claim: What the design said.
    """

    scenario: str
    design: str
    verdict: Verdict
    total: float = 0.0
    late: float | None = None
    claim: Claim = _NO_CLAIM


def run_trial(design: Design, scenario: Scenario, server: Server) -> Trial:
    """Run one scenario with one design, in a fresh program."""
    if not design.drives(scenario.program):
        return Trial(scenario=scenario.name, design=design.name, verdict=Verdict.NOT_APPLICABLE)
    with _opened(design, scenario.program, server) as stage, watching(stage.tty) as watch:
        _set_up(stage, watch, scenario)
        begin = time.monotonic()
        claim = _claim(stage, scenario)
        end = time.monotonic()
        verdict, late = _judge(scenario, stage, watch, claim, begin=begin, end=end)
    return Trial(
        scenario=scenario.name,
        design=design.name,
        verdict=verdict,
        total=end - begin,
        late=late,
        claim=claim,
    )


def _claim(stage: Stage, scenario: Scenario) -> Claim:
    try:
        return stage.type_and_wait(scenario.typed, scenario.lasts + GRACE)
    except Exception as error:  # noqa: BLE001  # a design's failure is a result, not ours
        return Claim(_RAISED, repr(error))


def _judge(
    scenario: Scenario, stage: Stage, watch: TtyWatch, claim: Claim, *, begin: float, end: float
) -> tuple[Verdict, float | None]:
    """Wait for the truth, and hold the claim against it."""
    if claim.outcome in _FAILURES:
        return _FAILURES[claim.outcome], None
    if end - begin < scenario.lasts:
        # No need to wait for the end of the command: it sleeps longer than that.
        return Verdict.EARLY, None
    limit = scenario.lasts + GRACE
    truth = watch.settle(not_before=begin + scenario.lasts, quiet=_QUIET, limit=limit)
    # None: the command has not ended by then, whatever keeps it.
    if truth is None or end < truth - _TOLERANCE:
        return Verdict.EARLY, None
    right = claim.outcome in {READY, scenario.right}
    if not right or not _shows(stage.screen(), scenario.leaves):
        return Verdict.WRONG, None
    return Verdict.OK, end - truth


def _shows(screen: str, line: str) -> bool:
    return not line or re.search(rf"^{line}\s*$", screen, re.MULTILINE) is not None


def _set_up(stage: Stage, watch: TtyWatch, scenario: Scenario) -> None:
    """Wait until the program has drawn its first prompt, and do what has to be done before."""
    deadline = time.monotonic() + 10.0
    while not stage.screen().strip() and time.monotonic() < deadline:
        time.sleep(0.02)
    watch.settle(quiet=_QUIET_AT_START, limit=10.0)
    if scenario.setup:
        stage.type_and_wait(scenario.setup, GRACE)
        watch.settle(quiet=_QUIET_AT_START, limit=10.0)


@contextmanager
def _opened(design: Design, program: Program, server: Server) -> Iterator[Stage]:
    stage = design.stage(program, server)
    try:
        yield stage
    finally:
        stage.close()
