"""What a wait hears of the raw output, and that it gives the pane's pipe back."""

import asyncio
from contextlib import closing

import attrs
import pytest
from typing_extensions import override

from tests.unit.builders import AT_PROMPT, PANE, RUNNING, Frame, ScriptedTerminal
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
    TmuxprimError,
    TtyState,
)
from tmuxprim.errors import TapUnavailableError
from tmuxprim.readiness import BellStrategy, ExitStrategy, Signals, Snapshot, Verdict
from tmuxprim.testing import AsyncFakeTerminal, ScriptedShell, after


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
    assert readiness.reason == (
        f"timed out after 1 s; what it says of itself cannot be heard: {refusal}"
    )


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
    """It is heard by an asynchronous terminal, too."""
    programs = {"sh": ScriptedShell({"make": after(3.0, "done\a")})}
    strategy = ExitStrategy() | BellStrategy()

    async def hear() -> Outcome:
        terminal = AsyncFakeTerminal(FakeTerminal(programs=programs))
        console = AsyncConsole(terminal, await terminal.open("sh"))
        await console.send("make")
        return (await console.wait_ready(strategy=strategy)).outcome

    assert asyncio.run(hear()) is Outcome.MATCHED
