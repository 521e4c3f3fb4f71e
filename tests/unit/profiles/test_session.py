"""Sessions on the fake: start, ask, what goes wrong, leave."""

from collections.abc import Iterator

import attrs
import pytest

from tests.unit.profiles.assistant import (
    ANSWERS,
    BUSY,
    HELPER,
    LONG,
    PROFILE,
    Assistant,
    console_with,
)
from tmuxprim import Console, FakeTerminal, KeySequence, Outcome, PaneBusyError
from tmuxprim.errors import ProgramEndedError
from tmuxprim.profiles import (
    PYTHON,
    SHELL,
    AnswerRows,
    Profile,
    ScreenStrategy,
    Session,
    known_screens,
)
from tmuxprim.testing import ScriptedShell, pager, question, repl

# As of assistants, of which only a state is known: what is typed in the box does not count.
_STATE = known_screens(ScreenStrategy(shows=r"^\|", hides=BUSY, settled=1.0))
WHATEVER_IS_TYPED = attrs.evolve(
    PROFILE,
    ready=None,
    answered=_STATE,
    clear=KeySequence.keys("C-u"),
    leave=(KeySequence.text("/exit"), KeySequence.keys("Enter")),
    interrupt=(),
)


@pytest.fixture
def console() -> Console:
    """Give a console on a shell that can start the helper."""
    return console_with(HELPER)


@pytest.fixture
def session(console: Console) -> Iterator[Session]:
    """Give a session with the helper."""
    with console.session(PROFILE) as session:
        yield session


