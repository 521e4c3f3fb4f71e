"""What is typed into which program, how long it runs, and what is right: the data.

A new row in `SCENARIOS` is all that another scenario needs.
"""

import sys
from collections.abc import Mapping

import attrs

QUESTION = "awaiting input"
SECRET = "awaiting secret"  # noqa: S105  # the word, not a password
PROMPT = "prompt"

_TOOLS = ("clear", "seq", "sleep")


@attrs.frozen
class Program:
    """Is what runs in the pane.

    Args:
        command: Its words.
        env: What it finds in its environment besides the benchmark's own.
        replwrap: The function of `pexpect.replwrap` that starts it; none if empty.
    """

    command: tuple[str, ...]
    env: Mapping[str, str] = attrs.field(factory=dict)
    replwrap: str = ""


# A prompt that is no ASCII, as many themes have it.
_ARROW = "❯ "  # noqa: RUF001  # looks like > and is not, that is the point

_BASH = ("bash", "--norc", "--noprofile")
BASH = Program(_BASH, {"PS1": "$ "}, replwrap="bash")
# replwrap replaces any prompt by its own, so for pexpect this is plain bash.
BASH_ARROW = Program(_BASH, {"PS1": _ARROW}, replwrap="bash")
ZSH = Program(("zsh", "-f"), {"PS1": "%m%# ", "RPROMPT": "[right]"}, replwrap="zsh")
FISH = Program(("fish", "--no-config", "--private"))
DASH = Program(("dash",), {"PS1": "$ "})
SQLITE = Program(("sqlite3",))
PYTHON = Program((sys.executable, "-q"), replwrap="python")


@attrs.frozen(kw_only=True)
class Scenario:
    """Is one thing to type, and when a caller may type again.

    Args:
        name: How it is called in the tables.
        program: What runs in the fresh pane.
        setup: What is typed and done before the clock starts.
        text: What is typed, followed by Enter; ``{s}`` is the length of each sleep.
        sleep: That length, in seconds.
        sleeps: How many of them one run takes: the command cannot end before their sum.
        right: The reason that is right, for designs that tell one.
        leaves: Regular expression for a line that the program shows if it got the whole text.
    """

    name: str
    program: Program = BASH
    setup: str = ""
    text: str
    sleep: float = 0.0
    sleeps: int = 1
    right: str = PROMPT
    leaves: str = ""

    @property
    def typed(self) -> str:
        """What is typed, without the Enter."""
        return self.text.replace("{s}", f"{self.sleep:g}")

    @property
    def needs(self) -> tuple[str, ...]:
        """The programs that have to be installed."""
        return (self.program.command[0], *(tool for tool in _TOOLS if tool in self.text))

    @property
    def lasts(self) -> float:
        """Seconds for which the command certainly runs."""
        return self.sleep * self.sleeps

    def shortened(self, longest: float) -> "Scenario":
        """Return the same with each sleep no longer than *longest* seconds."""
        return attrs.evolve(self, sleep=min(self.sleep, longest))


_LOOP = 'for i in 10 50 90; do echo "Downloading $i%"; sleep {s}; done'
_SLOW = "for i in 1 2 3 4; do echo line $i; sleep {s}; done"

SCENARIOS = (
    Scenario(name="echo hi", text="echo hi", leaves="hi"),
    Scenario(name="true (prints nothing)", text="true"),
    Scenario(name="clear on a fresh screen", text="clear"),
    Scenario(name="seq 1 200000", text="seq 1 200000", leaves="200000"),
    Scenario(name="sleep", text="sleep {s}", sleep=3),
    Scenario(name="downloads, ending in %", text=_LOOP, sleep=1, sleeps=3, leaves="Downl.*90%"),
    Scenario(name="slow output", text=_SLOW, sleep=0.7, sleeps=4, leaves="line 4"),
    Scenario(name="echo '<html>'; sleep", text="echo '<html>'; sleep {s}", sleep=2),
    Scenario(name="printf '5 $'; sleep", text=r"printf 'total: 5 $\n'; sleep {s}", sleep=2),
    Scenario(name="read -p question", text="read -p 'Continue? [y/N] ' x", right=QUESTION),
    Scenario(name="read -s -p password", text="read -s -p 'Password: ' x", right=SECRET),
    Scenario(name=f"PS1='{_ARROW}': echo", program=BASH_ARROW, text="echo hi", leaves="hi"),
    Scenario(name=f"PS1='{_ARROW}': sleep", program=BASH_ARROW, text="sleep {s}", sleep=2),
    Scenario(name="zsh RPROMPT: echo", program=ZSH, text="echo hi", leaves="hi"),
    Scenario(name="zsh RPROMPT: sleep", program=ZSH, text="sleep {s}", sleep=2),
    Scenario(name="fish: echo", program=FISH, text="echo hi", leaves="hi"),
    Scenario(name="fish: sleep", program=FISH, text="sleep {s}", sleep=2),
    Scenario(name="dash: echo", program=DASH, text="echo hi", leaves="hi"),
    Scenario(name="dash: sleep", program=DASH, text="sleep {s}", sleep=2),
    Scenario(name="sqlite3: select 1;", program=SQLITE, text="select 1;", leaves="1"),
    Scenario(
        name="python: time.sleep",
        program=PYTHON,
        setup="import time",
        text="time.sleep({s})",
        sleep=3,
    ),
)
