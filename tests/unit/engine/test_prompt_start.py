"""Prompts whose shells mark where the output ends: they are exact, whatever rows they have."""

from collections.abc import Mapping

import attrs
import pytest
from typing_extensions import override

from tests.unit.builders import screen
from tmuxprim import Console, FakeTerminal, KeySequence, Mark, Outcome, Pane, Screen, Size
from tmuxprim._engine import prompts
from tmuxprim._engine.output import read_output
from tmuxprim._engine.prompt_rows import HOOKS, LEFT, PromptRows, rows_from, see_prompt
from tmuxprim._engine.prompt_start import UNPLACED, PromptStart, find_start
from tmuxprim._fake.streams import FakeTap
from tmuxprim.testing import FakeTty, Program, ReadKey, ReadLine, Run, ScriptedShell

ON = "\x1b[?2004h"
LINES = {
    "ls": "a\nb\n",
    "printf abc": "abc",
    "true": "",
    "lines": "".join(f"{n}\n" for n in range(99)),
}
OLD = ScriptedShell({"ls": "a\nb"}, prompt="in ~\n$ ", bracketed_paste=False)


class Counting(FakeTerminal):
    """Counts the taps that are opened, and may be late with what they take.

    Attributes:
        late: How late it is, in seconds.
        at_once: How many characters are there at once.
    """

    taps = 0
    late = 0.0
    at_once = 0

    @override
    def tap(
        self,
        pane: Pane,
        keys: KeySequence | None = None,
        *,
        leave_mode: bool = False,
        seen: Screen | None = None,
    ) -> FakeTap:
        self.taps += 1
        taken = super().tap(pane, keys, leave_mode=leave_mode, seen=seen)
        return LateTap(taken, self) if self.late else taken


class LateTap(FakeTap):
    """Is a tap whose `cat` is not run at once."""

    def __init__(self, taken: FakeTap, terminal: Counting) -> None:
        super().__init__(taken._display, taken.screen)  # noqa: SLF001  # so that it takes it over
        self.terminal = terminal
        self.comes = terminal.clock.now() + terminal.late
        self.left = terminal.at_once
        self.held = ""

    @override
    def read(self) -> str:
        self.held += super().read()
        end = self.left if self.terminal.clock.now() < self.comes else len(self.held)
        text, self.held = self.held[:end], self.held[end:]
        self.left -= len(text)
        return text


class AheadTap(FakeTap):
    """Has taken that the prompt was drawn again, which no snapshot shows yet."""

    @override
    def read(self) -> str:
        text = super().read()
        return text + DRAWN_AGAIN if text.endswith(ON) else text


class Ahead(FakeTerminal):
    """Has taps that are ahead of its snapshots."""

    @override
    def tap(
        self,
        pane: Pane,
        keys: KeySequence | None = None,
        *,
        leave_mode: bool = False,
        seen: Screen | None = None,
    ) -> FakeTap:
        taken = super().tap(pane, keys, leave_mode=leave_mode, seen=seen)
        return AheadTap(taken._display, taken.screen)  # noqa: SLF001  # so that it takes it over


def shell(prompt: str, hook: str = "", more: Mapping[str, str] = LINES) -> Program:
    """Return a shell that prints exactly what a command does, and a hook above each prompt."""
    printed = {**LINES, **more}

    def program(tty: FakeTty) -> Run:
        while True:
            tty.write(hook)
            line = yield ReadLine(raw=True, pastes=True, prompt=prompt)
            tty.write(printed.get(line, ""))

    return program


TWO_ROWS = shell("in ~\n$ ")
HOOKED = shell("$ ", hook="hook\n")


def console_on(program: Program, *, history_limit: int = 2000) -> Console:
    """Return a console with a program in its pane."""
    terminal = Counting(programs={"sh": program}, history_limit=history_limit)
    return Console(terminal, terminal.open("sh", size=Size(40, 10)))


def told(console: Console, command: str) -> tuple[str, str]:
    """Return the output of a command, and why it is doubted."""
    result = console.run(command)
    assert result.complete is not bool(result.doubt)
    return result.output, result.doubt


def test_a_prompt_of_two_rows() -> None:
    """The first command is exact already, also if its output has no line break at its end."""
    console = console_on(TWO_ROWS)
    for command in ("ls", "printf abc", "true", "lines", "ls"):
        assert told(console, command) == (LINES[command], "")


