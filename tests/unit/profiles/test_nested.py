"""Sessions within sessions, and at prompts that are not a shell's: who would read what is typed."""

import attrs
import pytest

from tests.unit.builders import screen
from tests.unit.profiles.assistant import HELPER, PROFILE
from tmuxprim import (
    Console,
    FakeTerminal,
    InvalidProfileError,
    Outcome,
    PaneBusyError,
    ProgramEndedError,
    ProgramStaysError,
    Readiness,
)
from tmuxprim._profiles._starting import check_shell
from tmuxprim.profiles import PYTHON, SHELL, SQLITE, Profile
from tmuxprim.testing import ScriptedShell, repl

REPL = repl(str.upper, prompt=">>> ")
INNER = ScriptedShell(
    {
        "sqlite3": repl(lambda _: "42", prompt="sqlite> "),
        "helper": attrs.evolve(HELPER, stays=True),
        "a": "A",
    }
)
FAR = ScriptedShell({"helper": HELPER}, prompt="far# ")
SHELLS = ScriptedShell({"bash": INNER, "python3 -q": REPL, "ssh far": FAR})


@pytest.fixture
def terminal() -> FakeTerminal:
    """Give a terminal whose shell starts shells and REPLs."""
    return FakeTerminal(programs={"sh": SHELLS})


@pytest.fixture
def console(terminal: FakeTerminal) -> Console:
    """Give a console on that shell."""
    return Console(terminal, terminal.open())


class TestWithin:
    """A session that is begun within another one."""

    def test_only_the_innermost_is_asked(self, terminal: FakeTerminal, console: Console) -> None:
        """The question for the shell would be typed into the database."""
        with console.session(SHELL) as outer:
            with console.session(SQLITE) as inner:
                sent = len(terminal.sent())
                with pytest.raises(PaneBusyError, match="nothing was sent: sqlite3 runs within sh"):
                    outer.ask("rm -rf build")
                with pytest.raises(PaneBusyError, match="ask it in its own session"):
                    outer.go_on()
                assert len(terminal.sent()) == sent
                assert inner.ask("select 6 * 7;").text == "42"
            assert outer.ask("a").text == "A"

    def test_it_needs_a_shell(self, terminal: FakeTerminal, console: Console) -> None:
        """A REPL would take the command for its own."""
        with console.session(PYTHON) as session:
            sent = len(terminal.sent())
            with pytest.raises(PaneBusyError, match="this one is that of 'python3'; leave it"):
                console.session(SQLITE).__enter__()
            assert len(terminal.sent()) == sent
            assert session.ask("a").text == "A"

    @pytest.mark.parametrize(
        ("profile", "may"), [(SHELL, True), (Profile("far", ("ssh", "far")), True), (PYTHON, False)]
    )
    def test_behind_ssh_the_profile_tells(self, profile: Profile, *, may: bool) -> None:
        """The kernel knows no more than that it is ssh."""
        shown = attrs.evolve(screen(), command="ssh")
        readiness = Readiness(
            outcome=Outcome.PROMPT, strategy="", reason="a prompt", elapsed=0.0, screen=shown
        )
        if may:
            check_shell(readiness, profile)
        else:
            with pytest.raises(PaneBusyError, match="this one is that of 'python', behind 'ssh'"):
                check_shell(readiness, profile)
            nameless = attrs.evolve(readiness, screen=screen())
            with pytest.raises(PaneBusyError, match="this one is that of 'python'; leave it"):
                check_shell(nameless, profile)

    def test_a_shell_behind_ssh_has_sessions(self) -> None:
        """One within the other, as on this machine."""
        terminal = FakeTerminal(programs={"sh": SHELLS}, evidence=False)
        console = Console(terminal, terminal.open())
        with console.session(Profile("far", ("ssh", "far"))) as far:
            with console.session(PROFILE) as session:
                assert session.ask("hi").text == "Hello."
            assert "a: not found" in far.ask("a").text
        assert console.run("echo back").output == "back\n"

    def test_an_outer_one_that_is_left_leaves_the_inner_one_first(self, console: Console) -> None:
        """What leaves the shell would be typed into the database."""
        outer, inner = console.session(SHELL), console.session(SQLITE)
        with outer:
            inner.__enter__()
        with pytest.raises(ProgramEndedError, match="sqlite3 does not run"):
            inner.ask("select 1;")
        inner.__exit__(None, None, None)
        assert "a: not found" in console.run("a").output  # it is the outermost shell

    def test_an_inner_one_that_stays_is_told(self, console: Console) -> None:
        """Then nothing is typed that would leave the outer one."""
        outer, inner = console.session(SHELL), console.session(PROFILE)
        outer.__enter__()
        inner.__enter__()
        with pytest.raises(ProgramStaysError, match="helper was not left"):
            outer.__exit__(None, None, None)


class TestStart:
    """Where no session is begun."""

    def test_a_repl_that_was_started_by_hand_is_no_shell(
        self, terminal: FakeTerminal, console: Console
    ) -> None:
        """Nothing is typed at its prompt."""
        console.send("python3 -q")
        console.wait_ready()
        sent = len(terminal.sent())
        with pytest.raises(PaneBusyError, match="nothing was sent: a session is started at a sh"):
            console.session(SQLITE).__enter__()
        assert len(terminal.sent()) == sent

    def test_what_is_behind_ssh_may_be_a_shell(self) -> None:
        """Nobody knows, so the prompt decides."""
        terminal = FakeTerminal(programs={"sh": SHELLS}, evidence=False)
        console = Console(terminal, terminal.open())
        console.send("ssh far")
        console.wait_ready()
        with console.session(PROFILE) as session:
            assert session.ask("hi").text == "Hello."

    def test_twice_is_once_too_often(self, console: Console) -> None:
        """The first block goes on, and its end leaves the program."""
        session = console.session(PYTHON)
        with session:
            with pytest.raises(PaneBusyError, match="this session with python has begun already"):
                session.__enter__()
            assert session.ask("a").text == "A"
        assert console.run("echo back").output == "back\n"

    @pytest.mark.parametrize("profile", ["python", ("python3",), None])
    def test_it_takes_a_profile(self, console: Console, profile: Profile) -> None:
        """The name of one is refused at once."""
        with pytest.raises(InvalidProfileError, match="a session is with the program of a Profile"):
            console.session(profile)