class TestAsk:
    """What an answer is."""

    @pytest.mark.parametrize("text", ["hi", "poem", "two\nlines"])
    def test_the_answer_is_what_was_said(self, session: Session, text: str) -> None:
        """All of it, with its blank rows, and nothing else that the screen shows."""
        answer = session.ask(text)
        assert (answer.text, answer.complete) == (ANSWERS[text], True)
        assert str(answer) == ANSWERS[text]

    def test_only_the_new_answer_is_returned(self, session: Session) -> None:
        """The same question twice has its answer once each."""
        assert [session.ask("hi").text for _ in range(3)] == ["Hello."] * 3

    def test_it_takes_as_long_as_it_takes(self, session: Session) -> None:
        """An answer is not over while the program works, and soon after that."""
        answer = session.ask("poem")
        assert 1.3 <= answer.readiness.elapsed < 1.8
        assert answer.readiness.outcome is Outcome.PROMPT

    def test_an_answer_longer_than_the_screen_is_whole(self, session: Session) -> None:
        """The program is scrolled through, and back to its end."""
        answer = session.ask("long")
        assert (answer.text, answer.complete) == (LONG, True)
        assert session.ask("hi").text == "Hello."

    def test_pages_that_nobody_can_tell_apart_are_no_whole_answer(self, session: Session) -> None:
        """Of a text that repeats itself, what is on the screen is returned."""
        answer = session.ask("same")
        assert not answer.complete
        assert set(answer.text.split("\n")) == {"the same"}

    def test_without_keys_that_scroll_it_is_cut(self, console: Console) -> None:
        """The beginning is missing, and that is said."""
        profile = attrs.evolve(PROFILE, page_up=KeySequence(()))
        with console.session(profile) as session:
            answer = session.ask("long")
        assert not answer.complete
        assert answer.text.endswith("line 59")
        assert "line 0" not in answer.text.split("\n")

    @pytest.mark.parametrize(
        ("asked", "failure"), [("fail", "no model"), ("quote", ""), ("hi", "")]
    )
    def test_an_answer_that_failed_is_not_complete(
        self, session: Session, asked: str, failure: str
    ) -> None:
        """What the program says of it stands below; the same words in an answer are none."""
        answer = session.ask(asked)
        assert answer.readiness.outcome is Outcome.PROMPT
        assert (answer.failure, answer.complete) == (failure, not failure)

    def test_a_question_that_came_back_is_deleted(self, console: Console) -> None:
        """Claude Code puts what was interrupted into its box again."""
        with console.session(WHATEVER_IS_TYPED) as session:
            session.ask("hi")
            console.send("hi", enter=False)
            assert session.ask("poem").text == ANSWERS["poem"]

    def test_what_was_answered_before_is_no_answer(self) -> None:
        """Where the question is given back before anything was said, nothing was."""
        console = console_with(attrs.evolve(HELPER, gives_back="never mind"))
        with console.session(WHATEVER_IS_TYPED) as session:
            session.ask("hi")
            answer = session.ask("never mind")
            assert (answer.text, answer.complete) == ("", False)
            said = "it was interrupted, and the question stands in the box again"
            assert answer.failure == said
            assert session.ask("poem").text == ANSWERS["poem"]

    def test_what_a_person_has_typed_stays(self, console: Console) -> None:
        """Nobody else's text is sent or deleted."""
        with console.session(WHATEVER_IS_TYPED) as session:
            console.send("half of", enter=False)
            with pytest.raises(PaneBusyError, match=r"typed in the box of helper: '\| half of'"):
                session.ask("poem")
        assert console.run("echo back").output == "back\n"

    def test_the_time_may_be_up(self, session: Session) -> None:
        """What has been said so far is returned, and the rest can be waited for."""
        answer = session.ask("long", timeout=3.0)
        assert answer.readiness.outcome is Outcome.TIMEOUT
        assert not answer.complete
        assert session.resume().text == LONG

    def test_while_it_works_it_cannot_be_asked(self, session: Session) -> None:
        """Nothing is typed into an answer that is still written."""
        session.ask("long", timeout=2.0)
        with pytest.raises(PaneBusyError, match="nothing was sent: helper takes no question"):
            session.ask("hi", timeout=0.5)
        assert session.resume().complete

    def test_it_may_ask_back(self, console: Console) -> None:
        """Its question is not answered by the next one, but by who knows."""
        with console.session(PROFILE) as session:
            answer = session.ask("delete")
            assert (answer.text, answer.complete) == ("really?", False)
            assert answer.readiness.outcome is Outcome.AWAITING_INPUT
            with pytest.raises(PaneBusyError, match="takes no question"):
                session.ask("hi")
            console.send("hi")
            assert session.resume().readiness.outcome is Outcome.AWAITING_INPUT

    def test_it_may_die(self) -> None:
        """The answer says so, and nothing is typed into the shell after that."""
        console = console_with(Assistant(answers={}, dies_at="die"))
        with console.session(PROFILE) as session:
            answer = session.ask("die")
            assert answer.readiness.outcome is Outcome.EXITED
            assert not answer.complete
            with pytest.raises(ProgramEndedError, match="nothing was sent: helper has ended"):
                session.ask("hi")
        assert console.run("echo back").output == "back\n"

    def test_nothing_is_typed_into_the_shell_after_its_end(self, console: Console) -> None:
        """Neither a question nor what would leave the program, when it ended by itself."""
        with console.session(PROFILE) as session:
            session.ask("hi")
            console.keys("C-c")
            with pytest.raises(ProgramEndedError):
                session.ask("rm -r x")
        assert isinstance(console.terminal, FakeTerminal)
        assert console.terminal.sent()[-1].keys == KeySequence.keys("C-c")
        assert console.run("echo back").output == "back\n"

    def test_a_question_is_not_run_by_the_shell(self) -> None:
        """A program that ends while it is typed gets no Enter, and neither does the shell."""
        console = console_with(attrs.evolve(HELPER, dies_on="x"))
        with console.session(PROFILE) as session:
            assert session.ask("exit").readiness.outcome is Outcome.EXITED
        assert isinstance(console.terminal, FakeTerminal)
        assert console.terminal.sent()[-1].keys == KeySequence.text("exit")
        console.keys("C-u")
        assert console.run("echo back").output == "back\n"

    def test_its_end_is_seen_when_it_is_left(self, console: Console) -> None:
        """C-d, which leaves many a program, would end the shell."""
        with console.session(attrs.evolve(PROFILE, leave=(KeySequence.keys("C-d"),))):
            console.keys("C-c")
        assert console.run("echo back").output == "back\n"

    def test_it_is_not_asked_on_top_of_half_a_question(self, console: Console) -> None:
        """A person has typed something into the box, which would become a part of it."""
        assert isinstance(console.terminal, FakeTerminal)
        with console.session(PROFILE) as session:
            session.ask("hi")
            console.terminal.send(console.pane, KeySequence.text("half"))
            console.terminal.clock.sleep(1.0)
            with pytest.raises(PaneBusyError, match="takes no question"):
                session.ask("hi", timeout=1.0)

    def test_a_repl_is_asked_as_soon_as_it_waits(self) -> None:
        """That it has not ended is seen at a snapshot."""
        shell = ScriptedShell({"python3 -q": repl(str.upper, prompt=">>> ")})
        terminal = FakeTerminal(programs={"sh": shell})
        console = Console(terminal, terminal.open())
        with console.session(PYTHON) as session:
            session.ask("a")
            before = terminal.clock.now()
            session.ask("b")
            assert terminal.clock.now() - before < 0.05

    def test_before_anything_was_asked_there_is_no_answer(self, session: Session) -> None:
        """Waiting on is no error."""
        answer = session.resume(0.0)
        assert (answer.text, answer.complete) == ("", False)

    def test_what_was_written_to_the_history_is_read_there(self) -> None:
        """A program that draws no screen of its own needs no scrolling."""
        shell = ScriptedShell({"helper": repl(lambda _: LONG, prompt="> ")})
        terminal = FakeTerminal(programs={"sh": shell})
        console = Console(terminal, terminal.open())
        rows = AnswerRows(asked="^> (.*)", box=r"^>$")
        with console.session(Profile("helper", ("helper",), rows=rows)) as session:
            assert session.ask("long").text == LONG
            assert session.ask("again").complete

    def test_without_evidence_the_screen_decides(self) -> None:
        """A terminal on another machine is driven all the same."""
        shell = ScriptedShell({"helper": HELPER})
        terminal = FakeTerminal(programs={"sh": shell}, evidence=False)
        console = Console(terminal, terminal.open())
        with console.session(PROFILE) as session:
            assert session.ask("poem").text == ANSWERS["poem"]
        assert console.run("echo back").output == "back\n"