def test_the_prompt_of_another_program() -> None:
    """Each is found anew, also that of a program inside."""
    inner = shell("\nup\nand up\nin> ")
    console = console_on(ScriptedShell({"sh": inner, "ls": "a\nb"}, prompt="in ~\n$ "))
    assert told(console, "ls") == (LINES["ls"], "")
    console.run("sh")
    assert told(console, "ls") == (LINES["ls"], "")
    assert told(console, "printf abc") == (LINES["printf abc"], "")


DRAWS = "\r\x1b[0m\x1b[27m\x1b[24m\x1b[J"
ROW = f"\x1b[1m\x1b[7m%\x1b[27m\x1b[1m\x1b[0m{' ' * 39}\r \r"
DRAWN_AGAIN = f"\r\r\x1bM{DRAWS[1:]}in ~ main\r\n$ \x1b[K"


def zsh(tty: FakeTty) -> Run:
    """Be a zsh."""
    while True:
        line = yield ReadLine(raw=True, prompt=f"{ROW}{DRAWS}in ~\n$ \x1b[K{ON}")
        tty.write(f"\x1b[?2004l\r{LINES.get(line, '')}")


def test_a_prompt_that_is_drawn_again() -> None:
    """The snapshot may show it from before."""
    terminal = Ahead(programs={"sh": zsh})
    console = Console(terminal, terminal.open("sh", size=Size(40, 10)))
    for command in ("ls", "printf abc", "true", "ls"):
        assert told(console, command) == (LINES[command], "")


# A transient prompt of zsh, and of fish 4: the line is drawn again two rows up, and output follows.
AGAIN = {
    "zsh": "\x1b[?2004l\r\r\x1bM\x1bM\x1b[J> {}\r\n",
    "fish": "\x1b[?2004l\r\x1bM\x1bM\x1b[J> {}\n\x1b[m\x0f\x1b]133;C\x07",
}


def transient(again: str) -> Program:
    """Return a shell with a prompt of three rows, which it makes a shorter one after Enter."""

    def program(tty: FakeTty) -> Run:
        while True:
            line, key = "", f"{ON}\nin ~\n$ "
            while key != "\r":
                tty.write(key)
                key = yield ReadKey()
                line += key
            line = line.rstrip("\r")
            tty.write(again.format(line) + LINES.get(line, ""))

    return program


@pytest.mark.parametrize("again", AGAIN.values(), ids=AGAIN)
@pytest.mark.parametrize("is_theirs", [False, True], ids=["ours", "theirs"])
def test_a_transient_prompt(again: str, *, is_theirs: bool) -> None:
    """The output begins below the line where it was drawn again."""
    console = console_on(transient(again))
    if is_theirs:
        for _ in range(4):
            assert console.wait_ready()
            console.send("ls")
        assert console.wait_ready()
        console = Console(console.terminal, console.pane)
    for command in ("true", "ls", "printf abc", "lines", "ls", "true"):
        output, doubt = told(console, command)
        assert (output, doubt) == (LINES[command], ""), command


@pytest.mark.parametrize(
    "again",
    [
        AGAIN["zsh"].replace("> {}", "> x"),  # another line
        AGAIN["zsh"].replace("\x1b[J", "\x1b[J\x1b[1L"),  # rows that were inserted
    ],
)
def test_a_transient_prompt_that_is_not_certain(again: str) -> None:
    """Where the output begins is a doubt then."""
    output, doubt = told(console_on(transient(again)), "ls")
    assert output.endswith("a\nb\n")
    assert doubt


def test_a_tap_is_opened_only_if_it_is_needed() -> None:
    """It is not for one row that is known, for what was told, nor where nothing is marked."""
    for program, rows, taps in (
        (ScriptedShell(LINES), None, 0),
        (TWO_ROWS, 2, 0),
        (TWO_ROWS, None, 3),
        (OLD, None, 1),
    ):
        terminal = Counting(programs={"sh": program})
        console = Console(terminal, terminal.open("sh"), prompt_rows=rows)
        for _ in range(3):
            console.run("ls")
        assert terminal.taps == taps


