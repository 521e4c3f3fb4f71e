"""Sessions over asyncio, by the same plans."""

import asyncio

import attrs
import pytest

from tests.unit.profiles.assistant import HELPER, LONG, PROFILE, terminal_with
from tmuxprim import AsyncConsole, FakeTerminal, PaneBusyError
from tmuxprim.errors import ProgramStaysError
from tmuxprim.testing import AsyncFakeTerminal, ScriptedShell, after


def test_it_is_started_asked_and_left() -> None:
    """By the same plans."""

    async def talk(fake: FakeTerminal) -> tuple[list[str], str, str]:
        terminal = AsyncFakeTerminal(fake)
        console = AsyncConsole(terminal, await terminal.open())
        async with console.session(PROFILE) as session:
            answers = [(await session.ask("hi")).text, (await session.ask("long", 3.0)).text]
            answers.append((await session.resume()).text)
            named = f"{session!r} {session.profile.name}"
        return answers, named, (await console.run("echo back")).output

    answers, named, output = asyncio.run(talk(terminal_with(HELPER)))
    assert (answers[0], answers[2], output) == ("Hello.", LONG, "back\n")
    assert named.startswith("AsyncSession(")


def test_questions_of_several_tasks_take_turns() -> None:
    """Each gets its own answer, and the program is left after the last."""

    async def talk(fake: FakeTerminal) -> list[str]:
        terminal = AsyncFakeTerminal(fake)
        console = AsyncConsole(terminal, await terminal.open())
        async with console.session(PROFILE) as session:
            both = asyncio.gather(session.ask("hi"), session.ask("poem"), session.ask("hi"))
            await asyncio.sleep(0)
        return [answer.text for answer in await both]

    assert asyncio.run(talk(terminal_with(HELPER))) == ["Hello.", "roses\n\nviolets", "Hello."]


def test_a_session_that_runs_is_not_begun_again() -> None:
    """Its first block goes on."""

    async def talk(fake: FakeTerminal) -> str:
        terminal = AsyncFakeTerminal(fake)
        console = AsyncConsole(terminal, await terminal.open())
        session = console.session(PROFILE)
        async with session:
            with pytest.raises(PaneBusyError, match="nothing was sent: a session with helper"):
                await session.__aenter__()
            return (await session.ask("hi")).text

    assert asyncio.run(talk(terminal_with(HELPER))) == "Hello."


def test_a_cancelled_start_leaves_no_program() -> None:
    """Nobody has the session yet, to leave it."""

    async def talk(fake: FakeTerminal) -> str:
        terminal = AsyncFakeTerminal(fake)
        console = AsyncConsole(terminal, await terminal.open())
        session = console.session(PROFILE)
        start = asyncio.ensure_future(session.__aenter__())

        def cancel() -> None:
            start.cancel()

        fake.clock.call_later(2.0, cancel)
        with pytest.raises(asyncio.CancelledError):
            await start
        return (await console.run("echo back")).output

    shell = ScriptedShell({"helper": after(60.0)})
    assert asyncio.run(talk(FakeTerminal(programs={"sh": shell}))) == "back\n"


@pytest.mark.parametrize("raises", [True, False])
def test_what_stays_is_told(*, raises: bool) -> None:
    """As an error, or as a note to another one."""

    async def talk(fake: FakeTerminal) -> None:
        terminal = AsyncFakeTerminal(fake)
        console = AsyncConsole(terminal, await terminal.open())
        async with console.session(PROFILE):
            if raises:
                raise KeyError

    with pytest.raises((KeyError, ProgramStaysError)) as raised:
        asyncio.run(talk(terminal_with(attrs.evolve(HELPER, stays=True))))
    assert "did not end" in str(raised.value.__notes__ if raises else raised.value)
