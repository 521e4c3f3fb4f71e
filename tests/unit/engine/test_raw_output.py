"""What raw output tells, and that the tap which takes it is closed.

It tells what a program says of itself, and how commands end in shells that report them.
"""

import asyncio
from contextlib import closing

import attrs
import pytest
from typing_extensions import override

from tests.unit.builders import AT_PROMPT, PANE, RUNNING, Frame, ScriptedTerminal
from tests.unit.engine.test_prompt_start import TWO_ROWS, Counting
from tests.unit.values.test_shell_marks import FORGED, mark
from tests.unit.waiting import DONE, MAKING, Never, wait
from tmuxprim import (
    AsyncConsole,
    Console,
    FakeTerminal,
    Outcome,
    Pane,
    PaneBusyError,
    PaneDeadError,
    PaneNotFoundError,
    Size,
    TmuxprimError,
    TtyState,
)
from tmuxprim._engine.output import BEFORE
from tmuxprim._engine.output_end import UNCLEAR
from tmuxprim._engine.prompt_start import rows_of
from tmuxprim._values.screen import Screen
from tmuxprim.errors import TapUnavailableError
from tmuxprim.readiness import (
    BellStrategy,
    ExitStrategy,
    Signals,
    SignalStrategy,
    Snapshot,
    Verdict,
    default_chain,
)
from tmuxprim.testing import (
    AsyncFakeTerminal,
    FakeTty,
    Program,
    ReadLine,
    Run,
    ScriptedShell,
    after,
)


class Hears(Never):
    """Is never ready, and hears."""

    hears_signals = True

    @property
    def heard(self) -> list[Signals]:
        """What was heard, look by look, without what was no news."""
        said = [snapshot.signals for snapshot in self.looks]
        return [new for old, new in zip([Signals(), *said], said, strict=False) if new != old]


class TappedTerminal(ScriptedTerminal):
    """Is a scripted terminal whose program says something."""

    def __init__(self, *frames: Frame, says: dict[float, str]) -> None:
        super().__init__(*frames)
        self.says = says
        self.taps = 0
        self.read_until = 0.0
        self.screen = DONE
        self.refusal: TmuxprimError | None = None

    def tap(self, pane: Pane, *_: object, **__: object) -> "TappedTerminal":
        """Return what it says."""
        assert pane == PANE
        if self.refusal:
            raise self.refusal
        self.taps += 1
        return self

    def read(self, *_: object) -> str:
        """Return what it has said since it was last asked."""
        since, self.read_until = self.read_until, self.clock.now()
        return "".join(text for at, text in self.says.items() if since <= at < self.read_until)

    @override
    def close(self, *_: object) -> None:
        """Count."""
        self.taps -= 1


def working(pid: int) -> TtyState:
    """Return what the kernel says of a program that works while it reads."""
    return attrs.evolve(AT_PROMPT, foreground_pid=pid, only_reading=False)


def test_a_wait_hears_what_its_program_says() -> None:
    """Piece by piece, and cut anywhere."""
    says = {0.5: "\x1b]7501;state=wor", 1.5: "king\a", 2.5: "\a"}
    terminal = TappedTerminal(Frame(0, DONE, working(10)), says=says)
    strategy = Hears()
    wait(terminal, timeout=4, strategy=strategy)
    working_status = Signals(status="state=working")
    assert strategy.heard == [working_status, attrs.evolve(working_status, bells=1)]
    assert terminal.taps == 0


@pytest.mark.parametrize("tty", [working(10), None])
def test_another_program_has_said_nothing(tty: TtyState | None) -> None:
    """A program that was killed does not work any more; its bell has rung."""
    says = {0.5: "\x1b]7501;state=working\a\a"}
    other = attrs.evolve(DONE, command="other")
    frames = Frame(0, DONE, tty), Frame(1, other, tty and working(11))
    strategy = Hears()
    wait(TappedTerminal(*frames, says=says), timeout=4, strategy=strategy)
    assert strategy.heard == [Signals(status="state=working", bells=1), Signals(bells=1)]


def test_nobody_who_does_not_hear_takes_the_pipe() -> None:
    """A chain without a strategy that hears opens no tap."""
    terminal = TappedTerminal(Frame(0, DONE, AT_PROMPT), says={})
    terminal.refusal = AssertionError  # type: ignore[assignment]  # is not to be raised
    assert wait(terminal, timeout=1).outcome is Outcome.PROMPT


@pytest.mark.parametrize(
    "refusal",
    [
        PaneBusyError("somebody has it"),
        PaneDeadError("it has exited"),
        TapUnavailableError("tmux is far away"),
    ],
)
def test_no_tap_is_to_be_had(refusal: TmuxprimError) -> None:
    """The wait goes on without, and its reason says why."""
    terminal = TappedTerminal(Frame(0, MAKING, RUNNING), says={})
    terminal.refusal = refusal
    readiness = wait(terminal, timeout=1, strategy=BellStrategy())
    assert readiness.reason == (f"timed out after 1 s; its reports cannot be read: {refusal}")


