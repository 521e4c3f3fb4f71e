"""Shells: commands of all kinds, and prompts of all kinds."""

from tests.scenarios.model import MORE, PROMPT, TIMEOUT, Program, Scenario, presses, types

BASH = Program(command=("bash", "--norc", "--noprofile"), replwrap="bash")
DASH = Program(command=("dash",))
ZSH = Program(command=("zsh", "-f"), env={"PS1": "%m%# ", "RPROMPT": "[right]"}, replwrap="zsh")
FISH = Program(command=("fish", "--no-config", "--private"))

SCENARIOS = (
    Scenario(name="echo", program=BASH, turns=(types("echo hi", shows="^hi$"),), by_screen=True),
    Scenario(name="a command that prints nothing", program=BASH, turns=(types("true"),)),
    Scenario(
        name="a silent command",
        program=BASH,
        turns=(types("sleep 1; touch done", lasts=1, leaves="done"),),
        by_screen=True,
    ),
    Scenario(
        name="an open quote",
        program=BASH,
        turns=(types("echo 'a", MORE), types("b'", PROMPT, shows="^b$")),
        by_screen=True,
    ),
    Scenario(
        name="a command is interrupted",
        program=BASH,
        turns=(types("sleep 60", TIMEOUT, timeout=0.5), presses("C-c", PROMPT)),
        by_screen=True,
    ),
)
