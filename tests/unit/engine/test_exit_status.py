"""`Console.run` with *exit_status*: the shell is asked for the exit status, by name."""

import asyncio
from typing import Never

import attrs
import pytest

from tests.unit.builders import ASKING, AT_PROMPT, COOKED_ONLY, screen
from tmuxprim import (
    AsyncConsole,
    Console,
    FakeTerminal,
    Outcome,
    Pane,
    PaneBusyError,
    Screen,
    TtyState,
)
from tmuxprim._engine.output import Printed, status_in
from tmuxprim._readiness.snapshot import Snapshot
from tmuxprim.errors import TapUnavailableError
from tmuxprim.testing import (
    AsyncFakeTerminal,
    FakeTty,
    ReadLine,
    Run,
    ScriptedShell,
    after,
    crash,
    question,
    repl,
)


def never_again(tty: FakeTty) -> Run:
    """Play a shell that hangs when it is asked for anything."""
    yield ReadLine(raw=True, prompt="$ ")
    tty.write("done\n")
    yield ReadLine(raw=True, prompt="$ ")
    while tty.is_alive:
        yield ReadLine(raw=True)
    return 0


SHELL = ScriptedShell(
    {
        "make": crash("no rule", status=2),
        "die": crash(signal=11),
        "ask": question("Sure? "),
        "slow": after(60.0),
        "both": [crash(status=3), "and then"],
        "python": repl(str.upper),
    }
)


def console(shell: object = SHELL, name: str = "sh") -> Console:
    """Return a console on a shell with scripted commands."""
    terminal = FakeTerminal(programs={name: shell})  # type: ignore[dict-item]  # of any kind
    return Console(terminal, terminal.open(name))


@pytest.mark.parametrize(
    ("command", "output", "status"),
    [
        ("make", "no rule\n", 2),
        ("die", "Segmentation fault\n", 139),
        ("echo a", "a\n", 0),
        ("no", "sh: no: not found\n", 127),
        ("both", "and then\n", 0),
        ("make\necho a", "no rule\na\n", 0),
    ],
)
def test_the_status_is_told_and_the_output_is_without_it(
    command: str, output: str, status: int
) -> None:
    """One command after another in the same shell."""
    pane = console()
    for _ in range(2):
        result = pane.run(command, exit_status=True)
        assert (result.output, result.exit_status) == (output, status)
        assert result.complete


def test_nothing_is_typed_unless_asked() -> None:
    """The default types the command, and no more."""
    pane = console()
    assert pane.run("make").exit_status is None
    assert "echo" not in pane.read()


def test_the_line_begins_with_a_blank() -> None:
    """Many a shell keeps such lines out of its history."""
    pane = console()
    pane.run("make", exit_status=True)
    assert "$  echo $?" in pane.read()


@pytest.mark.parametrize("name", ["yash", "dash", "rbash", "ksh93", "zsh-5.9"])
def test_shells_of_any_kind_are_asked(name: str) -> None:
    """Whether they edit their lines or not, and whatever the machine calls them."""
    assert console(name=name).run("make", exit_status=True).exit_status == 2


def test_a_shell_is_asked_behind_what_passes_it_on() -> None:
    """As behind ``script``, which is all that tmux sees."""
    tty = TtyState(canonical=False, echo=False, pass_through_count=1, command="bash")
    snapshot = Snapshot(screen=attrs.evolve(screen(), command="script"), tty=tty)
    assert snapshot.facts.status_line == " echo $?"


@pytest.mark.parametrize("name", ["fish", "tcsh", "csh"])
def test_other_shells_call_it_otherwise(name: str) -> None:
    """In fish and csh it is ``$status``."""
    pane = console(name=name)
    assert pane.run("make", exit_status=True).exit_status == 2
    assert "$  echo $status" in pane.read()


@pytest.mark.parametrize("name", ["python", "nu", "pwsh", ""])
def test_what_is_not_known_has_no_line(name: str) -> None:
    """A REPL, a shell of another language, and who knows what."""
    assert not Snapshot(screen=attrs.evolve(screen(), command=name)).facts.status_line


@pytest.mark.parametrize(
    ("name", "tty"),
    [
        ("bash", ASKING),
        ("zsh", COOKED_ONLY),
        ("dash", attrs.evolve(ASKING, ignores_stop=False)),
        ("bash", attrs.evolve(AT_PROMPT, ignores_stop=False)),
    ],
)
def test_what_a_shell_asks_is_not_answered_with_it(name: str, tty: TtyState) -> None:
    """A script's ``read`` may look like a prompt, or be told to be one by a pattern."""
    assert not Snapshot(screen=attrs.evolve(screen(), command=name), tty=tty).facts.status_line


