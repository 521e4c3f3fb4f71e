"""No call gets the answer of another pane, while panes are killed under those who drive them.

Six threads or tasks on one terminal in control mode, beside two busy loops: each opens panes,
waits, runs, looks, resizes and closes, and each pane shows a token of its own. For longer::

    TMUXPRIM_STRESS=600 python3 dev.py test tests/tmux/test_cross_talk.py --log-cli-level info
"""

import asyncio
import logging
import os
import random
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any, Final, TypeAlias

import attrs
import pytest

from tests.control import CAT, eventually
from tests.tmux_server import Server
from tmuxprim import (
    AsyncConsole,
    AsyncTmuxTerminal,
    Console,
    KeySequence,
    Outcome,
    Pane,
    PaneNotFoundError,
    Size,
    TmuxTerminal,
)

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash")]

SECONDS: Final = float(os.environ.get("TMUXPRIM_STRESS", "2"))
WORKERS: Final = 6
PATIENCE: Final = 60.0
TOKEN: Final = re.compile(r"tok[0-9]+x[0-9]+z")
SHELL: Final = ("bash", "--norc", "--noprofile")

Steps: TypeAlias = Generator[Callable[[], Any], Any, None]
"""Calls of a terminal or console, one after another: each yield returns the answer."""
AnyTerminal: TypeAlias = TmuxTerminal | AsyncTmuxTerminal
Makes: TypeAlias = Callable[[Pane], Console | AsyncConsole]
LOG: Final = logging.getLogger(__name__)


@attrs.define
class Mixture:
    """What the workers share.

    Attributes:
        panes: The panes that somebody may kill.
        answers: How often each operation has had an answer, and how often the pane was gone.
    """

    until: float = attrs.field(factory=lambda: time.monotonic() + SECONDS)
    panes: dict[Pane, None] = attrs.field(factory=dict)
    answers: Counter[str] = attrs.field(factory=Counter)
    is_over: bool = False

    @property
    def goes_on(self) -> bool:
        """Whether there is time for one more pane."""
        return not self.is_over and time.monotonic() < self.until

    def tell(self) -> None:
        """Log how many answers there were."""
        LOG.info("%d answers: %s", sum(self.answers.values()), dict(self.answers))

    def check(self, operation: str, token: str, text: str) -> None:
        """See that a text tells of one pane only."""
        self.answers[operation] += 1
        assert set(TOKEN.findall(text)) <= {token}, (operation, token, text)


def life(mixture: Mixture, terminal: AnyTerminal, console_of: Makes, token: str) -> Steps:
    """Drive one pane from its opening to its end; check that each answer is about it.

    Raises:
        PaneNotFoundError: If somebody has killed it.
    """
    chance = random.Random(token)  # noqa: S311  # nothing is secret
    size = Size(chance.randrange(60, 120), chance.randrange(10, 40))
    env = {"PS1": f"{token}$ "}
    pane = yield partial(terminal.open, SHELL, size=size, env=env)
    mixture.panes[pane] = None
    try:
        console = console_of(pane)
        ready = yield partial(console.wait_ready, PATIENCE)
        mixture.check("wait", token, ready.screen.text)
        if ready.outcome is Outcome.EXITED:
            return
        assert (ready.outcome, ready.screen.last_line) == (Outcome.PROMPT, f"{token}$"), ready
        for number in range(chance.randrange(1, 5)):
            word = f"{token}.{number}"
            result = yield partial(console.run, f"printf '%s\\n' {word}", PATIENCE)
            mixture.check("run", token, result.output + result.readiness.screen.text)
            if result.readiness.outcome is Outcome.EXITED:
                return
            # What C-l or a new size has taken away is told to be gone.
            assert not result.complete or result.output == f"{word}\n", result
            screen = yield partial(terminal.observe, pane, history=5)
            mixture.check("look", token, screen.text)
            assert screen.size == size, screen
            size = Size(chance.randrange(60, 120), chance.randrange(10, 40))
            yield partial(terminal.resize, pane, size)
            mixture.answers["resize"] += 1
            text = yield partial(terminal.read, pane)
            mixture.check("read", token, text)
            seen = yield partial(terminal.send, pane, KeySequence.keys("C-l"))
            mixture.check("send", token, seen.text)
            assert seen.size == size, seen
            listed = yield terminal.panes
            mixture.answers["panes"] += 1
            assert [info.size for info in listed if info == pane] in ([size], []), listed
            ready = yield partial(console.wait_ready, PATIENCE)
            mixture.check("wait", token, ready.screen.text)
    finally:
        mixture.panes.pop(pane, None)
    yield partial(terminal.close, pane)
    mixture.answers["close"] += 1


def lives(mixture: Mixture, terminal: AnyTerminal, console_of: Makes, worker: int) -> Steps:
    """Drive pane after pane."""
    number = 0
    while mixture.goes_on:
        number += 1
        try:
            yield from life(mixture, terminal, console_of, f"tok{worker}x{number}z")
        except PaneNotFoundError:
            mixture.answers["gone"] += 1


