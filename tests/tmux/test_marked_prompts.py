"""Output is exact at prompts of any height in shells that mark where it ends."""

from pathlib import Path
from typing import Final

import pytest

from tests.scenarios.refusals import EVIDENCE, files_may_be_refused, refusing
from tests.tmux.exact import assert_exact, console_of
from tests.tmux_server import Server
from tmuxprim import Console, Size, TmuxTerminal

pytestmark = [pytest.mark.tmux]

OUTPUTS: Final = {
    "echo hi": "hi\n",
    "printf abc": "abc",
    "true": "",
    "printf 'x\\n\\n'": "x\n\n",
    "printf %060d 0": "0" * 60,
    "printf %0150d 0; echo": "0" * 150 + "\n",
    "seq 100": "".join(f"{number}\n" for number in range(1, 101)),
    "head -c 5000 /dev/zero | tr '\\0' y": "y" * 5000,
}
BASH: Final = ("bash", "--norc", "--noprofile")


@pytest.mark.parametrize(
    ("words", "env"),
    [
        pytest.param(BASH, {"PS1": "\\w\\n$ "}, marks=pytest.mark.needs("bash")),
        pytest.param(BASH, {"PS1": "\\n\\w \\t\\n\\e[1m>\\e[0m "}, marks=pytest.mark.needs("bash")),
        pytest.param(BASH, {"PS1": "a\\nb\\nc\\nd\\n$ "}, marks=pytest.mark.needs("bash")),
        pytest.param(("zsh", "-f"), {"PS1": "%~\n%# "}, marks=pytest.mark.needs("zsh")),
        pytest.param(
            ("zsh", "-f"), {"PS1": "\n%~\n> ", "RPS1": "%T"}, marks=pytest.mark.needs("zsh")
        ),
    ],
)
def test_every_output_is_exact(server: Server, words: tuple[str, ...], env: dict[str, str]) -> None:
    """From the first command on, with a line break at its end or without."""
    pane = server.terminal.open(words, env=env, size=Size(60, 20))
    console = Console(server.terminal, pane)
    assert_exact(console, OUTPUTS)


# As Powerlevel10k makes a prompt of three rows a shorter one after Enter.
TRANSIENT: Final = """
precmd() { PROMPT=$'\\n%~\\n%# ' }
zle-line-finish() { PROMPT='> '; zle reset-prompt }
zle -N zle-line-finish
"""


@pytest.mark.needs("zsh")
@pytest.mark.parametrize("is_theirs", [False, True], ids=["ours", "theirs"])
def test_a_transient_prompt(either: TmuxTerminal, tmp_path: Path, *, is_theirs: bool) -> None:
    """The output begins below the line where it was drawn again."""
    (tmp_path / ".zshrc").write_text(TRANSIENT)
    pane = either.open(("zsh",), env={"ZDOTDIR": str(tmp_path)}, size=Size(60, 20))
    console = console_of(either, pane, is_theirs=is_theirs)
    assert_exact(console, OUTPUTS)


@pytest.mark.needs("bash")
def test_a_hook_that_prints_is_a_doubt(server: Server) -> None:
    """PROMPT_COMMAND prints before the mark, as a command does."""
    env = {"PS1": "$ ", "PROMPT_COMMAND": "echo; pwd"}
    console = Console(server.terminal, server.terminal.open(BASH, env=env, cwd="/usr"))
    result = console.run("echo hi")
    assert result.output == "hi\n\n/usr\n"
    assert result.doubt.startswith("its last rows may come from a hook of the prompt")
    assert console.learn_prompt() == 3
    assert console.run("echo hi").output == "hi\n"


@pytest.mark.needs("bash")
def test_marks_of_a_command_are_not_the_shells(server: Server) -> None:
    """The shell's own come last."""
    env = {"PS1": "\\w\\n$ "}
    console = Console(server.terminal, server.terminal.open(BASH, env=env, cwd="/usr"))
    forged = console.run("printf '\\033[?2004h/usr\\n$ \\n\\033[?2004l'")
    assert (forged.output, forged.doubt) == ("/usr\n$ \n", "")
    forged = console.run("printf '\\033[?2004lx\\033[?2004h/usr\\n$ '")
    assert (forged.output, forged.doubt) == ("x/usr\n$ ", "")


@pytest.mark.needs("bash")
def test_a_line_that_is_longer_than_the_kernels_buffer(server: Server) -> None:
    """Its Enter is pressed when all of it is on the screen, so no part of it is output."""
    with TmuxTerminal(socket_path=server.socket, transport="control") as terminal:
        console = Console(terminal, server.terminal.open(BASH, env={"PS1": "$ "}))
        for _ in range(20):
            result = console.run(f"echo me {'x' * 4500} | cut -c1-20")
            assert (result.output, result.complete) == (f"me {'x' * 17}\n", True)


@pytest.mark.parametrize("evidence", EVIDENCE)
@pytest.mark.needs("bash")
def test_marks_need_no_evidence(server: Server, evidence: str) -> None:
    """They are written by the shell, and so are there where the kernel tells nothing."""
    pane = server.terminal.open(BASH, env={"PS1": "\\w\\n$ "}, size=Size(60, 20))
    console = Console(server.terminal, pane)
    with files_may_be_refused(), refusing(evidence):
        for command, output in OUTPUTS.items():
            result = console.run(command)
            assert (result.output, result.doubt) == (output, ""), (command, result)