def test_a_prompt_that_shows_the_folder() -> None:
    """It is another one behind `cd`, so the marks tell where it begins, and then it is known."""

    def program(tty: FakeTty) -> Run:
        directory = "~"
        while True:
            line = yield ReadLine(raw=True, pastes=True, prompt=f"{directory}$ ")
            directory = line.removeprefix("cd ") if line.startswith("cd ") else directory
            tty.write(LINES.get(line, ""))

    console = console_on(program)
    lines = ("ls", "cd /usr", "ls", "cd ~/src", "true", "pushd")
    told_of = [told(console, line) for line in lines]
    assert told_of == [(LINES.get(line, ""), "") for line in lines]
    assert isinstance(console.terminal, Counting)
    assert console.terminal.taps == len([line for line in lines if "d" in line])
    assert told(console, "printf abc") == ("abc", LEFT)


@pytest.mark.parametrize(
    ("late", "at_once", "known"),
    [(0.5, 0, False), (0.5, 1, True), *((0.2, cut, False) for cut in range(1, 50, 3))],
)
def test_a_tap_that_is_late(late: float, at_once: int, *, known: bool) -> None:
    """On a busy machine the screen may show the prompt before the tap has taken it, or all of it.

    That a shell writes no marks is told by what was taken, and not by nothing.
    """
    console = console_on(TWO_ROWS)
    terminal = console.terminal
    assert isinstance(terminal, Counting)
    if known:
        assert told(console, "ls") == (LINES["ls"], "")
    terminal.late, terminal.at_once = late, at_once
    for command in ("ls", "printf abc", "true", "ls"):
        assert told(console, command) == (LINES[command], "")


def test_a_tap_that_takes_nothing() -> None:
    """It tells nothing of the shell, whose next marks count."""
    console = console_on(TWO_ROWS)
    terminal = console.terminal
    assert isinstance(terminal, Counting)
    terminal.late = 100.0
    output, doubt = told(console, "ls")
    assert output == "a\nb\nin ~\n"
    assert doubt.startswith("its last rows may be the prompt's")
    terminal.late = 0.0
    assert told(console, "ls") == (LINES["ls"], "")


@pytest.mark.parametrize("prompt", ["$ ", "[9] $ "])
def test_output_without_a_line_break_is_exact_once_it_was_seen(prompt: str) -> None:
    """Marks tell from then on; where the prompt shows a number, from the first command on."""
    console = console_on(shell(prompt))
    has_number = prompt != "$ "
    assert told(console, "true") == ("", "")
    assert told(console, "printf abc") == ("abc", LEFT)
    for command in ("true", "printf abc", "ls"):
        assert told(console, command) == (LINES[command], "")
    assert isinstance(console.terminal, Counting)
    assert console.terminal.taps == 3 + has_number


def counter(tty: FakeTty) -> Run:
    """Show a prompt that counts the commands."""
    number = 508
    while True:
        line = yield ReadLine(raw=True, pastes=True, prompt=f"{number} $ ")
        tty.write({**LINES, "printf '5 $ '": "5 $ "}.get(line, ""))
        number += 1


@pytest.mark.parametrize("rows", [None, 1])
def test_a_prompt_that_counts(rows: int | None) -> None:
    """Its marks tell where it begins, also behind output that looks like it."""
    terminal = Counting(programs={"sh": counter})
    console = Console(terminal, terminal.open("sh"), prompt_rows=rows)
    for command in ("printf abc", "ls", "printf '5 $ '", "true", "printf abc"):
        output = LINES.get(command, "5 $ ")
        assert told(console, command) == (output, "")
    assert terminal.taps == 5


def test_somebody_else_has_the_pipe() -> None:
    """Then the output is what it is without marks."""
    console = console_on(TWO_ROWS)
    with_pipe = console.terminal.tap(console.pane)
    output, doubt = told(console, "ls")
    assert output == "a\nb\nin ~\n"
    assert doubt.startswith("its last rows may be the prompt's")
    with_pipe.close()
    assert told(console, "ls") == (LINES["ls"], "")


def test_a_hook_that_prints() -> None:
    """Its row cannot be told from output, until an Enter tells how many rows there are."""
    console = console_on(HOOKED)
    assert told(console, "ls") == ("a\nb\nhook\n", HOOKS)
    assert console.learn_prompt() == 2
    assert told(console, "ls") == (LINES["ls"], "")
    assert told(console, "true") == ("", "")


