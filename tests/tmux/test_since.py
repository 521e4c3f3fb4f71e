"""What is new since a mark, on real shells: all of it, nothing else, or it says so."""

import time
from typing import TYPE_CHECKING

import attrs
import pytest

from tests.tmux_server import Server
from tmuxprim import Console, InvalidPaneError, Outcome, Size, TmuxTerminal

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash", "dash", "fish", "zsh")]

BASH = ("bash", "--norc", "--noprofile")
SHELLS = {
    "bash": (BASH, "$ "),
    "bash, three-line prompt": (BASH, "\\w [$?]\nmain\n$ "),
    "zsh": (("zsh", "-f"), "%1~ %# "),
    "fish": (("fish", "--no-config", "--private"), ""),
    "dash": (("dash",), "$ "),
}
shells = pytest.mark.parametrize(("argv", "prompt"), SHELLS.values(), ids=SHELLS.keys())


def at_prompt(
    terminal: TmuxTerminal,
    argv: tuple[str, ...] = BASH,
    prompt: str = "$ ",
    size: Size = Size(80, 24),  # noqa: B008  # frozen
) -> Console:
    """Return a console on a shell at its prompt."""
    console = Console(terminal, terminal.open(argv, size=size, env={"PS1": prompt}))
    assert console.wait_ready(10.0).outcome is Outcome.PROMPT
    return console


def in_script(terminal: TmuxTerminal, script: str) -> Console:
    """Return a console on a program that goes on with each line that it reads."""
    return Console(terminal, terminal.open(["bash", "-c", script]))


@shells
def test_all_lines_are_read(either: TmuxTerminal, argv: tuple[str, ...], prompt: str) -> None:
    """However many they are, in however many rows, and whatever the screen shows already."""
    console = at_prompt(either, argv, prompt)
    for command, lines in (
        ("seq 500", [str(number) for number in range(1, 501)]),
        ("seq 3", ["1", "2", "3"]),
        ("printf '%0200d\\n' 7 8", ["0" * 199 + "7", "0" * 199 + "8"]),
        ("seq 20000", [str(number) for number in range(1, 20001)]),
    ):
        mark = console.send(command)
        assert console.wait_ready(30.0).outcome is Outcome.PROMPT
        new = console.read(since=mark)
        assert new.complete, command
        told = [line for line in new.splitlines() if line.strip()]
        assert told[: len(lines)] == lines
        assert len(told) <= len(lines) + 3  # the rows of the prompt


def test_the_history_is_full(server: Server) -> None:
    """What tmux threw away is gone, and what only moved up is found."""
    server.terminal.close(server.terminal.open(["sleep", "1"], name="keeps-it"))
    server.terminal.open(["sleep", "60"])
    server.tmux("set-option", "-g", "history-limit", "100")
    console = at_prompt(server.frugal)
    mark = console.send("seq 500")
    console.wait_ready()
    new = console.read(since=mark)
    assert not new.complete
    assert new.splitlines()[-2:] == ["500", "$"]
    assert new.splitlines()[0].isdecimal()
    for number in range(40):  # its rows are thrown away in tens meanwhile
        mark = console.send(f"seq {number} {number + 4}")
        console.wait_ready()
        new = console.read(since=mark)
        assert new.splitlines() == [str(each) for each in range(number, number + 5)] + ["$"]
        assert new.complete


@pytest.mark.parametrize(
    ("command", "new"),
    [
        ("clear; echo hi", "hi\n$"),
        ("printf '\\033[3J\\033[H\\033[2J\\033[3J'; seq 200", None),
        ("tput cup 0 0; echo hi", "hi"),
        ("printf '\\033[1A\\rwho ran it?'; echo", "who ran it?"),
    ],
)
def test_its_row_is_gone(either: TmuxTerminal, command: str, new: str | None) -> None:
    """Cleared, or painted over: what is there is told, and that it may not be all."""
    console = at_prompt(either)
    console.run("seq 10; echo who ran this")
    mark = console.send(command)
    console.wait_ready()
    found = console.read(since=mark)
    assert not found.complete
    assert "who ran this" not in found.splitlines()
    assert found.startswith(new or "1\n2\n")


