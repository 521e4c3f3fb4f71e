"""A scripted shell that is opened with shell_integration reports each command."""

import pytest

from tmuxprim import Console, FakeTerminal, InvalidTextError
from tmuxprim.testing import ScriptedShell, crash, repl

SHELL = ScriptedShell({"ls": "a\nb", "make": crash("no rule", status=2), "cd": ""})


def test_each_status_is_known() -> None:
    """From the first command on, and nothing is typed for it."""
    terminal = FakeTerminal(programs={"bash": SHELL})
    with Console.open(terminal, "bash", shell_integration=True) as console:
        for command, output, status in (
            ("make", "no rule\n", 2),
            ("ls", "a\nb\n", 0),
            ("cd", "", 0),
            ("nosuch", "sh: nosuch: not found\n", 127),
            ("ls", "a\nb\n", 0),
        ):
            result = console.run(command, exit_status=True)
            assert (result.output, result.doubt, result.exit_status) == (output, "", status)
        assert terminal.observe(console.pane).shell_integration
    assert "$?" not in "".join(str(sent.keys) for sent in terminal.sent())


def test_a_line_that_runs_nothing() -> None:
    """It has no status."""
    terminal = FakeTerminal(programs={"sh": SHELL})
    console = Console(terminal, terminal.open(shell_integration=True))
    assert console.run("make").exit_status == 2
    assert console.run("").exit_status is None
    assert console.run("make").exit_status == 2


def test_another_program() -> None:
    """It is refused before anything is opened, and one that is scripted otherwise reports none."""
    terminal = FakeTerminal(programs={"zsh": repl(lambda line: line), "vim": SHELL})
    with pytest.raises(InvalidTextError, match="shell_integration is for bash, zsh and fish"):
        terminal.open(["vim"], shell_integration=True)
    assert terminal.panes() == ()
    console = Console(terminal, terminal.open(["zsh"], shell_integration=True))
    assert console.run("a").exit_status is None
