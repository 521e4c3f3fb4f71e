"""The scenarios that the library exists for, on real tmux: never early, the right outcome.

How long a command truly runs is known from outside: each one that takes time touches a file as
its last act, and the wait must not end before that.
"""

import statistics
import time
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest
from _pytest.mark.structures import ParameterSet

from tmuxprim import Console, Outcome, Readiness, TmuxTerminal

pytestmark = pytest.mark.tmux

BASH = ("bash", "--norc", "--noprofile")
PROMPT, QUESTION, SECRET = Outcome.PROMPT, Outcome.AWAITING_INPUT, Outcome.AWAITING_SECRET


@attrs.frozen
class Scenario:
    """A program, what is typed into it, how long that takes, and what must come of it."""

    name: str
    typed: str
    outcome: Outcome = PROMPT
    seconds: float = 0.0
    program: tuple[str, ...] = BASH
    env: dict[str, str] = attrs.field(factory=dict)


SCENARIOS = (
    Scenario("echo", "echo hi"),
    Scenario("nothing", "true"),
    Scenario("empty line", ""),
    Scenario("silent", "sleep 1", seconds=1),
    Scenario(
        "percent", 'for i in 10 50 90; do echo "Downloading $i%"; sleep 0.4; done', PROMPT, 1.2
    ),
    Scenario("angle", "echo '<html>'; sleep 1", seconds=1),
    Scenario("dollar", "printf 'total: 5 $\\n'; sleep 1", seconds=1),
    Scenario("dollar at the cursor", "printf 'total: 5 $ '; sleep 1; echo", seconds=1),
    Scenario("the command looks like a prompt", "sleep 1 # $", seconds=1),
    Scenario("question", "read -p 'Continue? [y/N] ' x", QUESTION),
    Scenario("question with a dollar", "read -p 'Amount in $ ' x", QUESTION),
    Scenario("question after work", "sleep 1; read -p 'Name: ' x", QUESTION, 1),
    Scenario("one key", "read -n1 -p 'Key? ' x", QUESTION),
    Scenario("question with a time limit", "read -t 60 -p 'Quick! ' x", QUESTION),
    Scenario("a line without a question", "cat", QUESTION),
    Scenario("password", "read -s -p 'Password: ' x", SECRET),
    Scenario("password after work", "sleep 1; read -s -p 'Password: ' x", SECRET, 1),
    Scenario("flood", "seq 1 200000"),
    Scenario("clear", "clear"),
    Scenario("prompt not at the margin", "printf x"),
    Scenario("background job", "(sleep 1; echo late) &"),
    Scenario("pipe", "sleep 1 | cat", seconds=1),
    Scenario("busy loop", "for ((i = 0; i < 30000; i++)); do :; done"),
    Scenario("another shell", "bash --norc --noprofile"),
    Scenario("exec", "exec bash --norc --noprofile"),
    Scenario("unicode prompt", "sleep 1", seconds=1, env={"PS1": "❯ "}),  # noqa: RUF001  # that prompt
    Scenario("two-line prompt", "sleep 1", seconds=1, env={"PS1": "\\w\n$ "}),
    Scenario("exit", "exit 3", Outcome.EXITED),
    Scenario("dash", "sleep 1", seconds=1, program=("dash",), env={"PS1": "$ "}),
    Scenario("zsh", "echo hi", program=("zsh", "-f"), env={"RPROMPT": "[right]"}),
    Scenario("zsh sleeps", "sleep 1", PROMPT, 1, ("zsh", "-f"), {"RPROMPT": "[right]"}),
    Scenario("fish", "echo hi", program=("fish", "--no-config")),
    Scenario("fish sleeps", "sleep 1", PROMPT, 1, ("fish", "--no-config")),
    Scenario("sqlite3", "select 1;", program=("sqlite3",)),
    Scenario("python", "1 + 1", program=("python3", "-q")),
    Scenario("python sleeps", "__import__('time').sleep(1)", PROMPT, 1, ("python3", "-q")),
    Scenario("python asks", "input('name? ')", QUESTION, program=("python3", "-q")),
    Scenario("vim", "vim --clean", Outcome.FULLSCREEN),
    Scenario("less", "less /etc/passwd", Outcome.FULLSCREEN),
)


def parameters() -> Iterator[ParameterSet]:
    """Yield the scenarios, each marked with the programs that it needs."""
    for scenario in SCENARIOS:
        first = scenario.typed.partition(" ")[0]
        needs = [scenario.program[0], *([first] if first in ("vim", "less") else [])]
        marks = pytest.mark.needs(*needs)
        yield pytest.param(scenario, id=scenario.name, marks=marks)


def start(terminal: TmuxTerminal, scenario: Scenario) -> Console:
    """Return a console on the scenario's program, at its first prompt."""
    pane = terminal.open(scenario.program, env={"PS1": "$ ", **scenario.env})
    console = Console(terminal, pane)
    readiness = console.wait_ready()
    assert readiness.outcome is PROMPT, readiness
    return console


def wait(console: Console, scenario: Scenario) -> tuple[Readiness, float]:
    """Type what the scenario says, and return what came of it and how long it took."""
    began = time.monotonic()
    console.send(scenario.typed)
    readiness = console.wait_ready()
    return readiness, time.monotonic() - began


