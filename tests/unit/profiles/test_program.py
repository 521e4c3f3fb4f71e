"""Sessions on the fake: how a program is started, and how it is left."""

import attrs
import pytest

from tests.unit.profiles.assistant import HELPER, PROFILE, console_with
from tmuxprim import (
    Console,
    FakeTerminal,
    KeySequence,
    Outcome,
    PaneBusyError,
    PromptStrategy,
    Size,
)
from tmuxprim.errors import (
    InvalidProfileError,
    ProgramEndedError,
    ProgramStartError,
    ProgramStaysError,
)
from tmuxprim.profiles import (
    OPENCODE,
    PYTHON,
    SHELL,
    SQLITE,
    Profile,
    ScreenStrategy,
    known_screens,
)
from tmuxprim.testing import (
    FakeTty,
    ReadKey,
    Run,
    ScriptedShell,
    Sleep,
    after,
    full_screen,
    password,
    question,
    repl,
)


@pytest.fixture
def console() -> Console:
    """Give a console on a shell that can start the helper."""
    return console_with(HELPER)


class TestStart:
    """What a program may do instead of starting."""

    def test_a_shell_has_to_be_there(self, console: Console) -> None:
        """The command that starts it is not typed into anything else."""
        terminal = FakeTerminal(programs={"rm": question("Remove? [y/N] ")})
        console = Console(terminal, terminal.open("rm"))
        with pytest.raises(PaneBusyError, match=r"the pane takes no command; .*'Remove\? \[y/N\]'"):
            console.session(PROFILE).__enter__()
        terminal.assert_sent(console.pane)

    def test_there_is_no_such_program(self) -> None:
        """The shell's complaint is in the message."""
        terminal = FakeTerminal()
        console = Console(terminal, terminal.open())
        with pytest.raises(ProgramStartError, match="helper did not start") as raised:
            console.session(PROFILE).__enter__()
        assert "helper: not found" in raised.value.screen
        assert console.run("echo back").output == "back\n"

    def test_it_takes_too_long(self) -> None:
        """It is interrupted, and the shell is back."""
        terminal = FakeTerminal(programs={"sh": ScriptedShell({"helper": after(60.0)})})
        console = Console(terminal, terminal.open())
        with pytest.raises(ProgramStartError, match="did not start: timed out after 15 s"):
            console.session(PROFILE).__enter__()
        assert console.run("echo back").output == "back\n"

    def test_it_asks_something(self) -> None:
        """A login is for a person, who is told what is asked."""
        profile = attrs.evolve(PROFILE, ready=None, answered=None)
        terminal = FakeTerminal(programs={"sh": ScriptedShell({"helper": password("Key: ")})})
        console = Console(terminal, terminal.open())
        with pytest.raises(ProgramStartError, match="it asks something") as raised:
            console.session(profile).__enter__()
        assert raised.value.screen.endswith("Key:")
        assert console.run("echo back").output == "back\n"

    def test_a_reply_may_be_given(self) -> None:
        """Who makes the profile may agree to what is asked, once."""
        console = console_with(attrs.evolve(HELPER, asks="trust this directory? [y/n]"))
        profile = attrs.evolve(PROFILE, replies={r"trust .*\?": KeySequence.text("y")})
        with console.session(profile) as session:
            assert session.ask("hi").text == "Hello."

    def test_a_wrong_reply_does_not_start_it(self) -> None:
        """It ends, as it was told."""
        console = console_with(attrs.evolve(HELPER, asks="trust this directory? [y/n]"))
        profile = attrs.evolve(PROFILE, replies={r"trust .*\?": KeySequence.text("n")})
        with pytest.raises(ProgramStartError, match="the program has ended"):
            console.session(profile).__enter__()

    def test_what_cannot_be_interrupted_is_said_to_be_there(self) -> None:
        """The pane is not what it was, and the message says so."""
        console = console_with(attrs.evolve(HELPER, stays=True, asks=""))
        profile = attrs.evolve(PROFILE, ready=PromptStrategy("never"))
        with pytest.raises(ProgramStartError, match="it is still in the pane"):
            console.session(profile).__enter__()

    def test_the_pane_may_be_gone(self) -> None:
        """A shell that the program takes with it leaves no pane to be given back."""
        terminal = FakeTerminal(programs={"sh": ScriptedShell({"helper": after(60.0)})})
        console = Console(terminal, terminal.open())
        terminal.clock.call_later(5.0, lambda: terminal.faults.kill(console.pane))
        with pytest.raises(ProgramStartError, match="did not start"):
            console.session(PROFILE).__enter__()

    def test_variables_are_set(self) -> None:
        """For the program alone, whatever shell it is."""
        profile = Profile("inner", ("sh", "-c", "a b"), env={"KEY": "it's"})
        terminal = FakeTerminal()
        console = Console(terminal, terminal.open())
        with pytest.raises(ProgramStartError):
            console.session(profile).__enter__()
        terminal.assert_sent(console.pane, "env KEY='it'\"'\"'s' sh -c 'a b'", "Enter")

    def test_an_interrupted_start_leaves_no_program(self) -> None:
        """C-c in the process that waits for the start, which nothing else would end."""
        terminal = FakeTerminal(programs={"sh": ScriptedShell({"helper": after(60.0)})})
        console = Console(terminal, terminal.open())

        def interrupt() -> None:
            raise KeyboardInterrupt

        terminal.clock.call_later(2.0, interrupt)
        with pytest.raises(KeyboardInterrupt):
            console.session(PROFILE).__enter__()
        assert console.run("echo back").output == "back\n"

    def test_a_pane_may_be_too_wide(self) -> None:
        """Then the text beside it would be a part of an answer."""
        terminal = FakeTerminal()
        console = Console(terminal, terminal.open(size=Size(121, 30)))
        with pytest.raises(
            ProgramStartError, match=r"up to 120 columns, got 121; .*size=Size\(120"
        ):
            console.session(OPENCODE).__enter__()
        terminal.assert_sent(console.pane)

    def test_a_session_may_be_begun_again(self) -> None:
        """As if nothing had been: not even that the program ended by itself."""
        shell = ScriptedShell({"python3 -q": repl(str.upper, prompt=">>> ")})
        terminal = FakeTerminal(programs={"sh": shell})
        console = Console(terminal, terminal.open())
        session = console.session(PYTHON)
        with session:
            console.keys("C-d")
            with pytest.raises(ProgramEndedError, match="python has ended"):
                session.ask("a")
        with session:
            assert session.ask("a").text == "A"

    def test_outside_of_its_block_nothing_is_asked(self, console: Console) -> None:
        """A shell would carry the question out."""
        session = console.session(PROFILE)
        for _ in range(2):
            with pytest.raises(ProgramEndedError, match="helper does not run outside"):
                session.ask("rm -r x")
            with pytest.raises(ProgramEndedError, match="nothing was sent"):
                session.resume()
            with session:
                pass


