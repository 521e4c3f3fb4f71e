"""Where no session is begun: who would read what is typed."""

import pytest

from tests.unit.profiles.assistant import HELPER, PROFILE
from tmuxprim import Console, FakeTerminal, PaneBusyError
from tmuxprim.errors import InvalidProfileError
from tmuxprim.profiles import PYTHON, SHELL, SQLITE, Profile
from tmuxprim.testing import ScriptedShell, repl

REPL = repl(str.upper, prompt=">>> ")
INNER = ScriptedShell({"a": "A"})
REMOTE = ScriptedShell({"helper": HELPER}, prompt="far# ")
SHELLS = ScriptedShell({"bash": INNER, "python3 -q": REPL, "ssh far": REMOTE})


@pytest.fixture
def terminal() -> FakeTerminal:
    """Give a terminal whose shell starts shells and REPLs."""
    return FakeTerminal(programs={"sh": SHELLS})


@pytest.fixture
def console(terminal: FakeTerminal) -> Console:
    """Give a console on that shell."""
    return Console(terminal, terminal.open())


class TestStart:
    """Where no session is begun."""

    def test_a_repl_that_was_started_by_hand_is_no_shell(
        self, terminal: FakeTerminal, console: Console
    ) -> None:
        """Nothing is typed at its prompt."""
        console.send("python3 -q")
        console.wait_ready()
        sent = len(terminal.sent())
        with pytest.raises(PaneBusyError, match="nothing was sent: a session starts at a sh"):
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

    def test_one_pane_has_one_session(self, terminal: FakeTerminal, console: Console) -> None:
        """A second one would type into the first one's program."""
        with console.session(SHELL) as session:
            sent = len(terminal.sent())
            with pytest.raises(PaneBusyError, match="nothing was sent: a session with shell runs"):
                console.session(SQLITE).__enter__()
            assert len(terminal.sent()) == sent
            assert session.ask("a").text == "A"
        with console.session(SHELL):
            pass

    def test_twice_is_once_too_often(self, console: Console) -> None:
        """The first block goes on, and its end leaves the program."""
        session = console.session(PYTHON)
        with session:
            with pytest.raises(PaneBusyError, match="a session with python runs in this pane; end"):
                session.__enter__()
            assert session.ask("a").text == "A"
        assert console.run("echo back").output == "back\n"

    @pytest.mark.parametrize("profile", ["python", ("python3",), None])
    def test_it_takes_a_profile(self, console: Console, profile: Profile) -> None:
        """The name of one is refused at once."""
        with pytest.raises(InvalidProfileError, match="a session needs a Profile"):
            console.session(profile)
