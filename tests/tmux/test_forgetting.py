"""What a terminal keeps of panes: a server for agents runs for weeks, its panes for minutes."""

import asyncio

import pytest

from tests.tmux_server import Server
from tmuxprim import AsyncConsole, AsyncTmuxTerminal, Console, Pane, TmuxTerminal
from tmuxprim.tool import TmuxTool

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash")]

BASH = ("bash", "--norc", "--noprofile")
MANY = 50
FEW = 5  # one that is there, and some whose programs are just ending


def test_panes_that_have_gone(terminal: TmuxTerminal) -> None:
    """By whatever: closed by us, or ended with their programs."""
    shared = terminal.open(BASH, name="shared", env={"PS1": "$ "})
    tool = TmuxTool(terminal)
    for number in range(MANY):
        pane = terminal.open(BASH, name=f"work-{number}", env={"PS1": "$ "})
        console = Console(terminal, pane)
        assert console.run("echo hi").output == "hi\n"
        assert tool.execute(action="read", pane=f"work-{number}").message.startswith("$ echo hi")
        if number % 2:
            console.send("exit")
            assert not console.wait_ready()
        else:
            terminal.close(pane)
    assert terminal.panes() == (shared,)
    terminal.observe(shared)
    assert len(terminal._operations._devices) <= FEW  # noqa: SLF001  # what is kept of panes


def test_panes_that_have_gone_in_asyncio(server: Server) -> None:
    """Whoever has waited for a pane does not listen to it any more, either."""

    async def main() -> None:
        async with AsyncTmuxTerminal(
            socket_path=server.socket, config_file="/dev/null", transport="control"
        ) as terminal:
            await terminal.open(BASH, name="shared")
            for _ in range(MANY):
                console = AsyncConsole(terminal, await terminal.open(BASH, env={"PS1": "$ "}))
                assert (await console.run("echo hi")).output == "hi\n"
                await console.send("exit")
                assert not await console.wait_ready()
            await terminal.observe(Pane("shared"))
            assert len(terminal._operations._devices) <= FEW  # noqa: SLF001  # as above
            assert terminal._hub._watches == {}  # noqa: SLF001  # as above

    asyncio.run(main())