class TestLeave:
    """How a program is left."""

    def test_the_shell_is_back(self, console: Console) -> None:
        """Its prompt stands there, and the console knows it again."""
        with console.session(PROFILE):
            pass
        assert console.run("echo back").output == "back\n"

    def test_it_does_not_end(self) -> None:
        """After the polite way and the other one, it is said."""
        console = console_with(attrs.evolve(HELPER, stays=True))
        with pytest.raises(ProgramStaysError, match="helper did not end: timed out"):  # noqa: SIM117  # two contexts, two lines
            with console.session(PROFILE):
                pass

    def test_it_is_interrupted_if_need_be(self, console: Console) -> None:
        """What does not know how it is left is left by C-c."""
        with console.session(attrs.evolve(PROFILE, leave=(KeySequence.text("bye"),))):
            pass
        assert console.run("echo back").output == "back\n"

    def test_an_error_within_counts_more(self) -> None:
        """That the program stays is a note to it."""
        console = console_with(attrs.evolve(HELPER, stays=True))
        with pytest.raises(KeyError, match="mine") as raised, console.session(PROFILE):
            raise KeyError("mine")
        assert "did not end" in raised.value.__notes__[0]

    def test_an_error_within_leaves_it(self, console: Console) -> None:
        """The pane is given back all the same."""
        with pytest.raises(KeyError), console.session(PROFILE):
            raise KeyError
        assert console.run("echo back").output == "back\n"

    def test_a_pane_that_is_gone_is_left(self, console: Console) -> None:
        """There is nothing to be given back."""
        with console.session(PROFILE):
            console.terminal.close(console.pane)

    def test_what_would_leave_it_does_not_reach_the_shell(self) -> None:
        """A program that takes its time to end reads no more keys, and C-d ends a shell."""

        def slow(tty: FakeTty) -> Run:
            tty.write("slow")
            while (yield ReadKey()) != "\x03":
                pass
            yield Sleep(5.0, raw=True)
            tty.write("\n")
            return 0

        shell = ScriptedShell({"slow": slow})
        terminal = FakeTerminal(programs={"sh": shell})
        console = Console(terminal, terminal.open())
        profile = Profile("slow", ("slow",), ready=PromptStrategy("never"), start_timeout=1.0)
        with pytest.raises(ProgramStartError, match=r"timed out after 1 s"):
            console.session(profile).__enter__()
        terminal.assert_sent(console.pane, "slow", "Enter", "C-c")
        assert console.run("echo back").output == "back\n"

    def test_what_has_ended_is_not_left_any_further(self, console: Console) -> None:
        """The first step may be enough, and the second is not for the shell."""
        steps = (KeySequence.keys("C-c"), KeySequence.text("rm -r x"))
        with console.session(attrs.evolve(PROFILE, leave=steps)):
            pass
        assert isinstance(console.terminal, FakeTerminal)
        assert console.terminal.sent()[-1].keys == KeySequence.keys("C-c")

    def test_what_works_is_interrupted(self, console: Console) -> None:
        """It does not take what would leave it otherwise."""
        with console.session(PROFILE) as session:
            session.ask("long", timeout=2.0)
        assert isinstance(console.terminal, FakeTerminal)
        assert console.terminal.sent()[-1].keys == KeySequence.keys("C-c")
        assert console.run("echo back").output == "back\n"

    def test_what_only_waits_for_keys_has_not_been_left(self) -> None:
        """An editor that wants its text to be saved: the next keys are pressed soon."""
        editor = full_screen("", lambda said: f"{said}\n~", _without_saving)
        terminal = FakeTerminal(programs={"sh": ScriptedShell({"vim": editor})})
        console = Console(terminal, terminal.open())
        escape, enter = KeySequence.keys("Escape"), KeySequence.keys("Enter")
        vim = Profile(
            "vim",
            ("vim",),
            leave=(escape, KeySequence.text(":qa") + enter),
            interrupt=(escape, KeySequence.text(":qa!") + enter),
        )
        with console.session(vim):
            before = terminal.clock.now()
        assert terminal.clock.now() - before < vim.leave_timeout / 2
        assert terminal.sent()[-1].keys == KeySequence.text(":qa!") + KeySequence.keys("Enter")
        assert console.run("echo back").output == "back\n"

    @pytest.mark.parametrize(
        ("typed", "pressed"), [("", ["C-d"]), ("half a quest", ["half a quest", "C-u", "C-d"])]
    )
    def test_an_empty_box_is_not_cleared(self, typed: str, pressed: list[str]) -> None:
        """Nobody would see that the keys were taken, which costs a second."""
        shell = ScriptedShell({"chat": repl(str.upper, prompt="> ")})
        terminal = FakeTerminal(programs={"sh": shell})
        console = Console(terminal, terminal.open())
        chat = Profile(
            "chat",
            ("chat",),
            answered=known_screens(ScreenStrategy(shows="^>")),
            clear=KeySequence.keys("C-u"),
            leave=KeySequence.keys("C-d"),
        )
        with console.session(chat):
            sent = len(terminal.sent())
            for text in filter(None, [typed]):
                console.send(text, enter=False)
        assert [str(one.keys).strip("'") for one in terminal.sent()[sent:]] == pressed
        assert console.run("echo back").output == "back\n"

    def test_a_repl_is_left_at_once(self) -> None:
        """Also when the shell's prompt is drawn on a screen that has scrolled."""
        shell = ScriptedShell({"python3 -q": repl(str.upper, prompt=">>> ")})
        terminal = FakeTerminal(programs={"sh": shell})
        console = Console(terminal, terminal.open(size=Size(40, 3)))
        with console.session(PYTHON) as session:
            for text in "abc":
                session.ask(text)
            before = terminal.clock.now()
        assert terminal.clock.now() - before < 0.1


