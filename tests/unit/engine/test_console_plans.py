"""`ConsolePlans`: what is remembered of a pane from one step to the next."""

import asyncio
from typing import TypeVar

import attrs
import pytest
from typing_extensions import override

from tests.unit.builders import AT_PROMPT, PANE, Frame, ScriptedTerminal, screen
from tmuxprim import (
    AsyncConsole,
    CommandError,
    CommandResult,
    Console,
    FakeTerminal,
    KeySequence,
    Outcome,
    Pane,
    PaneBusyError,
    PromptStrategy,
    Readiness,
    ReadinessStrategy,
    Screen,
    Size,
    TimeoutStrategy,
)
from tmuxprim._engine.command import lines_of
from tmuxprim._engine.console_plans import ConsolePlans
from tmuxprim._engine.plan import Call, Plan, Step, drive
from tmuxprim._engine.state import ConsoleState
from tmuxprim._readiness.snapshot import Snapshot
from tmuxprim.errors import InvalidStrategyError
from tmuxprim.readiness import ContinuationStrategy, Prompt
from tmuxprim.testing import (
    AsyncFakeTerminal,
    FakeTty,
    Program,
    ReadKey,
    ReadLine,
    Run,
    ScriptedShell,
    after,
    crash,
    pager,
    question,
    repl,
)

T = TypeVar("T")


def no_break(tty: FakeTty) -> Run:
    """Print without a line break at the end."""
    tty.write("x")
    yield from ()
    return 0


def says_nothing(tty: FakeTty) -> Run:
    """Read lines, and show no prompt."""
    while tty.is_alive:
        yield ReadLine(raw=True)
    return 0


SHELL = ScriptedShell(
    {
        "ls": "a\nb",
        "flood": "\n".join(map(str, range(300))),
        "slow": after(2.0, "done"),
        "no-break": no_break,
        "python": repl(str.upper),
        "less": pager("a text"),
        "mute": says_nothing,
    }
)


class Looks(FakeTerminal):
    """A fake terminal that notes how much history it was asked for."""

    def __init__(self, *, programs: dict[str, Program]) -> None:
        super().__init__(programs=programs)
        self.looks: list[int] = []

    @override
    def observe(self, pane: Pane, *, history: int = 0, styled: bool = False) -> Screen:
        self.looks.append(history)
        return super().observe(pane, history=history, styled=styled)


class Recorder:
    """Carries plans out on a fake terminal, and notes the steps."""

    def __init__(self, program: Program = SHELL) -> None:
        self.terminal = Looks(programs={"sh": program})
        pane = self.terminal.open("sh", size=Size(20, 5), name="shared")
        self.talk = ConsolePlans(ConsoleState(Pane("shared")))
        self.pane = pane
        self.steps: list[Step] = []

    def do(self, plan: Plan[T]) -> T:
        """Carry a plan out."""
        answer: object = None
        try:
            while True:
                self.steps.append(plan.send(answer))
                answer = self.steps[-1].perform(self.terminal)
        except StopIteration as end:
            result: T = end.value
            return result

    def places(self, name: str) -> list[int]:
        """Return which of the steps were that call."""
        steps = enumerate(self.steps)
        return [place for place, step in steps if isinstance(step, Call) and step.name == name]


@pytest.fixture
def recorder() -> Recorder:
    """Give a recorder of a conversation with a shell."""
    return Recorder()


def test_run_waits_for_a_prompt_first(recorder: Recorder) -> None:
    """Nothing is typed at a pane of which nothing is known."""
    assert recorder.do(recorder.talk.run("ls", 9.0)).output == "a\nb\n"
    assert recorder.places("observe")[0] < recorder.places("send")[0]


def test_run_relies_on_the_wait_before(recorder: Recorder) -> None:
    """A pane that was found ready is not looked at again: nobody has woken its reader."""
    recorder.do(recorder.talk.wait_ready(9.0))
    for _ in range(2):
        recorder.steps.clear()
        assert recorder.do(recorder.talk.run("ls", 9.0)).output == "a\nb\n"
        first = recorder.places("send")[0]
        assert len([place for place in recorder.places("observe") if place < first]) == 0


