"""`send(only=...)`: typing for certain programs, and for no other."""

import asyncio

import pytest

from tmuxprim import AsyncConsole, Console, FakeTerminal, PaneBusyError
from tmuxprim.errors import PaneDeadError
from tmuxprim.testing import (
    AsyncFakeTerminal,
    FakeTty,
    ReadKey,
    Run,
    ScriptedShell,
    Sleep,
    repl,
)


def box(tty: FakeTty) -> Run:
    """Play an assistant, which may work while it reads."""
    tty.write("\x1b[?1049h\x1b[H> ")
    while (key := (yield ReadKey(event_loop=True))) != "\r":
        tty.write(key)
    return 0


@pytest.fixture(params=[True, False])
def console(request: pytest.FixtureRequest) -> Console:
    """Give a console on a shell, with and without the kernel's evidence."""
    shell = ScriptedShell({"claude": box, "python3": repl(str)})
    terminal = FakeTerminal(programs={"sh": shell}, evidence=request.param)
    console = Console(terminal, terminal.open("sh"))
    console.wait_ready()
    return console


def sent(console: Console) -> list[str]:
    """Return what was sent."""
    terminal = console.terminal
    assert isinstance(terminal, FakeTerminal)
    return [str(one.keys) for one in terminal.sent(console.pane)]


@pytest.mark.parametrize("enter", [True, False])
@pytest.mark.parametrize("text", ["rm -rf build", ""])
def test_another_program_is_in_front(console: Console, text: str, *, enter: bool) -> None:
    """It is named, and nothing is typed, not even Enter."""
    told = "^nothing was sent: the program in front is 'sh', not 'claude' or 'codex'$"
    with pytest.raises(PaneBusyError, match=told):
        console.send(text, enter=enter, only=["claude", "codex"])
    assert sent(console) == []


@pytest.mark.parametrize("only", [["claude"], ["codex", "/opt/claude-2.1"], "claude", {"claude"}])
def test_the_program_is_in_front(console: Console, only: list[str]) -> None:
    """By its name without directory and version; a text is one name."""
    console.send("claude")
    console.wait_for(">")
    console.send("hi", only=only)
    assert console.wait_ready()
    with pytest.raises(PaneBusyError, match="in front is 'sh'"):
        console.send("hi", only=only)


def test_no_program_at_all(console: Console) -> None:
    """None is no limit, and an empty list is one."""
    with pytest.raises(PaneBusyError, match="in front is 'sh', not any that may be typed for"):
        console.send("ls", only=())
    console.send("ls", only=None)


def test_a_repl(console: Console) -> None:
    """Of what does nothing but read, tmux tells the name."""
    console.send("python3")
    console.wait_ready()
    console.send("1", only=["python"])
    assert console.wait_ready()


def test_it_ends_before_enter() -> None:
    """What was typed is said to be typed, and Enter does not reach the shell."""

    def ends(tty: FakeTty) -> Run:
        tty.write("\x1b[?1049h\x1b[H> ")
        yield ReadKey(event_loop=True)
        yield Sleep(0.01, raw=True)
        tty.write("\x1b[?1049l")
        return 0

    terminal = FakeTerminal(programs={"sh": ScriptedShell({"claude": ends})})
    console = Console(terminal, terminal.open("sh"))
    console.send("claude")
    console.wait_for(">")
    told = "^the text has been typed, but pressing Enter failed: the program in front is 'sh', not"
    with pytest.raises(PaneBusyError, match=told):
        console.send("ls", only=["claude"])
    assert sent(console)[-1] == "'ls'"


def test_a_program_that_has_ended_is_told_as_that() -> None:
    """Its name says nothing any more."""
    terminal = FakeTerminal(remain_on_exit=True)
    console = Console(terminal, terminal.open("sh"))
    terminal.faults.kill(console.pane)
    with pytest.raises(PaneDeadError):
        console.send("ls", only=["claude"])


def test_over_asyncio() -> None:
    """By the same plan."""

    async def go() -> None:
        terminal = AsyncFakeTerminal()
        console = AsyncConsole(terminal, await terminal.open("sh"))
        with pytest.raises(PaneBusyError, match="in front is 'sh', not 'claude'"):
            await console.send("ls", only=["claude"])
        await console.send("ls", only=["sh"])

    asyncio.run(go())
