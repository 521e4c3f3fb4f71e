"""`Console.follow` on real shells: each line once, in order, or a gap is reported."""

import pytest

from tests.tmux_server import Server
from tmuxprim import Console, Outcome, TmuxTerminal

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash", "zsh")]

BASH = ("bash", "--norc", "--noprofile")
SHELLS = {
    "bash": (BASH, "$ "),
    "bash, two-line prompt": (BASH, "\\w\n$ "),
    "zsh": (("zsh", "-f"), "%1~ %# "),
}


@pytest.mark.parametrize(("argv", "prompt"), SHELLS.values(), ids=SHELLS.keys())
def test_each_line_comes_once(either: TmuxTerminal, argv: tuple[str, ...], prompt: str) -> None:
    """At once and slowly, blank and wide, and without a line break at the end."""
    console = Console(either, either.open(argv, env={"PS1": prompt}))
    assert console.wait_ready(10.0).outcome is Outcome.PROMPT
    console.run("true")
    for command, expected in (
        ("for i in 1 2 3; do echo line $i; sleep 0.2; done", ["line 1", "line 2", "line 3"]),
        ("seq 100; sleep 0.2; seq 101 130", [str(number) for number in range(1, 131)]),
        ("printf 'a\\n\\nb\\n'; sleep 0.2; printf '\\nlast\\n'", ["a", "", "b", "", "last"]),
        ("printf '%0200d\\n' 7; sleep 0.2; echo end", ["0" * 199 + "7", "end"]),
        ("printf '%080d\\n\\n' 8; sleep 0.2; echo end", ["0" * 79 + "8", "", "end"]),
        ("clear", []),
    ):
        console.send(command)
        lines = [*console.follow(20.0)]
        assert lines == expected, command
        assert all(line.complete for line in lines), command
        assert console.wait_ready(0.0).outcome is Outcome.PROMPT


def test_lines_that_the_pane_threw_away_are_reported(either: TmuxTerminal) -> None:
    """And those that are left are the last ones."""
    console = Console(either, either.open(BASH, env={"PS1": "$ "}))
    console.wait_ready(10.0)
    kept = console.screen().history_limit
    console.send(f"echo first; sleep 0.3; seq {2 * kept}; sleep 0.3; echo last")
    lines = [*console.follow(60.0)]
    numbers = [int(line) for line in lines if line.isdecimal()]
    assert lines[0] == "first"
    assert lines[0].complete
    assert lines[-1] == "last"
    assert numbers == sorted(set(numbers))
    assert numbers[-1] == 2 * kept
    places = range(1, len(numbers))
    gaps = [place for place in places if numbers[place] != numbers[place - 1] + 1]
    assert all(not lines[1 + place].complete for place in gaps)
    assert numbers[0] == 1 or not lines[1].complete


def test_a_program_of_the_pane_is_followed_from_its_start(either: TmuxTerminal) -> None:
    """The caller leaves the loop, and the program goes on."""
    either.open(BASH)
    script = "seq 40; sleep 0.2; echo up; exec sleep 100"
    console = Console(either, either.open(["sh", "-c", script]))
    found = []
    for line in console.follow(20.0):
        found.append(line)
        if line == "up":
            break
    assert found == [*map(str, range(1, 41)), "up"]
    assert [*console.follow(0.2, since=console.mark())] == []
    assert console.wait_ready(0.0).outcome is Outcome.TIMEOUT


def test_a_question_ends_the_loop(either: TmuxTerminal) -> None:
    """It is no line."""
    console = Console(either, either.open(BASH, env={"PS1": "$ "}))
    console.wait_ready(10.0)
    console.send("echo a; read -p 'Go on? [y/N] ' answer")
    assert [*console.follow(20.0)] == ["a"]
    assert console.wait_ready(1.0).outcome is Outcome.AWAITING_INPUT


@pytest.mark.parametrize(
    ("prints", "lines"),
    [
        ("echo a; echo b", ["a", "b"]),
        ("echo a; echo", ["a"]),
        ("printf a", ["a"]),
        ("seq 29; printf 30", [str(number) for number in range(1, 31)]),
        ("seq 100", [*map(str, range(1, 101))]),
    ],
)
def test_a_pane_that_stays_when_its_program_ends(
    either: TmuxTerminal, server: Server, prints: str, lines: list[str]
) -> None:
    """Its last line needs no line break; blank rows above tmux's message are no lines."""
    server.tmux("set-option", "-g", "remain-on-exit", "on")
    console = Console(either, either.open(("sh", "-c", f"sleep 0.5; {prints}")))
    assert [*console.follow(20.0)] == lines
    assert console.screen().dead