@pytest.mark.parametrize("act", ["send", "keys"])
def test_whatever_is_sent_ends_the_readiness(recorder: Recorder, act: str) -> None:
    """What was ready before may be anything now."""
    talk = recorder.talk
    readiness = recorder.do(talk.wait_ready(9.0))
    before = talk.state.ready, talk.state.last_changes
    assert before == (readiness, talk.state.last_changes)
    recorder.do(talk.send("less", enter=True) if act == "send" else talk.keys(("x",)))
    assert talk.state.ready is None
    assert talk.state.last_changes is not before[1]


def test_nothing_that_is_sent_leaves_all_as_it_was(recorder: Recorder) -> None:
    """No keys are no reason to wait."""
    talk = recorder.talk
    recorder.do(talk.wait_ready(9.0))
    before = talk.state.ready, talk.state.mark, talk.state.last_changes
    recorder.do(talk.keys(()))
    assert (talk.state.ready, talk.state.mark, talk.state.last_changes) == before


def test_a_pane_that_was_not_ready_is_asked_again(recorder: Recorder) -> None:
    """A full-screen program takes no command; once it was left, the shell does."""
    talk = recorder.talk
    recorder.do(talk.send("less", enter=True))
    assert recorder.do(talk.wait_ready(9.0)).outcome is Outcome.FULLSCREEN
    with pytest.raises(PaneBusyError, match="the pane takes no command; less has drawn its screen"):
        recorder.do(talk.run("ls", 9.0))
    recorder.terminal.send(recorder.pane, KeySequence.keys("q"))
    assert recorder.do(talk.run("ls", 9.0)).output == "a\nb\n"


def test_the_time_is_that_of_all_lines(recorder: Recorder) -> None:
    """It runs from before the first one; the lines that follow are not typed."""
    result = recorder.do(recorder.talk.run("slow\nslow\nslow\nls", 5.0))
    assert result.readiness.outcome is Outcome.TIMEOUT
    assert 5.0 <= recorder.terminal.clock.now() < 5.1
    assert (result.output, result.complete) == ("done\ndone\n", False)
    typed = [str(sent.keys) for sent in recorder.terminal.sent()]
    assert typed == ["'slow' + Enter"] * 3


def quoting(tty: FakeTty) -> Run:
    """Play a shell that wants more while a line ends with a backslash."""
    line = ""
    while True:
        tty.write("> " if line else "$ ")
        line += yield ReadLine(raw=True)
        if not line.endswith("\\"):
            tty.write(f"{line}\n")
            line = ""


@pytest.mark.parametrize("command", ["a\\\nb", "a\\\r\nb\r\n"])
def test_a_command_of_several_lines(command: str) -> None:
    """Each is typed once the shell asks for it, and the output is that of all."""
    recorder = Recorder(quoting)
    for _ in range(2):
        result = recorder.do(recorder.talk.run(command, 9.0))
        assert (result.output, result.complete) == ("a\\b\n", True)
        assert result.readiness.outcome is Outcome.PROMPT


def test_half_a_command_is_not_complete() -> None:
    """The shell wants the rest, which is no command; the prompt is known all the time."""
    recorder = Recorder(quoting)
    half = recorder.do(recorder.talk.run("a\\", 9.0))
    assert (half.output, half.complete) == ("", False)
    assert half.readiness.outcome is Outcome.CONTINUATION
    assert recorder.talk.state.prompt == Prompt("$ ", 1000, more="> ")
    with pytest.raises(
        PaneBusyError, match=r"'>' asks for the rest; send\(\) types it, keys\('C-c'"
    ):
        recorder.do(recorder.talk.run("ls", 9.0))
    recorder.do(recorder.talk.send("b", enter=True))
    assert recorder.do(recorder.talk.wait_ready(9.0)).outcome is Outcome.PROMPT


@pytest.mark.parametrize(
    ("command", "history"), [("ls", [0]), ("flood", [0, 297])], ids=["short", "long"]
)
def test_the_history_is_read_only_if_it_is_needed(
    recorder: Recorder, command: str, history: list[int]
) -> None:
    """Output that did not scroll off the screen is read from the screen, and never too much."""
    recorder.do(recorder.talk.run(command, 9.0))
    assert sorted({*recorder.terminal.looks}) == history


def test_output_before_the_prompt_is_none_of_it(recorder: Recorder) -> None:
    """A prompt that is known is told apart from what was printed before it without a break."""
    talk = recorder.talk
    recorder.do(talk.wait_ready(9.0))
    result = recorder.do(talk.run("no-break", 9.0))
    assert (result.output, talk.state.prompt) == ("x", Prompt("$ ", 1000))
    assert result.readiness.screen.before_cursor == "x$ "


