"""`AsyncConsole` and `AsyncTmuxTerminal` on real tmux, over both transports."""

import asyncio
import os
import signal
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.event_loops import Looking
from tests.tmux.ticking import belongings, ticking, until_as_before
from tests.tmux_server import Server
from tmuxprim import (
    AsyncConsole,
    AsyncTmuxTerminal,
    Console,
    KeySequence,
    Outcome,
    Pane,
    PaneNotFoundError,
    PromptStrategy,
    TmuxTerminal,
    TmuxTimeoutError,
)
from tmuxprim._tmux.choice import TransportName

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash", "dash")]

BASH = ("bash", "--norc", "--noprofile")
LONG = 60.0
# Longest time for which an event loop may be kept waiting, in seconds, by work and by tmux. It is
# some tens of milliseconds; but Python stops all threads until a child it starts has begun, which
# takes its time on a machine that has too much to do.
BUSY = 3.0
BLOCKED = 1.5

Go = Callable[[AsyncTmuxTerminal], Coroutine[Any, Any, None]]
Run = Callable[..., None]


@pytest.fixture(params=["subprocess", "control"])
def transport(request: pytest.FixtureRequest) -> TransportName:
    """Give each transport in turn."""
    return "control" if request.param == "control" else "subprocess"


@pytest.fixture
def run(server: Server, transport: TransportName) -> Run:
    """Give what runs a test on a terminal of its own; afterwards nothing is left open."""

    async def main(go: Go, timeout: float) -> None:  # noqa: ASYNC109  # it is tmux's
        before = belongings()
        async with (
            asyncio.timeout(LONG),
            AsyncTmuxTerminal(
                socket_path=server.socket,
                config_file="/dev/null",
                transport=transport,
                timeout=timeout,
            ) as terminal,
        ):
            await go(terminal)
            assert terminal.transport == transport
        await until_as_before(before)
        assert len(asyncio.all_tasks()) == 1

    return lambda go, timeout=5.0: asyncio.run(main(go, timeout))


async def shell(terminal: AsyncTmuxTerminal, *command: str) -> AsyncConsole:
    """Return a console on a shell at its prompt."""
    pane = await terminal.open(command or BASH, env={"PS1": "$ "})
    console = AsyncConsole(terminal, pane)
    assert (await console.wait_ready(LONG)).outcome is Outcome.PROMPT
    return console


def test_a_conversation(run: Run) -> None:
    """All that a console does, awaited."""

    async def go(terminal: AsyncTmuxTerminal) -> None:
        console = await shell(terminal)
        assert (await console.run("seq 1 3")).output == "1\n2\n3\n"
        await console.send("sleep 0.2; echo x-$((40 + 2)); read -p 'Name? '")
        assert (await console.wait_for("x-42")).outcome is Outcome.MATCHED
        assert (await console.wait_ready()).outcome is Outcome.AWAITING_INPUT
        await console.send("it's; me", enter=False)
        await console.keys("BSpace", "Enter")
        assert (await console.wait_ready()).outcome is Outcome.PROMPT
        assert (await console.run("echo $REPLY")).output == "it's; m\n"
        assert "Name? it's; m" in await console.read()
        assert (await console.run("sleep 60", timeout=0.2)).readiness.outcome is Outcome.TIMEOUT

    run(go)


def test_a_hundred_panes_at_once(run: Run) -> None:
    """Each is told from the others, and the event loop goes on."""

    async def go(terminal: AsyncTmuxTerminal) -> None:
        async def one(number: int) -> str:
            console = await shell(terminal, "dash")
            return (await console.run(f"echo {number}", LONG)).output

        async with ticking() as ticker:
            outputs = await asyncio.gather(*map(one, range(100)))
        assert outputs == [f"{number}\n" for number in range(100)]
        assert ticker.worst < BUSY

    run(go, timeout=30.0)


def test_panes_that_flood(run: Run) -> None:
    """While many write as fast as they can, the event loop goes on."""

    async def go(terminal: AsyncTmuxTerminal) -> None:
        consoles = await asyncio.gather(*(shell(terminal) for _ in range(10)))
        async with ticking() as ticker:
            results = await asyncio.gather(*(one.run("seq 20000", LONG) for one in consoles))
        assert {result.output[-6:] for result in results} == {"20000\n"}
        assert ticker.worst < BUSY

    run(go, timeout=30.0)


def test_a_server_that_is_stopped(run: Run, server: Server) -> None:
    """All waits end in time, however many hang; calls fail; nobody else is kept waiting."""

    async def go(terminal: AsyncTmuxTerminal) -> None:
        consoles = await asyncio.gather(*(shell(terminal, "dash") for _ in range(20)))
        for console in consoles:
            await console.send("sleep 60")
        began = time.monotonic()
        async with ticking() as ticker:
            with server.stopped():
                waits = (console.wait_ready(0.3) for console in consoles)
                ended = await asyncio.gather(*waits)
                with pytest.raises(TmuxTimeoutError):
                    await consoles[0].send("x")
        assert {readiness.outcome for readiness in ended} == {Outcome.TIMEOUT}
        assert time.monotonic() - began < 20.0  # one after another takes 40 s
        assert ticker.worst < BLOCKED
        await consoles[1].keys("C-c")
        assert (await consoles[1].wait_ready()).outcome is Outcome.PROMPT

    run(go, timeout=2.0)