class Fails(Hears):
    """Cannot judge."""

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Fail."""
        raise ZeroDivisionError


def test_the_pipe_is_given_back_however_a_wait_ends() -> None:
    """By an error of a strategy, by a pane that goes, by a tap that cannot be opened."""
    terminal = TappedTerminal(Frame(0, DONE, AT_PROMPT), Frame(1, None), says={})
    with pytest.raises(ZeroDivisionError):
        wait(terminal, timeout=1, strategy=Fails())
    assert terminal.taps == 0
    assert wait(terminal, timeout=5, strategy=Hears()).outcome is Outcome.EXITED
    assert terminal.taps == 0
    terminal.refusal = PaneNotFoundError("gone")
    with pytest.raises(PaneNotFoundError):
        wait(terminal, timeout=5, strategy=Hears())
    assert terminal.taps == 0


def test_a_wait_that_is_cancelled_gives_the_pipe_back() -> None:
    """As soon as it is."""
    fake = FakeTerminal()
    pane = fake.open()

    async def give_up() -> None:
        console = AsyncConsole(AsyncFakeTerminal(fake), pane)
        waiting = asyncio.create_task(console.wait_ready(float("inf"), strategy=Hears()))
        for _ in range(50):
            await asyncio.sleep(0)
        with pytest.raises(PaneBusyError):
            fake.tap(pane)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(give_up())
    fake.tap(pane).close()


def test_it_is_heard_from_the_last_send_on() -> None:
    """What the program says before the wait begins, too, if the console's own strategy hears."""
    terminal = FakeTerminal(programs={"sh": ScriptedShell({"make": "done\a"})})
    console = Console(terminal, terminal.open("sh"), strategy=BellStrategy())
    console.send("make")
    terminal.clock.sleep(3.0)
    assert console.wait_ready(1.0).reason == "the bell has rung"
    assert console.wait_ready(1.0).outcome is Outcome.TIMEOUT  # it has not rung since
    for text in ("mak", "e"):
        console.send(text, enter=text == "e")
        with pytest.raises(PaneBusyError):
            terminal.tap(console.pane)
    assert console.wait_ready(1.0).reason == "the bell has rung"
    terminal.tap(console.pane).close()


def test_nothing_was_sent() -> None:
    """A send that fails, and a console that is thrown away, give the pipe back."""
    terminal = FakeTerminal()
    console = Console(terminal, terminal.open(), strategy=BellStrategy())
    terminal.set_input(console.pane, on=False)
    with pytest.raises(PaneBusyError, match="nothing was sent"):
        console.keys("x")
    terminal.tap(console.pane).close()
    terminal.set_input(console.pane, on=True)
    console.keys("x")
    pane = console.pane
    del console
    terminal.tap(pane).close()


def test_another_wait_has_the_pipe_meanwhile() -> None:
    """A send does not mind, and the wait for it asks again."""
    terminal = FakeTerminal(programs={"sh": ScriptedShell({"make": after(3.0, "done\a")})})
    console = Console(terminal, terminal.open("sh"), strategy=BellStrategy())
    with closing(terminal.tap(console.pane)):
        console.send("make")
    assert console.wait_ready().reason == "the bell has rung"


def test_the_bell_of_a_command() -> None:
    """An asynchronous terminal also hears the bell."""
    programs = {"sh": ScriptedShell({"make": after(3.0, "done\a")})}
    strategy = ExitStrategy() | BellStrategy()

    async def hear() -> Outcome:
        terminal = AsyncFakeTerminal(FakeTerminal(programs=programs))
        console = AsyncConsole(terminal, await terminal.open("sh"))
        await console.send("make")
        return (await console.wait_ready(strategy=strategy)).outcome

    assert asyncio.run(hear()) is Outcome.MATCHED


def test_what_is_heard_and_where_output_ends() -> None:
    """Both come out of one tap."""
    terminal = Counting(programs={"sh": TWO_ROWS})
    strategy = SignalStrategy() | default_chain()
    console = Console(terminal, terminal.open("sh"), strategy=strategy)
    results = [console.run(command) for command in ("ls", "printf abc", "true")]
    assert [result.output for result in results] == ["a\nb\n", "abc", ""]
    assert all(result.complete for result in results)
    terminal.tap(console.pane).close()  # which nobody has any more


def test_a_wait_that_goes_on_has_heard_what_was_said_meanwhile() -> None:
    """The tap is kept when the time is up, since the next wait goes on."""
    terminal = FakeTerminal(programs={"sh": ScriptedShell({"make": after(3.0, "done\a")})})
    console = Console(terminal, terminal.open("sh"))
    console.send("make")
    bell = ExitStrategy() | BellStrategy()
    assert console.wait_ready(1.0, strategy=bell).outcome is Outcome.TIMEOUT
    terminal.clock.sleep(5.0)
    assert console.wait_ready(1.0, strategy=bell).reason == "the bell has rung"
    terminal.tap(console.pane).close()


def test_an_enter_that_is_not_sent() -> None:
    """The tap that was to tell of its line is closed."""
    terminal = FakeTerminal(programs={"sh": TWO_ROWS}, evidence=False)
    console = Console(terminal, terminal.open("sh"))
    assert console.wait_ready().outcome is Outcome.PROMPT
    terminal.set_input(console.pane, on=False)
    with pytest.raises(PaneBusyError, match="nothing was sent"):
        console.keys("Enter")
    terminal.tap(console.pane).close()


def test_no_keys_at_all() -> None:
    """They begin nothing: what the tap of the line before has told holds."""
    terminal = FakeTerminal(programs={"sh": TWO_ROWS}, evidence=False)
    console = Console(terminal, terminal.open("sh"))
    assert console.wait_ready().outcome is Outcome.PROMPT
    console.send("ls")
    console.keys()
    assert "the line editor is on" in console.wait_ready().reason


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
