"""`AsyncFakeTerminal`: the fake for asyncio, where all tasks share one virtual time.

Time stands still while any task has work to do. Once all tasks sleep, it jumps to the next planned
event. So a thousand tasks that each wait a minute take no real minute, and run in the same order
every time.
"""

import asyncio
import math
from collections.abc import Collection
from types import NoneType
from typing import Final, Unpack

from tmuxprim._fake.clock import FakeClock
from tmuxprim._fake.fake_terminal import FakeTerminal
from tmuxprim._fake.streams import FakeOutputHub, FakeOutputWatch, FakeTap
from tmuxprim._terminal import OpenOptions, SendOptions
from tmuxprim._values.argument_types import check_type
from tmuxprim._values.checks import Command, OneLoop
from tmuxprim._values.evidence import TtyState
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.pane import Pane, PaneInfo, SizeLike
from tmuxprim._values.screen import Screen

# Idle rounds of the event loop before all tasks count as asleep. One round is too few: a result
# that passes through several tasks, as with asyncio.gather, takes a round for each of them.
_QUIET_ROUNDS: Final = 8


class AsyncFakeClock:
    """An `AsyncClock` over a virtual one, for one event loop."""

    def __init__(self, clock: FakeClock) -> None:
        self._clock = clock
        self._loop = OneLoop("AsyncFakeTerminal")
        # The sleeping calls, each with the error that it is to raise, if any.
        self._sleepers: dict[asyncio.Future[None], BaseException | None] = {}
        self._quiet_rounds = 0
        self._moves = False

    def now(self) -> float:
        """Return the virtual time, in seconds; it begins at 0."""
        return self._clock.now()

    async def sleep(self, seconds: float) -> None:
        """Let that many seconds of virtual time pass."""
        await self.until(asyncio.get_running_loop().create_future(), seconds)

    async def until(self, woken: asyncio.Future[None], seconds: float) -> None:
        """Wait until *woken* is done, for *seconds* at most.

        If a scripted program raises an error meanwhile, every call that sleeps then raises it.
        """
        self.note()
        self._clock.call_later(seconds, lambda: wake(woken))
        self._sleepers[woken] = None
        if not self._moves:
            self._moves = True
            woken.get_loop().call_soon(self._move, woken.get_loop())
        try:
            await woken
        finally:
            error = self._sleepers.pop(woken)
        if error is not None:
            raise error

    def note(self) -> None:
        """Note that a task of the event loop is at work, so that time does not move yet."""
        self._loop.claim(asyncio.get_running_loop())
        self._quiet_rounds = 0

    def _move(self, loop: asyncio.AbstractEventLoop) -> None:
        """Move the time on if all tasks sleep, and check again in the next round."""
        self._moves = bool(self._sleepers)
        if not self._moves:
            return
        loop.call_soon(self._move, loop)
        self._quiet_rounds += 1
        if self._quiet_rounds > _QUIET_ROUNDS:
            self._quiet_rounds = 0  # the tasks that this wakes get their rounds to work in
            self._step()

    def _step(self) -> None:
        """Move the time on. No task awaits this call, so an error goes to the sleeping calls."""
        try:
            self._clock.step(math.inf)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # noqa: BLE001  # pytest.fail raises a BaseException
            for sleeper in self._sleepers:
                self._sleepers[sleeper] = error  # even if it has just been woken
                wake(sleeper)


class AsyncFakeOutputWatch:
    """An output watch of a display, in virtual time."""

    def __init__(self, output_watch: FakeOutputWatch, clock: AsyncFakeClock) -> None:
        self._output_watch = output_watch
        self._clock = clock

    async def wait(self, seconds: float) -> bool:
        """Wait until the program writes, for *seconds* at most; return whether it did."""
        if self._rang():
            return True
        if seconds > 0:
            woken = asyncio.get_running_loop().create_future()
            with self._output_watch.calling(lambda: wake(woken)):
                await self._clock.until(woken, seconds)
        return self._rang()

    def close(self) -> None:
        """Stop watching."""
        self._output_watch.close()

    def _rang(self) -> bool:
        return self._output_watch.wait(0.0)


class AsyncFakeOutputHub:
    """Reports which of several displays were written to, in virtual time."""

    def __init__(self, hub: FakeOutputHub, clock: AsyncFakeClock) -> None:
        self._hub = hub
        self._clock = clock

    async def add(self, pane: Pane) -> bool:
        """Watch a pane as well."""
        return self._hub.add(pane)

    def discard(self, pane: Pane) -> None:
        """Stop watching a pane."""
        self._hub.discard(pane)

    async def wait(self, seconds: float) -> Collection[Pane]:
        """Wait for a write, *seconds* at most; return the panes that may have changed."""
        if written := self._hub.written():
            return written
        woken = asyncio.get_running_loop().create_future()
        with self._hub.calling(lambda: wake(woken)):
            await self._clock.until(woken, seconds)
        return self._hub.written()

    def close(self) -> None:
        """Stop watching all panes."""
        self._hub.close()


