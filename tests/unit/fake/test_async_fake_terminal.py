"""`AsyncFakeTerminal`: all tasks share one virtual time, in the same order on every run."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

import pytest

from tmuxprim import AsyncConsole, FakeTerminal, KeySequence
from tmuxprim.testing import AsyncFakeTerminal, FakeTty, Run, ScriptedShell, Sleep, after, question

# Real seconds after which a test that hangs is ended; nobody waits for them.
LONG = 30.0

Log: TypeAlias = list[tuple[str, float]]
Nap: TypeAlias = Callable[[str, float], Coroutine[Any, Any, None]]
Go: TypeAlias = Callable[[AsyncFakeTerminal, Log, Nap], Coroutine[Any, Any, None]]


def shell() -> FakeTerminal:
    """Return a fake whose shell has a command that takes a minute."""
    return FakeTerminal(programs={"sh": ScriptedShell({"make": after(60.0, "done")})})


def logged(go: Go) -> Log:
    """Run *go* on a fresh terminal; return what it logged, each with its virtual time."""
    terminal, log = AsyncFakeTerminal(), Log()

    async def nap(name: str, seconds: float) -> None:
        await terminal.clock.sleep(seconds)
        log.append((name, terminal.clock.now()))

    async def main() -> None:
        async with asyncio.timeout(LONG):
            await go(terminal, log, nap)

    asyncio.run(main())
    return log


def test_one_task_sleeps() -> None:
    """A minute takes no minute."""

    async def go(_terminal: AsyncFakeTerminal, _log: Log, nap: Nap) -> None:
        await nap("a", 60.0)
        await nap("b", 0.0)
        await nap("c", -1.0)

    began = time.monotonic()
    assert logged(go) == [("a", 60.0), ("b", 60.0), ("c", 60.0)]
    assert time.monotonic() - began < 60.0


def test_tasks_of_gather_wake_in_order_of_time() -> None:
    """And those of one moment in the order in which they fell asleep."""

    async def go(_terminal: AsyncFakeTerminal, _log: Log, nap: Nap) -> None:
        await asyncio.gather(nap("c", 3.0), nap("a", 1.0), nap("b", 1.0), nap("d", 4.0))

    assert logged(go) == [("a", 1.0), ("b", 1.0), ("c", 3.0), ("d", 4.0)]


def test_tasks_in_tasks() -> None:
    """A task group may have another one in it; each goes on when all of its tasks are done."""

    async def pair(name: str, nap: Nap) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(nap(f"{name}1", 1.0))
            group.create_task(nap(f"{name}2", 2.0))
        await nap(name, 0.5)

    async def go(_terminal: AsyncFakeTerminal, _log: Log, nap: Nap) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(pair("x", nap))
            group.create_task(nap("y", 2.25))
        await nap("z", 1.0)

    times = [("x1", 1.0), ("x2", 2.0), ("y", 2.25), ("x", 2.5), ("z", 3.5)]
    assert logged(go) == times


def test_what_one_task_tells_another_takes_no_time() -> None:
    """Time stands still while a result goes from task to task, also with others asleep."""

    async def go(terminal: AsyncFakeTerminal, log: Log, nap: Nap) -> None:
        events = [asyncio.Event() for _ in range(5)]

        async def pass_on(number: int) -> None:
            await events[number].wait()
            events[number + 1].set()

        async def hear() -> None:
            await events[-1].wait()
            log.append(("heard", terminal.clock.now()))

        async def tell() -> None:
            await nap("told", 1.0)
            events[0].set()

        others = nap("other", 1.001), nap("another", 2.0)
        await asyncio.gather(hear(), *map(pass_on, range(4)), tell(), *others)

    assert logged(go) == [("told", 1.0), ("heard", 1.0), ("other", 1.001), ("another", 2.0)]


def test_a_task_that_works_holds_time_up() -> None:
    """While one looks at its pane again and again, no other is woken."""

    async def go(terminal: AsyncFakeTerminal, log: Log, nap: Nap) -> None:
        async def work() -> None:
            pane = await terminal.open()
            for _ in range(100):
                await terminal.observe(pane)
                await asyncio.sleep(0)
            log.append(("worked", terminal.clock.now()))

        await asyncio.gather(nap("slept", 0.001), work())

    assert logged(go) == [("worked", 0.0), ("slept", 0.001)]


def test_a_cancelled_sleeper_is_no_more() -> None:
    """It goes on at once, and time does not wait for it."""

    async def go(_terminal: AsyncFakeTerminal, log: Log, nap: Nap) -> None:
        task = asyncio.create_task(nap("never", 60.0))
        await nap("a", 1.0)
        task.cancel()
        await asyncio.wait([task])
        log.append(("cancelled", float(task.cancelled())))
        await nap("b", 1.0)

    assert logged(go) == [("a", 1.0), ("cancelled", 1.0), ("b", 2.0)]


def test_a_timeout_of_asyncio_is_in_real_time() -> None:
    """It does not end a wait that takes none, and ends one that may take any at its first step."""

    async def go(_terminal: AsyncFakeTerminal, log: Log, nap: Nap) -> None:
        async with asyncio.timeout(20.0):
            await nap("a", 3600.0)
        try:
            async with asyncio.timeout(0.0):
                await nap("never", 1.0)
        except TimeoutError:
            log.append(("timeout", 0.0))

    assert logged(go) == [("a", 3600.0), ("timeout", 0.0)]


def test_many_consoles_wait_a_minute() -> None:
    """Each on a pane of its own, in no time, and all are done in the same minute."""

    async def build(terminal: AsyncFakeTerminal) -> str:
        console = AsyncConsole(terminal, await terminal.open("sh"))
        return (await console.run("make", 100.0)).output

    async def main() -> float:
        terminal = AsyncFakeTerminal(shell())
        assert repr(terminal) == "AsyncFakeTerminal(FakeTerminal(panes=[], now=0.0))"
        assert set(await asyncio.gather(*(build(terminal) for _ in range(50)))) == {"done\n"}
        return terminal.clock.now()

    assert 60.0 < asyncio.run(main()) < 61.0


def test_it_is_the_same_on_every_run() -> None:
    """What is sent, when and in which order."""

    async def talk(terminal: AsyncFakeTerminal, number: int) -> None:
        console = AsyncConsole(terminal, await terminal.open("sh"))
        for turn in range(3):
            await console.run(f"echo {number} {turn}")
            await terminal.clock.sleep(0.1 * (number % 4))

    async def main() -> list[str]:
        terminal = AsyncFakeTerminal(shell())
        await asyncio.gather(*(talk(terminal, number) for number in range(8)))
        return [f"{sent.pane} {sent.keys} {sent.at}" for sent in terminal.fake.sent()]

    assert asyncio.run(main()) == asyncio.run(main())


def failing(tty: FakeTty) -> Run:
    """Play a program whose test fails in it, right after it has written something."""
    yield Sleep(1.0)
    tty.write("no")
    pytest.fail("not this answer")


def test_what_a_program_raises_comes_out_of_the_wait() -> None:
    """Also if it is no `Exception`, and if the wait has just been woken; then all goes on."""
    shell = ScriptedShell({"install": failing})

    async def main() -> str:
        terminal = AsyncFakeTerminal(FakeTerminal(programs={"sh": shell}))
        console = AsyncConsole(terminal, await terminal.open())
        with pytest.raises(pytest.fail.Exception, match=r"^not this answer$"):
            await console.run("install")
        other = AsyncConsole(terminal, await terminal.open())
        return (await other.run("echo on")).output

    assert asyncio.run(asyncio.wait_for(main(), LONG)) == "on\n"


def test_what_a_program_raises_comes_out_of_all_waits() -> None:
    """All waits sleep by one clock, so the error belongs to each of them."""

    def refuse(answer: str) -> str:
        raise LookupError(answer)

    async def main() -> list[object]:
        fake = FakeTerminal(programs={"sh": question("Sure? ", refuse)})
        terminal = AsyncFakeTerminal(fake)
        console = AsyncConsole(terminal, await terminal.open())
        await console.wait_ready()
        await console.send("no")
        waits = console.wait_ready(), terminal.clock.sleep(60.0)
        errors = await asyncio.gather(*waits, return_exceptions=True)
        await terminal.clock.sleep(60.0)
        return [*errors, terminal.clock.now() > 60.0]

    *errors, is_later = asyncio.run(asyncio.wait_for(main(), LONG))
    assert [repr(error) for error in errors] == ["LookupError('no')"] * 2
    assert is_later


def test_an_interrupt_passes() -> None:
    """It ends the loop, as asyncio has it, and those who are ended by that can still wait."""
    terminal = AsyncFakeTerminal()
    ended = []

    def interrupt() -> None:
        raise KeyboardInterrupt

    async def main() -> None:
        terminal.fake.clock.call_later(1.0, interrupt)
        try:
            await terminal.clock.sleep(60.0)
        finally:
            await terminal.clock.sleep(60.0)
            ended.append(terminal.clock.now())

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(main())
    assert ended == [61.0]


def test_a_bell_that_is_cancelled_listens_no_more() -> None:
    """And rings for the next who waits."""

    async def main() -> tuple[bool, bool, float]:
        terminal = AsyncFakeTerminal(shell())
        pane = await terminal.open("sh")
        await terminal.clock.sleep(1.0)
        output_watch = await terminal.watch_output(pane)
        assert not await output_watch.wait(0.0)
        task = asyncio.create_task(output_watch.wait(60.0))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        await terminal.send(pane, KeySequence.text("x"))
        rang = await output_watch.wait(60.0), await output_watch.wait(5.0)
        output_watch.close()
        return (*rang, terminal.clock.now())

    rang, again, now = asyncio.run(main())
    assert (rang, again) == (True, False)
    assert now == pytest.approx(6.0, abs=0.01)


def test_what_a_pane_wrote_meanwhile_is_told_at_once() -> None:
    """A watch of many panes waits only where nothing is there to be told."""

    async def main() -> None:
        terminal = AsyncFakeTerminal(shell())
        pane, other = await terminal.open("sh"), await terminal.open("sh")
        await terminal.clock.sleep(1.0)
        hub = terminal.watch_outputs()
        assert await hub.add(pane)
        assert await hub.add(other)
        await terminal.send(pane, KeySequence.text("x"))
        await terminal.clock.sleep(1.0)
        began = terminal.clock.now()
        assert list(await hub.wait(60.0)) == [pane]
        assert terminal.clock.now() == began
        assert not list(await hub.wait(5.0))
        assert terminal.clock.now() == began + 5.0
        hub.discard(pane)
        await terminal.send(pane, KeySequence.text("y"))
        assert not list(await hub.wait(5.0))
        hub.close()

    asyncio.run(main())