def drive(steps: Steps) -> None:
    """Make the calls of *steps* one after another."""
    try:
        do = next(steps)
        while True:
            try:
                answer = do()
            except PaneNotFoundError as error:
                do = steps.throw(error)
            else:
                do = steps.send(answer)
    except StopIteration:
        pass


async def drive_async(steps: Steps) -> None:
    """Make them on an event loop."""
    waiting: Callable[[], Awaitable[Any]]
    try:
        waiting = next(steps)
        while True:
            try:
                answer = await waiting()
            except PaneNotFoundError as error:
                waiting = steps.throw(error)
            else:
                waiting = steps.send(answer)
    except StopIteration:
        pass


@contextmanager
def disturbed(server: Server, mixture: Mixture) -> Iterator[None]:
    """Kill panes from outside, and keep two processors busy."""

    def kill() -> None:
        chance = random.Random(0)  # noqa: S311  # nothing is secret
        while mixture.goes_on:
            time.sleep(chance.uniform(0.0, 0.2))
            if panes := list(mixture.panes):
                argv = ["tmux", "-S", str(server.socket), "kill-pane", "-t"]
                argv.append(chance.choice(panes).target)
                subprocess.run(argv, capture_output=True, timeout=PATIENCE, check=False)

    with ExitStack() as stack:
        for _ in range(2):
            loop = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            stack.callback(loop.wait)
            stack.callback(loop.kill)
        killer = threading.Thread(target=kill)
        killer.start()
        try:
            yield
        finally:
            mixture.is_over = True
            killer.join()


def client(server: Server) -> str:
    """Return the one client of the server."""
    return server.tmux("list-clients", "-F", "#{client_pid}")


def test_threads_have_their_own_answers(server: Server) -> None:
    """On one client from the beginning to the end."""
    mixture = Mixture()
    server.terminal.open(CAT, name="seat")
    with (
        TmuxTerminal(socket_path=server.socket, transport="control", timeout=PATIENCE) as terminal,
        ThreadPoolExecutor(WORKERS) as pool,
    ):
        terminal.panes()
        before = client(server)
        with disturbed(server, mixture):
            driving = [
                pool.submit(
                    drive, lives(mixture, terminal, lambda pane: Console(terminal, pane), worker)
                )
                for worker in range(WORKERS)
            ]
            for one in driving:
                one.result(SECONDS + 10 * PATIENCE)
        assert client(server) == before
    mixture.tell()


def test_tasks_have_their_own_answers(server: Server) -> None:
    """On one client from the beginning to the end."""
    mixture = Mixture()
    server.terminal.open(CAT, name="seat")

    async def main() -> None:
        async with AsyncTmuxTerminal(
            socket_path=server.socket, transport="control", timeout=PATIENCE
        ) as terminal:
            await terminal.panes()
            before = client(server)
            with disturbed(server, mixture):
                await asyncio.gather(
                    *(
                        drive_async(
                            lives(mixture, terminal, lambda pane: AsyncConsole(terminal, pane), n)
                        )
                        for n in range(WORKERS)
                    )
                )
            assert client(server) == before

    asyncio.run(main())
    mixture.tell()


# Two panes, each of which shows its own number, and a terminal that is connected.
SHARING = """
import os, signal, sys
from tmuxprim import Pane, TmuxTerminal
terminal = TmuxTerminal(socket_path=sys.argv[1], transport="control", timeout=60.0)
panes = [Pane(name) for name in sys.argv[2:]]
def check(number):
    shown = terminal.read(panes[number])
    assert shown == f"pane{number}", (number, shown)
check(0)
"""
FORKING = """
child = os.fork()
for _ in range(2000):
    check(int(child == 0))
if child:
    assert os.waitpid(child, 0)[1] == 0
"""
# The next signal comes when this one has been handled.
HANDLING = """
left = 30
def handle(*_):
    global left
    check(1)
    left -= 1
    signal.setitimer(signal.ITIMER_REAL, left * 1e-5)
signal.signal(signal.SIGALRM, handle)
signal.setitimer(signal.ITIMER_REAL, 1e-3)
while left:
    check(0)
"""


@pytest.mark.parametrize("sharing", [FORKING, HANDLING])
def test_who_shares_a_terminal_has_answers_of_its_own(server: Server, sharing: str) -> None:
    """A forked process, and a signal handler that comes in the middle of another call."""
    panes = [server.terminal.open(("sh", "-c", f"echo pane{n}; exec cat")) for n in range(2)]
    eventually(lambda: [*map(server.terminal.read, panes)] == ["pane0", "pane1"])
    python = [sys.executable, "-W", "ignore", "-c", SHARING + sharing, str(server.socket)]
    argv = [*python, *(pane.target for pane in panes)]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stderr) == (0, "")
