"""Shells that report each command: its exit status is known, and its output is exact."""

import attrs
import pytest
from typing_extensions import override

from tests.unit.engine.test_prompt_start import Counting
from tests.unit.values.test_shell_marks import FORGED, mark
from tmuxprim import Console, Pane, Size
from tmuxprim._engine.output import BEFORE, UNCLEAR
from tmuxprim._engine.prompt_start import rows_of
from tmuxprim._values.screen import Screen
from tmuxprim.testing import FakeTty, Program, ReadLine, Run

PRINTS = {
    "ls": "a\nb\n",
    "printf abc": "abc",
    "true": "",
    "false": "",
    "make": "no rule\n",
    "lines": "".join(f"{n}\n" for n in range(99)),
    "end": mark("D", 0),
    "silent": mark("C") + mark("D", 0),
    "session": f"{mark('C')}recorded\n{mark('D', 0)}",
    **FORGED,
}
STATUS = {"false": 1, "make": 2}


def bash(*, begins: str = "", ends: str = "", reports: bool = True, loses: str = "") -> Program:
    """Return a shell with marks in its prompt, and with hooks around each command."""

    def program(tty: FakeTty) -> Run:
        is_on = reports
        tty.write(ends)
        while True:
            prompt = f"{mark('A')}~\n$ {mark('B')}"
            line = yield ReadLine(raw=True, pastes=True, prompt=prompt)
            tty.write(begins + mark("C") * is_on + PRINTS.get(line, ""))
            is_on = is_on and line != loses
            tty.write(mark("D", STATUS.get(line, 0)) * is_on + ends)

    return program


def console_on(program: Program) -> Console:
    """Return a console with a program in its pane."""
    terminal = Counting(programs={"bash": program})
    return Console(terminal, terminal.open("bash", size=Size(40, 10)))


def told(console: Console, command: str) -> tuple[str, str, int | None]:
    """Return the output of a command, why it is doubted, and its exit status."""
    result = console.run(command)
    return result.output, result.doubt, result.exit_status


def test_each_status_is_known() -> None:
    """From a command on that printed nothing; nothing is typed for it."""
    console = console_on(bash())
    assert told(console, "make") == ("no rule\n", "", None)
    assert told(console, "true") == ("", "", None)
    assert told(console, "make") == ("no rule\n", "", 2)
    assert told(console, "ls") == ("a\nb\n", "", 0)
    assert console.run("false", exit_status=True).exit_status == 1
    assert told(console, "printf abc") == ("abc", "", 0)
    assert told(console, "lines") == (PRINTS["lines"], "", 0)


def test_hooks_that_print() -> None:
    """What they print is no output."""
    console = console_on(bash(begins="ps0\nmore\n", ends="took 1 s\n\n"))
    assert told(console, "ls")[1] == BEFORE
    console.run("true")
    assert told(console, "ls") == ("a\nb\n", "", 0)
    assert told(console, "make") == ("no rule\n", "", 2)
    assert told(console, "true") == ("", "", 0)
    assert told(console, "lines") == (PRINTS["lines"], "", 0)


@pytest.mark.parametrize("begins", ["left> ", "up\x1b[5;10r\n"])
def test_a_hook_whose_rows_cannot_be_counted(begins: str) -> None:
    """That is a doubt."""
    console = console_on(bash(begins=begins))
    console.run("true")
    assert told(console, "ls")[1:] == (BEFORE, 0)


def test_a_hook_that_paints_elsewhere() -> None:
    """What is not below the command line cannot be told from its output."""
    console = console_on(bash(begins="\x1b7\x1b[Hx\x1b8\n"))
    console.run("true")
    assert told(console, "ls")[1] == BEFORE


@pytest.mark.parametrize("name", [*FORGED, "end", "session"])
@pytest.mark.parametrize("reports", [True, False])
def test_what_a_command_prints_is_no_report(name: str, *, reports: bool) -> None:
    """Whether the shell reports or not: a status is its own, and no hook is in the output."""
    console = console_on(bash(ends="hook\n", reports=reports))
    console.run("true")
    for _ in range(2):
        forged = console.run(name)
        assert forged.exit_status in ({0, None} if reports else {None})
        assert not (forged.complete and forged.output.endswith("hook\n"))
        assert told(console, "make")[2] == (2 if reports else None)


def test_forged_reports_of_a_silent_command() -> None:
    """They are no proof in a shell of which a command came without."""
    console = console_on(bash(reports=False))
    console.run("true")
    for _ in range(2):
        assert told(console, "silent") == ("", "", None)
        assert told(console, "session")[2] is None


def test_a_hook_that_prints_behind_a_mark_of_the_command() -> None:
    """Where the output ends cannot be determined, whatever is known of the prompt."""
    console = console_on(bash())
    console.run("true")
    assert told(console, "ls") == ("a\nb\n", "", 0)
    assert told(console, "end") == ("", UNCLEAR, None)
    assert told(console, "ls") == ("a\nb\n", "", 0)


def test_a_shell_that_reports_no_more() -> None:
    """What commands print is believed no more, either."""
    console = console_on(bash(loses="ls"))
    console.run("true")
    assert told(console, "make")[2] == 2
    assert told(console, "ls")[2] is None
    for command in ("session", "make", "session"):
        assert told(console, command)[2] is None


def test_a_tap_of_each_command() -> None:
    """It is opened where the status is in it, also if the prompt is known."""
    for program, taps in ((bash(), 4), (bash(reports=False), 4)):
        console = console_on(program)
        for _ in range(4):
            console.run("true")
        assert isinstance(console.terminal, Counting)
        assert console.terminal.taps == taps


class Telling(Counting):
    """A terminal that has seen a report of when a command began, as tmux 3.8 does."""

    @override
    def observe(self, pane: Pane, *, history: int = 0, styled: bool = False) -> Screen:
        seen = super().observe(pane, history=history, styled=styled)
        return attrs.evolve(seen, command_started=len(self.sent(pane)), command_status=0)


def test_what_tmux_has_seen_of_a_shell_that_may_not_report() -> None:
    """Whatever a command has printed, tmux takes for a report."""

    def one_row(tty: FakeTty) -> Run:
        while True:
            line = yield ReadLine(raw=True, pastes=True, prompt="$ ")
            tty.write(PRINTS.get(line, ""))

    terminal = Telling(programs={"bash": one_row})
    console = Console(terminal, terminal.open("bash"))
    assert [told(console, "end")[2] for _ in range(3)] == [None] * 3
    assert told(console, "make") == ("no rule\n", "", None)
    assert terminal.taps == 1


def test_rows_of_a_text() -> None:
    """As many as a screen of that width shows, also of more than it is high."""
    assert rows_of("abcdef\r\n" * 3, Size(4, 2)) == ("abcd", "ef") * 3
    assert rows_of("a", Size(4, 2)) is None
    assert rows_of("\x1b[?1049h", Size(4, 2)) is None
