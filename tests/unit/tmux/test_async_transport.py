"""The transports for asyncio, with clients made of shell script and connections of pipes."""

import asyncio
import stat
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import attrs
import pytest

from tests.unit.tmux.clients import first_pane
from tests.unit.tmux.piped import ASK, CLOSE, DO, PipedClient
from tmuxprim import TmuxCommandError, TmuxServerError, TmuxTimeoutError
from tmuxprim._tmux import transport
from tmuxprim._tmux.async_connection import (
    AsyncControlTransport,
    AsyncSubprocessTransport,
)
from tmuxprim._tmux.commands import TmuxCall, call
from tmuxprim._tmux.connection import AttachedClient, NoControlModeError
from tmuxprim._tmux.launch import Prefix
from tmuxprim._tmux.operations import Steps
from tmuxprim._tmux.subprocess import SubprocessTransport

OPEN = TmuxCall((("new-session", "-d"),), is_repeatable=False, client_id="1")
LONG = 20.0  # seconds after which a test that hangs is ended


def spawning(
    directory: Path, script: str, *, timeout: float = LONG, launcher: str = ""
) -> SubprocessTransport:
    """Return what starts clients that are a shell script, if need be behind a launcher."""
    program = directory / "tmux"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return SubprocessTransport(Prefix(tuple(launcher.split()), (str(program),)), timeout)


def within_limit(go: Coroutine[Any, Any, object]) -> None:
    """Run a test on an event loop; it ends."""

    async def main() -> None:
        async with asyncio.timeout(LONG):
            await go
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(main())


@attrs.define
class Connector:
    """Makes connections, as the test says: a client, an error, or nothing."""

    results: list[PipedClient | Exception | None]
    may_go_on: threading.Event = attrs.field(factory=threading.Event)
    count: int = 0

    def __call__(self, _spawn: SubprocessTransport, *, is_required: bool) -> AttachedClient | None:
        """Connect, as soon as the test lets it; the last result is that of all later calls."""
        self.count += 1
        assert is_required
        result = self.results[0] if len(self.results) == 1 else self.results.pop(0)
        assert self.may_go_on.wait(LONG)
        if isinstance(result, Exception):
            raise result
        return result.link if result else None


Control = Callable[..., tuple[AsyncControlTransport, Connector]]