def test_it_is_refused_where_no_shell_reads() -> None:
    """Nothing was sent then, not the command either."""
    pane = console(repl(str.upper), "python")
    with pytest.raises(PaneBusyError, match="nothing was sent: nobody knows how"):
        pane.run("a", exit_status=True)
    assert "a" not in pane.read()


def test_it_is_refused_where_nothing_is_known() -> None:
    """A screen that only stands still may be anything."""
    terminal = FakeTerminal(programs={"sh": ScriptedShell(prompt="ready! ")}, evidence=False)
    pane = Console(terminal, terminal.open("sh"))
    with pytest.raises(PaneBusyError, match="nothing was sent: nobody knows how"):
        pane.run("a", exit_status=True)


@pytest.mark.parametrize("command", ["ask", "slow", "python"])
def test_a_command_that_has_not_ended_has_none(command: str) -> None:
    """A question, the time that is up, and a REPL that was begun are asked for nothing."""
    pane = console()
    result = pane.run(command, 1.0, exit_status=True)
    assert result.exit_status is None
    assert not result.complete
    assert "echo" not in pane.read()


def test_a_command_may_be_interrupted() -> None:
    """A shell says 130 then, as for a command that C-c ends."""
    pane = console()
    pane.run("slow", 1.0)
    pane.keys("C-c")
    assert pane.run("", exit_status=True).exit_status == 130


def test_a_shell_that_does_not_answer() -> None:
    """The output is there all the same."""
    result = console(never_again).run("x", exit_status=True)
    assert (result.output, result.complete, result.exit_status) == ("done\n", True, None)
    assert result.readiness.outcome is Outcome.PROMPT


@pytest.mark.parametrize(
    ("printed", "status"),
    [
        (Printed("0\n"), 0),
        (Printed("130\n"), 130),
        (Printed("0\n~/src\n", "its last rows"), None),
        (Printed("5\n0\n"), None),
        (Printed("a\n"), None),
        (Printed(""), None),
        (Printed("0\n", "its beginning is gone"), None),
    ],
)
def test_only_a_number_alone_is_a_status(printed: Printed, status: int | None) -> None:
    """What a job in the background has printed besides makes it a guess, and that is None."""
    assert status_in(printed) == status


def test_the_prompt_may_have_rows_that_nobody_knows() -> None:
    """The number stands right below the command line."""
    shell = ScriptedShell({"make": crash("a", status=2)}, prompt="in ~\n> ", bracketed_paste=False)
    result = console(shell).run("make", exit_status=True)
    assert (result.output, result.complete, result.exit_status) == ("a\nin ~\n", False, 2)


def test_from_asyncio() -> None:
    """The same is told there."""

    async def status() -> int | None:
        terminal = AsyncFakeTerminal(FakeTerminal(programs={"sh": SHELL}))
        pane = AsyncConsole(terminal, await terminal.open("sh"))
        return (await pane.run("make", exit_status=True)).exit_status

    assert asyncio.run(status()) == 2


def test_what_tmux_knows_is_not_believed() -> None:
    """From 3.8 on it believes what a command prints. So the shell is asked, if that is wanted."""

    class Telling(FakeTerminal):
        """A terminal without a tap, in which a command has printed marks of its own."""

        def probe(self, _: Pane) -> None:
            """Be on another machine."""

        def tap(self, pane: Pane, *_: object, **__: object) -> Never:
            """Have no tap there."""
            raise TapUnavailableError(f"{pane} is on another machine")

        def observe(self, pane: Pane, *, history: int = 0, styled: bool = False) -> Screen:
            seen = super().observe(pane, history=history, styled=styled)
            has_run = bool(self.sent(pane))
            return attrs.evolve(seen, command_started=9, command_status=0) if has_run else seen

    terminal = Telling(programs={"sh": SHELL})
    console = Console(terminal, terminal.open("sh"))
    result = console.run("make")
    assert (result.output, result.exit_status) == ("no rule\n", None)
    assert "echo $?" not in "".join(str(sent.keys) for sent in terminal.sent())
    result = console.run("make", exit_status=True)
    assert (result.output, result.exit_status) == ("no rule\n", 2)
