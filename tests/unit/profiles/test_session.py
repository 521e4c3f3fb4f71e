"""Sessions on the fake: start, ask, what goes wrong, leave."""

import asyncio
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
    terminal_with,
)
from tmuxprim import (
    AsyncConsole,
    Console,
    Cursor,
    FakeTerminal,
    KeySequence,
    Outcome,
    PaneBusyError,
    Screen,
    Size,
    TtyState,
)
from tmuxprim._profiles.strategies import GivenUpStrategy
from tmuxprim.errors import ProgramEndedError, ProgramStartError, ProgramStaysError
from tmuxprim.profiles import (
    PYTHON,
    SHELL,
    AnswerRows,
    Profile,
    ScreenStrategy,
    Session,
    known_screens,
)
from tmuxprim.readiness import Busy, Pass, Ready, Snapshot
from tmuxprim.testing import AsyncFakeTerminal, ScriptedShell, after, pager, question, repl

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
            said = "it was interrupted, or Enter was not taken: the question is in the box"
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


# Sessions over asyncio, by the same plans.


def test_it_is_started_asked_and_left() -> None:
    """By the same plans."""

    async def talk(fake: FakeTerminal) -> tuple[list[str], str, str]:
        terminal = AsyncFakeTerminal(fake)
        console = AsyncConsole(terminal, await terminal.open())
        async with console.session(PROFILE) as session:
            answers = [(await session.ask("hi")).text, (await session.ask("long", 3.0)).text]
            answers.append((await session.resume()).text)
            named = f"{session!r} {session.profile.name}"
        return answers, named, (await console.run("echo back")).output

    answers, named, output = asyncio.run(talk(terminal_with(HELPER)))
    assert (answers[0], answers[2], output) == ("Hello.", LONG, "back\n")
    assert named.startswith("AsyncSession(")


def test_questions_of_several_tasks_take_turns() -> None:
    """Each gets its own answer, and the program is left after the last."""

    async def talk(fake: FakeTerminal) -> list[str]:
        terminal = AsyncFakeTerminal(fake)
        console = AsyncConsole(terminal, await terminal.open())
        async with console.session(PROFILE) as session:
            both = asyncio.gather(session.ask("hi"), session.ask("poem"), session.ask("hi"))
            await asyncio.sleep(0)
        return [answer.text for answer in await both]

    assert asyncio.run(talk(terminal_with(HELPER))) == ["Hello.", "roses\n\nviolets", "Hello."]


def test_a_session_that_runs_is_not_begun_again() -> None:
    """Its first block goes on."""

    async def talk(fake: FakeTerminal) -> str:
        terminal = AsyncFakeTerminal(fake)
        console = AsyncConsole(terminal, await terminal.open())
        session = console.session(PROFILE)
        async with session:
            with pytest.raises(PaneBusyError, match="nothing was sent: a session with helper"):
                await session.__aenter__()
            return (await session.ask("hi")).text

    assert asyncio.run(talk(terminal_with(HELPER))) == "Hello."


def test_a_cancelled_start_leaves_no_program() -> None:
    """Nobody has the session yet, to leave it."""

    async def talk(fake: FakeTerminal) -> str:
        terminal = AsyncFakeTerminal(fake)
        console = AsyncConsole(terminal, await terminal.open())
        session = console.session(PROFILE)
        start = asyncio.ensure_future(session.__aenter__())

        def cancel() -> None:
            start.cancel()

        fake.clock.call_later(2.0, cancel)
        with pytest.raises(asyncio.CancelledError):
            await start
        return (await console.run("echo back")).output

    shell = ScriptedShell({"helper": after(60.0)})
    assert asyncio.run(talk(FakeTerminal(programs={"sh": shell}))) == "back\n"


@pytest.mark.parametrize("raises", [True, False])
def test_what_stays_is_told(*, raises: bool) -> None:
    """As an error, or as a note to another one."""

    async def talk(fake: FakeTerminal) -> None:
        terminal = AsyncFakeTerminal(fake)
        console = AsyncConsole(terminal, await terminal.open())
        async with console.session(PROFILE):
            if raises:
                raise KeyError

    with pytest.raises((KeyError, ProgramStaysError)) as raised:
        asyncio.run(talk(terminal_with(attrs.evolve(HELPER, stays=True))))
    assert "did not end" in str(raised.value.__notes__ if raises else raised.value)


# Sessions on the fake: a program that runs already is talked to, and left running.

# An empty box alone tells after five seconds that it waits.
ADOPTED = attrs.evolve(PROFILE, start_timeout=0.001)  # which nothing of this takes


def console_in(assistant: Assistant = HELPER, *, evidence: bool = True) -> Console:
    """Return a console on an assistant that another console has started."""
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
