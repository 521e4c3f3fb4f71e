"""Every scenario on real tmux: never early, never missed, the right outcome.

They are played side by side, each in a pane of its own, in a pool of threads: nearly all of
their time is spent waiting.
"""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TypeAlias

import attrs
import pytest
from _pytest.mark.structures import ParameterSet

from tests.needs import missing_programs
from tests.scenarios.corpus import SCENARIOS
from tests.scenarios.model import Scenario
from tests.scenarios.play import UNSURE, play
from tests.scenarios.refusals import (
    EVIDENCE,
    REMOTE,
    SYSCALL,
    WCHAN,
    files_may_be_refused,
    refusing,
)
from tests.tmux_server import Server, tmux_version
from tmuxprim import Outcome, Terminal

pytestmark = pytest.mark.tmux

_SIDE_BY_SIDE = 12
_ONE_QUICK_IN = 12
# So many scenarios of which less evidence cannot tell all are played with it as well.
_ONE_DOUBTFUL_IN = 9

Results: TypeAlias = dict[str, "Future[list[str]]"]


@attrs.frozen
class Take:
    """One scenario with one level of evidence."""

    scenario: Scenario
    evidence: str

    @property
    def is_told(self) -> bool:
        """Whether this level tells all that there is to know."""
        if self.evidence == WCHAN:
            return not self.scenario.by_place
        return self.evidence == SYSCALL or self.scenario.by_screen

    @property
    def unsure(self) -> frozenset[Outcome]:
        """Outcomes for which a guess will do."""
        # Before 3.2 tmux may name env(1), which gives the variables, as who shows a prompt.
        if not self.is_told or tmux_version() < (3, 2):
            return frozenset(Outcome)
        return frozenset() if self.evidence in (SYSCALL, WCHAN) else UNSURE

    def play(self, terminal: Terminal, directory: Path) -> list[str]:
        """Play it in a directory of its own; return what was wrong."""
        directory.mkdir()
        with refusing(self.evidence):
            wrong = play(self.scenario, terminal, directory, unsure=self.unsure)
        return [one for one in wrong if self.is_told or "EARLY" in one]


def takes() -> Iterator[ParameterSet]:
    """Yield each scenario with syscall evidence; where less can tell, also with less.

    Where it cannot, some show that it is not early. One in twelve is a quick test. They stand in
    order of their kinds, so each kind has some.
    """
    number = doubtful = 0
    for scenario in SCENARIOS:
        for evidence in EVIDENCE:
            if (scenario.by_tty and evidence == REMOTE) or (
                scenario.by_call and evidence != SYSCALL
            ):
                continue
            take = Take(scenario, evidence)
            doubtful += not take.is_told
            if not take.is_told and doubtful % _ONE_DOUBTFUL_IN:
                continue
            name = scenario.name if evidence == SYSCALL else f"{scenario.name}, {evidence}"
            marks = [pytest.mark.needs("bash", *scenario.all_needs)]
            if number % _ONE_QUICK_IN:
                marks.append(pytest.mark.thorough)
            yield pytest.param(take, id=name, marks=marks)
            number += 1


@pytest.fixture(scope="module")
def pool() -> Iterator[ThreadPoolExecutor]:
    """Give a pool in which scenarios are played side by side."""
    with files_may_be_refused(), ThreadPoolExecutor(_SIDE_BY_SIDE) as pool:
        yield pool
        pool.shutdown(cancel_futures=True)


@pytest.fixture(scope="module")
def results(
    request: pytest.FixtureRequest,
    pool: ThreadPoolExecutor,
    module_server: Server,
    tmp_path_factory: pytest.TempPathFactory,
) -> Results:
    """Begin to play all scenarios that were selected, and can be played here."""
    directory = tmp_path_factory.mktemp("scenarios")
    module_server.terminal.open(["cat"])  # keeps the server when a scenario ends its own pane
    started: Results = {}
    for item in request.session.items:
        if item.path == Path(__file__) and isinstance(item, pytest.Function):
            take = item.callspec.params["take"]
            assert isinstance(take, Take)
            if not missing_programs(item):
                own = directory / str(len(started))
                started[item.name] = pool.submit(take.play, module_server.terminal, own)
    return started


@pytest.mark.parametrize("take", list(takes()))
def test_scenario(take: Take, results: Results, request: pytest.FixtureRequest) -> None:
    """It is ready for the right reason, never before the end and soon after it."""
    wrong = results[request.node.name].result()
    assert not wrong, f"{take.scenario.name} with {take.evidence} evidence: {'; '.join(wrong)}"
