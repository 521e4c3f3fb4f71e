"""What is opened on real tmux: programs that are there, names that are free."""

import asyncio
from pathlib import Path

import pytest

from tests.tmux_server import Server, needs_control_mode
from tmuxprim import AsyncConsole, AsyncTmuxTerminal, Console, Pane, TmuxTerminal
from tmuxprim._tmux.choice import TransportName
from tmuxprim.errors import PaneExistsError, ProgramNotFoundError

pytestmark = pytest.mark.tmux

MISSING = ["no-such-program-of-tmuxprim", "-x"]


def connect(server: Server, transport: TransportName) -> TmuxTerminal:
    """Return a terminal on the server."""
    if transport == "control":
        needs_control_mode()
    return TmuxTerminal(socket_path=server.socket, config_file="/dev/null", transport=transport)


@pytest.mark.parametrize("transport", ["subprocess", "control"])
def test_a_program_that_is_not_there(server: Server, transport: TransportName) -> None:
    """It is refused before anything is opened, in PATH and by its path."""
    with connect(server, transport) as terminal:
        terminal.open(["cat"])  # what a pane of this machine is opened beside
        before = terminal.panes()
        for command in (MISSING, MISSING[:1], ["/no-such-directory/program"]):
            with pytest.raises(ProgramNotFoundError):
                terminal.open(command)
        with pytest.raises(ProgramNotFoundError, match="no such directory"):
            terminal.open("pwd", cwd="/no-such-directory")
        assert terminal.panes() == before


@pytest.mark.parametrize("transport", ["subprocess", "control"])
def test_a_program_in_the_path_of_this_process(
    server: Server, transport: TransportName, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That is where tmux looks, whatever PATH its server was started with."""
    program = tmp_path / "program-of-tmuxprim"
    program.write_text("#!/bin/sh\nexec cat\n")
    program.chmod(0o755)
    with connect(server, transport) as terminal:
        terminal.open(["cat"])
        monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
        by_words = terminal.open([program.name, "-x"], name="by-words")
        by_path = terminal.open([f"./{program.name}", "-x"], cwd=tmp_path)
        alone = terminal.open([program.name])
        for pane in (by_words, by_path, alone):
            assert Console(terminal, pane).wait_ready(60.0)


@pytest.mark.parametrize("transport", ["subprocess", "control"])
def test_a_path_for_one_program(server: Server, transport: TransportName, tmp_path: Path) -> None:
    """It has it, whatever tmux gives each pane, and is looked for there."""
    program = tmp_path / "program-of-tmuxprim"
    program.write_text("#!/bin/sh\necho $PATH $TERM\nexec /bin/cat\n")
    program.chmod(0o755)
    with connect(server, transport) as terminal:
        env = {"PATH": str(tmp_path), "TERM": "dumb"}
        pane = terminal.open([program.name], env=env)
        assert Console(terminal, pane).wait_for(f"{tmp_path} dumb", 60.0)
        with pytest.raises(ProgramNotFoundError):
            terminal.open(["cat"], env=env)


def test_a_name_that_is_taken(server: Server) -> None:
    """The error says what to do, and nothing of tmux's own command."""
    pane = server.terminal.open(["cat"], name="shared")
    with pytest.raises(PaneExistsError, match="'shared' already exists") as caught:
        server.terminal.open(["cat"], name="shared")
    assert "new-session" not in str(caught.value)
    with Console.open(server.terminal, ["cat"], name="shared", reuse=True) as console:
        assert console.pane == pane
    assert server.terminal.panes() == (pane,)


def test_a_person_attaches_by_the_command_of_a_console(server: Server) -> None:
    """The command is for a shell, and shows that pane."""
    with Console.open(server.terminal, ["cat"]) as console:
        console.send("what a person sees")
        joins = f"exec env -u TMUX {console.attach_command}"
        with Console.open(server.terminal, ["sh", "-c", joins]) as person:
            assert person.wait_for("what a person sees", 60.0)


def test_async_consoles_share_a_pane(server: Server) -> None:
    """Ten open it at once, one of them is the first, and the others take what is there."""

    async def main() -> set[Pane]:
        terminal = AsyncTmuxTerminal(socket_path=server.socket, config_file="/dev/null")
        with pytest.raises(ProgramNotFoundError):
            async with AsyncConsole.open(terminal, MISSING[0]):
                pass
        everybody = asyncio.Barrier(10)

        async def share() -> Pane:
            how = AsyncConsole.open(terminal, ["cat"], name="shared", reuse=True)
            async with how as console:
                await everybody.wait()
                return await console.locate()

        return {*await asyncio.gather(*(share() for _ in range(10)))}

    assert len(asyncio.run(main())) == 1
    assert server.terminal.panes() == ()
