"""The commands about states on real tmux: a table, a watch with a program, a wait for several."""

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command_line import CommandLine
from tmuxprim import Console, Outcome, TmuxTerminal

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash", "sleep")]

SHELL = "--env 'PS1=$ ' -- bash --norc --noprofile"


@pytest.fixture
def shell() -> Iterator[CommandLine]:
    """Give a shell with ``tmuxprim``, and a server with three panes: one works, one asks."""
    with tempfile.TemporaryDirectory(prefix="tmuxprim-") as directory:
        shell = CommandLine(Path(directory))
        try:
            for name, line in (("work", ""), ("build", "sleep 1000"), ("rm", "read -p 'Go? ' x")):
                shell.run(f"tmuxprim open --name {name} {SHELL}; tmuxprim wait {name}")
                if line:
                    shell.run(f'tmuxprim send {name} "{line}"')
            assert shell.run("tmuxprim wait rm").returncode == 0
            yield shell
        finally:
            shell.stop()


def test_states(shell: CommandLine) -> None:
    """Of panes that other processes have opened."""
    lines = shell.run("tmuxprim panes --state").stdout.splitlines()
    assert [line.split()[:4] for line in lines] == [
        ["%1", "build:0.0", "working", "sleep"],
        ["%2", "rm:0.0", "asking", "bash"],
        ["%0", "work:0.0", "prompt", "bash"],
    ]
    assert lines[1].endswith("  Go?")


def test_watch(shell: CommandLine) -> None:
    """Each change is a line, and a program is run for each, until the panes are gone."""
    watching = shell.start(
        *("watch", "rm", "build", "--json", "--timeout", "60"),
        *("--exec", "sh -c 'echo $TMUXPRIM_PANE $TMUXPRIM_STATE'"),
    )
    assert watching.stdout is not None
    first = [json.loads(watching.stdout.readline()) for _ in range(2)]
    assert {(one["pane"], one["state"]) for one in first} == {("%1", "working"), ("%2", "asking")}
    shell.run("tmuxprim send rm y")
    change = json.loads(watching.stdout.readline())
    assert (change["pane"], change["before"], change["state"]) == ("%2", "asking", "prompt")
    shell.run("tmuxprim close rm; tmuxprim close build")
    out, err = watching.communicate(timeout=60)
    *gone, last = map(json.loads, out.splitlines())
    assert {(one["pane"], one["state"]) for one in gone} == {("%1", "exited"), ("%2", "exited")}
    assert last == {"status": 0}
    assert sorted(err.splitlines()) == [
        *("%1 exited", "%1 working", "%2 asking", "%2 exited", "%2 prompt")
    ]


def test_live_table(shell: CommandLine) -> None:
    """A person answers a dialog by keys, and nothing is typed into one that has changed."""
    socket = shell.run('printf %s "$TMUX_TMPDIR"/*/*').stdout
    words = [sys.executable, "-m", "tmuxprim", "watch", "-S", socket]
    with TmuxTerminal.private() as host:
        console = Console(host, host.open(words, size=(80, 10)))
        assert console.wait_for("3 panes: 1 ask, 1 work", 30)
        console.keys("a")
        assert console.wait_for("bash asks: Go?", 30)
        console.send("first")
        assert console.wait_for("type 'first'?", 30)
        shell.run("tmuxprim send rm other; tmuxprim wait rm; tmuxprim send rm \"read -p 'Go? ' y\"")
        assert shell.run("tmuxprim wait rm").returncode == 0
        console.keys("y")
        assert console.wait_for("has changed meanwhile: nothing was typed", 30)
        assert "first" not in shell.run("tmuxprim read rm").stdout
        console.keys("a")
        assert console.wait_for("bash asks: Go?", 30)
        console.send("second")
        assert console.wait_for("type 'second'?", 30)
        console.keys("y")
        assert console.wait_for("typed 'second' into %2", 30)
        assert console.wait_for("0 ask", 30)
        assert "Go? second" in shell.run("tmuxprim read rm").stdout
        console.keys("q")
        assert console.wait_ready(30).outcome is Outcome.EXITED


def test_wait_for_any(shell: CommandLine) -> None:
    """The one that is ready is printed; if none is, the time is up."""
    ran = shell.run("tmuxprim wait --any build rm")
    assert (ran.returncode, ran.stdout) == (0, "%2\n")
    assert shell.run("tmuxprim wait --any build --timeout 0.3").returncode == 124
    assert shell.run("tmuxprim close build; tmuxprim wait --any %1 --timeout 9").returncode == 3