class TestPrograms:
    """Programs that need no more than the default chain."""

    def test_a_repl_prints_its_answer(self) -> None:
        """Output is the answer; the lines of a question are typed one by one."""
        shell = ScriptedShell({"python3 -q": repl(str.upper, prompt=">>> ")})
        terminal = FakeTerminal(programs={"sh": shell})
        console = Console(terminal, terminal.open())
        with console.session(PYTHON) as session:
            assert session.ask("a").text == "A"
            assert session.ask("b\nc").text == "B\nC"
            assert repr(session) == f"Session({terminal!r}, 'python')"
            assert session.profile is PYTHON
            console.keys("C-d")
            assert session.resume().readiness.outcome is Outcome.EXITED

    def test_a_shell_in_a_shell_is_told_apart(self) -> None:
        """Both have the same prompt; the kernel knows whose it is."""
        terminal = FakeTerminal(programs={"sh": ScriptedShell({"bash": ScriptedShell({"a": "A"})})})
        console = Console(terminal, terminal.open())
        with console.session(SHELL) as session:
            assert session.ask("a").text == "A"
            gone = session.ask("exit")
            assert (gone.text, gone.readiness.outcome) == ("", Outcome.EXITED)

    def test_a_command_asks(self) -> None:
        """Its question is answered by hand, and what comes after is waited for."""
        inner = ScriptedShell({"rm": question("Remove? [y/N] ", lambda _: "removed")})
        terminal = FakeTerminal(programs={"sh": ScriptedShell({"bash": inner})})
        console = Console(terminal, terminal.open())
        with console.session(SHELL) as session:
            assert session.ask("rm").readiness.outcome is Outcome.AWAITING_INPUT
            console.send("y")
            answer = session.resume()
        assert (answer.text, answer.complete) == ("removed", True)

    def test_a_pager_is_not_asked(self) -> None:
        """It prints nothing, and no rows are told to be its answer."""
        terminal = FakeTerminal(programs={"sh": ScriptedShell({"less": pager("a")})})
        console = Console(terminal, terminal.open())
        less = Profile("less", ("less",), leave=KeySequence.keys("q"))
        with pytest.raises(PaneBusyError, match="shows the alternate screen, and less has no"):  # noqa: SIM117  # two contexts, two lines
            with console.session(less) as session:
                session.ask("b")
        assert console.run("echo back").output == "back\n"
