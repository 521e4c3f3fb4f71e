"""One trial: a design plays the last turn of a scenario, and is held against the truth."""

import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import attrs

from benchmarks.readiness.designs import Design
from benchmarks.readiness.judge import RAISED, Answer, Scene, Verdict, is_guess, judge, limit_of
from benchmarks.readiness.server import Server
from benchmarks.readiness.stage import Claim, Place, Stage
from benchmarks.readiness.truth import watching
from tests.scenarios.model import TIMEOUT, Program, Scenario, Turn
from tests.scenarios.play import ENVIRONMENT, run_script

# A program that has not written for so long before the measured turn is at rest.
_QUIET = 0.2
_LONGEST_UNREST = 2.0

_NO_CLAIM = Claim("")


@attrs.frozen(kw_only=True)
class Trial:
    """The result of one trial.

    Args:
        scenario: Name of the scenario.
        design: Name of the design.
        wanted: The outcomes that were allowed.
        verdict: How what the design said compares with the truth.
        total: Seconds from before the first key to the return.
        late: Seconds from the program's last write to the return, if it was right.
        claim: What the design said.
    """

    scenario: str
    design: str
    wanted: tuple[str, ...]
    verdict: Verdict
    total: float = 0.0
    late: float | None = None
    claim: Claim = _NO_CLAIM


class ScenarioError(Exception):
    """A scenario cannot be played here: what prepares it has failed."""


def run_trial(design: Design, scenario: Scenario, server: Server) -> Trial:
    """Play one scenario with one design, in a fresh program.

    Raises:
        ScenarioError: If it cannot be prepared.
    """
    turn = scenario.turns[-1]
    wanted = tuple(outcome.value for outcome in turn.outcomes)
    trial = Trial(
        scenario=scenario.name, design=design.name, wanted=wanted, verdict=Verdict.NOT_APPLICABLE
    )
    if not design.drives(scenario):
        return trial
    try:
        with _opened(design, scenario, server) as scene:
            _rehearse(scene, scenario)
            answer = _answer(scene.stage, turn)
            if design.may_guess and is_guess(answer, turn):
                verdict, late = Verdict.GUESS, None
            else:
                verdict, late = judge(scene, turn, answer)
    except ScenarioError:
        raise
    except Exception as error:  # noqa: BLE001  # it could not even begin
        return attrs.evolve(trial, verdict=Verdict.WRONG, claim=Claim(RAISED, repr(error)))
    return attrs.evolve(trial, verdict=verdict, late=late, total=answer.total, claim=answer.claim)


def _answer(stage: Stage, turn: Turn) -> Answer:
    """Let the design play a turn; this is what is timed."""
    begin = time.monotonic()
    try:
        stage.act(turn)
        claim = stage.wait(limit_of(turn))
    except Exception as error:  # noqa: BLE001  # a design's failure is a result, not ours
        claim = Claim(RAISED, repr(error))
    return Answer(claim, begin, time.monotonic())


def _rehearse(scene: Scene, scenario: Scenario) -> None:
    """Play all turns but the last, and see to it that each is over, by what is seen outside."""
    scene.stage.rehearse(None)
    scene.watch.settle(quiet=_QUIET, limit=_LONGEST_UNREST)
    for turn in scenario.turns[:-1]:
        begin = time.monotonic()
        scene.stage.rehearse(turn)
        if TIMEOUT not in turn.outcomes:
            over = begin + turn.lasts
            scene.watch.settle(not_before=over, quiet=_QUIET, limit=turn.lasts + _LONGEST_UNREST)


@contextmanager
def _opened(design: Design, scenario: Scenario, server: Server) -> Iterator[Scene]:
    """Start a scenario's program in a directory of its own."""
    directory = Path(tempfile.mkdtemp(dir=server.home))
    env = {**ENVIRONMENT, "HOME": str(directory), "ZDOTDIR": str(directory), **scenario.program.env}
    with (
        _prepared(scenario, directory),
        staged(design, scenario.program, Place(server, directory, env)) as stage,
        watching(stage.tty) as watch,
    ):
        yield Scene(stage, watch, directory)


@contextmanager
def staged(design: Design, program: Program, place: Place) -> Iterator[Stage]:
    """Give a program to a design for the length of a ``with`` block."""
    stage = design.stage(program, place)
    try:
        yield stage
    finally:
        stage.close()


@contextmanager
def _prepared(scenario: Scenario, directory: Path) -> Iterator[None]:
    try:
        run_script(scenario.prepare, directory)
    except (AssertionError, OSError, subprocess.SubprocessError) as error:
        raise ScenarioError(f"{scenario.name}: {error}") from error
    try:
        yield
    finally:
        run_script(scenario.finish, directory)
