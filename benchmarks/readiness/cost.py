"""What waiting costs: the processor time that a design takes while a program is silent.

Each design waits in a process of its own for a ``sleep`` that outlasts it. What counts is that
process, the tmux clients that it starts, and the tmux server, in percent of one core. A design
that comes back early is called again, as somebody would who knows better.
"""

import multiprocessing
import resource
import signal
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path

import attrs

from benchmarks.readiness.designs import Design
from benchmarks.readiness.server import Server
from benchmarks.readiness.stage import Place
from benchmarks.readiness.trial import staged
from tests.scenarios.model import Program, types
from tests.scenarios.play import ENVIRONMENT

_SHELL = Program(command=("bash", "--norc", "--noprofile"), replwrap="bash")
_AFTER = 15.0  # seconds by which the sleep is longer than the wait
_UNDER_WAY = 0.5  # seconds after which the typing is over


@attrs.frozen
class Cost:
    """What a design took while it waited, in percent of one core.

    Args:
        design: Name of the design.
        seconds: How long it waited.
        own: Its own process.
        clients: The processes that it started.
        server: The tmux server.
        waits: How often it had to be called, since it came back early.
    """

    design: str
    seconds: float
    own: float
    clients: float
    server: float
    waits: int

    @property
    def total(self) -> float:
        """All of it."""
        return self.own + self.clients + self.server


def cost_of_waiting(design: Design, server: Server, seconds: float) -> Cost | None:
    """Measure what *design* takes while it waits for *seconds*; None if it fails."""
    fork = multiprocessing.get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)
    # A daemon ends with us, whatever ends us.
    process = fork.Process(target=_measure, args=(design, server, seconds, sender), daemon=True)
    process.start()
    sender.close()
    try:
        cost = receiver.recv()
    except EOFError:
        return None
    finally:
        process.terminate()  # it cleans up; if it has sent its result, it is about to end anyway
        process.join()
        receiver.close()
    assert isinstance(cost, Cost)
    return cost


def _measure(design: Design, server: Server, seconds: float, sender: Connection) -> None:
    """Wait, and send what it took."""
    # The parent decides when this ends, on Ctrl-C as well, and ends it with SIGTERM.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    place = Place(server, Path(tempfile.mkdtemp(dir=server.home)), ENVIRONMENT)
    turn = types(f"sleep {seconds + _AFTER:g}")
    with staged(design, _SHELL, place) as stage:
        pid = server.pid()
        stage.rehearse(None)
        stage.act(turn)
        time.sleep(_UNDER_WAY)
        begin, before = time.monotonic(), _used(pid)
        waits = 0
        while (left := begin + seconds - time.monotonic()) > 0:
            stage.wait(left)
            waits += 1
        took, after = time.monotonic() - begin, _used(pid)
    own, clients, its = (100 * (new - old) / took for new, old in zip(after, before, strict=True))
    sender.send(Cost(design.name, took, own, clients, its, waits))


def _used(server: int) -> tuple[float, float, float]:
    """Return the processor time so far of this process, of its children, and of the server."""
    ours, children = (
        sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    # The same as utime and stime in stat, in nanoseconds instead of hundredths of a second.
    on_cpu = Path(f"/proc/{server}/schedstat").read_text(encoding="ascii").split()[0]
    return ours, children, int(on_cpu) / 1e9