def test_the_prompt_of_another_program_is_another(recorder: Recorder) -> None:
    """And the shell's is back with the shell."""
    talk = recorder.talk
    recorder.do(talk.run("python", 9.0))
    assert talk.state.prompt == Prompt(">>> ", 1001)
    recorder.do(talk.keys(("C-d",)))
    recorder.do(talk.wait_ready(9.0))
    assert talk.state.prompt is not None
    assert talk.state.prompt.pid == 1000


def test_what_is_no_prompt_does_not_change_the_known_one(recorder: Recorder) -> None:
    """A program that just reads shows none."""
    talk = recorder.talk
    recorder.do(talk.wait_ready(9.0))
    recorder.do(talk.send("mute", enter=True))
    assert recorder.do(talk.wait_ready(9.0)).outcome is Outcome.AWAITING_INPUT
    assert talk.state.prompt == Prompt("$ ", 1000)


@pytest.mark.parametrize(
    ("command", "lines"),
    [
        ("", [""]),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\r\nb\rc\nd", ["a", "b", "c", "d"]),
        ("\n", [""]),
        ("a\n\n", ["a", ""]),
        ("\na", ["", "a"]),
        ("a\vb", ["a\vb"]),
    ],
)
def test_lines_of_a_command(command: str, lines: list[str]) -> None:
    """A break at the end begins no other line, and every kind of break is one."""
    assert lines_of(command) == lines


EDITING = attrs.evolve(AT_PROMPT, edits=True, stack=7, depth=5)


def waited(
    *texts: str,
    pattern: str | None = None,
    strategy: ReadinessStrategy | None = None,
    typed: str = "",
) -> ConsolePlans:
    """Wait in a shell that shows these texts, one below another; a line is typed in between."""
    rows = ["", *texts]
    frames = [
        Frame(
            float(at),
            attrs.evolve(screen("\n".join(rows[: at + 2])), command="bash"),
            attrs.evolve(EDITING, wakeups=at),
        )
        for at in range(len(texts))
    ]
    terminal = ScriptedTerminal(*frames)
    talk = ConsolePlans(ConsoleState(PANE, strategy=strategy))
    for at in range(len(texts)):
        terminal.clock.sleep(max(at - terminal.clock.now(), 0.0))
        drive(talk.wait_ready(0.9, pattern), terminal)
        drive(talk.keys((KeySequence.text(typed) + KeySequence.keys("Enter"),)), terminal)
    return talk


@pytest.mark.parametrize(
    ("texts", "place"),
    [
        (["ready "], (7, 5)),
        (["$ "], (7, 5)),
        (["what now? "], None),
        (["> "], None),
        (["what now? ", "what now? "], (7, 5)),
    ],
)
def test_where_a_shell_reads_commands(texts: list[str], place: tuple[int, int] | None) -> None:
    """It is where a prompt was found, unless the first may be a question, or asked for the rest."""
    prompt = waited(*texts).state.prompt
    assert prompt == Prompt(texts[-1], 10, place)


def test_what_asks_for_the_rest() -> None:
    """It is remembered with the prompt; bash always shows the same."""
    talk = waited("$ ", "+ ", typed="echo 'a")
    assert talk.state.prompt == Prompt("$ ", 10, (7, 5), more="+ ")
    assert waited("+ ", strategy=ContinuationStrategy()).state.prompt is None


def test_what_somebody_else_calls_a_prompt() -> None:
    """It may stand anywhere."""
    for talk in (waited("Name: ", pattern="Name:"), waited("x$ ", strategy=PromptStrategy())):
        assert talk.state.prompt is not None
        assert talk.state.prompt.read_site is None


@pytest.mark.parametrize(
    ("keys", "continues", "typed"),
    [
        (["Enter"], True, ""),
        (["q", "x", "Enter"], True, "qx"),
        (["Up", "x", "Enter"], True, None),
        (["Enter", "x", "Enter"], None, "x"),
        (["q", "C-c"], False, ""),
    ],
)
def test_what_is_known_of_a_line(
    keys: list[str], typed: str | None, *, continues: bool | None
) -> None:
    """A mark tells all of it, and what the last wait has found where it begins."""
    talk = waited("$ ", "> ")
    assert talk.state.mark is not None
    assert talk.state.mark.continues is False
    terminal = ScriptedTerminal(Frame(0, screen("$ \n> "), EDITING))
    talk.state.continues = True
    for key in keys:
        drive(talk.keys((key,)), terminal)
    assert (talk.state.mark.continues, talk.state.mark.line) == (continues, typed)