def _without_saving(said: str, key: str) -> str | None:
    if key.startswith("\x1b"):
        return ""
    if key != "\r":
        return said + key
    return None if said == ":qa!" else "not saved"


@pytest.mark.parametrize("drawn", [2, 3])
def test_the_rows_of_a_killed_program_are_not_what_is_typed_or_printed(drawn: int) -> None:
    """The shell's prompt is in one of them, or right above, and gets a screen of its own."""

    def dies(tty: FakeTty) -> Run:
        tty.write("\x1b[H\x1b[2J" + "-" * 20 + f"\x1b[{drawn}H" + "-" * 20 + "\x1b[H> ")
        yield ReadKey()
        tty.write("\x1b[H\n")
        return 137

    profile = Profile("dies", ("dies",), ready=PromptStrategy("^> "))
    terminal = FakeTerminal(programs={"sh": ScriptedShell({"dies": dies})})
    console = Console(terminal, terminal.open())
    with console.session(profile) as session:
        console.keys("x")
        assert session.resume().readiness.outcome is Outcome.EXITED
    result = console.run("echo back")
    assert (result.output, result.complete) == ("back\n", True)


# Where no session is begun: who would read what is typed.

REPL = repl(str.upper, prompt=">>> ")
INNER = ScriptedShell({"a": "A"})
REMOTE = ScriptedShell({"helper": HELPER}, prompt="far# ")
SHELLS = ScriptedShell({"bash": INNER, "python3 -q": REPL, "ssh far": REMOTE})


