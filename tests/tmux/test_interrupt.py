"""`interrupt(force=True)` on real programs that do not take C-c."""

import asyncio

import pytest

from tests.tmux_server import Server
from tmuxprim import AsyncConsole, AsyncTmuxTerminal, Console, Outcome, PaneBusyError, TmuxTerminal

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash", "python3")]

# It takes C-c for a byte like any other, and never reads it.
RAW = "python3 -c 'import tty, time; tty.setraw(0); print(1, flush=True); time.sleep(1e4)'"
BASH = ("bash", "--norc", "--noprofile")


def at_raw_program(terminal: TmuxTerminal) -> Console:
    """Return a console on a shell in which such a program runs."""
    console = Console(terminal, terminal.open(BASH, env={"PS1": "$ "}))
    assert console.wait_ready(10.0).outcome is Outcome.PROMPT
    console.send(RAW)
    assert console.wait_for("1", 20.0)
    return console


def test_a_raw_program(server: Server) -> None:
    """C-c is not taken; the signal is, by the program alone, and the shell stays."""
    console = at_raw_program(server.terminal)
    assert console.interrupt(1.0).outcome is Outcome.TIMEOUT
    ended = console.interrupt(10.0, force=True)
    assert ended.outcome is Outcome.PROMPT
    assert "Traceback" in console.read()
    assert console.run("echo it lives").output == "it lives\n"


def test_from_asyncio(server: Server) -> None:
    """The same."""
    pane = at_raw_program(server.terminal).pane

    async def interrupt() -> Outcome:
        async with AsyncTmuxTerminal(socket_path=server.socket) as terminal:
            return (await AsyncConsole(terminal, pane).interrupt(10.0, force=True)).outcome

    assert asyncio.run(interrupt()) is Outcome.PROMPT


def test_a_program_that_takes_c_c_gets_it(server: Server) -> None:
    """As without force."""
    console = Console(server.terminal, server.terminal.open(BASH, env={"PS1": "$ "}))
    assert console.wait_ready(10.0).outcome is Outcome.PROMPT
    console.send("sleep 1000")
    assert console.interrupt(10.0, force=True).outcome is Outcome.PROMPT
    assert "^C" in console.read()


def test_another_group_and_another_machine(server: Server) -> None:
    """Nothing is sent to what the caller has not seen, nor through a launcher."""
    console = at_raw_program(server.terminal)
    with pytest.raises(PaneBusyError, match="another program is in front by now"):
        server.terminal.interrupt_group(console.pane, 1)
    with TmuxTerminal(socket_path=server.socket, launcher=("env",)) as far:
        tty = console.terminal.probe(console.pane)
        assert tty is not None
        with pytest.raises(PaneBusyError, match="only programs of this machine"):
            far.interrupt_group(console.pane, tty.foreground_pid or 0)
    assert console.interrupt(10.0, force=True).outcome is Outcome.PROMPT