# Going on with a command: `Console.resume`, `idle_timeout`, and `Console.interrupt`.

SLOW_SHELL = ScriptedShell(
    {
        "make": ["one", after(60.0, "two")],
        "drip": [after(5.0, str(number)) for number in range(5)],
        "fail": [after(5.0), crash("no", status=3)],
        "flood": [after(5.0, "\n".join(map(str, range(300)))), after(5.0, "end")],
        "ask": question("Sure? ", lambda said: f"you said {said}"),
        "hang": after(1e6),
        "python": repl(str.upper),
    }
)


def console(*, evidence: bool = True) -> Console:
    """Return a console on a shell with commands that take their time."""
    terminal = FakeTerminal(programs={"sh": SLOW_SHELL}, evidence=evidence)
    return Console(terminal, terminal.open("sh"))


@pytest.mark.parametrize("evidence", [True, False])
def test_a_command_whose_time_is_up_is_resumed(evidence: bool) -> None:  # noqa: FBT001  # a case of the table
    """Each time with all of the output so far, until it has ended."""
    pane = console(evidence=evidence)
    result = pane.run("make", 10.0)
    assert (result.output, result.complete) == ("one\n", False)
    result = pane.resume(10.0)
    assert (result.output, result.complete) == ("one\n", False)
    result = pane.resume(60.0)
    assert (result.output, result.complete) == ("one\ntwo\n", True)
    assert result.readiness.outcome is Outcome.PROMPT


def test_output_that_has_scrolled_away_is_there_in_the_end() -> None:
    """As it is behind a `run` that had the time."""
    pane = console()
    pane.run("flood", 7.0)
    result = pane.resume()
    assert result.output == "".join(f"{number}\n" for number in range(300)) + "end\n"
    assert result.complete


def test_the_lines_before_are_in_the_output() -> None:
    """Those of the same command."""
    pane = console()
    pane.run("echo a\nmake", 10.0)
    assert pane.resume(60.0).output == "a\none\ntwo\n"


def test_the_mark_is_that_of_the_first_line() -> None:
    """From there on the pane may be read at any time."""
    pane = console()
    mark = pane.run("echo a\nmake", 10.0).mark
    assert mark is not None
    assert pane.read(since=mark).startswith("a\n")
    assert pane.resume(60.0).mark == mark


def test_an_answer_stands_in_the_output() -> None:
    """So that is not exactly the command's."""
    pane = console()
    pane.run("ask")
    pane.send("y")
    result = pane.resume()
    assert (result.output, result.complete) == ("Sure? y\nyou said y\n", False)
    assert result.doubt == "the answers to its questions are a part of it"


def test_what_another_has_run_meanwhile_is_seen() -> None:
    """By the prompt that stands in the output."""
    pane = console()
    pane.run("make", 10.0)
    other = Console(pane.terminal, pane.pane)
    other.wait_ready(60.0)
    other.run("echo b")
    result = pane.resume()
    assert result.output == "one\ntwo\n$ echo b\nb\n"
    assert not result.complete


def test_lines_that_were_not_typed_are_not_typed_now() -> None:
    """A question stood between."""
    pane = console()
    pane.run("ask\necho b")
    pane.send("y")
    result = pane.resume()
    assert "not typed" in result.doubt
    assert "echo b" not in pane.read()


@pytest.mark.parametrize("command", ["", "echo a"])
def test_there_may_be_nothing_to_resume(command: str) -> None:
    """No command, or one that has ended."""
    pane = console()
    if command:
        pane.run(command)
    with pytest.raises(PaneBusyError, match="no command of run"):
        pane.resume()


def test_a_repl_that_was_begun_has_not_ended() -> None:
    """It has when the shell is back."""
    pane = console()
    assert "shows a prompt" in pane.run("python").doubt
    assert "shows a prompt" in pane.resume().doubt
    pane.keys("C-d")
    assert pane.resume().readiness.outcome is Outcome.PROMPT


def test_the_exit_status_is_asked_for_in_the_end() -> None:
    """If the run was to, and nobody has typed anything since."""
    pane = console()
    assert pane.run("fail", 1.0, exit_status=True).exit_status is None
    result = pane.resume()
    assert (result.output, result.exit_status) == ("no\n", 3)
    pane.run("ask", exit_status=True)
    pane.send("y")
    assert pane.resume().exit_status == 0


