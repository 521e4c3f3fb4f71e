"""Many panes, driven at once from one process: by asyncio, or by a thread for each.

Both do the same, in steps that return when all panes have done them.
"""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, TypeVar

import attrs
from typing_extensions import override

from tmuxprim import AsyncConsole, AsyncTmuxTerminal, Console, TmuxTerminal

if TYPE_CHECKING:
    from tmuxprim._tmux.choice import TransportName

T = TypeVar("T")

SHELL: Final = ("bash", "--norc", "--noprofile")
_FOREVER: Final = "sleep 600"
# All of them call at once, so an answer may have a thousand others before it.
_CALL_TIMEOUT: Final = 120.0
_TIMEOUT: Final = 300.0
_GRACE: Final = 2.0
_TICK: Final = 0.002


@attrs.frozen
class Run:
    """One command in one pane.

    Args:
        output: What it printed.
        took: For how many seconds it was run.
        returned: When that was over, in seconds of the machine's wall clock.
    """

    output: str
    took: float
    returned: float


class Swarm(ABC):
    """Is many panes of one server, all driven at once.

    Args:
        socket: The server's.
    """

    name: ClassVar[str]
    transport: ClassVar["TransportName"]
    held: float | None = None
    """For how many seconds an event loop was held up at worst: other tasks did not go on."""

    @abstractmethod
    def __init__(self, socket: Path) -> None:
        """Begin without a pane."""

    @abstractmethod
    def open(self, panes: int) -> None:
        """Open so many panes, each with a shell."""

    @abstractmethod
    def wait_ready(self) -> None:
        """Wait until every shell is at its prompt."""

    @abstractmethod
    def run(self, commands: Sequence[str]) -> list[Run]:
        """Run a command in each pane, all at once."""

    @abstractmethod
    def idle(self, naps: Sequence[float], note: Callable[[], None]) -> None:
        """Wait for commands that do not end; call *note* after each of some naps."""

    @abstractmethod
    def close(self) -> None:
        """Close all panes, and end whatever runs for them."""


class AsyncSwarm(Swarm):
    """One event loop, one connection."""

    name = "asyncio, control"
    transport: ClassVar["TransportName"] = "control"

    @override
    def __init__(self, socket: Path) -> None:
        self._runner = asyncio.Runner()
        self._terminal = AsyncTmuxTerminal(
            socket_path=socket,
            config_file="/dev/null",
            timeout=_CALL_TIMEOUT,
            transport=self.transport,
        )
        self._consoles: list[AsyncConsole] = []
        self.held = 0.0

    @override
    def open(self, panes: int) -> None:
        async def open_all() -> list[AsyncConsole]:
            opened = await asyncio.gather(*(self._terminal.open(SHELL) for _ in range(panes)))
            return [AsyncConsole(self._terminal, pane) for pane in opened]

        self._consoles = self._runner.run(self._timed(open_all()))

    @override
    def wait_ready(self) -> None:
        async def wait_all() -> bool:
            waits = (console.wait_ready(_TIMEOUT) for console in self._consoles)
            return all(await asyncio.gather(*waits))

        assert self._runner.run(self._timed(wait_all()))

    @override
    def run(self, commands: Sequence[str]) -> list[Run]:
        async def run(console: AsyncConsole, command: str) -> Run:
            begin = time.monotonic()
            result = await console.run(command, _TIMEOUT)
            return Run(result.output, time.monotonic() - begin, time.time())

        async def run_all() -> list[Run]:
            return await asyncio.gather(*map(run, self._consoles, commands))

        return self._runner.run(self._timed(run_all()))

    @override
    def idle(self, naps: Sequence[float], note: Callable[[], None]) -> None:
        async def wait_all() -> None:
            await asyncio.gather(*(console.send(_FOREVER) for console in self._consoles))
            waits = [asyncio.create_task(one.wait_ready(_TIMEOUT)) for one in self._consoles]
            for seconds in naps:
                ended, _ = await asyncio.wait(
                    waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED
                )
                assert not ended
                note()
            for wait in waits:
                wait.cancel()
            await asyncio.wait(waits)

        self._runner.run(wait_all())

    @override
    def close(self) -> None:
        async def close_all() -> None:
            panes = [await console.locate() for console in self._consoles]
            await asyncio.gather(*map(self._terminal.close, panes))
            await self._terminal.disconnect()

        self._runner.run(close_all())
        self._runner.close()

    async def _timed(self, work: Awaitable[T]) -> T:
        """Await *work* beside a task that ticks."""
        ticking = asyncio.create_task(self._tick())
        await asyncio.sleep(0)  # it has begun
        try:
            return await work
        finally:
            ticking.cancel()

    async def _tick(self) -> None:
        while True:
            begin = time.monotonic()
            await asyncio.sleep(_TICK)
            self.held = max(self.held or 0.0, time.monotonic() - begin - _TICK)


class SubprocessSwarm(AsyncSwarm):
    """One event loop, a client of tmux for each call."""

    name = "asyncio, subprocess"
    transport = "subprocess"


class ThreadSwarm(Swarm):
    """A thread for each pane, and one connection."""

    name = "threads, control"
    transport = "control"

    @override
    def __init__(self, socket: Path) -> None:
        self._terminal = TmuxTerminal(
            socket_path=socket,
            config_file="/dev/null",
            timeout=_CALL_TIMEOUT,
            transport=self.transport,
        )
        self._threads: ThreadPoolExecutor | None = None
        self._consoles: list[Console] = []

    @override
    def open(self, panes: int) -> None:
        self._threads = ThreadPoolExecutor(panes)
        opened = self._threads.map(lambda _: self._terminal.open(SHELL), range(panes))
        self._consoles = [Console(self._terminal, pane) for pane in opened]

    @override
    def wait_ready(self) -> None:
        assert all(self._each(lambda console, _: console.wait_ready(_TIMEOUT)))

    @override
    def run(self, commands: Sequence[str]) -> list[Run]:
        def run(console: Console, number: int) -> Run:
            begin = time.monotonic()
            result = console.run(commands[number], _TIMEOUT)
            return Run(result.output, time.monotonic() - begin, time.time())

        return list(self._each(run))

    @override
    def idle(self, naps: Sequence[float], note: Callable[[], None]) -> None:
        list(self._each(lambda console, _: console.send(_FOREVER)))
        # Nobody can cancel a thread; so it waits a little longer.
        waits = self._each(lambda console, _: console.wait_ready(sum(naps) + _GRACE))
        for seconds in naps:
            time.sleep(seconds)
            note()
        assert not any(waits)

    @override
    def close(self) -> None:
        list(self._each(lambda console, _: self._terminal.close(console.pane)))
        self._terminal.disconnect()
        if self._threads is not None:
            self._threads.shutdown()

    def _each(self, do: Callable[[Console, int], T]) -> Iterator[T]:
        """Do something with every console in a thread of its own."""
        assert self._threads is not None
        return self._threads.map(do, self._consoles, range(len(self._consoles)))


SWARMS: Final[tuple[type[Swarm], ...]] = (AsyncSwarm, SubprocessSwarm, ThreadSwarm)
