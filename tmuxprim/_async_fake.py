"""`AsyncFakeTerminal`: the fake for asyncio, where all tasks share one virtual time.

Time stands still while any task has something to do, and moves on, to what is planned next, once
all of them sleep. So a thousand tasks that wait a minute take no minute, in the same order on
every run.
"""

import asyncio
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final, Generic, Protocol, cast

from typing_extensions import TypeVar

from tmuxprim._fake._clock import FakeClock
from tmuxprim._fake._terminal import FakeTerminal
from tmuxprim._pane import Pane
from tmuxprim._screen import Screen
from tmuxprim._sequence import KeySequence
from tmuxprim._size import Size
from tmuxprim._terminal import DEFAULT_SIZE, Bell, Terminal
from tmuxprim._tty import TtyState

# Rounds of the event loop in which nobody does anything, before all are taken to sleep: a task
# may pass its result on through some others, as those of asyncio.gather do.
_QUIET_ROUNDS: Final = 8


class VirtualBell(Bell, Protocol):
    """A bell in virtual time."""

    def calling(self, listener: Callable[[], None]) -> AbstractContextManager[None]:
        """Call *listener* each time it rings, for a while."""
        ...


class VirtualTerminal(Terminal, Protocol):
    """A terminal in virtual time, such as `FakeTerminal` and `ReplayTerminal`.

    Examples:
        >>> terminal: VirtualTerminal = FakeTerminal()
        >>> terminal.clock.sleep(60.0)
        >>> terminal.clock.now()
        60.0
    """

    @property
    def clock(self) -> FakeClock:
        """The virtual clock."""
        ...

    def listen(self, pane: Pane) -> VirtualBell:
        """Return a bell that rings when the pane's program writes."""
        ...


Virtual = TypeVar("Virtual", bound=VirtualTerminal, default=FakeTerminal)


class AsyncFakeClock:
    """Is an `AsyncClock` over a virtual one.

    Args:
        clock: The virtual time.
    """

    def __init__(self, clock: FakeClock) -> None:
        self._clock = clock
        self._loop: asyncio.AbstractEventLoop | None = None
        # Each with what is to come out of its sleep.
        self._sleepers: dict[asyncio.Future[None], BaseException | None] = {}
        self._quiet = 0

    def now(self) -> float:
        """Return the virtual time, in seconds; it begins at 0."""
        return self._clock.now()

    async def sleep(self, seconds: float) -> None:
        """Let that many seconds of virtual time pass."""
        await self.until(asyncio.get_running_loop().create_future(), seconds)

    async def until(self, woken: asyncio.Future[None], seconds: float) -> None:
        """Let time pass until *woken* is done, and no longer than *seconds*.

        What a scripted program raises meanwhile comes out here, for all who sleep then.
        """
        self._clock.call_later(seconds, lambda: wake(woken))
        self.note()
        self._keep_moving(asyncio.get_running_loop())
        self._sleepers[woken] = None
        try:
            await woken
        finally:
            error = self._sleepers.pop(woken, None)
        if error is not None:
            raise error

    def note(self) -> None:
        """Note that somebody is doing something."""
        self._quiet = 0

    def _keep_moving(self, loop: asyncio.AbstractEventLoop) -> None:
        """Have *loop* move the time on; whoever slept in an earlier loop is no more."""
        if self._loop is not loop:
            self._loop, self._sleepers = loop, {}
            loop.call_soon(self._move, loop)

    def _move(self, loop: asyncio.AbstractEventLoop) -> None:
        """Move the time on if all sleep, and look again in the next round."""
        if self._loop is not loop:
            return
        if not self._sleepers:
            self._loop = None
            return
        loop.call_soon(self._move, loop)
        self._quiet += 1
        if self._quiet > _QUIET_ROUNDS:
            self.note()  # who will be woken is up to something
            self._step()

    def _step(self) -> None:
        """Move the time on; nobody awaits this, so an error goes to those who sleep."""
        try:
            self._clock.step(math.inf)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # noqa: BLE001  # pytest.fail raises one, too
            for sleeper in self._sleepers:
                self._sleepers[sleeper] = error  # also if it has just been woken
                wake(sleeper)