def test_a_command_is_checked() -> None:
    """Whether it has ended, and its exit status, which is asked for."""
    assert console().run("echo fine", check=True).exit_status == 0
    pane = console()
    with pytest.raises(CommandError, match=r"'fail' has not ended .*timed out after 1 s") as caught:
        pane.run("fail", 1.0, check=True)
    assert not caught.value.result.has_ended
    assert pane.resume().exit_status == 3
    with pytest.raises(
        CommandError, match=r"'fail' ended with exit status 3; .*\n  \| no"
    ) as caught:
        pane.run("fail", check=True)
    assert caught.value.result.output == "no\n"


def test_a_command_is_checked_from_asyncio() -> None:
    """By the same rule."""

    async def run() -> int | None:
        terminal = AsyncFakeTerminal(FakeTerminal(programs={"sh": SLOW_SHELL}))
        pane = AsyncConsole(terminal, await terminal.open("sh"))
        with pytest.raises(CommandError, match="exit status 3"):
            await pane.run("fail", check=True)
        return (await pane.run("echo fine", check=True)).exit_status

    assert asyncio.run(run()) == 0


def test_a_status_that_is_not_known_is_not_0() -> None:
    """A job in the background prints beside the answer of the shell."""
    shell = ScriptedShell({"make": "made", "echo $?": "0\n[1]+ Done"})
    terminal = FakeTerminal(programs={"sh": shell})
    with pytest.raises(CommandError, match="did not report its exit status"):
        Console(terminal, terminal.open("sh")).run("make", check=True)


@pytest.mark.parametrize(
    ("command", "is_true", "shown"),
    [
        ("echo fine", True, "CommandResult('fine\\n', complete=True, exit_status=0)"),
        ("fail", False, "CommandResult('no\\n', complete=True, exit_status=3)"),
        (
            "hang",
            False,
            "CommandResult('', complete=False, doubt='the command has not ended', outcome=TIMEOUT)",
        ),
        (
            "ask",
            False,
            "CommandResult('Sure? ', complete=False, doubt='the command has not ended',",
        ),
        ("exit", False, "CommandResult('$ ', complete=False, doubt="),
    ],
)
def test_a_result_in_one_line(command: str, shown: str, *, is_true: bool) -> None:
    """It is its output, and true if the command has ended well, as far as is known."""
    result = console().run(command, exit_status=True)
    assert bool(result) is is_true
    assert str(result) == result.output
    assert repr(result).startswith(shown)


def test_a_long_result_in_one_line() -> None:
    """The beginning of the output is shown."""
    result = console().run(f"echo {'x' * 70}")
    assert repr(result) == f"CommandResult('{'x' * 60}...', complete=True)"
    assert result  # its status was not asked for


def test_quiet_ends_a_wait_without_output() -> None:
    """Not one in which something is printed all the time."""
    pane = console()
    result = pane.run("drip", idle_timeout=6.0)
    assert result.readiness.outcome is Outcome.PROMPT
    assert result.complete
    result = pane.run("make", 300.0, idle_timeout=6.0)
    assert result.readiness.outcome is Outcome.TIMEOUT
    assert result.readiness.reason.startswith("no output for 6 s; ")
    assert 6.0 <= result.readiness.elapsed < 8.0
    assert not result.complete
    assert pane.resume(300.0, idle_timeout=6.0).readiness.outcome is Outcome.TIMEOUT
    assert pane.resume(300.0, idle_timeout=60.0).output == "one\ntwo\n"


@pytest.mark.parametrize("idle_timeout", [0, -1.0, float("nan"), "3"])
def test_quiet_is_a_number_of_seconds(idle_timeout: float) -> None:
    """Anything else is refused before the command is typed."""
    pane = console()
    with pytest.raises(InvalidStrategyError, match="idle_timeout is more than 0 seconds, got"):
        pane.run("make", idle_timeout=idle_timeout)
    assert "make" not in pane.read()