@pytest.fixture
def control(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Control:
    """Give a maker of transports whose clients say ``client`` and note that they were there."""

    def make(
        *results: PipedClient | Exception | None,
    ) -> tuple[AsyncControlTransport, Connector]:
        spawn = spawning(tmp_path, f'echo "$@" >>{tmp_path}/calls; echo client')
        connector = Connector(list(results))
        connector.may_go_on.set()
        monkeypatch.setattr(transport, "connect", connector)
        return AsyncControlTransport(spawn, is_required=True), connector

    return make


def test_a_client_is_waited_for_by_a_thread(tmp_path: Path) -> None:
    """The event loop goes on meanwhile."""
    spawn = spawning(tmp_path, f"while ! [ -e {tmp_path}/go ]; do sleep 0.01; done; echo done")

    async def go() -> None:
        transport = AsyncSubprocessTransport(spawn)
        task = asyncio.create_task(transport.run(ASK))
        await asyncio.sleep(0)
        (tmp_path / "go").touch()
        assert await task == "done\n"
        assert transport.name == "subprocess"
        await transport.close()

    within_limit(go())


def test_waiting_for_a_thread_counts(tmp_path: Path) -> None:
    """With all threads taken by clients that hang, a call still ends in time."""
    spawn = spawning(tmp_path, "exec sleep 60", timeout=0.5)

    async def go() -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        transport = AsyncSubprocessTransport(spawn)
        began = time.monotonic()
        calls = (transport.run(ASK) for _ in range(20))
        errors = await asyncio.gather(*calls, return_exceptions=True)
        assert {type(error) for error in errors} == {TmuxTimeoutError}
        assert all("within 0.5 s" in str(error) for error in errors)
        assert time.monotonic() - began < 5.0  # one after another takes 10 s

    within_limit(go())


@pytest.mark.parametrize("says", ["echo done", "echo no >&2; exit 1"])
def test_waiting_for_others_does_not_count(tmp_path: Path, says: str) -> None:
    """While tmux answers one call after another, be it by refusals, none is too late."""
    spawn = spawning(tmp_path, f"sleep 0.1; {says}", timeout=1.1)

    async def go() -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        transport = AsyncSubprocessTransport(spawn)
        calls = (transport.run(ASK) for _ in range(12))
        answers = await asyncio.gather(*calls, return_exceptions=True)
        assert {type(answer) for answer in answers} == {
            str if says == "echo done" else TmuxCommandError
        }

    within_limit(go())


def test_a_call_of_a_loop_that_was_closed_is_given_up(tmp_path: Path) -> None:
    """Nobody can cancel what it waits for, and nobody is told of that."""
    transport = AsyncSubprocessTransport(spawning(tmp_path, "echo done"))
    call = transport.run(ASK)
    loop = asyncio.new_event_loop()

    async def begin() -> None:
        call.send(None)

    loop.run_until_complete(begin())
    (worker,) = asyncio.all_tasks(loop)
    worker._log_destroy_pending = False  # type: ignore[attr-defined]  # noqa: SLF001  # it is
    loop.close()
    call.close()
    assert not worker.cancelled()


def test_a_call_that_is_cancelled_takes_no_thread(tmp_path: Path) -> None:
    """Who waits for one is no longer in the queue."""
    spawn = spawning(tmp_path, f"echo >>{tmp_path}/begun; while ! [ -e {tmp_path}/go ]; do :; done")

    async def go() -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        transport = AsyncSubprocessTransport(spawn)
        first, second = (asyncio.create_task(transport.run(ASK)) for _ in range(2))
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.wait([second])
        (tmp_path / "go").touch()
        await first
        assert (tmp_path / "begun").read_text() == "\n"

    within_limit(go())


def test_a_machine_that_hangs_takes_no_thread_of_anothers(tmp_path: Path) -> None:
    """Each has threads of its own, whatever the event loop has."""
    (tmp_path / "dead").mkdir()
    waits = f"while ! [ -e {tmp_path}/go ]; do sleep 0.01; done; echo late"
    dead = AsyncSubprocessTransport(spawning(tmp_path / "dead", waits, launcher="env"))
    alive = AsyncSubprocessTransport(spawning(tmp_path, "echo done", launcher="env"))

    async def go() -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        calls = [asyncio.create_task(dead.run(ASK)) for _ in range(20)]
        await asyncio.wait(calls, timeout=0.05)
        assert await alive.run(ASK) == "done\n"
        assert not any(task.done() for task in calls)
        (tmp_path / "go").touch()
        assert {*await asyncio.gather(*calls)} == {"late\n"}
        await dead.close()

    asyncio.run(go())


def test_a_transport_that_was_closed_has_threads_again(tmp_path: Path) -> None:
    """As it connects anew; closing what has none is nothing."""
    transport = AsyncSubprocessTransport(spawning(tmp_path, "echo done", launcher="env"))

    async def go() -> str:
        answer = await transport.run(ASK)
        await transport.close()
        await transport.close()
        return answer

    assert [asyncio.run(go()) for _ in range(2)] == ["done\n"] * 2


def test_steps_that_were_begun_are_ended(tmp_path: Path) -> None:
    """Also if nobody waits for it any more."""
    spawn = spawning(tmp_path, f"echo called >>{tmp_path}/calls")
    begun, may_go_on, is_over = (threading.Event() for _ in range(3))

    def steps() -> Steps[str]:
        begun.set()
        assert may_go_on.wait(LONG)
        yield ASK
        yield DO
        is_over.set()
        return "all"

    async def go() -> None:
        transport = AsyncSubprocessTransport(spawn)
        task = asyncio.create_task(transport.finish(steps()))
        assert await asyncio.to_thread(begun.wait, LONG)
        task.cancel()
        await asyncio.wait([task])
        may_go_on.set()
        assert await asyncio.to_thread(is_over.wait, LONG)
        assert await AsyncControlTransport(spawn, is_required=True).finish(steps()) == "all"

    within_limit(go())
    assert (tmp_path / "calls").read_text() == "called\n" * 4


def test_all_wait_for_one_connection(control: Control) -> None:
    """Nobody makes another; whoever is cancelled leaves it to the others."""
    client = PipedClient()
    transport, connector = control(client)
    connector.may_go_on.clear()

    async def go() -> None:
        tasks = [asyncio.create_task(transport.run(ASK)) for _ in range(10)]
        await asyncio.sleep(0)
        tasks[0].cancel()
        await asyncio.wait([tasks[0]])
        connector.may_go_on.set()
        await client.asked("display", 9)
        for _ in range(9):
            client.answer("x")
        assert await asyncio.gather(*tasks[1:]) == ["x\n"] * 9
        assert connector.count == 1
        assert transport.name == "control"
        await transport.close()
        assert client.is_closed

    within_limit(go())


def test_nobody_attaches_while_the_first_pane_is_opened(tmp_path: Path) -> None:
    """Some tmux crash of it. Once there is a client, panes are opened side by side."""
    tmux = Prefix((), (str(first_pane(tmp_path)),))
    transport = AsyncControlTransport(SubprocessTransport(tmux, LONG), is_required=True)

    async def go() -> None:
        opened = await asyncio.gather(*(transport.run(OPEN) for _ in range(8)))
        assert set(opened) == {"spawned\n"}
        await transport.close()

    within_limit(go())
    events = (tmp_path / "events").read_text().split()
    assert events[:3] == ["begin", "end", "attach"]
    assert events.count("attach") == 1


def test_a_connection_that_cannot_be_made_in_time(control: Control) -> None:
    """An error of all who wait for it; the next call tries again."""
    transport, connector = control(TmuxTimeoutError("hangs"), None)

    async def go() -> None:
        calls = (transport.run(ASK) for _ in range(10))
        errors = await asyncio.gather(*calls, return_exceptions=True)
        assert {str(error) for error in errors} == {"hangs"}
        assert connector.count == 1
        assert await transport.run(ASK) == "client\n"

    within_limit(go())


def test_no_control_mode(control: Control) -> None:
    """Then clients are started, and that is said once."""
    transport, connector = control(NoControlModeError("too old"))

    async def go() -> None:
        with pytest.warns(RuntimeWarning, match="no control mode.*too old") as caught:
            assert await transport.run(ASK) == "client\n"
        assert len(caught) == 1
        assert await transport.run(ASK) == "client\n"

    within_limit(go())
    assert connector.count == 1
    assert transport.name == "subprocess"


def test_what_is_read_from_standard_input(control: Control) -> None:
    """Takes a client of its own; there is nothing to connect for."""
    transport, connector = control(None)

    async def go() -> None:
        assert await transport.run(call(("load-buffer", "-"), stdin=b"x")) == "client\n"
        assert connector.count == 0
        await transport.close()

    within_limit(go())


def test_a_connection_that_ends(control: Control) -> None:
    """What may be done twice is; what may not is an error. The next call connects anew."""
    clients = [PipedClient(), PipedClient()]
    transport, connector = control(*clients)

    async def go() -> None:
        tasks = [asyncio.create_task(transport.run(one)) for one in (ASK, DO)]
        await clients[0].asked("send-keys")
        clients[0].leave()
        assert await tasks[0] == "client\n"
        with pytest.raises(TmuxServerError, match="look before you do it again"):
            await tasks[1]
        again = asyncio.create_task(transport.run(ASK))
        await clients[1].asked("display")
        clients[1].answer("again")
        assert await again == "again\n"
        assert clients[0].is_closed
        assert connector.count == 2
        await transport.close()

    within_limit(go())


def test_a_session_that_ends_harms_nobody(control: Control) -> None:
    """The client leaves it first, when all are answered; what is asked then waits."""
    clients = [PipedClient(), PipedClient()]
    transport, connector = control(*clients)

    async def go() -> None:
        typing, closing = (asyncio.create_task(transport.run(one)) for one in (DO, CLOSE))
        await clients[0].asked("list-panes")
        clients[0].answer("typed")
        more = asyncio.create_task(transport.run(CLOSE))
        slow = asyncio.create_task(transport.run(DO))
        await asyncio.sleep(0)
        clients[0].answer("%0")
        for _ in range(9):
            await asyncio.sleep(0)
        later = asyncio.create_task(transport.run(DO))
        clients[0].answer("%0")
        clients[0].answer("slow")
        assert [await typing, await slow] == ["typed\n", "slow\n"]
        assert [await closing, await more] == ["client\n"] * 2
        assert clients[0].is_closed
        await clients[1].asked("send-keys")
        clients[1].answer("later")
        assert await later == "later\n"
        await transport.close()

    within_limit(go())
    assert connector.count == 2


def test_closing_while_a_session_is_ended(control: Control) -> None:
    """Nobody attaches before that has ended."""
    clients = [PipedClient(), PipedClient()]
    transport, _ = control(*clients)

    async def go() -> None:
        typing, ending = (asyncio.create_task(transport.run(one)) for one in (DO, CLOSE))
        await clients[0].asked("list-panes")
        clients[0].answer("typed")
        slow = asyncio.create_task(transport.run(DO))
        await asyncio.sleep(0)
        clients[0].answer("%0")
        await clients[0].asked("send-keys")
        closing = asyncio.create_task(transport.close())
        await asyncio.sleep(0)
        later = asyncio.create_task(transport.run(DO))
        clients[0].answer("slow")
        await clients[1].asked("send-keys")
        assert ending.done()
        clients[1].answer("later")
        assert [await typing, await slow, await later] == ["typed\n", "slow\n", "later\n"]
        await asyncio.gather(ending, closing)
        await transport.close()

    within_limit(go())


def test_a_session_that_goes_on(control: Control) -> None:
    """Where another pane stays, the client may."""
    client = PipedClient()
    transport, connector = control(client)

    async def go() -> None:
        task = asyncio.create_task(transport.run(CLOSE))
        await client.asked("list-panes")
        client.answer("%0\n%1")
        await client.asked("kill-pane")
        client.answer("killed")
        assert await task == "killed\n"
        await transport.close()

    within_limit(go())
    assert connector.count == 1


def test_closing_while_it_connects(control: Control) -> None:
    """What comes of it is closed, too, once it has answered."""
    client = PipedClient()
    transport, connector = control(client)
    connector.may_go_on.clear()

    async def go() -> None:
        asking = asyncio.create_task(transport.run(ASK))
        await asyncio.sleep(0)
        closing = asyncio.create_task(transport.close())
        await asyncio.sleep(0)
        connector.may_go_on.set()
        await client.asked("display", 1)
        assert not closing.done()
        client.answer("x")
        await closing
        assert await asking == "x\n"
        assert client.is_closed

    within_limit(go())
