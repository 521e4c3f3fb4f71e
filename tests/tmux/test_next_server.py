"""A server that was ended and started again: its panes have the old names and the old ids.

Nothing that was meant for a pane of the first one reaches one of the second.
"""

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from tests.control import eventually
from tests.tmux_server import Server, is_alive
from tmuxprim import (
    AsyncConsole,
    AsyncTmuxTerminal,
    Console,
    KeySequence,
    Outcome,
    Pane,
    PaneNotFoundError,
    TmuxTerminal,
)
from tmuxprim._tmux.choice import TransportName
from tmuxprim.errors import ProgramEndedError
from tmuxprim.profiles import PYTHON
from tmuxprim.tool import AsyncTmuxTool, TmuxTool

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash")]

BASH = ("bash", "--norc", "--noprofile")
HALF_A_LINE = "# rm -rf"  # a comment: whoever does type into it shall do no harm


@pytest.fixture(params=["subprocess", "control"])
def transport(request: pytest.FixtureRequest) -> TransportName:
    """Give the name of a transport."""
    name: TransportName = request.param
    return name


@pytest.fixture
def ours(server: Server, transport: TransportName) -> Iterator[TmuxTerminal]:
    """Give a terminal whose pane ``shared`` is bash at its prompt."""
    with TmuxTerminal(
        socket_path=server.socket, config_file="/dev/null", transport=transport
    ) as terminal:
        pane = terminal.open(BASH, name="shared", env={"PS1": "$ "})
        assert Console(terminal, pane).wait_ready().outcome is Outcome.PROMPT
        yield terminal


def start_again(server: Server) -> None:
    """Kill the server, and start another, where a person has typed half a line in ``shared``."""
    pid = server.pid()
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    eventually(lambda: not is_alive(pid))
    size, directory = ("-x", "80", "-y", "24"), ("-c", str(server.socket.parent))
    new = ("new-session", "-d", "-s", "shared", *size, *directory, "-e", "PS1=$ ", *BASH)
    server.tmux("-f", "/dev/null", *new)
    eventually(lambda: shown(server) == "$")
    server.tmux("send-keys", "-t", "%0", "-l", HALF_A_LINE)
    eventually(lambda: is_untouched(server))


def shown(server: Server) -> str:
    """Return what the pane of the person shows."""
    return server.tmux("capture-pane", "-p", "-t", "%0")


def is_untouched(server: Server) -> bool:
    """Whether the half line still stands where it was typed, and nothing else does."""
    return shown(server) == f"$ {HALF_A_LINE}"


def test_a_console(server: Server, ours: TmuxTerminal) -> None:
    """By its name, by an id that was typed, by what was listed: it goes on in no other pane."""
    (listed,) = ours.panes()
    consoles = [Console(ours, pane) for pane in (Pane("shared"), Pane("%0"), listed)]
    for console in consoles:
        assert console.run("echo hi").output == "hi\n"
    start_again(server)
    for console in consoles:
        uses: list[Callable[[], object]] = [
            partial(console.send, "echo hi"),
            partial(console.send, "x" * 20_000),
            partial(console.keys, "C-c", "Enter"),
            partial(console.run, "echo hi"),
            console.read,
        ]
        for use in uses:
            with pytest.raises(PaneNotFoundError):
                use()
        assert console.wait_ready().outcome is Outcome.EXITED
        assert console.wait_for("rm").outcome is Outcome.EXITED
        ours.close(console.pane)
    assert is_untouched(server)


def test_a_console_in_the_middle_of_a_wait(server: Server, ours: TmuxTerminal) -> None:
    """The command has ended with its pane; a prompt that stands elsewhere is not its."""
    console = Console(ours, Pane("shared"))
    console.run("true")
    console.send("sleep 60")
    start_again(server)
    assert console.wait_ready(5.0).outcome is Outcome.EXITED
    assert is_untouched(server)


@pytest.mark.needs("python3")
def test_a_session(server: Server, ours: TmuxTerminal) -> None:
    """Its program has ended; what asks it, and what leaves it, is typed nowhere else."""
    console = Console(ours, Pane("shared"))
    with console.session(PYTHON) as session:
        assert session.ask("6 + 7").text == "13"
        start_again(server)
        with pytest.raises(ProgramEndedError, match="nothing was sent"):
            session.ask("6 + 7")
    assert is_untouched(server)


@pytest.mark.parametrize("name", ["shared", "%0"])
def test_a_tool(server: Server, ours: TmuxTerminal, name: str) -> None:
    """The model is told that its pane is gone, and then works in the one that is found anew."""
    tool = TmuxTool(ours)
    assert tool.execute(action="send", text="cd /", pane=name).message.startswith("Sent: ")
    assert tool.execute(action="wait_ready", pane=name).message.startswith("ready ")
    start_again(server)
    told = tool.execute(action="send", text="echo hi", pane=name)
    assert told.is_error
    assert told.message == (
        f"error: the pane '{name}' is gone: its program has ended, or it was closed. The "
        "existing panes are: %0 (shared:0.0, bash). "
        f"Your next call works in the pane that is '{name}' now. Nothing was sent."
    )
    assert is_untouched(server)
    assert tool.execute(action="read", pane=name).message == f"$ {HALF_A_LINE}"


def test_a_tool_without_a_pane_of_that_name(server: Server, ours: TmuxTerminal) -> None:
    """One is opened, and the panes of others are left alone."""
    tool = TmuxTool(ours)
    tool.execute(action="wait_ready")
    start_again(server)
    server.tmux("rename-session", "-t", "=shared:", "private")
    server.tmux("set-option", "-g", "default-command", " ".join(BASH))
    told = [tool.execute(action="send", text="echo hi").message for _ in range(3)]
    assert told[0].endswith("Your next call works in a new pane 'shared'. Nothing was sent.")
    assert told[1].startswith("There was no pane 'shared', so it was opened, with a new shell.")
    assert told[2].startswith("Sent: 'echo hi' + Enter")
    assert is_untouched(server)


def test_in_asyncio(server: Server, transport: TransportName) -> None:
    """A console and a tool of asyncio also keep to their server."""

    async def main() -> None:
        async with AsyncTmuxTerminal(
            socket_path=server.socket, config_file="/dev/null", transport=transport
        ) as terminal:
            await terminal.open(BASH, name="shared", env={"PS1": "$ "})
            console, tool = AsyncConsole(terminal, Pane("shared")), AsyncTmuxTool(terminal)
            assert (await console.run("echo hi")).output == "hi\n"
            await tool.execute(action="wait_ready")
            start_again(server)
            for use in (partial(console.send, "x"), partial(console.run, "x"), console.read):
                with pytest.raises(PaneNotFoundError):
                    await use()
            with pytest.raises(PaneNotFoundError):
                await terminal.send(await console.locate(), KeySequence.paste("#a\n#b"))
            assert "is gone" in (await tool.execute(action="send", text="x")).message

    asyncio.run(main())
    assert is_untouched(server)


def test_a_program_that_is_started_again_stays_in_its_pane(
    server: Server, ours: TmuxTerminal
) -> None:
    """`respawn-pane` changes the process, and the pane is the same to its user."""
    console = Console(ours, Pane("shared"))
    assert console.run("echo one").output == "one\n"
    server.tmux("respawn-pane", "-k", "-t", "%0", "PS1='$ ' bash --norc --noprofile")
    console.send("echo two")
    eventually(lambda: "\ntwo\n$" in console.read())