class AsyncFakeBell:
    """Rings, in virtual time, when something is written to a display.

    Args:
        bell: What knows whether it rang.
        clock: What time passes on.
    """

    def __init__(self, bell: VirtualBell, clock: AsyncFakeClock) -> None:
        self._bell = bell
        self._clock = clock

    async def wait(self, seconds: float) -> bool:
        """Let time pass until it rings, at most so long; return whether it did."""
        if self._bell.wait(0.0):
            return True
        if seconds > 0:
            woken = asyncio.get_running_loop().create_future()
            with self._bell.calling(lambda: wake(woken)):
                await self._clock.until(woken, seconds)
        return self._bell.wait(0.0)

    def close(self) -> None:
        """Stop listening."""
        self._bell.close()


def wake(future: asyncio.Future[None]) -> None:
    """Let whoever waits for *future* go on, if anybody still does."""
    if not future.done():
        future.set_result(None)


class AsyncFakeTerminal(Generic[Virtual]):
    """Is a `FakeTerminal`, or a `ReplayTerminal`, for asyncio: all is awaited, in virtual time.

    A task that waits for anything but the terminal (a socket, a thread) does not hold time up;
    nor does one that only passes control on, with ``asyncio.sleep(0)``, for more than some
    rounds of the loop. What a scripted program raises comes out of every call that waits then.

    Args:
        fake: What it drives, and has as ``fake``; None is a new one with a shell.

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

    def __init__(self, fake: Virtual | None = None) -> None:
        # None goes with the default of the type variable, which is just this class.
        self.fake: Virtual = cast("Virtual", FakeTerminal()) if fake is None else fake
        self._clock = AsyncFakeClock(self.fake.clock)

    def __repr__(self) -> str:
        return f"AsyncFakeTerminal({self.fake!r})"

    @property
    def clock(self) -> AsyncFakeClock:
        """The virtual clock; ``await clock.sleep(60)`` lets a minute pass for all tasks."""
        return self._clock

    async def open(
        self,
        command: str | Sequence[str] | None = None,
        *,
        size: Size = DEFAULT_SIZE,
        cwd: str | Path | None = None,
        env: Mapping[str, str] | None = None,
        name: str | None = None,
    ) -> Pane:
        """Start a program in a new pane; see `FakeTerminal.open`."""
        return self._noted.open(command, size=size, cwd=cwd, env=env, name=name)

    async def close(self, pane: Pane) -> None:
        """End a pane and its program; see `Terminal.close`."""
        self._noted.close(pane)

    async def panes(self) -> tuple[Pane, ...]:
        """Return the ids of the panes; see `Terminal.panes`."""
        return self._noted.panes()

    async def resolve(self, pane: Pane) -> Pane:
        """Return the pane by its id; see `Terminal.resolve`."""
        return self._noted.resolve(pane)

    async def send(self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False) -> Screen:
        """Type *keys* if the pane takes input; see `Terminal.send`."""
        return self._noted.send(pane, keys, leave_mode=leave_mode)

    async def observe(self, pane: Pane, *, history: int = 0) -> Screen:
        """Return the screen and its state; see `Terminal.observe`."""
        return self._noted.observe(pane, history=history)

    async def read(self, pane: Pane, *, history: int = 0) -> str:
        """Return what the screen says; see `Terminal.read`."""
        return self._noted.read(pane, history=history)

    async def probe(self, pane: Pane) -> TtyState | None:
        """Return the scripted program's line discipline; see `Terminal.probe`."""
        return self._noted.probe(pane)

    async def listen(self, pane: Pane) -> AsyncFakeBell:
        """Return a bell that rings when the scripted program writes; see `Terminal.listen`."""
        return AsyncFakeBell(self._noted.listen(pane), self._clock)

    async def resize(self, pane: Pane, size: Size) -> None:
        """Change the size of the pane; see `Terminal.resize`."""
        self._noted.resize(pane, size)

    @property
    def _noted(self) -> Virtual:
        """The fake, which is about to be asked something: so nobody is to move time on."""
        self._clock.note()
        return self.fake