def test_waits_that_are_cancelled(run: Run) -> None:
    """By hand, by a timeout, by a group in which another fails; the console works as before."""

    async def go(terminal: AsyncTmuxTerminal) -> None:
        console = await shell(terminal)
        before = belongings()
        await console.send("sleep 60")
        looking = Looking("sleep")
        waiting = asyncio.create_task(console.wait_ready(strategy=looking.before_others()))
        await looking.wait()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await console.wait_for("never")

        async def wait_beside_a_failure() -> None:
            async with asyncio.TaskGroup() as group:
                group.create_task(console.wait_ready())
                group.create_task(terminal.observe(Pane("%999")))

        with pytest.raises(ExceptionGroup):
            await wait_beside_a_failure()
        await until_as_before(before)
        await console.keys("C-c")
        assert (await console.wait_ready()).outcome is Outcome.PROMPT
        assert (await console.run("echo hi")).output == "hi\n"

    run(go)


def test_sends_that_are_cancelled(run: Run, server: Server) -> None:
    """At any moment: no paste buffer is left, and the console works as before."""

    async def go(terminal: AsyncTmuxTerminal) -> None:
        console = await shell(terminal)
        loop, threads = asyncio.get_running_loop(), ThreadPoolExecutor()
        loop.set_default_executor(threads)
        for number in range(30):
            text = "y" * 5000 if number % 2 else "x"
            typing = asyncio.create_task(console.send(text, enter=False))
            await asyncio.sleep(number * 0.0005)
            typing.cancel()
            await asyncio.wait([typing])
        threads.shutdown()  # what was cancelled is completed all the same
        loop.set_default_executor(ThreadPoolExecutor(thread_name_prefix="asyncio"))
        assert server.tmux("list-buffers") == ""
        await console.keys("C-u")
        await console.keys("C-l")
        await console.wait_ready()
        assert (await console.run("echo hi")).output == "hi\n"

    run(go)


def test_a_server_that_dies(run: Run, server: Server) -> None:
    """All who wait are told; a new server is started by the next pane."""

    async def go(terminal: AsyncTmuxTerminal) -> None:
        consoles = [await shell(terminal) for _ in range(3)]
        never = PromptStrategy("never", last_line=True)
        lookings = [Looking("bash") for _ in consoles]
        waits = [
            asyncio.create_task(console.wait_ready(LONG, strategy=looking | never))
            for console, looking in zip(consoles, lookings, strict=True)
        ]
        for looking in lookings:
            await looking.wait()
        pid = server.pid()
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        ended = await asyncio.gather(*waits)
        assert {readiness.outcome for readiness in ended} == {Outcome.EXITED}
        with pytest.raises(PaneNotFoundError):
            await consoles[0].send("x")
        assert await terminal.panes() == ()
        assert (await (await shell(terminal)).run("echo hi")).output == "hi\n"

    run(go)


def test_a_session_that_is_closed_harms_no_other(run: Run) -> None:
    """Also if the client in control mode sits in it, and others type at that moment."""

    async def go(terminal: AsyncTmuxTerminal) -> None:
        panes = [await (await shell(terminal, "dash")).locate() for _ in range(16)]

        async def type_into(pane: Pane) -> None:
            for _ in range(20):
                await terminal.send(pane, KeySequence.text("x"))

        async def close(going: list[Pane]) -> None:
            for pane in going:
                await asyncio.sleep(0.01)
                await terminal.close(pane)

        await asyncio.gather(close(panes[:8]), *map(type_into, panes[8:]))
        for pane in panes[8:]:
            assert "x" * 20 in (await terminal.read(pane)).replace("\n", "")

    run(go)


def test_a_question_that_is_asked_by_way_of_dev_tty(server: Server, tmp_path: Path) -> None:
    """A question of ssh and sudo comes so; a wait notices it soon, also after a long time."""
    soon = 10.0  # a silence of 3 s is looked into every 0.3 s, and this may be a busy machine

    def ask(file: Path) -> str:
        script = "sleep 3; echo $EPOCHREALTIME >'%s'; read -rsp 'Password: ' x </dev/tty 2>/dev/tty"
        return script % file

    def late(file: Path, outcome: Outcome) -> float:
        now = time.time()
        assert outcome is Outcome.AWAITING_SECRET
        return now - float(file.read_text())

    def wait(file: Path) -> float:
        terminal = TmuxTerminal(socket_path=server.socket, config_file="/dev/null")
        console = Console(terminal, terminal.open(BASH, env={"PS1": "$ "}))
        console.wait_ready(LONG)
        console.send(ask(file))
        return late(file, console.wait_ready(LONG).outcome)

    async def await_it(name: TransportName) -> float:
        file = tmp_path / name
        async with AsyncTmuxTerminal(
            socket_path=server.socket, config_file="/dev/null", transport=name
        ) as terminal:
            console = await shell(terminal)
            await console.send(ask(file))
            return late(file, (await console.wait_ready(LONG)).outcome)

    async def main() -> list[float]:
        names: tuple[TransportName, ...] = ("subprocess", "control")
        waits = [asyncio.to_thread(wait, tmp_path / "sync"), *map(await_it, names)]
        return await asyncio.gather(*waits)

    assert max(asyncio.run(main())) < soon
