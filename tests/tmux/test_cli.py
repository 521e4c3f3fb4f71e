"""The command line on real tmux: an agent's session in a shell, and the page that shows one."""

import json
import re
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.command_line import ROOT, CommandLine
from tests.pages import DOCS, play
from tmuxprim import Console, TmuxTerminal
from tmuxprim.cli import run

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash")]

LONG = 60.0
OPEN = "tmuxprim open --name work --env 'PS1=$ ' -- bash --norc --noprofile"


@pytest.fixture
def shell() -> Iterator[CommandLine]:
    """Give a shell with ``tmuxprim``, and a tmux server that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="tmuxprim-") as directory:
        shell = CommandLine(Path(directory))
        try:
            yield shell
        finally:
            shell.stop()


def test_a_session(shell: CommandLine) -> None:
    """Open, wait, send, answer a question, read, run, close."""
    assert shell.run(f"{OPEN} && tmuxprim wait work").stdout == "%0\n$\n"
    asked = shell.run('tmuxprim send work \'read -p "Continue? [y/N] " it; echo "<$it>"\' --wait')
    assert (asked.returncode, asked.stdout.splitlines()[-1]) == (0, "Continue? [y/N]")
    assert asked.stderr.startswith("ready (awaiting input)")
    answered = shell.run("tmuxprim send work y --wait")
    assert answered.stdout.splitlines()[-2:] == ["<y>", "$"]
    assert shell.run("tmuxprim read work | tail -1").stdout == "$\n"
    assert shell.run("tmuxprim run work 'seq 1 3'").stdout == "1\n2\n3\n"
    assert shell.run("tmuxprim close work; tmuxprim panes").stdout == ""
    assert shell.run("tmuxprim read work").returncode == 3


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ("'(exit 1)'", 1, ""),
        ("'sleep 60' --timeout 0.5", 124, "timed out after"),
        ("ls -la", 125, "quote the text"),
        ("'read -p \"sure? \" it'", 122, "awaiting input"),
        ("'exit 5'", 122, "not ready (exited)"),
        ("bash", 122, "cannot be determined whether it has ended"),
        ("'ls /nowhere' --no-status 2> /dev/null", 0, ""),
    ],
)
def test_the_status_of_run(shell: CommandLine, words: str, status: int, said: str) -> None:
    """It is the command's own, or a number that no usual command ends with."""
    ran = shell.run(f"{OPEN}; tmuxprim wait work > ~/screen; tmuxprim run work {words}")
    assert ran.returncode == status
    assert said in ran.stderr


def test_what_takes_too_long_is_interrupted(shell: CommandLine) -> None:
    """A script tells by the status, and C-c brings the prompt back."""
    script = f"""
        {OPEN} > id; tmuxprim wait work > screen
        tmuxprim send work 'sleep 60' --timeout 0.2 > screen; echo $?
        tmuxprim wait work --timeout 0 > screen; echo $?
        tmuxprim keys work C-c --wait > screen; echo $?
    """
    ran = shell.run(f"cd ~; {script}")
    assert ran.stdout == "124\n124\n0\n"


def test_a_secret_from_standard_input(shell: CommandLine) -> None:
    """It reaches the program, and nothing that is printed."""
    shell.run(f"{OPEN}; tmuxprim wait work")
    asked = shell.run("tmuxprim send work 'read -s it; echo ${#it}' --wait --json")
    assert json.loads(asked.stdout)["outcome"] == "awaiting secret"
    sent = shell.run("echo hunter2 | tmuxprim send work - --wait")
    assert (sent.returncode, sent.stdout.splitlines()[-2:]) == (0, ["7", "$"])
    assert "hunter2" not in sent.stdout + sent.stderr


def test_every_pane_is_listed(shell: CommandLine) -> None:
    """By tmux's own names, also those that people made by hand."""
    shell.run("tmux -f /dev/null new-session -d -s 'two words' -x 100 -y 30 'cat; true'")
    ran = shell.run("tmuxprim panes --json")
    (pane,) = json.loads(ran.stdout)["panes"]
    assert (pane["pane"], pane["name"]) == ("%0", "two words:0.0")
    assert (pane["columns"], pane["rows"]) == (100, 30)
    assert shell.run("tmuxprim read 'two words:0.0'").returncode == 0


def test_nobody_reads_the_output(shell: CommandLine) -> None:
    """Whoever has seen enough may go; there is no traceback."""
    shell.run(f"{OPEN}; tmuxprim wait work; tmuxprim run work 'seq 1 1000'")
    ran = shell.run("tmuxprim read work --lines 1000 | head -1; echo ${PIPESTATUS[0]}")
    first, status = ran.stdout.splitlines()
    assert first == "$ seq 1 1000"
    assert status in {"0", "141"}  # if all of it still fits into the pipe
    assert ran.stderr == ""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sees by /proc when it waits")
