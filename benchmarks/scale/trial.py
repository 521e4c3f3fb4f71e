"""One trial: so many panes, opened, used, waited on and closed by one swarm.

It runs in a process of its own, so that what it leaves behind can be seen, and on a server of its
own. When a command has ended, its shell says itself, by a clock that both see.
"""

import multiprocessing
import os
import random
import signal
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection

import attrs

from benchmarks.readiness.server import Server, private_server
from benchmarks.scale.footprint import Meter, Reading, children
from benchmarks.scale.swarm import Run, Swarm

# The ends of the commands that are waited for are spread over so many seconds, and begin when
# all have been typed.
_SPREAD = 10.0
_SPREAD_PER_PANE = 0.02
_BEFORE_ENDS = 2.0
_BEFORE_ENDS_PER_PANE = 0.012
_LEAVING = 1.0


class TrialError(Exception):
    """Raised when a trial came to no result; it has said why itself."""


@attrs.frozen
class Plan:
    """What to do.

    Args:
        swarm: Who does it.
        panes: In how many panes.
        settle: For how many seconds all panes are waited on before the cost is measured.
        seconds: For how many it is measured.
    """

    swarm: type[Swarm]
    panes: int
    settle: float
    seconds: float


@attrs.frozen(kw_only=True)
class Result:
    """What came out; times are in seconds.

    Args:
        name: Who did it.
        panes: In how many panes.
        opened: Until all were open.
        ready: Until all were at their prompts, from the first one's opening on.
        ran: Until all had run a command that prints a line, all at once.
        runs: How long each of those took.
        held: For how long the event loop was held up at worst until then; None without one.
        late: How long after the end of a command each run returned, when the ends are spread.
        before: What there was before the first pane.
        waiting: What there is when all panes have been waited on for some time.
        waited: And again, some time later.
        closed: Until all were closed.
        left: What there is more of afterwards, in words; nothing if nothing.
    """

    name: str
    panes: int
    opened: float
    ready: float
    ran: float
    runs: Sequence[float]
    held: float | None
    late: Sequence[float]
    before: Reading
    waiting: Reading
    waited: Reading
    closed: float
    left: str

    @property
    def own_cpu(self) -> float:
        """What waiting takes, with all processes that were started, in percent of a core."""
        return self.waited.share(self.waiting)

    @property
    def server_cpu(self) -> float:
        """What it takes of the server, in percent of a core."""
        return self.waited.server_share(self.waiting)


def play(plan: Plan) -> Result:
    """Carry out a trial on a server of its own.

    Raises:
        TrialError: If it failed.
    """
    fork = multiprocessing.get_context("fork")
    with private_server() as server:
        receiver, sender = fork.Pipe(duplex=False)
        # A daemon ends with us, whatever ends us.
        process = fork.Process(target=_play, args=(plan, server, sender), daemon=True)
        process.start()
        sender.close()
        try:
            result = receiver.recv()
        except EOFError:
            raise TrialError(f"{plan.swarm.name} failed with {plan.panes:,} panes") from None
        finally:
            process.terminate()  # if it has sent its result, it is about to end anyway
            process.join()
            receiver.close()
        assert isinstance(result, Result)
        return attrs.evolve(result, left=", ".join(filter(None, (result.left, _left_on(server)))))


def _play(plan: Plan, server: Server, sender: Connection) -> None:
    # The parent decides when this ends, on Ctrl-C as well, and ends it with SIGTERM.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    try:
        sender.send(_carry_out(plan, server))
    except Exception:  # noqa: BLE001  # whatever it is, it is shown, and nothing may stay behind
        traceback.print_exc()
        _leave()


def _carry_out(plan: Plan, server: Server) -> Result:
    meter = Meter(os.getpid(), server.pid())
    before = meter.read()
    swarm = plan.swarm(server.socket)
    begin = time.monotonic()
    swarm.open(plan.panes)
    opened = time.monotonic() - begin
    swarm.wait_ready()
    ready = time.monotonic() - begin
    ran, runs = _run_all(swarm, plan.panes)
    held = swarm.held
    late = _lateness(swarm, plan.panes)
    readings = list[Reading]()
    swarm.idle((plan.settle, plan.seconds), lambda: readings.append(meter.read()))
    begin = time.monotonic()
    swarm.close()
    closed = time.monotonic() - begin
    return Result(
        name=plan.swarm.name,
        panes=plan.panes,
        opened=opened,
        ready=ready,
        ran=ran,
        runs=[run.took for run in runs],
        held=held,
        late=late,
        before=before,
        waiting=readings[0],
        waited=readings[1],
        closed=closed,
        left=_left_over(meter, before),
    )


def _leave(*_: object) -> None:
    """End at once, and what was started here first.

    tmux (seen on 3.3a) keeps a client whose output nobody reads any more, and does not end with it.
    """
    for child in children(os.getpid()):
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGTERM)
    os._exit(143)


def _run_all(swarm: Swarm, panes: int) -> tuple[float, Sequence[Run]]:
    begin = time.monotonic()
    runs = swarm.run([f"echo pane {number}" for number in range(panes)])
    ran = time.monotonic() - begin
    assert [run.output for run in runs] == [f"pane {number}\n" for number in range(panes)]
    return ran, runs


def _lateness(swarm: Swarm, panes: int) -> list[float]:
    first = _BEFORE_ENDS + _BEFORE_ENDS_PER_PANE * panes
    spread = max(_SPREAD, _SPREAD_PER_PANE * panes)
    ends = [first + spread * number / panes for number in range(panes)]
    random.Random(panes).shuffle(ends)  # noqa: S311  # the same ones each time
    runs = swarm.run([f"sleep {end:.3f}; echo $EPOCHREALTIME" for end in ends])
    return [run.returned - float(run.output) for run in runs]


def _left_over(meter: Meter, before: Reading) -> str:
    """Return what the process has too much of; a thread that was joined has yet to leave."""
    deadline = time.monotonic() + _LEAVING
    while (left := meter.read().left_over(before)) and time.monotonic() < deadline:
        time.sleep(0.01)
    return left


def _left_on(server: Server) -> str:
    """Return what there still is on a server that has one pane of its own."""
    panes = len(server.run("list-panes", "-a").splitlines()) - 1
    clients = len(server.run("list-clients").splitlines())
    left = {"panes": panes, "clients": clients}
    return ", ".join(f"{count} {name}" for name, count in left.items() if count > 0)
