"""Shells that report each command by OSC 133: status and output are exact, and cannot be forged."""

from pathlib import Path

import pytest

from tests.tmux_server import Server
from tmuxprim import Console, Size, TmuxTerminal
from tmuxprim._tmux.choice import TransportName

pytestmark = [pytest.mark.tmux]

# As an integration of a terminal does it, with hooks of the user's that print.
BASH = r"""
PS1='\[\e]133;A\a\]\w\n$ \[\e]133;B\a\]'
PS0='running\n\e]133;C\a'
PROMPT_COMMAND=('printf "\e]133;D;%s\a" "$?"' '[ "$odd" ] && echo odd; odd=${odd:+}')
"""
ZSH = r"""
PROMPT=$'%~\n%# '
hook() { print running; }
begins() { print -n '\e]133;C\a'; }
ends() { print -n "\e]133;D;$?\a\e]133;A\a"; }
after() { [[ -n $odd ]] && print odd; odd=; }
preexec_functions=(hook begins)
precmd_functions=(ends after)
"""
MARKS = "\\033]133;D;0\\a", "\\033]133;C\\a", "\\033]133;C\\ax\\n\\033]133;D;0\\a"


@pytest.fixture(params=["bash", "zsh"])
def words(request: pytest.FixtureRequest, tmp_path: Path) -> list[str]:
    """Return how a shell is started that reports its commands."""
    if request.param == "bash":
        (tmp_path / "rc").write_text(BASH)
        return ["bash", "--noprofile", "--rcfile", str(tmp_path / "rc")]
    (tmp_path / ".zshrc").write_text(ZSH)
    return ["env", f"ZDOTDIR={tmp_path}", "zsh"]


@pytest.mark.needs("bash", "zsh")
@pytest.mark.parametrize("transport", ["subprocess", "control"])
def test_a_shell_that_reports(server: Server, words: list[str], transport: TransportName) -> None:
    """Its status needs no line, and nothing that a hook prints is output."""
    with TmuxTerminal(socket_path=server.socket, config_file=None, transport=transport) as terminal:
        pane = server.terminal.open(words, size=Size(60, 20), cwd="/usr")
        console = Console(terminal, pane)
        console.run("true")
        for command, output, status in (
            ("false", "", 1),
            ("printf abc; (exit 42)", "abc", 42),
            ("seq 100", "".join(f"{number}\n" for number in range(1, 101)), 0),
            ("odd=1", "", 0),
            ("odd=1; echo hi", "hi\n", 0),
            ("nosuch 2>/dev/null", "", 127),
        ):
            result = console.run(command)
            told = result.output, result.doubt, result.exit_status
            assert told == (output, "", status), command
        assert "$?" not in server.terminal.read(pane, history=500)


@pytest.mark.needs("bash", "zsh")
def test_marks_that_a_command_prints(server: Server, words: list[str]) -> None:
    """They change no status, and end no output."""
    console = Console(server.terminal, server.terminal.open(words, size=Size(60, 20), cwd="/usr"))
    console.run("true")
    for marks in MARKS:
        for command in (f"printf '{marks}'", f"printf 'a\\n{marks}b\\n'", f"printf 'a{marks}'"):
            result = console.run(f"{command}; odd=1; false")
            assert result.exit_status in (1, None), command
            assert "odd" not in result.output or not result.complete, command
    assert console.run("false").exit_status == 1
    assert console.run("echo hi").exit_status == 0


@pytest.mark.needs("bash")
def test_a_shell_that_only_marks_its_prompt(server: Server, tmp_path: Path) -> None:
    """The reports of a command are not taken for its own, nor those of a recorded session."""
    (tmp_path / "rc").write_text("PS1='\\[\\e]133;A\\a\\]\\w\\n$ '\n")
    (tmp_path / "session").write_text("\x1b]133;C\x07recorded\n\x1b]133;D;0\x07")
    argv = ["bash", "--noprofile", "--rcfile", str(tmp_path / "rc")]
    console = Console(server.terminal, server.terminal.open(argv, cwd=tmp_path))
    for _ in range(3):
        assert console.run("cat session; false").exit_status is None
        assert console.run("cat session").output == "recorded\n"
        assert console.run("false").exit_status is None
