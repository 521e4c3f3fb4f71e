"""`AsyncConnection`: calls and answers over one client, whose server is the test."""

import asyncio
import os
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from tests.unit.tmux.piped import ASK, DO, PipedClient
from tmuxprim import TmuxCommandError, TmuxTimeoutError
from tmuxprim._tmux.async_connection import AsyncConnection
from tmuxprim._tmux.commands import call
from tmuxprim._tmux.control import ConnectionClosedError

LONG = 20.0  # seconds after which a test that hangs is ended

Go = Callable[[PipedClient, AsyncConnection], Coroutine[Any, Any, None]]


def connected(go: Go, *, timeout: float = LONG) -> PipedClient:
    """Run *go* on a connection, and close it."""
    client = PipedClient()

    async def main() -> None:
        connection = AsyncConnection(client.link, timeout)
        async with asyncio.timeout(LONG):
            await go(client, connection)
            await connection.close()
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(main())
    assert client.is_closed
    return client


async def settled(client: PipedClient) -> str:
    """Let all tasks go on as far as they can; return what the server heard."""
    heard = ""
    for _ in range(5):
        await asyncio.sleep(0)
        heard += client.heard()
    return heard


def test_answers_come_to_those_who_asked() -> None:
    """In the order of asking; a refusal is an error of the one call."""

    async def go(client: PipedClient, connection: AsyncConnection) -> None:
        tasks = [asyncio.create_task(connection.run(ASK)) for _ in range(3)]
        assert (await settled(client)).count("display-message") == 3
        client.answer("one")
        client.refuse("no such thing")
        client.say("%window-add @1\n")
        client.answer("three")
        assert await tasks[0] == "one\n"
        with pytest.raises(TmuxCommandError, match="no such thing"):
            await tasks[1]
        assert await tasks[2] == "three\n"
        assert not connection.is_over

    connected(go)


def test_an_end_that_is_there_already_sends_nothing() -> None:
    """The loop has not heard of it yet; what must not be done twice is not in doubt for that."""

    async def go(client: PipedClient, connection: AsyncConnection) -> None:
        client.leave()
        with pytest.raises(ConnectionClosedError) as caught:
            await connection.run(DO)
        assert not caught.value.was_sent
        assert client.heard() == ""

    connected(go)


def test_an_answer_that_nobody_waits_for() -> None:
    """A call that was cancelled has its answer, which comes to nobody else."""

    async def go(client: PipedClient, connection: AsyncConnection) -> None:
        first, second = (asyncio.create_task(connection.run(ASK)) for _ in range(2))
        await settled(client)
        first.cancel()
        await asyncio.wait([first])
        client.answer("one")
        client.answer("two")
        assert await second == "two\n"

    connected(go)


def test_an_answer_to_another_question_is_nobodys() -> None:
    """The connection is over, and those who wait are told that it may have been done."""

    async def go(client: PipedClient, connection: AsyncConnection) -> None:
        tasks = [asyncio.create_task(connection.run(one)) for one in (ASK, ASK, DO)]
        await settled(client)
        client.answer("one")
        client.finish(1)
        assert await tasks[0] == "one\n"
        for task in tasks[1:]:
            with pytest.raises(ConnectionClosedError, match="another question") as caught:
                await task
            assert caught.value.was_sent
        assert connection.is_over

    connected(go)


def interrupt(*_: object) -> None:
    """Do what Ctrl-C does."""
    raise KeyboardInterrupt