def lived_in(console: Console) -> Console:
    """Return another console, for a pane in which commands were run."""
    console.wait_ready()
    for _ in range(8):
        console.terminal.send(console.pane, KeySequence.text("ls") + KeySequence.keys("Enter"))
        console.wait_ready()
    return Console(console.terminal, console.pane)


def test_a_pane_of_a_person() -> None:
    """The first prompt, at the top of the history, tells that no hook has printed."""
    assert told(lived_in(console_on(TWO_ROWS)), "ls") == (LINES["ls"], "")
    assert told(lived_in(console_on(HOOKED)), "ls") == ("a\nb\nhook\n", HOOKS)


def test_a_history_that_is_not_whole() -> None:
    """Nothing tells, until nothing stands between a command line and the prompt."""
    console = lived_in(console_on(TWO_ROWS, history_limit=10))
    assert told(console, "ls") == (LINES["ls"], HOOKS)
    assert told(console, "true") == ("", "")
    assert told(console, "ls") == (LINES["ls"], "")


def test_a_history_that_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not read."""
    monkeypatch.setattr(prompts, "_LONGEST_HISTORY", 3)
    assert told(lived_in(console_on(TWO_ROWS)), "ls") == (LINES["ls"], HOOKS)


@pytest.mark.parametrize(
    ("shown", "drawn", "last", "start"),
    [
        ("$ cmd\na\n$ ", "$ ", "\n", PromptStart(0, 0)),
        ("$ cmd\na$ ", "$ ", "a", PromptStart(0, 1)),
        ("$ cmd\naup\n$ ", "up\r\n$ ", "a", PromptStart(1, 1)),
        ("$ cmd\na a a$ ", "$ ", "a", PromptStart(0, 5)),
        ("$ cmd\na\n$ ", "", "\n", None),
        ("$ cmd\na\n$ ", "$ ", "", None),
        ("$ cmd\na\n$ ", "> ", "\n", None),
        ("$ cmd\na\n$ ls", "$ ", "\n", None),  # somebody has typed meanwhile
        ("up\nup\n$ ", "up\r\n" * 3 + "$ ", "\n", None),  # it is higher than the screen
        ("$ cmd\na\n$ ", "\x1b[5;10r$ ", "\n", None),  # not all of it is understood
    ],
)
def test_where_it_begins(shown: str, drawn: str, last: str, start: PromptStart | None) -> None:
    """In the one cell from which it looks as it does on the screen."""
    assert find_start(drawn, screen(shown), last=last) == start


def test_a_prompt_as_high_as_it_can_be() -> None:
    """It may fill the screen; with one row more its beginning cannot be determined."""
    now = screen("a\nb\nc\n$ ", size=Size(20, 4))
    assert find_start("a\r\nb\r\nc\r\n$ ", now, last="\n") == PromptStart(3, 0)
    assert find_start("x\r\na\r\nb\r\nc\r\n$ ", now, last="\n") is None


def test_a_prompt_behind_a_full_row() -> None:
    """It begins the next one."""
    full = "x" * 40
    now = screen(f"$ cmd\n{full}\nup\n$ ", size=Size(40, 10))
    layout = attrs.evolve(now.layout, wrapped=(False, True, False, False))
    wrapped = attrs.evolve(now, layout=layout)
    start = find_start("up\r\n$ ", wrapped, last=full)
    assert start == PromptStart(2, 40)
    assert rows_from(wrapped, start) == PromptRows(2, "up", "$ ", is_sure=True)
    before = Mark(screen=screen("$ cmd", size=Size(40, 10)))
    seen = see_prompt(wrapped, PromptRows(2, "up", "$ ", is_sure=True), before=before.screen)
    printed = read_output(before, wrapped, Outcome.PROMPT, seen=seen, start=start)
    assert (printed.text, printed.doubt) == (full, "")
    assert find_start("up\r\n$ ", now, last="\n") == PromptStart(1, 0)


def test_a_prompt_that_begins_above_the_output() -> None:
    """Something was painted there."""
    before, now = Mark(screen=screen("up\n$ cmd")), screen("up\n$ cmd\n$ ")
    seen = see_prompt(now, PromptRows(), before=before.screen)
    printed = read_output(before, now, Outcome.PROMPT, seen=seen, start=PromptStart(2, 0))
    assert (printed.text, printed.doubt) == ("", "something was painted above the command line")


def test_a_repl_has_no_hooks() -> None:
    """What it prints before its first prompt is a greeting, and what comes later is output."""

    def sqlite(tty: FakeTty) -> Run:
        tty.write("Welcome\n")
        return (yield from shell("sqlite> ")(tty))

    terminal = FakeTerminal(programs={"sqlite3": sqlite, "other": sqlite})
    for program, doubt in (("sqlite3", ""), ("other", HOOKS)):
        assert told(Console(terminal, terminal.open(program)), "ls") == (LINES["ls"], doubt)


def python(greeting: str = "", upper: str = "") -> Console:
    """Return a console with a REPL that writes no marks, and whose prompt may get another row."""

    def program(tty: FakeTty) -> Run:
        rows = upper
        tty.write(greeting)
        while True:
            line = yield ReadLine(raw=True, prompt=f"{rows}>>> ")
            rows = "up\n" if line == "sys.ps1 = up" else rows
            tty.write({"hi": "hi\n", "abc": "abc", "lines, abc": "a\nb"}.get(line, ""))

    terminal = FakeTerminal(programs={"python3": program})
    return Console(terminal, terminal.open("python3", size=Size(40, 10)))


@pytest.mark.parametrize("greeting", ["", "Welcome\n"])
def test_a_repl_whose_prompt_has_two_rows(greeting: str) -> None:
    """The upper one is above the command line as well, with output left of it or without."""
    console = python(greeting, "up\n")
    for command, output in (("hi", "hi\nup\n"), ("abc", "abcup\n"), ("x = 1", "up\n")):
        found, doubt = told(console, command)
        assert (found, doubt[:26]) == (output, "its last rows may be the p")
    assert console.learn_prompt() == 2
    for command, output in (("hi", "hi\n"), ("abc", "abc"), ("x = 1", ""), ("hi", "hi\n")):
        assert told(console, command) == (output, "")


@pytest.mark.parametrize("greeting", ["", "Welcome\n"])
def test_a_repl_that_prints_the_same_again(greeting: str) -> None:
    """Its prompt is known to have one row by then, also where output is left of it at first."""
    console = python(greeting)
    assert told(console, "lines, abc") == ("a\nb", "")
    for command, output in (("hi", "hi\n"), ("hi", "hi\n"), ("abc", "abc"), ("hi", "hi\n")):
        assert told(console, command) == (output, "")


def test_a_repl_whose_prompt_gets_another_row() -> None:
    """That is in doubt at once, and after it."""
    console = python()
    assert told(console, "hi") == ("hi\n", "")
    for command, output in (("sys.ps1 = up", "up\n"), ("hi", "hi\nup\n")):
        found, doubt = told(console, command)
        assert (found, doubt[:26]) == (output, "its last rows may be the p")


def test_output_that_moves_the_cursor_last() -> None:
    """The screen does not tell where it ends: that is a doubt, whatever is known of the prompt."""
    jumps = {"jump": "ab\x1b[1G", "bar": "50%\r"}
    console = console_on(shell("in ~\n$ ", more=jumps))
    assert told(console, "ls") == (LINES["ls"], "")
    for command in jumps:
        assert told(console, command)[1] == UNPLACED
    assert told(console, "ls") == (LINES["ls"], "")


@pytest.mark.parametrize("begins_row", [True, False])
def test_a_zsh_begins_a_row_or_does_not(*, begins_row: bool) -> None:
    """Its marks tell, whatever its options were at the first prompt."""
    begins = f"%{' ' * 39}\r \r" * begins_row

    def zsh(tty: FakeTty) -> Run:
        while True:
            tty.write(f"{begins}\r\x1b[0m\x1b[27m\x1b[24m\x1b[J")
            line = yield ReadLine(raw=True, prompt=f"~\r\n% {ON}")
            tty.write("\x1b[?2004l\r" + LINES.get(line, ""))

    terminal = FakeTerminal(programs={"zsh": zsh})
    console = Console(terminal, terminal.open("zsh", size=Size(40, 10)))
    assert told(console, "ls")[0] == LINES["ls"]
    output, doubt = told(console, "printf abc")
    assert (output, doubt) == ("abc", "") or not begins_row
    assert bool(doubt) is not begins_row
