"""The main job on real tmux, quickly and never early; tests/scenarios has all the rest.

How long a command truly runs is known from outside: it touches a file as its last act, and the
wait must not end before that.
"""

import statistics
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tmuxprim import Console, Outcome, TmuxTerminal

pytestmark = pytest.mark.tmux

BASH = ("bash", "--norc", "--noprofile")
PROMPT = Outcome.PROMPT


def start(terminal: TmuxTerminal) -> Console:
    """Return a console on bash, at its first prompt."""
    console = Console(terminal, terminal.open(BASH, env={"PS1": "$ "}))
    readiness = console.wait_ready()
    assert readiness.outcome is PROMPT, readiness
    return console


def echo(console: Console) -> None:
    """Send a command and wait until it has ended."""
    console.send("echo hi")
    assert console.wait_ready().outcome is PROMPT


def took(do: Callable[[], object]) -> float:
    """Return how many seconds something takes."""
    began = time.monotonic()
    do()
    return time.monotonic() - began


@pytest.mark.needs("bash")
def test_the_end_of_a_command_is_never_foreseen(terminal: TmuxTerminal, tmp_path: Path) -> None:
    """A hundred commands of random length: each has done its last act when we are told so."""
    console = start(terminal)
    for number in range(100):
        act = tmp_path / str(number)
        console.send(f"sleep 0.0{number}; echo '$ '; touch {act}")
        readiness = console.wait_ready()
        assert readiness.outcome is PROMPT
        assert act.exists(), readiness


@pytest.mark.needs("bash")
def test_an_echo_is_ready_in_milliseconds(terminal: TmuxTerminal) -> None:
    """From before the send to the answer takes less than ten reads do, some 2 ms each.

    All of that is calls of tmux, which take longer where the machine is busy; so do reads.
    """
    console = start(terminal)
    times = [(took(lambda: echo(console)), took(console.read)) for _ in range(21)]
    echoes, reads = map(statistics.median, zip(*times, strict=True))
    assert echoes < 10 * reads


@pytest.mark.needs("bash")
def test_a_question_is_answered_and_a_sleep_interrupted(terminal: TmuxTerminal) -> None:
    """The main job, all in one pane."""
    console = start(terminal)
    console.send("read -p 'Continue? [y/N] ' x; echo got $x")
    assert console.wait_ready().outcome is Outcome.AWAITING_INPUT
    console.keys("y", "Enter")
    assert "got y" in console.wait_ready().screen.rows
    console.send("sleep 60")
    assert console.wait_ready(timeout=0.3).outcome is Outcome.TIMEOUT
    console.keys("C-c")
    readiness = console.wait_ready()
    assert (readiness.outcome, readiness.screen.before_cursor) == (PROMPT, "$ ")


@pytest.mark.needs("bash")
def test_a_pattern_of_ones_own_decides(terminal: TmuxTerminal) -> None:
    """A prompt of an unknown look is found by its pattern, wherever the cursor is."""
    console = start(terminal)
    console.send("printf 'shell ready\\n'; read x")
    readiness = console.wait_ready(prompt_pattern="shell ready")
    assert readiness.outcome is PROMPT