@pytest.mark.parametrize("torn", ["read", "write"])
def test_an_interrupt_ends_what_it_tears(torn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command may be written in part or twice, an answer lost in part; some loops go on."""

    async def go(client: PipedClient, connection: AsyncConnection) -> None:
        waiting = asyncio.create_task(connection.run(DO))
        await settled(client)
        typing = connection.run(DO)
        monkeypatch.setattr(os, torn, interrupt)
        with pytest.raises(KeyboardInterrupt):
            typing.send(None)
        monkeypatch.undo()
        assert connection.is_over
        with pytest.raises(ConnectionClosedError) as caught:
            await waiting
        assert caught.value.was_sent

    connected(go)


def test_a_server_that_does_not_answer() -> None:
    """It is an error in time; an answer that comes late harms nobody."""

    async def go(client: PipedClient, connection: AsyncConnection) -> None:
        with pytest.raises(TmuxTimeoutError, match=r"within 0\.1 s.*'display-message'"):
            await connection.run(ASK)
        client.answer("late")
        task = asyncio.create_task(connection.run(ASK))
        await asyncio.sleep(0)
        client.answer("in time")
        assert await task == "in time\n"

    connected(go, timeout=0.1)


def test_silence_ends_a_connection_that_may_be_gone_for_good() -> None:
    """Others who wait are told so, and not only when their own time is up."""
    client = PipedClient()

    async def main() -> None:
        far = AsyncConnection(client.link, 0.01, ends_in_silence=True)
        first, second = (asyncio.create_task(far.run(ASK)) for _ in range(2))
        with pytest.raises(TmuxTimeoutError):
            await first
        with pytest.raises((ConnectionClosedError, TmuxTimeoutError)):
            await second
        assert far.is_over
        await far.close()

    asyncio.run(main())
    assert client.is_closed


def test_closing_twice_leaves_another_clients_pipes_alone() -> None:
    """Theirs may have got the numbers that its own had; nobody else would hear them."""

    async def go(_: PipedClient, connection: AsyncConnection) -> None:
        await connection.close()
        another = PipedClient()  # it has the lowest numbers that are free
        other = AsyncConnection(another.link, LONG)
        assert vars(connection)["_client"].stdout == another.stdout
        await connection.close()
        task = asyncio.create_task(other.run(ASK))
        await another.asked("display")
        another.answer("x")
        async with asyncio.timeout(5.0):
            assert await task == "x\n"
        await other.close()

    connected(go)


@pytest.mark.parametrize("is_taken_in", [False, True])
def test_an_answer_and_the_end_of_time_at_once(*, is_taken_in: bool) -> None:
    """What has come counts, also if the loop has been too busy to see it."""

    async def go(client: PipedClient, connection: AsyncConnection) -> None:
        task = asyncio.create_task(connection.run(ASK))
        await settled(client)
        client.answer("just so")
        if is_taken_in:
            connection._take_in()  # noqa: SLF001  # in the round of the loop in which time is up
        expire(connection)
        assert await task == "just so\n"

    connected(go)


def expire(connection: AsyncConnection) -> None:
    """Let the time be up of the call that was asked first, long ago."""
    answered = next(iter(connection._awaited))  # noqa: SLF001  # the only way to be too late
    connection._awaited[answered].cancel()  # noqa: SLF001  # as above
    connection._expire(answered, ASK, asked=-60.0)  # noqa: SLF001  # as above


def test_a_queue_takes_its_time() -> None:
    """While tmux answers one call after another, none of those behind is too late."""

    async def go(client: PipedClient, connection: AsyncConnection) -> None:
        tasks = [asyncio.create_task(connection.run(ASK)) for _ in range(3)]
        await settled(client)
        client.answer("one")
        expire(connection)
        assert await tasks[0] == "one\n"
        expire(connection)
        assert not tasks[1].done()
        connection._heard = 0.0  # noqa: SLF001  # that was long ago
        expire(connection)
        with pytest.raises(TmuxTimeoutError, match="tmux did not answer within"):
            await tasks[1]
        client.answer("too late")
        client.answer("three")
        assert await tasks[2] == "three\n"

    connected(go)


def test_the_end_of_time_of_a_connection_that_is_over() -> None:
    """There is nothing more to be read from it."""

    async def go(client: PipedClient, connection: AsyncConnection) -> None:
        task = asyncio.create_task(connection.run(ASK))
        await settled(client)
        connection._stream.ended = "gone"  # noqa: SLF001  # another call has seen it just now
        expire(connection)
        with pytest.raises(TmuxTimeoutError):
            await task

    connected(go)


@pytest.mark.parametrize(("bye", "why"), [("%exit\n", "detached"), ("", "the client ended")])
def test_a_client_that_ends(bye: str, why: str) -> None:
    """Whoever waits is told at once; nothing more is sent."""

    async def go(client: PipedClient, connection: AsyncConnection) -> None:
        tasks = [asyncio.create_task(connection.run(one)) for one in (ASK, DO)]
        await settled(client)
        client.say(bye)
        client.leave()
        for task in tasks:
            with pytest.raises(ConnectionClosedError, match=why) as caught:
                await task
            assert caught.value.was_sent
        assert connection.is_over
        with pytest.raises(ConnectionClosedError) as caught:
            await connection.run(ASK)
        assert not caught.value.was_sent
        assert await settled(client) == ""

    connected(go)


def test_a_client_that_reads_no_more() -> None:
    """What is written then is lost, and that is told."""

    async def go(client: PipedClient, connection: AsyncConnection) -> None:
        client.stop_listening()
        with pytest.raises(ConnectionClosedError, match="the client ended"):
            await connection.run(ASK)
        assert connection.is_over

    connected(go)


def test_more_than_the_pipe_holds() -> None:
    """The rest is written when there is room; calls behind it keep their order."""

    async def go(client: PipedClient, connection: AsyncConnection) -> None:
        long = call(("display-message", "-p", "y" * 500_000))
        tasks = [asyncio.create_task(connection.run(one)) for one in (long, ASK, long)]
        heard = ""
        while len(heard) < 1_000_000:
            heard += await settled(client)
        heard += await settled(client)
        lines = heard.splitlines()
        assert [len(line) > 1000 for line in lines] == [True, False, True]
        for _ in tasks:
            client.answer("x")
        assert await asyncio.gather(*tasks) == ["x\n"] * 3

    connected(go)


def test_closing_waits_for_those_who_have_asked() -> None:
    """They are answered; who asks from then on is told that nothing was sent."""

    async def go(client: PipedClient, connection: AsyncConnection) -> None:
        tasks = [asyncio.create_task(connection.run(ASK)) for _ in range(2)]
        await settled(client)
        closing = asyncio.create_task(connection.close())
        client.answer("one")
        assert await tasks[0] == "one\n"
        assert not closing.done()
        client.answer("two")
        await closing
        assert await tasks[1] == "two\n"
        with pytest.raises(ConnectionClosedError, match="it was closed"):
            await connection.run(ASK)

    connected(go)


def test_closing_that_is_cancelled() -> None:
    """The client is ended at once, and who waits is told, also for room to write into."""

    async def go(client: PipedClient, connection: AsyncConnection) -> None:
        long = call(("display-message", "-p", "y" * 500_000))
        task = asyncio.create_task(connection.run(long))
        await settled(client)
        closing = asyncio.create_task(connection.close())
        await asyncio.sleep(0)
        closing.cancel()
        await asyncio.wait([closing])
        with pytest.raises(ConnectionClosedError, match="it was closed"):
            await task
        assert client.is_closed

    connected(go)