@pytest.mark.parametrize("scenario", list(parameters()))
def test_scenario(terminal: TmuxTerminal, scenario: Scenario) -> None:
    """It is ready for the right reason, not before the command's end and soon after it."""
    terminal.open(BASH)  # keeps the server when the scenario ends its own pane
    console = start(terminal, scenario)
    readiness, took = wait(console, scenario)
    assert readiness.outcome is scenario.outcome, readiness
    assert took >= scenario.seconds, readiness
    assert readiness.elapsed < scenario.seconds + 3.0, readiness  # this machine may be busy


@pytest.mark.needs("bash")
def test_the_end_of_a_command_is_never_foreseen(terminal: TmuxTerminal, tmp_path: Path) -> None:
    """A hundred commands of random length: each has done its last act when we are told so."""
    console = start(terminal, Scenario("many", ""))
    for number in range(100):
        act = tmp_path / str(number)
        console.send(f"sleep 0.0{number}; echo '$ '; touch {act}")
        readiness = console.wait_ready()
        assert readiness.outcome is PROMPT
        assert act.exists(), readiness


@pytest.mark.needs("bash")
def test_an_echo_is_ready_in_milliseconds(terminal: TmuxTerminal) -> None:
    """From before the send to the answer takes less than 30 ms, in the median."""
    console = start(terminal, Scenario("echo", ""))
    times = [wait(console, Scenario("echo", "echo hi"))[1] for _ in range(21)]
    assert statistics.median(times) < 0.030


@pytest.mark.needs("bash")
def test_a_question_is_answered_and_a_sleep_interrupted(terminal: TmuxTerminal) -> None:
    """The main job, all in one pane."""
    console = start(terminal, Scenario("main", ""))
    console.send("read -p 'Continue? [y/N] ' x; echo got $x")
    assert console.wait_ready().outcome is QUESTION
    console.keys("y", "Enter")
    assert "got y" in console.wait_ready().screen.rows
    console.send("sleep 60")
    assert console.wait_ready(timeout=0.3).outcome is Outcome.TIMEOUT
    console.keys("C-c")
    readiness = console.wait_ready()
    assert (readiness.outcome, readiness.screen.before_cursor) == (PROMPT, "$ ")


@pytest.mark.needs("bash")
def test_a_slow_start_is_waited_for(terminal: TmuxTerminal, tmp_path: Path) -> None:
    """Waiting right after open returns when the first prompt stands, whatever start-up does."""
    (tmp_path / "rc").write_text("echo loading %; sleep 0.7; PS1='ready> '\n")
    pane = terminal.open(["bash", "--rcfile", str(tmp_path / "rc")])
    readiness = Console(terminal, pane).wait_ready()
    assert (readiness.outcome, readiness.screen.before_cursor) == (PROMPT, "ready> ")


@pytest.mark.needs("bash")
def test_a_pattern_of_ones_own_decides(terminal: TmuxTerminal) -> None:
    """A prompt that nobody knows is found by its pattern, wherever the cursor stands."""
    console = start(terminal, Scenario("pattern", ""))
    console.send("printf 'shell ready\\n'; read x")
    readiness = console.wait_ready(prompt_pattern="shell ready")
    assert readiness.outcome is PROMPT


_RELAY = """
import os, pty, select, sys, time, tty
pid, far = pty.fork()
if pid == 0:
    os.environ["PS1"] = "far$ "
    os.execvp("bash", ["bash", "--norc", "--noprofile"])
tty.setraw(0)
while True:
    ready, _, _ = select.select([0, far], [], [])
    if far in ready:
        os.write(1, os.read(far, 65536))
    if 0 in ready:
        typed = os.read(0, 65536)
        time.sleep(0.25)
        os.write(far, typed)
"""
_READER_THREAD = """
import sys, threading, time
threading.Thread(target=lambda: list(sys.stdin), daemon=True).start()
time.sleep(1.2)
"""


@pytest.mark.needs("bash", "python3")
def test_an_old_prompt_behind_a_slow_relay_does_not_count(
    terminal: TmuxTerminal, tmp_path: Path
) -> None:
    """A program that passes keys on, as ssh does, has not carried them out."""
    (tmp_path / "relay.py").write_text(_RELAY)
    console = Console(terminal, terminal.open(["python3", str(tmp_path / "relay.py")]))
    assert console.wait_ready().outcome is PROMPT
    for number in range(3):
        console.send(f"sleep 0.6; touch {tmp_path}/{number}")
        readiness = console.wait_ready()
        assert readiness.outcome is PROMPT
        assert (tmp_path / str(number)).exists(), readiness


@pytest.mark.needs("bash", "python3")
def test_a_thread_that_reads_is_not_the_program(terminal: TmuxTerminal, tmp_path: Path) -> None:
    """A program with a thread for its input works in another, and is not ready meanwhile."""
    (tmp_path / "reader.py").write_text(_READER_THREAD)
    console = start(terminal, Scenario("thread", ""))
    console.send(f"python3 {tmp_path}/reader.py")
    readiness = console.wait_ready()
    assert readiness.outcome is PROMPT
    assert readiness.elapsed > 1.2


@pytest.mark.needs("bash")
def test_a_nested_tmux_is_a_full_screen_program(terminal: TmuxTerminal, tmp_path: Path) -> None:
    """A client of another server takes keys, though its server reads them."""
    console = start(terminal, Scenario("nested", ""))
    nested = f"tmux -S {tmp_path}/nested -f /dev/null"
    console.send(f"TMUX= {nested} new-session 'bash --norc --noprofile'")
    assert console.wait_ready().outcome is Outcome.FULLSCREEN
    console.send("exit")
    assert console.wait_ready().outcome is PROMPT
