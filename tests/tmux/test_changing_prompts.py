"""Output is exact at prompts that change, also where a helper of the shell draws them."""

from typing import Final

import pytest

from tmuxprim import Console, TmuxTerminal

pytestmark = [pytest.mark.tmux]

# As zsh-async does for the prompts pure and spaceship: a helper on a terminal of its own, to which
# the line editor listens.
HELPER: Final = """
zmodload zsh/zpty
zpty -b helper 'while read -r line; do :; done'
listen() { :; }
zle -F $REPLY listen
PS1='%~> '
"""


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