def test_an_interrupt_ends_a_wait(shell: CommandLine) -> None:
    """The status is 130, and it says that the pane goes on."""
    shell.run(f"{OPEN}; tmuxprim wait work; tmuxprim send work 'echo go; sleep 60'")
    with shell.start("wait", "work", "--timeout", "50") as waiting:
        wait_until_it_waits(waiting.pid)
        waiting.send_signal(signal.SIGINT)
        out, err = waiting.communicate(timeout=20)
    assert (waiting.returncode, out) == (130, "")
    assert "the program in 'work' goes on: 'tmuxprim keys work C-c' interrupts it" in err
    assert shell.run("tmuxprim wait work --timeout 0").returncode == 124


@pytest.fixture
def person(shell: CommandLine) -> Console:
    """Give a person's terminal, in a tmux of their own, beside a pane ``work`` of that shell."""
    shell.run(f"{OPEN}; tmuxprim wait work")
    bash = "env -u TMUX 'PS1=> ' bash --norc --noprofile"
    begin = f'tmux -L person -f /dev/null new-session -d -s person -x 200 -y 20 "{bash}"'
    socket = shell.run(f"{begin}; tmux -L person display-message -p '#{{socket_path}}'").stdout
    console = Console(TmuxTerminal(socket_path=socket.strip()), "person")
    assert console.wait_ready(LONG)
    return console


def test_a_person_sees_what_is_waited_for(person: Console) -> None:
    """As long as it takes; then the line is gone, and C-c says that the pane goes on."""
    person.send("tmuxprim run work 'sleep 60'")
    # The last snapshot may have seen bash, right before it started the other.
    line = re.compile(
        r"^(?:sleep|bash) runs(?: \(its startup [^)]*\))? and does not read, \d+ s$", re.MULTILINE
    )
    assert person.wait_for(line, LONG)
    person.keys("C-c")
    assert person.wait_for("no longer waiting; the program in 'work' goes on", LONG)
    assert "does not read" not in person.wait_ready(LONG).screen.text
    assert person.run("tmuxprim keys work C-c --wait 2> /dev/null | tail -1", LONG).output == "$\n"


def test_a_person_attaches(person: Console) -> None:
    """As the command that opens a pane says."""
    said = person.run("tmuxprim open --name work --reuse", LONG).output
    assert said == "%0\nit was there already; to look at it: tmuxprim attach work\n"
    person.send("tmuxprim attach work")
    assert person.wait_for("[work]", LONG)
    person.keys("C-b d")
    assert person.wait_for("[detached (from session work)]", LONG)


def test_attach_inside_of_the_same_tmux(shell: CommandLine) -> None:
    """The client that shows the terminal is asked to show another pane; here is none."""
    shell.run(f"{OPEN}; tmuxprim wait work; tmuxprim open --name other -- cat")
    ran = shell.run("tmuxprim run work 'tmuxprim attach other'")
    assert ran.stdout == "no current client\n"


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("tmuxprim panes > /dev/full", 74),
        ("tmuxprim panes --json > /dev/full", 74),
        ("tmuxprim panes >&-", 74),
        ("tmuxprim send work ls >&-", 0),
        ("tmuxprim send work - <&-", 2),
        ("tmuxprim panes 2>&-", 0),
        ("(unset PYTHONUNBUFFERED; tmuxprim panes > /dev/full)", 74),
        ("tmuxprim -L '' panes", 2),
    ],
)
def test_streams_that_are_full_or_closed(shell: CommandLine, command: str, status: int) -> None:
    """A line says what is wrong, and no traceback; no status is taken for a timeout."""
    shell.run(OPEN)
    ran = shell.run(command)
    assert (ran.returncode, ran.stderr.count("\n")) == (status, int(bool(status)))


def test_standard_error_that_is_full(shell: CommandLine) -> None:
    """The status is that of the command, with nobody to tell why."""
    ran = shell.run("unset PYTHONUNBUFFERED; tmuxprim read nope 2> /dev/full")
    assert (ran.returncode, ran.stdout) == (3, "")


def wait_until_it_waits(process: int) -> None:
    """Wait until a process listens to a terminal."""
    deadline = time.monotonic() + 60
    while not is_listening(process):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def is_listening(process: int) -> bool:
    """Whether a process has asked the kernel to tell it of events."""
    with suppress(FileNotFoundError):  # a file is closed while we look
        files = Path(f"/proc/{process}/fd").iterdir()
        return any("inotify" in str(file.readlink()) for file in files)
    return False


def test_the_doctor_finds_tmux_here(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It tries things on a server of its own, and the user's stays as it was: none."""
    monkeypatch.setenv("TMUX_TMPDIR", str(tmp_path))
    assert run(["doctor"]) == 0
    shown = capsys.readouterr().out
    assert "server          no panes" in shown
    assert "a wait          for a program that reads a line: awaiting input after" in shown
    assert list(tmp_path.rglob("default")) == []


def test_the_page(shell: CommandLine) -> None:
    """Every command of docs/guides/command-line.md prints what the page says."""
    told, done = play(DOCS / "guides" / "command-line.md", shell)
    assert len(told) > 10
    assert done == told


def test_the_skill(shell: CommandLine) -> None:
    """What an agent reads is what it will see."""
    told, done = play(ROOT / "skills" / "tmuxprim" / "SKILL.md", shell)
    assert len(told) > 5
    assert done == told
