"""Who reads for a time only: it takes what is typed by then, and goes on without."""

import attrs

from tests.scenarios.model import PROMPT, STABLE, Scenario, presses, types
from tests.scenarios.shells import BASH, ZSH

# Each works on when nobody has typed anything, and leaves a file at its end.
_READERS = """cat > limits.py <<'END'
import os, select, socket, sys, termios, time, tty
before = termios.tcgetattr(0)
how, limit, shown = sys.argv[1], float(sys.argv[2]), sys.argv[3].encode().decode("unicode_escape")
(tty.setcbreak if how.startswith("cbreak") else tty.setraw)(0)
if how == "vtime":
    mode = termios.tcgetattr(0)
    mode[6][termios.VMIN], mode[6][termios.VTIME] = 0, int(limit * 10)
    termios.tcsetattr(0, termios.TCSANOW, mode)
os.write(1, shown.encode())
poll = select.poll()
poll.register(0, select.POLLIN)
ours, theirs = socket.socketpair()
if how == "poll":
    poll.poll(limit * 1000)
elif how == "vtime":
    os.read(0, 1)
elif how == "steps":
    for _ in range(5):
        time.sleep(0.08)
        poll.poll(limit * 1000)
elif how == "again":
    while not poll.poll(limit * 1000):
        pass
elif how == "cbreak sleep":
    ours.close(), theirs.close()
    select.select([], [], [], limit)
elif how == "cbreak socket":
    select.select([ours], [], [], limit)
termios.tcsetattr(0, termios.TCSAFLUSH, before)
time.sleep(0.4)
open("done", "w").close()
END
"""
_PRESSED = types("touch pressed", leaves="pressed")


def _reads(name: str, how: str, limit: float, shown: str, *, by_place: bool = False) -> Scenario:
    command = f"python3 limits.py '{how}' {limit} '{shown}'"
    return Scenario(
        name=name,
        program=BASH,
        turns=(types(command, leaves="done"), _PRESSED),
        prepare=_READERS,
        needs=("python3",),
        by_place=by_place,
    )


def _asks(name: str, shown: str) -> Scenario:
    """Return a scenario of a program that reads again and again, until it is answered."""
    asks = types(f"python3 limits.py again 1 '{shown}'", STABLE, lasts=2.0)
    return Scenario(
        name=name,
        program=BASH,
        turns=(asks, presses("y", PROMPT), _PRESSED),
        prepare=_READERS,
        needs=("python3",),
    )


def _widget(name: str, command: str) -> Scenario:
    """Return a scenario of zsh with a widget at C-t, which leaves a file at its end."""
    lines = (
        "zmodload zsh/zselect",
        f"widget() {{ {command}; touch done }}",
        "zle -N widget",
        "bindkey '^T' widget",
    )
    return Scenario(
        name=name,
        program=ZSH,
        turns=(
            types("source widget.zsh"),
            attrs.evolve(presses("C-t", PROMPT), leaves="done"),
            _PRESSED,
        ),
        prepare="\n".join(("cat > widget.zsh <<'END'", *lines, "END")),
        by_call=True,
    )


SCENARIOS: tuple[Scenario, ...] = (
    _reads("a terminal is asked for its colour", "poll", 1.0, "\\x1b]11;?\\x07"),
    _reads("a key is read for a second", "vtime", 1.0, ""),
    _reads("keys are looked for between steps of work", "steps", 0.09, ""),
    _reads("keys are looked for between steps behind a question", "steps", 0.09, "Really? "),
    _reads("a prompt before a sleep by select", "cbreak sleep", 4.0, "bash-5.2# ", by_place=True),
    _reads(
        "a prompt before a wait for a socket", "cbreak socket", 4.0, "bash-5.2# ", by_place=True
    ),
    _reads("a prompt before a poll with a time limit", "poll", 1.0, ">>> "),
    _asks("a question is asked for a second at a time", "Go on? [y/N] "),
    _asks("a key is awaited for a second at a time", ""),
    Scenario(
        name="bash asks with a time limit of a minute",
        program=BASH,
        turns=(types("read -t 60 -p 'Quick: ' x", STABLE, lasts=2.0), types("Ada"), _PRESSED),
        by_screen=True,
    ),
    Scenario(
        name="bash throws away what is typed",
        program=BASH,
        turns=(
            types("read -t 1 -n 10000 discard; sleep 0.5; touch done", leaves="done"),
            _PRESSED,
        ),
    ),
    Scenario(
        name="bash reads keys for a while behind its own prompt",
        program=BASH,
        turns=(types("read -t 1.2 -n 9 -p '$ '; touch done", leaves="done"), _PRESSED),
    ),
    _widget("a widget of zsh sleeps", "zselect -t 150"),
    _widget("a widget of zsh reads a key for a while", "read -t 1 -k x"),
)