def test_a_time_limit_says_which_time_is_up() -> None:
    """The longest wait, or the longest silence, whichever is first."""
    limit = TimeoutStrategy(10.0, idle_timeout=3.0)
    snapshot = Snapshot(screen=screen(), elapsed=5.0, unchanged_for=2.0)
    assert str(limit.assess(snapshot)) == "pass: there is time left"
    assert limit.assess(snapshot).again_in == pytest.approx(1.0)  # type: ignore[union-attr]  # a Busy
    snapshot = attrs.evolve(snapshot, unchanged_for=3.0, silent_for=3.0)
    assert str(limit.assess(snapshot)) == "ready (timed out): no output for 3 s"
    snapshot = attrs.evolve(snapshot, elapsed=10.0)
    assert str(limit.assess(snapshot)) == "ready (timed out): timed out after 10 s"


def test_interrupt_ends_a_command() -> None:
    """The shell is back, and what was printed is still to be had."""
    pane = console()
    pane.run("make", 10.0)
    assert pane.interrupt().outcome is Outcome.PROMPT
    result = pane.resume()
    assert result.output == "one\n^C\n"
    assert not result.complete
    assert result.doubt.endswith("its echo '^C' is a part of it")
    assert pane.run("echo a").output == "a\n"


def test_interrupt_from_another_task() -> None:
    """The task that waits gets what is there then."""

    async def run() -> tuple[CommandResult, Readiness, CommandResult]:
        terminal = AsyncFakeTerminal(FakeTerminal(programs={"sh": SLOW_SHELL}))
        pane = AsyncConsole(terminal, await terminal.open("sh"))
        await pane.run("true")

        async def later() -> Readiness:
            await terminal.clock.sleep(20.0)
            return await pane.interrupt()

        result, readiness = await asyncio.gather(pane.run("hang", 300.0), later())
        return result, readiness, await pane.run("echo a")

    result, readiness, after_it = asyncio.run(run())
    assert (result.output, result.readiness.outcome) == ("^C\n", Outcome.PROMPT)
    assert readiness.outcome is Outcome.PROMPT
    assert (after_it.output, after_it.complete) == ("a\n", True)


@pytest.mark.parametrize(("step", "complete"), [("probe", True), ("send", False)])
def test_interrupt_while_a_run_begins(
    monkeypatch: pytest.MonkeyPatch, step: str, *, complete: bool
) -> None:
    """It looks again for the prompt; what is typed while C-c is pressed may lose its beginning."""
    pane = console()
    carry_out = getattr(FakeTerminal, step)

    def pressed_meanwhile(*args: object, **more: object) -> object:
        monkeypatch.setattr(FakeTerminal, step, carry_out)
        pane.interrupt()
        return carry_out(*args, **more)

    monkeypatch.setattr(FakeTerminal, step, pressed_meanwhile)
    result = pane.run("echo a")
    assert (result.output, result.complete) == ("a\n", complete)
    assert result.doubt.startswith(
        "" if complete else "C-c was pressed while the command was typed"
    )


def test_resume_from_asyncio() -> None:
    """A run that was cancelled may be resumed."""

    async def run() -> tuple[str, str]:
        terminal = AsyncFakeTerminal(FakeTerminal(programs={"sh": SLOW_SHELL}))
        pane = AsyncConsole(terminal, await terminal.open("sh"))
        await pane.run("make", 10.0)
        one = (await pane.resume(60.0, idle_timeout=100.0)).output
        task = asyncio.create_task(pane.run("make", 100.0))
        await terminal.clock.sleep(10.0)
        task.cancel()
        await asyncio.wait([task])
        return one, (await pane.resume(100.0)).output

    assert asyncio.run(run()) == ("one\ntwo\n", "one\ntwo\n")


class Signalled(FakeTerminal):
    """A terminal whose programs can be sent a signal, which ends them."""

    def interrupt_group(self, pane: Pane, group: int) -> None:
        """Note the group, and end the program."""
        self.group = group
        self.faults.kill(pane)


def test_force_sends_a_signal_where_c_c_is_a_key() -> None:
    """To the group in front, and no key."""

    def raw(tty: FakeTty) -> Run:
        tty.write("raw")
        while True:
            yield ReadKey(event_loop=True)

    for kind in (Signalled, FakeTerminal):
        terminal = kind(programs={"raw": raw}, remain_on_exit=True)
        console = Console(terminal, terminal.open("raw"))
        console.wait_for("raw")
        if isinstance(terminal, Signalled):
            assert console.interrupt(1.0, force=True).outcome is Outcome.EXITED
            assert terminal.group == 1000
        else:
            with pytest.raises(PaneBusyError, match="cannot send a signal"):
                console.interrupt(1.0, force=True)
        assert terminal.sent() == ()
