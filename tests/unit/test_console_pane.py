"""What a console does with its pane as a whole: its screen, a screenshot, attaching, closing."""

import asyncio
from collections.abc import Awaitable, Callable
from inspect import isawaitable
from pathlib import Path
from typing import TypeAlias, TypeVar

import pytest

from tmuxprim import (
    AsyncConsole,
    AsyncTmuxTerminal,
    Console,
    FakeTerminal,
    Outcome,
    Pane,
    PaneNotFoundError,
    Screen,
    TmuxTerminal,
)
from tmuxprim.errors import InvalidScreenError
from tmuxprim.readiness import ExitStrategy
from tmuxprim.testing import AsyncFakeTerminal, ScriptedShell

T = TypeVar("T")
Act: TypeAlias = Callable[[Console | AsyncConsole], T | Awaitable[T]]
Does: TypeAlias = Callable[[FakeTerminal, Act[T]], T]

RED: str = "\x1b[31mred\x1b[m"
TWO_ROWS = ScriptedShell({"ls": "a"}, prompt="in ~\n$ ", bracketed_paste=False)


def blocking(fake: FakeTerminal, act: Act[T]) -> T:
    """Return what *act* returns of a `Console`."""
    result = act(Console(fake, fake.panes()[0]))
    assert not isawaitable(result)
    return result


def awaiting(fake: FakeTerminal, act: Act[T]) -> T:
    """Return what *act* returns of an `AsyncConsole`."""

    async def main() -> T:
        result = act(AsyncConsole(AsyncFakeTerminal(fake), fake.panes()[0]))
        assert isawaitable(result)
        return await result

    return asyncio.run(main())


both = pytest.mark.parametrize("does", [blocking, awaiting])


@pytest.fixture
def fake() -> FakeTerminal:
    """Return a terminal whose shell has printed a word in red, below rows that scrolled off."""
    fake = FakeTerminal(programs={"sh": ScriptedShell({"ls": "\n" * 30 + RED})})
    Console(fake, fake.open("sh", name="shared")).run("ls")
    return fake


@both
def test_the_screen(fake: FakeTerminal, does: Does[Screen]) -> None:
    """With rows that scrolled off and with colours, if they are asked for."""
    pane = fake.panes()[0]
    assert does(fake, lambda console: console.screen()) == fake.observe(pane)
    screen = does(fake, lambda console: console.screen(history=5, styled=True))
    assert screen.history == fake.observe(pane, history=5).history != ()
    assert screen.styles == fake.observe(pane, styled=True).styles
    with pytest.raises(InvalidScreenError, match="0 or more rows"):
        does(fake, lambda console: console.screen(history=-1))


@both
def test_a_screenshot_has_the_colours(fake: FakeTerminal, does: Does[None], tmp_path: Path) -> None:
    """It replaces the file that is there."""
    file = tmp_path / "screen.svg"
    file.write_text("old")
    does(fake, lambda console: console.screenshot(str(file)))
    assert file.read_text() == fake.observe(fake.panes()[0], styled=True).to_svg()


@both
@pytest.mark.parametrize("name", ["screen.png", "screen"])
def test_another_format_is_refused(
    fake: FakeTerminal, does: Does[None], tmp_path: Path, name: str
) -> None:
    """No file is made."""
    with pytest.raises(ValueError, match=r"its path ends in \.svg, got '.*'"):
        does(fake, lambda console: console.screenshot(tmp_path / name))
    assert not [*tmp_path.iterdir()]


@both
def test_closing_ends_the_pane(fake: FakeTerminal, does: Does[None]) -> None:
    """A second time it does nothing, and the console finds no pane any more."""
    other = fake.open(name="t")
    console = Console(fake, "shared")
    does(fake, lambda console: console.close())
    assert fake.panes() == (other,)
    console.close()
    assert fake.panes() == (other,)
    with pytest.raises(PaneNotFoundError):
        console.screen()


def test_closing_the_pane_and_not_the_name(fake: FakeTerminal) -> None:
    """A pane that got the name later stays."""
    console = Console(fake, "shared")
    console.screen()
    console.close()
    later = fake.open(name="shared")
    console.close()
    assert fake.panes() == (later,)


def test_how_a_person_attaches() -> None:
    """The pane is named by its id, and nobody attaches to a fake."""
    pane = Pane("%3", server="1-2")
    expected = "tmux -u -L work attach -t %3"
    assert Console(TmuxTerminal(socket_name="work"), pane).attach_command == expected
    console = AsyncConsole(AsyncTmuxTerminal(socket_name="work"), pane)
    assert asyncio.run(console.attach_command()) == expected
    fake = FakeTerminal()
    assert Console(fake, fake.open()).attach_command == ""


def test_open_takes_the_options_of_a_console() -> None:
    """As for an existing pane."""
    fake = FakeTerminal(programs={"sh": TWO_ROWS})
    with Console.open(fake, prompt_rows=2, leave_mode=True) as console:
        assert console.wait_ready().outcome is Outcome.PROMPT
        assert console.run("ls").complete
        fake.set_mode(console.pane, "copy-mode")
        assert console.run("ls").output == "a\n"
    with Console.open(fake, strategy=ExitStrategy()) as console:
        assert console.wait_ready(0.1).outcome is Outcome.TIMEOUT

    async def main() -> None:
        terminal = AsyncFakeTerminal(fake)
        async with AsyncConsole.open(terminal, prompt_rows=2, leave_mode=True) as console:
            await console.wait_ready()
            assert (await console.run("ls")).complete
            fake.set_mode(await console.locate(), "copy-mode")
            assert (await console.run("ls")).output == "a\n"

    asyncio.run(main())
