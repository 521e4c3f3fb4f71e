"""Output is exact at prompts that change, in panes that we opened and in a person's."""

from typing import Final

import pytest

from tests.tmux.exact import assert_exact, console_of
from tmuxprim import Console, Size, TmuxTerminal

pytestmark = [pytest.mark.tmux]

OUTPUTS: Final = {
    "echo me": "me\n",
    "true": "",
    "cd /var": "",
    "cd /; printf 'a\\n\\n'": "a\n\n",
    "seq 30": "".join(f"{number}\n" for number in range(1, 31)),
    "pushd /usr >/dev/null": "",
    "printf %0100d 0; echo": "0" * 100 + "\n",
}
# Some of them look like a number of the prompt, or like the prompt.
LEFT_OF_IT: Final = {
    "printf abc": "abc",
    "echo hi": "hi\n",
    "printf %060d 0": "0" * 60,
    "printf 12": "12",
    "printf '5 $ '": "5 $ ",
    "head -c 5000 /dev/zero | tr '\\0' y": "y" * 5000,
    "echo 3; printf 4": "3\n4",
}
COUNTERS: Final = [
    {"PS1": "[\\#] $ "},
    {"PS1": "\\! $ "},
    {"PS1": "$((n+=7))> "},
    {"PS1": "<$n>", "PROMPT_COMMAND": "n=$((n+1))"},
]
BASH: Final = ("bash", "--norc", "--noprofile")
ZSH: Final = ("zsh", "-f")
# fish's own `echo` may come before what an external command has written, so that a plain `date`
# here would follow the "> " in its row at some prompts.
FISH: Final = ("fish", "-C", "function fish_prompt; pwd; echo (date +%T); echo -n '> '; end")
SHELLS: Final = [
    pytest.param(BASH, {"PS1": "\\w\\$ "}, marks=pytest.mark.needs("bash")),
    pytest.param(BASH, {"PS1": "[\\#] \\t \\u@\\h:\\w\\$ "}, marks=pytest.mark.needs("bash")),
    pytest.param(BASH, {"PS1": "\\n\\w \\t\\na\\nb\\n> "}, marks=pytest.mark.needs("bash")),
    pytest.param(ZSH, {"PS1": "%~%# "}, marks=pytest.mark.needs("zsh")),
    pytest.param(ZSH, {"PS1": "\n%~ %h\n> ", "RPS1": "%*"}, marks=pytest.mark.needs("zsh")),
    pytest.param(FISH, {}, marks=pytest.mark.needs("fish")),
]
# As zsh-async does for the prompts pure and spaceship: a helper on a terminal of its own, to which
# the line editor listens.
HELPER: Final = """
zmodload zsh/zpty
zpty -b helper 'while read -r line; do :; done'
listen() { :; }
zle -F $REPLY listen
PS1='%~> '
"""


@pytest.mark.parametrize("is_theirs", [False, True], ids=["ours", "theirs"])
@pytest.mark.parametrize(("words", "env"), SHELLS)
def test_prompts_that_change(
    either: TmuxTerminal, words: tuple[str, ...], env: dict[str, str], *, is_theirs: bool
) -> None:
    """They show the directory, the time and a counter, in one row or more."""
    pane = either.open(words, env=env, size=Size(60, 20), cwd="/usr")
    console = console_of(either, pane, is_theirs=is_theirs)
    assert_exact(console, OUTPUTS)


@pytest.mark.needs("bash")
@pytest.mark.parametrize("is_theirs", [False, True], ids=["ours", "theirs"])
@pytest.mark.parametrize("env", COUNTERS)
def test_prompts_that_count(either: TmuxTerminal, env: dict[str, str], *, is_theirs: bool) -> None:
    """Output that stands left of them is exact, from the first command on."""
    pane = either.open(BASH, env=env)
    console = console_of(either, pane, is_theirs=is_theirs)
    assert_exact(console, LEFT_OF_IT)


@pytest.mark.needs("zsh")
def test_a_shell_whose_prompt_has_a_helper(either: TmuxTerminal) -> None:
    """The helper's terminal is not what the pane shows, and who reads there is not the shell."""
    console = Console(either, either.open(("zsh", "-f"), env={"PS1": "%~> "}))
    for line in HELPER.strip().splitlines():
        console.send(line)
        assert console.wait_ready()
    for command, output in {"echo me": "me\n", "printf me": "me", "cd /": "", "pwd": "/\n"}.items():
        result = console.run(command)
        assert (result.output, result.doubt) == (output, ""), (command, result)
        tty = result.readiness.tty
        assert tty is not None
        assert (tty.foreground_is_pane, tty.pass_through_count) == (True, 0)