def wake(future: asyncio.Future[None]) -> None:
    """Complete *future*, unless it is done, or its event loop is closed."""
    if not future.done() and not future.get_loop().is_closed():
        future.set_result(None)


class AsyncFakeTerminal:
    """A `FakeTerminal` for asyncio: all calls are awaited, in virtual time.

    Time does not wait for a task that waits for anything but the terminal, such as a socket or a
    thread. Nor does it wait for a task that only calls ``asyncio.sleep(0)`` for more than some
    rounds of the loop. If a scripted program raises an error, every call that waits then raises it.

    Args:
        fake: The terminal that it drives, later its ``fake``; None is a new one with a shell.

    Examples:
        >>> import asyncio
        >>> async def session() -> str:
        ...     fake = FakeTerminal(programs={"sh": ScriptedShell({"make": after(3.0, "done")})})
        ...     terminal = AsyncFakeTerminal(fake)
        ...     console = AsyncConsole(terminal, await terminal.open("sh"))
        ...     result = await console.run("make")
        ...     fake.assert_sent(await console.locate(), "make", "Enter")
        ...     return f"{result.output.strip()} after {terminal.clock.now():.0f} s"
        >>> asyncio.run(session())
        'done after 3 s'
    """

    def __init__(self, fake: FakeTerminal | None = None) -> None:
        check_type("fake", fake, FakeTerminal, NoneType)
        self.fake: FakeTerminal = FakeTerminal() if fake is None else fake
        self._clock = AsyncFakeClock(self.fake.clock)

    def __repr__(self) -> str:
        return f"AsyncFakeTerminal({self.fake!r})"

    @property
    def clock(self) -> AsyncFakeClock:
        """The virtual clock; ``await clock.sleep(60)`` lets a minute pass for all tasks."""
        return self._clock

    async def open(self, command: Command = None, **options: Unpack[OpenOptions]) -> Pane:
        """Start a program in a new pane; see `FakeTerminal.open`."""
        return self._noted().open(command, **options)

    async def close(self, pane: Pane) -> None:
        """End a pane and its program; see `Terminal.close`."""
        self._noted().close(pane)

    async def panes(self) -> tuple[PaneInfo, ...]:
        """Return all panes; see `Terminal.panes`."""
        return self._noted().panes()

    async def resolve(self, pane: Pane) -> Pane:
        """Return the pane by its id; see `Terminal.resolve`."""
        return self._noted().resolve(pane)

    async def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        """Type *keys* if the pane takes input; see `Terminal.send`."""
        return self._noted().send(pane, keys, leave_mode=leave_mode, seen=seen)

    async def observe(self, pane: Pane, *, history: int = 0, styled: bool = False) -> Screen:
        """Return the screen and its state; see `Terminal.observe`."""
        return self._noted().observe(pane, history=history, styled=styled)

    async def read(self, pane: Pane, *, history: int = 0) -> str:
        """Return the text of the screen; see `Terminal.read`."""
        return self._noted().read(pane, history=history)

    async def probe(self, pane: Pane) -> TtyState | None:
        """Return the scripted program's line discipline; see `Terminal.probe`."""
        return self._noted().probe(pane)

    async def watch_output(self, pane: Pane) -> AsyncFakeOutputWatch:
        """Return an output watch of the scripted program; see `Terminal.watch_output`."""
        return AsyncFakeOutputWatch(self._noted().watch_output(pane), self._clock)

    def watch_outputs(self) -> AsyncFakeOutputHub:
        """Return a watch on the output of many panes; see `OutputHub`."""
        return AsyncFakeOutputHub(self.fake.watch_outputs(), self._clock)

    async def tap(
        self, pane: Pane, keys: KeySequence | None = None, **how: Unpack[SendOptions]
    ) -> FakeTap:
        """Return a tap on the scripted program's output; see `Terminal.tap`."""
        return self._noted().tap(pane, keys, **how)

    async def resize(self, pane: Pane, size: SizeLike) -> None:
        """Change the size of the pane; see `Terminal.resize`."""
        self._noted().resize(pane, size)

    def _noted(self) -> FakeTerminal:
        """Return the fake, and note that a task is at work."""
        self._clock.note()
        return self.fake
