"""Bells for asyncio, on pseudo-terminals of the test's own."""

import asyncio
import sys
from pathlib import Path

import pytest

from tests.unit.tmux.ptys import descriptors, open_pty
from tmuxprim import Pane
from tmuxprim._kernel.inotify import _libc
from tmuxprim._tmux.async_output_watch import (
    AsyncInotifyOutputHub,
    AsyncInotifyWatch,
    AsyncPollingWatch,
    InotifyHub,
)

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="is of Linux"),
]

# Longer than any of these tests takes; nobody waits for it to pass.
LONG = 60.0


def test_it_rings_when_a_program_writes() -> None:
    """The watch reports output from before and during a wait, once for all of it."""

    async def main() -> None:
        with open_pty() as pty:
            output_watch = InotifyHub().watch_tty(pty.path)
            assert isinstance(output_watch, AsyncInotifyWatch)
            pty.write()
            pty.write()
            assert await output_watch.wait(LONG)
            assert not await output_watch.wait(0.0)
            waiting = asyncio.create_task(output_watch.wait(LONG))
            await asyncio.sleep(0)
            pty.write()
            assert await waiting
            assert not await output_watch.wait(-1.0)
            output_watch.close()

    asyncio.run(main())


def test_each_terminal_has_bells_of_its_own() -> None:
    """All who listen to one hear it, and nobody else; one that is closed takes none along."""

    async def main() -> None:
        ears = InotifyHub()
        with open_pty() as pty, open_pty() as other:
            first, second, third = map(ears.watch_tty, (pty.path, pty.path, other.path))
            pty.write()
            assert (
                await asyncio.gather(*(output_watch.wait(LONG) for output_watch in (first, second)))
                == [True] * 2
            )
            assert not await third.wait(0.0)
            first.close()
            first.close()
            pty.write()
            assert await second.wait(LONG)
            second.close()
            other.write()
            assert await third.wait(LONG)
            third.close()

    asyncio.run(main())


def test_all_that_is_open_is_given_back() -> None:
    """One queue serves all bells; it is kept until it is closed."""

    async def main() -> None:
        ears = InotifyHub()
        with open_pty() as pty, open_pty() as other:
            before = descriptors()
            bells = [ears.watch_tty(path) for path in (pty.path, pty.path, other.path)]
            assert len(descriptors() - before) == 1
            for output_watch in bells:
                output_watch.close()
            ears.stop()()
            assert descriptors() == before
            again = ears.watch_tty(pty.path)
            pty.write()
            assert await again.wait(LONG)
            again.close()
            ears.stop()()
            assert descriptors() == before

    asyncio.run(main())


def test_a_wait_that_is_cancelled_leaves_nothing() -> None:
    """What rings in the meantime is heard by the next wait."""

    async def main() -> None:
        with open_pty() as pty:
            output_watch = InotifyHub().watch_tty(pty.path)
            waiting = asyncio.create_task(output_watch.wait(LONG))
            await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.wait([waiting])
            pty.write()
            assert await output_watch.wait(LONG)
            output_watch.close()

    asyncio.run(main())


def test_a_terminal_that_is_gone_has_a_deaf_bell(tmp_path: Path) -> None:
    """And leaves nothing open; those who listen to others go on."""

    async def main() -> None:
        ears = InotifyHub()
        with open_pty() as pty:
            before = descriptors()
            assert isinstance(ears.watch_tty(str(tmp_path / "none")), AsyncPollingWatch)
            ears.stop()()
            assert descriptors() == before
            output_watch = ears.watch_tty(pty.path)
            assert isinstance(ears.watch_tty(str(tmp_path / "none")), AsyncPollingWatch)
            pty.write()
            assert await output_watch.wait(LONG)
            output_watch.close()

    asyncio.run(main())


def test_a_machine_without_inotify_is_deaf(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits is woken soon, each time a little later, and never hears a ring."""
    not_cached = _libc.__wrapped__
    monkeypatch.setattr("tmuxprim._kernel.inotify._libc", not_cached)
    monkeypatch.setattr(sys, "platform", "darwin")

    async def main() -> list[float]:
        naps: list[float] = []

        async def sleep(seconds: float) -> None:
            naps.append(seconds)

        monkeypatch.setattr(asyncio, "sleep", sleep)
        with open_pty() as pty:
            output_watch = InotifyHub().watch_tty(pty.path)
        for seconds in (0.005, LONG, LONG, -1.0):
            assert not await output_watch.wait(seconds)
        output_watch.close()
        return naps

    naps = asyncio.run(main())
    assert naps == pytest.approx([0.005, 0.0204, 0.020808, 0.0])


ONE, OTHER, NONE, GONE = Pane("%1"), Pane("%2"), Pane("%3"), Pane("%4")


def test_hub_of_many_panes(tmp_path: Path) -> None:
    """It reports the panes that have written before or during a wait, until one is discarded."""

    async def main() -> None:
        with open_pty() as pty, open_pty() as other:
            paths = {ONE: pty.path, OTHER: other.path, NONE: None, GONE: str(tmp_path / "none")}

            async def find(pane: Pane) -> str | None:
                return paths[pane]

            queue = InotifyHub()
            hub = AsyncInotifyOutputHub(find, queue)
            assert [await hub.add(pane) for pane in paths] == [True, True, False, False]
            assert await hub.wait(0.0) == set()
            waiting = asyncio.create_task(hub.wait(LONG))
            await asyncio.sleep(0)
            pty.write()
            assert await waiting == {ONE}
            bell = queue.watch_tty(other.path)
            other.write()
            assert await bell.wait(LONG)
            bell.close()
            assert await hub.wait(LONG) == {OTHER}
            pty.write()
            assert await hub.wait(LONG) == {ONE}
            hub.discard(ONE)
            hub.discard(NONE)
            pty.write()
            other.write()
            assert await hub.wait(LONG) == {OTHER}
            hub.close()
            queue.stop()()

    asyncio.run(main())
