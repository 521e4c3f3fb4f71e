"""Conversations of scripted models: what each says, and what it must read before it goes on."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

import attrs

Arguments = Mapping[str, object]

WRONG: Final = "def double(number):\n    return number + 2\n"
TEST: Final = """\
import unittest

from calc import double


class Doubles(unittest.TestCase):
    def test_five(self):
        self.assertEqual(double(5), 10)
"""
_FIX: Final = 'p = "calc.py"; s = open(p).read().replace("+ 2", "* 2"); _ = open(p, "w").write(s)'
# It is silent for two seconds, and what it prints then is not in its command line.
_SILENT: Final = "sleep 2; echo done-$((6*7))"


@attrs.frozen
class Step:
    """What the model says, and what is in the reply unless that is early.

    Args:
        says: The arguments of the call, or the text.
        hears: A pattern for each thing that the reply has.
    """

    says: Arguments | str
    hears: Sequence[str] = ()


def _submit(text: str, *hears: str) -> tuple[Step, Step]:
    wait = {"action": "wait_ready", "timeout": 60}
    return Step({"action": "send", "text": text}, ["^Sent: "]), Step(wait, hears)


def _keys(keys: str, *hears: str) -> tuple[Step, Step]:
    wait = {"action": "wait_ready", "timeout": 60}
    return Step({"action": "keys", "keys": keys}, ["^Sent: "]), Step(wait, hears)


_READY: Final = r"^ready \(prompt matched\)"

BY_TOOL: Final = (
    Step({"action": "wait_ready"}),  # it opens the pane, if there is none
    Step({"action": "wait_ready", "timeout": 60}, [_READY]),
    Step({"action": "run", "command": _SILENT, "timeout": 60}, ["done-42"]),
    # It installs a package that asks.
    *_submit("bash install.sh", "^waiting for input", r"licence\? \[y/N\] ?$"),
    *_submit("y", "^waiting for input", r"Install path \[/opt/tool\]: ?$"),
    *_submit("/srv/tool", "^waiting for a secret", "Password"),
    *_submit("correct horse", "^waiting for input", r"Components \(1 core, 2 full, 3 source\): ?$"),
    *_submit("2", _READY, "Installed in /srv/tool"),
    # It mends a failing test in a REPL.
    *_submit("python3 -q", _READY, r">>> ?$"),
    *_submit("import calc, importlib, unittest", _READY, r">>> ?$"),
    *_submit('_ = unittest.main("test_calc", exit=False)', _READY, r"FAILED \(failures=1\)"),
    *_submit(_FIX, _READY, r">>> ?$"),
    *_submit(
        "import test_calc; _ = importlib.reload(calc); _ = importlib.reload(test_calc)", _READY
    ),
    *_submit('_ = unittest.main("test_calc", exit=False)', _READY, r"\nOK\n"),
    *_submit("exit()", _READY, r"[$#] ?$"),
    # It changes a file with vim, and leaves it.
    *_submit("vim -Nu NONE -i NONE -n calc.py", r"^ready \(full-screen program\)", r"\* 2"),
    *_keys("G o Escape", r"^ready \(full-screen program\)"),
    *_submit(":s/^/# seen/", r"^ready \(full-screen program\)", "# seen"),
    *_submit(":wq", _READY, r"[$#] ?$"),
    Step(
        {"action": "run", "command": "tail -1 calc.py", "exit_status": True},
        ["exit status 0", "# seen"],
    ),
)
"""The model has the tool of `tmuxprim.tool`."""

BY_SHELL: Final = (
    Step(_SILENT, ["done-42"]),
    Step("bash install.sh", [r"licence\? \[y/N\] ?", "waits for input"]),
    Step("y", [r"Install path \[/opt/tool\]: ?", "waits for input"]),
    Step("/srv/tool", ["Password", "waits for a secret"]),
    Step("correct horse", [r"Components \(1 core, 2 full, 3 source\): ?", "waits for input"]),
    Step("2", ["Installed in /srv/tool"]),
    Step("python3 -q", [r"shows a prompt"]),
    Step("import calc, importlib, unittest", [r"shows a prompt"]),
    Step('_ = unittest.main("test_calc", exit=False)', [r"FAILED \(failures=1\)"]),
    Step(_FIX, [r"shows a prompt"]),
    Step("import test_calc; _ = importlib.reload(calc); _ = importlib.reload(test_calc)", []),
    Step('_ = unittest.main("test_calc", exit=False)', [r"\nOK\n"]),
    Step("exit()", []),
    Step("vim -Nu NONE -i NONE -n calc.py", [r"\* 2", "has the whole screen"]),
    Step(":s/^/# seen/\n", ["# seen", "has the whole screen"]),
    Step(":wq\n", []),
    Step("head -1 calc.py", ["# seendef double"]),
)
"""The model has a shell: a function from a command to its output."""

KEYSTROKES: Final[Sequence[tuple[str | list[str], str]]] = (
    ("PS1='$ '; clear\n", r"^\$ ?$"),
    ("sleep 2; echo done-$((6*7))\n", r"^done-42$"),
    ("bash install.sh\n", r"licence\? \[y/N\] ?$"),
    ("y\n", r"Install path \[/opt/tool\]: ?$"),
    ("/srv/tool\n", r"Password"),
    ("correct horse\n", r"Components"),
    ("2\n", r"^Installed in /srv/tool$"),
    ("python3 -q\n", r"^>>> ?$"),
    ("import calc; calc.double(5)\n", r"^7$"),
    ("exit()\n", r"^\$ ?$"),
    ("vim -Nu NONE -i NONE -n calc.py\n", r"\+ 2$"),
    ("Escape", r"\+ 2$"),
    (":q!\n", r"^\$ ?$"),
    (["cat", "Enter"], r"^\$ cat$"),
    ("C-c", r"^\^C$"),
)
"""The model has a session of tmux: the keys that it sends, and a pattern that it must see then."""

GUESSED: Final = 10.0
"""The seconds that it guesses for each."""


@attrs.define
class Script:
    """A scripted model: it says one step after the other, and notes which replies were early.

    Args:
        steps: What it says.
    """

    steps: Sequence[Step]
    replies: list[str] = attrs.field(factory=list)

    def next(self, reply: str | None) -> Arguments | str | None:
        """Take the reply to the step before, and return the next one; None after the last."""
        if reply is not None:
            self.replies.append(reply)
        done = len(self.replies)
        return self.steps[done].says if done < len(self.steps) else None

    def check(self) -> None:
        """Assert that the script was played to its end, and that each reply had all it must."""
        assert len(self.replies) == len(self.steps)
        early = [
            (step.says, pattern, reply)
            for step, reply in zip(self.steps, self.replies, strict=True)
            for pattern in step.hears
            if not re.search(pattern, reply.rstrip("\n") if pattern.endswith("$") else reply)
        ]
        assert not early, "\n\n".join(
            f"{says}: no {pattern!r} in\n{reply}" for says, pattern, reply in early
        )