def test_what_stood_below_is_not_new(either: TmuxTerminal) -> None:
    """Nor does it match."""
    console = in_script(
        either, "printf '> \\nthe hint\\033[1A\\r> '; read x; printf '\\n\\nend\\n'; sleep 60"
    )
    console.wait_for("hint")
    console.send("a")
    assert console.wait_for("end").outcome is Outcome.MATCHED
    mark = console.mark()
    assert console.wait_for("hint", 0.3, since=mark).outcome is Outcome.TIMEOUT


def test_a_change_of_width(either: TmuxTerminal) -> None:
    """It lays old text out anew, and says that it has."""
    console = at_prompt(either, size=Size(60, 8))
    console.run("printf 'abcdefghi %.0s' 1 2 3 4 5 6 7 8 9 10; echo")
    mark = console.send("sleep 2; echo built")
    for columns in (25, 100, 40):
        either.resize(console.pane, Size(columns, 8))
        assert console.wait_for("ghi", 0.2).outcome is Outcome.TIMEOUT
    assert console.wait_for("built").outcome is Outcome.MATCHED
    console.wait_ready()
    new = console.read(since=mark)
    assert (new, new.complete) == ("built\n$", False)


@pytest.mark.parametrize("gone", ["\\r\\033[K", "\\rbusy\\033[K"])
def test_a_row_that_is_drawn_again(either: TmuxTerminal, gone: str) -> None:
    """The same text is new, once it was seen to be gone."""
    console = in_script(
        either, f"printf idle; sleep 2; printf '{gone}'; sleep 1; printf '\\ridle'; sleep 60"
    )
    console.wait_for("idle")
    began = time.monotonic()
    readiness = console.wait_for("idle", 10.0, since=console.mark())
    assert readiness.outcome is Outcome.MATCHED
    assert time.monotonic() - began > 0.5


def test_a_pane_that_is_respawned(server: Server, either: TmuxTerminal) -> None:
    """Its program has ended, whatever the new one shows."""
    console = at_prompt(either)
    console.send("sleep 60")

    def respawn() -> None:
        server.tmux("respawn-pane", "-k", "-t", console.pane.target, "echo up; sleep 60")

    respawn()
    readiness = console.wait_for("up")
    assert readiness.outcome is Outcome.EXITED
    assert readiness.reason == "the program has exited, and another one was started in its place"
    assert Console(either, console.pane).wait_for("up", 30.0)  # it may not have come yet
    assert console.wait_for("up", since=console.mark(), timeout=0.3).outcome is Outcome.TIMEOUT
    new = console.read(since=attrs.evolve(console.mark(), pane=None))
    assert new == ""


def test_a_mark_of_another_pane(either: TmuxTerminal) -> None:
    """It is refused."""
    one, other = at_prompt(either), at_prompt(either)
    uses: tuple[Callable[[], object], ...] = (
        lambda: one.read(since=other.mark()),
        lambda: one.wait_for("x", since=other.mark()),
        lambda: one.wait_ready(since=other.mark()),
    )
    for use in uses:
        with pytest.raises(InvalidPaneError):
            use()


def test_what_appears_from_now_on(either: TmuxTerminal) -> None:
    """What was there before the mark of now does not count."""
    console = at_prompt(either)
    console.send("for i in 1 2 3; do echo tick $i; sleep 0.5; done")
    console.wait_for("tick 1")
    mark = console.mark()
    assert console.wait_for("tick 1", 0.2, since=mark).outcome is Outcome.TIMEOUT
    assert console.wait_for("tick 3", since=mark).outcome is Outcome.MATCHED
    assert console.wait_for("tick 1").outcome is Outcome.MATCHED
    assert console.read(since=mark).splitlines()[0] == "tick 2"
