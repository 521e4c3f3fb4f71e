"""Shells that are opened with shell_integration: status and output of each command are exact."""

import os
from pathlib import Path

import pytest

from tests.tmux_server import Server
from tmuxprim import Console, Pane, Size, TmuxTerminal
from tmuxprim._tmux.choice import TransportName

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash", "fish", "zsh")]

RC = {
    "bash": (".bashrc", "PS1='\\w\\n$ '\nPS0='running\\n'\nPROMPT_COMMAND='echo hook'\n"),
    "zsh": (
        ".zshrc",
        "PROMPT=$'%~\\n%# '\npreexec() { print running; }\nprecmd() { print hook; }\n",
    ),
    "fish": (
        ".config/fish/config.fish",
        """
        function fish_prompt; echo /up; echo -n '> '; end
        function before --on-event fish_preexec; echo running; end
        """,
    ),
}
SHELLS = [*RC]


class Home:
    """The home of a user with settings, in which shells are opened."""

    def __init__(self, terminal: TmuxTerminal, directory: Path) -> None:
        self.terminal = terminal
        self.directory = directory

    def write(self, shell: str, text: str = "") -> None:
        """Write the settings of a shell: with hooks that print, or others."""
        name, settings = RC[shell]
        (self.directory / name).parent.mkdir(parents=True, exist_ok=True)
        (self.directory / name).write_text(text or settings)

    def open(self, shell: str, *words: str, is_on: bool = True, **env: str) -> Pane:
        """Open a shell that reports its commands, or one as it is."""
        home = {"HOME": str(self.directory), "XDG_CONFIG_HOME": str(self.directory / ".config")}
        return self.terminal.open(
            [shell, *words],
            size=Size(60, 20),
            cwd=self.directory,
            env={**home, "LC_ALL": "C.UTF-8", **env},
            shell_integration=is_on,
        )


@pytest.fixture
def home(server: Server, tmp_path: Path) -> Home:
    """Return a home of its own."""
    return Home(server.terminal, tmp_path)


def told(console: Console, command: str) -> tuple[str, str, int | None]:
    """Return the output of a command, why it is doubted, and its exit status."""
    result = console.run(command)
    return result.output, result.doubt, result.exit_status


@pytest.mark.parametrize("transport", ["subprocess", "control"])
@pytest.mark.parametrize("shell", SHELLS)
def test_each_command(server: Server, home: Home, shell: str, transport: TransportName) -> None:
    """From the first on, with a prompt of two rows and hooks that print, and nothing is typed."""
    home.write(shell)
    pane = home.open(shell)
    with TmuxTerminal(socket_path=server.socket, transport=transport) as terminal:
        console = Console(terminal, pane)
        for command, output, status in (
            ("false", "", 1),
            ("true", "", 0),
            ("printf abc", "abc", 0),
            ("seq 100", "".join(f"{number}\n" for number in range(1, 101)), 0),
            ("sh -c 'echo hi; exit 42'", "hi\n", 42),
            ("printf '\\033]133;D;0\\a'; false", "", 1),
        ):
            assert told(console, command) == (output, "", status), command
    text = server.terminal.read(pane, history=500)
    assert "tmuxprim" not in text
    assert "$?" not in text


@pytest.mark.parametrize("shell", SHELLS)
def test_nothing_of_the_users_is_changed(home: Home, shell: str) -> None:
    """Neither files nor the environment of what is run."""
    home.write(shell)
    before = {path for path in home.directory.rglob("*") if path.is_file()}
    found = []
    for is_on in (True, False):
        pane = home.open(shell, is_on=is_on, ZDOTDIR=str(home.directory))
        Console(home.terminal, pane).run(f"env | grep -v TMUX > {is_on}; pwd")
        lines = (home.directory / str(is_on)).read_text().splitlines()
        # sh(1) is between in zsh, and each counts.
        found.append({line for line in lines if not line.startswith(("SHLVL=", "_="))})
    assert found[0] == found[1]
    new = {path for path in home.directory.rglob("*") if path.is_file()} - before
    assert not [path for path in new if "133;" in path.read_text(errors="replace")]


def test_a_zsh_without_a_folder_of_its_own(home: Home) -> None:
    """It has none inside either, and the user's ``.zshenv`` may name another one."""
    home.write("zsh")
    os.environ.pop("ZDOTDIR", None)
    console = Console(home.terminal, home.open("zsh"))
    assert told(console, "echo ${ZDOTDIR-none}") == ("none\n", "", 0)
    (home.directory / ".zshenv").write_text('export ZDOTDIR="$HOME/of zsh"\n')
    (home.directory / "of zsh").mkdir()
    (home.directory / "of zsh" / ".zshrc").write_text("PROMPT='there> '\n")
    console = Console(home.terminal, home.open("zsh"))
    assert told(console, "echo ${ZDOTDIR-none}; false") == (f"{home.directory}/of zsh\n", "", 1)
    assert console.read().endswith("there>")


