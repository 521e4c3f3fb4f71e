"""A fake for asyncio that passes control on before and after each step, and cancels at one."""

import asyncio
from collections.abc import Callable
from typing import TypeAlias

from typing_extensions import override

from tmuxprim import FakeTerminal, KeySequence, Pane, Screen, TtyState
from tmuxprim._fake.async_fake_terminal import AsyncFakeClock, AsyncFakeOutputWatch
from tmuxprim.testing import AsyncFakeTerminal, AsyncOutputWatch

Count: TypeAlias = Callable[[], int]


class Stepping(AsyncFakeTerminal):
    """Counts the steps of a task, two for each call, and cancels it at one of them.

    Args:
        fake: The fake below.
    """

    def __init__(self, fake: FakeTerminal) -> None:
        super().__init__(fake)
        self.open_bells = 0
        self._heard: list[Count] = []
        self._steps = 0
        self._at: int | None = None
        self._stepping = SteppingClock(fake, self)

    @property
    def listeners(self) -> int:
        """How many listen to what is written."""
        return sum(count() for count in self._heard)

    def cancel_at(self, step: int | None) -> None:
        """Cancel the task that takes the step of that number from now on."""
        self._steps, self._at = 0, step

    async def step(self) -> None:
        """Take a step: the task may be cancelled, and others may go on."""
        self._steps += 1
        task = asyncio.current_task()
        if self._steps == self._at and task is not None:
            task.cancel()
        await asyncio.sleep(0)

    @property
    @override
    def clock(self) -> AsyncFakeClock:
        return self._stepping

    @override
    async def resolve(self, pane: Pane) -> Pane:
        await self.step()
        found = await super().resolve(pane)
        await self.step()
        return found

    @override
    async def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        await self.step()
        screen = await super().send(pane, keys, leave_mode=leave_mode, seen=seen)
        await self.step()
        return screen

    @override
    async def observe(self, pane: Pane, *, history: int = 0, styled: bool = False) -> Screen:
        await self.step()
        screen = await super().observe(pane, history=history, styled=styled)
        await self.step()
        return screen

    @override
    async def read(self, pane: Pane, *, history: int = 0) -> str:
        await self.step()
        text = await super().read(pane, history=history)
        await self.step()
        return text

    @override
    async def probe(self, pane: Pane) -> TtyState | None:
        await self.step()
        state = await super().probe(pane)
        await self.step()
        return state

    @override
    async def watch_output(self, pane: Pane) -> AsyncFakeOutputWatch:
        await self.step()
        output_watch = self.fake.watch_output(pane)
        display = output_watch._display  # noqa: SLF001  # nothing else tells who listens to it
        self._heard.append(lambda: len(display.listeners))
        self.open_bells += 1
        return SteppingBell(AsyncFakeOutputWatch(output_watch, self._clock), self)


class SteppingClock(AsyncFakeClock):
    """The clock of such a fake."""

    def __init__(self, fake: FakeTerminal, terminal: Stepping) -> None:
        super().__init__(fake.clock)
        self._terminal = terminal

    @override
    async def sleep(self, seconds: float) -> None:
        await self._terminal.step()
        await super().sleep(seconds)
        await self._terminal.step()


class SteppingBell(AsyncFakeOutputWatch):
    """A bell of such a fake."""

    def __init__(self, below: AsyncOutputWatch, terminal: Stepping) -> None:
        self._below = below
        self._terminal = terminal

    @override
    async def wait(self, seconds: float) -> bool:
        await self._terminal.step()
        rang = await self._below.wait(seconds)
        await self._terminal.step()
        return rang

    @override
    def close(self) -> None:
        self._terminal.open_bells -= 1
        self._below.close()