@pytest.fixture
def terminal() -> FakeTerminal:
    """Give a terminal whose shell starts shells and REPLs."""
    return FakeTerminal(programs={"sh": SHELLS})


@pytest.fixture
def at_shell(terminal: FakeTerminal) -> Console:
    """Give a console on that shell."""
    return Console(terminal, terminal.open())


class TestWhereItStarts:
    """Where no session is begun."""

    def test_a_repl_that_was_started_by_hand_is_no_shell(
        self, terminal: FakeTerminal, at_shell: Console
    ) -> None:
        """Nothing is typed at its prompt."""
        at_shell.send("python3 -q")
        at_shell.wait_ready()
        sent = len(terminal.sent())
        with pytest.raises(PaneBusyError, match="nothing was sent: a session starts at a sh"):
            at_shell.session(SQLITE).__enter__()
        assert len(terminal.sent()) == sent

    def test_what_is_behind_ssh_may_be_a_shell(self) -> None:
        """It cannot be determined, so the prompt decides."""
        terminal = FakeTerminal(programs={"sh": SHELLS}, evidence=False)
        at_shell = Console(terminal, terminal.open())
        at_shell.send("ssh far")
        at_shell.wait_ready()
        with at_shell.session(PROFILE) as session:
            assert session.ask("hi").text == "Hello."

    def test_one_pane_has_one_session(self, terminal: FakeTerminal, at_shell: Console) -> None:
        """A second one would type into the first one's program."""
        with at_shell.session(SHELL) as session:
            sent = len(terminal.sent())
            with pytest.raises(PaneBusyError, match="nothing was sent: a session with shell runs"):
                at_shell.session(SQLITE).__enter__()
            assert len(terminal.sent()) == sent
            assert session.ask("a").text == "A"
        with at_shell.session(SHELL):
            pass

    def test_twice_is_once_too_often(self, at_shell: Console) -> None:
        """The first block goes on, and its end leaves the program."""
        session = at_shell.session(PYTHON)
        with session:
            with pytest.raises(PaneBusyError, match="a session with python runs in this pane; end"):
                session.__enter__()
            assert session.ask("a").text == "A"
        assert at_shell.run("echo back").output == "back\n"

    @pytest.mark.parametrize("profile", ["python", ("python3",), None])
    def test_it_takes_a_profile(self, at_shell: Console, profile: Profile) -> None:
        """The name of one is refused at once."""
        with pytest.raises(InvalidProfileError, match="a session needs a Profile"):
            at_shell.session(profile)
