"""All trials, dealt to processes that each have a tmux server of their own.

Most of a trial is sleeping, so several can be played at a time. All designs play a scenario one
after another in the same process: what slows the machine down slows all of them.
"""

import multiprocessing
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, TypeAlias

import attrs

from benchmarks.readiness.designs import Design
from benchmarks.readiness.server import Server, private_server
from benchmarks.readiness.trial import ScenarioError, Trial, run_trial
from tests.scenarios.model import Scenario
from tests.scenarios.refusals import files_may_be_refused

if TYPE_CHECKING:
    from multiprocessing.sharedctypes import Synchronized

_Played: TypeAlias = tuple[int, list[Trial]]


@attrs.frozen
class Plan:
    """What is to be played.

    Args:
        scenarios: Each of them is played by all designs,
        designs: these,
        rounds: so often,
        jobs: in so many processes at a time.
    """

    scenarios: Sequence[Scenario]
    designs: Sequence[Design]
    rounds: int
    jobs: int

    @property
    def length(self) -> int:
        """How many scenarios are played, each time counted."""
        return self.rounds * len(self.scenarios)


class WorkerError(Exception):
    """A process of ours has ended before its work was done."""


def clean_up_on_sigterm() -> None:
    """Let SIGTERM clean up as Ctrl-C does; a second one does not disturb that."""

    def end(*_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        sys.exit(143)

    signal.signal(signal.SIGTERM, end)


def play(plan: Plan) -> list[Trial]:
    """Play all of *plan*; return the trials in the order of the scenarios.

    Raises:
        WorkerError: If a process failed; it has told why.
    """
    played: list[_Played] = []
    with _workers(plan) as receivers:
        working = dict(receivers)
        while working:
            for receiver in wait(list(working)):
                assert isinstance(receiver, Connection)
                try:
                    played.append(receiver.recv())
                except EOFError:
                    worker = working.pop(receiver)
                    worker.join()
                    if worker.exitcode:
                        raise WorkerError(f"a process ended with {worker.exitcode}") from None
    return [trial for _, trials in sorted(played, key=lambda one: one[0]) for trial in trials]


@contextmanager
def _workers(plan: Plan) -> Iterator[Mapping[Connection, BaseProcess]]:
    """Start the processes, each with the pipe it tells its trials through; end those that stay."""
    spawn = multiprocessing.get_context("spawn")
    next_one = spawn.Value("i", 0)
    workers = {}
    try:
        for _ in range(min(plan.jobs, plan.length)):
            receiver, sender = spawn.Pipe(duplex=False)
            # No daemon: each needs processes of its own.
            workers[receiver] = spawn.Process(target=_work, args=(plan, next_one, sender))
            workers[receiver].start()
            sender.close()
        yield workers
    finally:
        for worker in workers.values():
            worker.terminate()
        for worker in workers.values():
            worker.join()


def _work(plan: Plan, next_one: "Synchronized[int]", sender: Connection) -> None:
    """Play what nobody else has begun, until nothing is left."""
    clean_up_on_sigterm()
    # On Ctrl-C too the parent decides when this ends. To ignore it would be inherited.
    signal.signal(signal.SIGINT, lambda *_: None)
    with files_may_be_refused(), private_server() as server:
        while (number := _take(next_one)) < plan.length:
            sender.send((number, _play_scenario(plan, number, server)))


def _take(next_one: "Synchronized[int]") -> int:
    """Return the number of the next scenario, which nobody else gets."""
    with next_one:
        number = next_one.value
        next_one.value += 1
    return number


def _play_scenario(plan: Plan, number: int, server: Server) -> list[Trial]:
    """Play one scenario with every design."""
    scenario = plan.scenarios[number % len(plan.scenarios)]
    # Nobody shall always come first, or after the same one.
    first = number % len(plan.designs)
    trials, said = [], []
    try:
        for design in (*plan.designs[first:], *plan.designs[:first]):
            trials.append(run_trial(design, scenario, server))
            said.append(f"{design.name} {trials[-1].verdict.value}")
    except ScenarioError as error:
        print(f"left out: {error}", file=sys.stderr)
    print(f"{number + 1} of {plan.length}, {scenario.name}: {', '.join(said)}", file=sys.stderr)
    return trials
