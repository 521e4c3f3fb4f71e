"""Sessions on the fake: a program that runs already is talked to, and left running."""

import asyncio

import attrs
import pytest

from tests.unit.profiles.assistant import HELPER, PROFILE, Assistant, terminal_with
from tmuxprim import (
    AsyncConsole,
    Console,
    Cursor,
    FakeTerminal,
    Outcome,
    PaneBusyError,
    Screen,
    Size,
    TtyState,
)
from tmuxprim._profiles.strategies import GivenUpStrategy
from tmuxprim.errors import ProgramEndedError, ProgramStartError
from tmuxprim.profiles import PYTHON
from tmuxprim.readiness import Busy, Pass, Ready, Snapshot
from tmuxprim.testing import AsyncFakeTerminal, ScriptedShell, repl

# An empty box alone tells after five seconds that it waits.
ADOPTED = attrs.evolve(PROFILE, start_timeout=0.001)  # which nothing of this takes


def console_in(assistant: Assistant = HELPER, *, evidence: bool = True) -> Console:
    """Return a console on an assistant that somebody has started."""
    shell = ScriptedShell({"helper": assistant})
    terminal = FakeTerminal(programs={"sh": shell}, evidence=evidence)
    pane = terminal.open("sh")
    starter = Console(terminal, pane)
    starter.wait_ready()
    starter.send("helper")
    starter.wait_ready(strategy=PROFILE.ready)
    return Console(terminal, pane)


def sent(console: Console) -> list[str]:
    """Return what was typed."""
    terminal = console.terminal
    assert isinstance(terminal, FakeTerminal)
    return [str(one.keys) for one in terminal.sent(console.pane)]


@pytest.mark.parametrize("evidence", [True, False])
def test_it_is_asked_and_left_running(evidence: bool) -> None:  # noqa: FBT001  # a parameter
    """Nothing is typed but the questions, also by the next session."""
    console = console_in(evidence=evidence)
    before = sent(console)
    for _ in range(2):
        with console.session(ADOPTED, adopt=True) as session:
            assert session.ask("hi").text == "Hello."
            assert session.ask("poem").text == "roses\n\nviolets"
    assert sent(console) == [*before, *["'hi'", "Enter", "'poem'", "Enter"] * 2]
    assert console.mark().command == "helper"


def test_the_console_judges_as_before() -> None:
    """What decides in the session decides no longer behind it."""
    console = console_in()
    with console.session(ADOPTED, adopt=True):
        pass
    assert console.wait_ready().outcome is Outcome.FULLSCREEN
    with console.session(ADOPTED, adopt=True) as session:
        assert session.ask("hi").complete


def test_another_program_is_in_front() -> None:
    """The error names both, and nothing was typed."""
    terminal = terminal_with(HELPER)
    console = Console(terminal, terminal.open("sh"))
    told = (
        "nothing was sent: a session adopts helper while 'helper' is in front, and this is 'sh'; "
        "start it first, or leave adopt out, which starts it"
    )
    with pytest.raises(PaneBusyError) as raised, console.session(PROFILE, adopt=True):
        pass
    assert str(raised.value) == told
    terminal.assert_sent(console.pane)
    with console.session(PROFILE) as session:  # nothing of it is left
        assert session.ask("hi").text == "Hello."


def test_a_pane_that_is_too_wide() -> None:
    """It is refused as of a session that starts it."""
    console = console_in()
    with (
        pytest.raises(ProgramStartError, match="panes of up to 60 columns"),
        console.session(attrs.evolve(ADOPTED, max_columns=60), adopt=True),
    ):
        pass


def test_one_session_at_a_time() -> None:
    """An adopted program has no two of them."""
    console = console_in()
    with (
        console.session(ADOPTED, adopt=True) as session,
        pytest.raises(PaneBusyError, match="a session with helper runs in this pane"),
    ):
        session.__enter__()
    with (
        console.session(ADOPTED, adopt=True),
        pytest.raises(PaneBusyError, match="a session with helper runs in this pane"),
    ):
        console.session(ADOPTED, adopt=True).__enter__()


def test_it_works_when_it_is_adopted() -> None:
    """The first question waits until it does not."""
    console = console_in(attrs.evolve(HELPER, thinks=20.0))
    console.send("poem")
    with console.session(ADOPTED, adopt=True) as session:
        answer = session.ask("hi", 90.0)
    assert (answer.text, answer.complete) == ("Hello.", True)


def test_it_ends_while_it_is_adopted() -> None:
    """Then the shell is not asked, and nothing is done to it at the end."""
    console = console_in(attrs.evolve(HELPER, dies_at="die"))
    with console.session(ADOPTED, adopt=True) as session:
        answer = session.ask("die")
        assert answer.readiness.outcome is Outcome.EXITED
        with pytest.raises(ProgramEndedError, match="helper has ended"):
            session.ask("hi")
    assert console.run("echo back").output == "back\n"


def test_a_repl_is_adopted() -> None:
    """What it prints is the answer, as ever."""
    python = repl(lambda _: "42", prompt=">>> ")
    terminal = FakeTerminal(programs={"sh": ScriptedShell({"python3 -q": python})})
    console = Console(terminal, terminal.open("sh"))
    console.send("python3 -q")
    console.wait_ready()
    with console.session(PYTHON, adopt=True) as session:
        assert session.ask("6 * 7").text == "42"
    assert console.mark().screen.cursor_line == ">>>"


def test_over_asyncio() -> None:
    """By the same plans."""
    console = console_in()

    async def talk() -> str:
        terminal = console.terminal
        assert isinstance(terminal, FakeTerminal)
        there = AsyncConsole(AsyncFakeTerminal(terminal), console.pane)
        async with there.session(ADOPTED, adopt=True) as session:
            return (await session.ask("hi")).text

    assert asyncio.run(talk()) == "Hello."
    assert console.mark().command == "helper"


class TestGivenUp:
    """`GivenUpStrategy`."""

    SCREEN = Screen(size=Size(9, 1), rows=("$",), cursor=Cursor(0, 2), command="bash")
    TTY = TtyState(canonical=False, echo=False, edits=True, reading=True, only_reading=True)

    def verdict(self, pid: int | None, command: str) -> object:
        """Return what is said of a program that had process 10."""
        screen = attrs.evolve(self.SCREEN, command=command)
        tty = attrs.evolve(self.TTY, foreground_pid=pid)
        snapshot = Snapshot(screen=screen, tty=tty, unchanged_for=1.0)
        return GivenUpStrategy(10, "helper").assess(snapshot)

    def test_its_process_tells(self) -> None:
        """Another one of the same name is another program."""
        assert isinstance(self.verdict(10, "bash"), Pass)
        assert isinstance(self.verdict(11, "helper"), Busy)

    def test_its_name_tells_where_the_process_is_not_known(self) -> None:
        """In whichever version."""
        assert isinstance(self.verdict(None, "helper2"), Pass)
        assert isinstance(self.verdict(None, "vim"), Busy)

    def test_a_shell_has_the_terminal(self) -> None:
        """At its prompt the program has ended."""
        verdict = self.verdict(11, "bash")
        assert isinstance(verdict, Ready)
        assert verdict.outcome is Outcome.EXITED