@pytest.mark.parametrize("shell", SHELLS)
def test_another_shell_in_its_place(home: Home, shell: str) -> None:
    """It does not report, and is as it is without integration; so is one within."""
    home.write(shell, "PS1='$ '\nPROMPT='$ '\n" if shell != "fish" else "")
    console = Console(home.terminal, home.open(shell))
    assert told(console, "false")[2] == 1
    inner = {"bash": "bash --norc --noprofile", "zsh": "zsh -f", "fish": "fish --no-config"}[shell]
    for command in (inner, f"exec {inner}"):
        console.run(command)
        assert told(console, "echo hi")[2] is None
        session = "\\033]133;C;tmuxprim=1\\ax\\n\\033]133;D;0;tmuxprim=2\\a"
        assert told(console, f"printf '{session}'; false")[2] is None
        if not command.startswith("exec"):
            console.run("exit")
            assert told(console, "false")[2] == 1


@pytest.mark.parametrize(
    ("words", "clears"), [(("bash", "--norc"), ""), (("zsh",), "precmd_functions=()")]
)
def test_a_shell_that_loses_its_hooks(home: Home, words: tuple[str, ...], clears: str) -> None:
    """No status is told, and the output is what it is without integration."""
    home.write("zsh", f"PROMPT='%# '\n{clears}\n")
    console = Console(home.terminal, home.open(*words))
    assert told(console, "echo hi") == ("hi\n", "", None)
    assert told(console, "false")[2] is None


def test_hooks_of_bash(home: Home) -> None:
    """A theme that makes its prompt anew, and variables that are set later."""
    home.write("bash", "theme() { PS1='\\w\\n> '; }\nPROMPT_COMMAND=theme\nset -u\n")
    console = Console(home.terminal, home.open("bash"))
    assert told(console, "false") == ("", "", 1)
    console.run("PROMPT_COMMAND=; PS1='$ '; PS0='up\\n'")
    console.run("true")
    assert told(console, "false") == ("", "", 1)
    console.run("PROMPT_COMMAND=(); PS1='$ '; PS0='up\\n'")
    assert told(console, "echo hi")[2] is None
    assert console.run("echo $PIPESTATUS; echo $?").output.endswith("0\n")


@pytest.mark.parametrize("traces", ["", "set -T\n"])
def test_a_trap_of_bash(home: Home, traces: str) -> None:
    """A DEBUG trap sees what the user runs, and nothing of ours."""
    home.write("bash", f"{traces}trap 'echo \"<$BASH_COMMAND>\"' DEBUG\nPS1='$ '\n")
    console = Console(home.terminal, home.open("bash"))
    assert told(console, "false") == ("<false>\n", "", 1)
    assert told(console, "echo hi") == ("<echo hi>\nhi\n", "", 0)
    assert "tmuxprim" not in console.read()
    home.write("bash", "trap 'echo \"$?\" >>ends' CHLD EXIT ERR\nPS1='$ '\n")
    console = Console(home.terminal, home.open("bash"))
    assert told(console, "false") == ("", "", 1)


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_trace(home: Home, shell: str) -> None:
    """``set -x`` shows what the user runs, and nothing of ours, in the user's files as well."""
    for settings, first in (("", "set -x"), ("set -x\n", "true")):
        home.write(shell, f"PS1='$ '\nPROMPT='$ '\nPS4='+ '\n{settings}")
        console = Console(home.terminal, home.open(shell))
        console.run(first)
        assert told(console, "echo hi") == ("+ echo hi\nhi\n", "", 0)
        assert told(console, "false") == ("+ false\n", "", 1)
        assert "tmuxprim" not in console.read()


def test_options_of_zsh(home: Home) -> None:
    """They change nothing of what our file does, and the user's hooks stay."""
    options = "ksh_arrays no_unset err_return warn_create_global sh_word_split bsd_echo"
    hooks = "one() { print one; }\ntwo() { print two; }\npreexec_functions+=(one two)\n"
    home.write("zsh", f"PROMPT='$ '\n{hooks}setopt {options}\n")
    console = Console(home.terminal, home.open("zsh"))
    for command, output, status in (("echo hi", "hi\n", 0), ("false", "", 1)):
        assert told(console, command) == (output, "", status)
    assert console.read().count("one\ntwo\nhi\n") == 1


def test_a_prompt_that_is_exported(home: Home) -> None:
    """A shell within has the text of ours, and no number; what it prints is no report."""
    home.write("bash", "export PS1='$ '\n")
    console = Console(home.terminal, home.open("bash"))
    assert told(console, "false") == ("", "", 1)
    console.run("bash --norc -u")
    for forged in ("C\\ax\\n\\033]133;D;0", "C;tmuxprim=\\ax\\n\\033]133;D;0;tmuxprim="):
        output, doubt, status = told(console, f"printf '\\033]133;{forged}\\a'; false")
        assert (output if not doubt else "x\n", status) == ("x\n", None)
    assert "unbound" not in console.read()


def test_an_option_of_the_command_line(server: Server, home: Home) -> None:
    """`Console.open` also takes a text of one word as the name of a program."""
    home.write("bash")
    env = {"HOME": str(home.directory)}
    with Console.open(server.terminal, "bash", env=env, shell_integration=True) as console:
        assert told(console, "false") == ("", "", 1)
