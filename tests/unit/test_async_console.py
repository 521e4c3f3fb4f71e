"""`AsyncConsole` on the fake: it says what `Console` says, and may be cancelled at any step."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, TypeVar

import pytest

from tests.unit.stepping import Stepping
from tmuxprim import (
    AsyncConsole,
    Console,
    FakeTerminal,
    KeySequence,
    Outcome,
    Pane,
    PaneBusyError,
    PaneNotFoundError,
    StabilityStrategy,
)
from tmuxprim._fake.scripted_shell import Reply
from tmuxprim.errors import InvalidStrategyError
from tmuxprim.testing import AsyncFakeTerminal, ScriptedShell, after, password, question
from tmuxprim.tool import AsyncTmuxTool

T = TypeVar("T")

COMMANDS: Mapping[str, Reply] = {
    "make": [after(0.002, "compiling 100%"), after(0.002, "done")],
    "ask": question("Continue? [y/N] ", lambda line: f"you said {line}"),
    "login": password("Password: ", lambda line: f"{len(line)} characters"),
}


def fake() -> FakeTerminal:
    """Return a fake with a shell."""
    return FakeTerminal(programs={"sh": ScriptedShell(COMMANDS)})


def on_console(go: Callable[[AsyncConsole], Coroutine[Any, Any, T]]) -> T:
    """Run *go* on a console whose shell is at its prompt."""

    async def main() -> T:
        terminal = AsyncFakeTerminal(fake())
        console = AsyncConsole(terminal, await terminal.open("sh", name="shared"))
        assert (await console.wait_ready()).outcome is Outcome.PROMPT
        return await go(console)

    return asyncio.run(main())


def test_it_says_what_the_other_console_says() -> None:
    """Every result of every method is the same, to the millisecond of virtual time."""

    async def talk(console: AsyncConsole) -> list[object]:
        mark = await console.send("make")
        return [
            mark,
            await console.wait_ready(),
            await console.wait_ready(since=mark),
            await console.send(KeySequence.text("log"), enter=False),
            await console.keys("i", KeySequence.text("n"), "Enter"),
            await console.wait_ready(),
            await console.send("secret"),
            await console.wait_for("6 characters"),
            await console.wait_for("never", 0.5),
            await console.wait_ready(prompt_pattern=r"\$"),
            await console.wait_ready(strategy=StabilityStrategy(quiet=0.2)),
            await console.run("ask"),
            await console.send("y"),
            await console.wait_ready(),
            await console.run("make"),
            await console.learn_prompt(),
            await console.read(lines=3),
            await console.read(since=mark),
            await console.mark(),
            await console.locate(),
            await console.submit("make"),
            console.terminal.clock.now(),
        ]

    terminal = fake()
    console = Console(terminal, terminal.open("sh", name="shared"))
    console.wait_ready()
    mark = console.send("make")
    said = [
        mark,
        console.wait_ready(),
        console.wait_ready(since=mark),
        console.send(KeySequence.text("log"), enter=False),
        console.keys("i", KeySequence.text("n"), "Enter"),
        console.wait_ready(),
        console.send("secret"),
        console.wait_for("6 characters"),
        console.wait_for("never", 0.5),
        console.wait_ready(prompt_pattern=r"\$"),
        console.wait_ready(strategy=StabilityStrategy(quiet=0.2)),
        console.run("ask"),
        console.send("y"),
        console.wait_ready(),
        console.run("make"),
        console.learn_prompt(),
        console.read(lines=3),
        console.read(since=mark),
        console.mark(),
        console.pane,
        console.submit("make"),
        terminal.clock.now(),
    ]
    for awaited, told in zip(on_console(talk), said, strict=True):
        assert awaited == told


def test_a_strategy_of_its_own() -> None:
    """It decides all waits; what is none is refused at once."""

    async def main() -> str:
        terminal = AsyncFakeTerminal()
        with pytest.raises(InvalidStrategyError):
            AsyncConsole(terminal, Pane("%0"), strategy="none")  # type: ignore[arg-type]  # the mistake
        pane = await terminal.open()
        console = AsyncConsole(terminal, pane, strategy=StabilityStrategy(quiet=0.5))
        return (await console.wait_ready()).strategy

    assert asyncio.run(main()) == "StabilityStrategy"


def test_a_terminal_that_is_not_awaited() -> None:
    """It is refused at once, and what takes it is named."""
    terminal = fake()
    got = f"got {terminal!r}, whose methods are not awaited, and would block the event loop; use"
    with pytest.raises(TypeError, match=re.escape(f"AsyncConsole {got} Console")):
        AsyncConsole(terminal, "shared")  # type: ignore[arg-type]  # the mistake
    with pytest.raises(TypeError, match=re.escape(f"AsyncTmuxTool {got} TmuxTool")):
        AsyncTmuxTool(terminal)  # type: ignore[arg-type]  # the mistake


def test_copy_mode_is_left_only_if_that_is_wanted() -> None:
    """A person may be reading there."""

    async def main() -> None:
        terminal = AsyncFakeTerminal()
        pane = await terminal.open()
        terminal.fake.set_mode(pane, "copy-mode")
        with pytest.raises(PaneBusyError):
            await AsyncConsole(terminal, pane).send("x")
        await AsyncConsole(terminal, pane, leave_mode=True).send("x")
        terminal.fake.assert_sent(pane, "x", "Enter")

    asyncio.run(main())


def test_a_name_is_looked_up_once() -> None:
    """At the first use; until then the console shows the name, which may be a text."""

    async def main() -> None:
        terminal = AsyncFakeTerminal()
        await terminal.open()
        console = AsyncConsole(terminal, "shared")
        assert repr(console).endswith(", Pane(target='shared'))")
        with pytest.raises(PaneNotFoundError):
            await console.locate()
        pane = await terminal.open(name="shared")
        assert await console.locate() == pane
        await terminal.close(pane)
        await terminal.open(name="shared")
        assert await console.locate() == pane
        assert repr(console).endswith(", Pane(target='%1'))")

    asyncio.run(main())


Operation = Callable[[AsyncConsole], Awaitable[object]]

OPERATIONS: dict[str, Operation] = {
    "locate": lambda console: AsyncConsole(console.terminal, Pane("shared")).locate(),
    "send": lambda console: console.send("make"),
    "keys": lambda console: console.keys("x"),
    "read": lambda console: console.read(),
    "wait_ready": lambda console: console.wait_ready(),
    "wait_for": lambda console: console.wait_for("never", 0.004),
    "run": lambda console: console.run("make"),
}


async def _end_after(step: int, operation: Operation) -> bool:
    """Cancel an operation at a step; return whether it had ended before."""
    terminal = Stepping(fake())
    console = AsyncConsole(terminal, await terminal.open("sh", name="shared"))
    await console.wait_ready()
    terminal.cancel_at(step)
    task = asyncio.ensure_future(operation(console))
    await asyncio.wait([task])
    terminal.cancel_at(None)
    assert terminal.open_bells == 0
    assert terminal.listeners == 0
    assert asyncio.all_tasks() == {asyncio.current_task()}
    await console.keys("C-c")
    await console.wait_ready()
    result = await console.run("echo it works")
    assert (result.output, result.complete) == ("it works\n", True)
    return not task.cancelled()


@pytest.mark.parametrize("name", OPERATIONS)
def test_cancelled_at_any_step(name: str) -> None:
    """No bell, no task, no listener is left behind, and the console works as before."""

    async def main() -> int:
        step = 1
        while not await _end_after(step, OPERATIONS[name]):
            step += 1
        return step

    assert asyncio.run(main()) > 1


def test_a_timeout_ends_a_run() -> None:
    """As any other cancellation does; what was typed by then is taken away by hand."""

    async def go(console: AsyncConsole) -> str:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.0):
                await console.run("make")
        await console.keys("C-u")
        await console.wait_ready()
        return (await console.run("make")).output

    assert on_console(go) == "compiling 100%\ndone\n"


def test_one_of_a_group_fails() -> None:
    """The others of its `TaskGroup` are cancelled in the middle of what they do."""

    async def go(console: AsyncConsole) -> Outcome:
        async def both() -> None:
            async with asyncio.TaskGroup() as group:
                group.create_task(console.wait_for("never", 60.0))
                group.create_task(AsyncConsole(console.terminal, Pane("none")).read())

        with pytest.raises(ExceptionGroup) as caught:
            await both()
        assert isinstance(caught.value.exceptions[0], PaneNotFoundError)
        return (await console.wait_ready()).outcome

    assert on_console(go) is Outcome.PROMPT
