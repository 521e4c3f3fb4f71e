"""`watch_states`, on the fake terminal."""

import asyncio
from collections.abc import Callable
from functools import partial
from itertools import islice

import attrs
import pytest
from typing_extensions import override

from tests.unit.builders import AT_PROMPT, RUNNING, CountingClock, Frame, ScriptedTerminal, screen
from tmuxprim import (
    AsyncConsole,
    Console,
    FakeTerminal,
    InvalidPaneError,
    Pane,
    PaneNotFoundError,
    Screen,
    State,
    StateChange,
    TmuxServerError,
    TmuxTimeoutError,
    TtyState,
    async_watch_states,
    watch_states,
)
from tmuxprim._terminal import OutputHub
from tmuxprim.errors import InvalidStrategyError
from tmuxprim.readiness import ExitStrategy, Pass, ReadinessStrategy, Snapshot, Strategy
from tmuxprim.testing import (
    AsyncFakeTerminal,
    ScriptedShell,
    WrappingTerminal,
    after,
    pager,
    password,
    question,
)

SHELL = ScriptedShell(
    {
        "make": after(60.0, "done"),
        "ask": question("Continue? [y/N] "),
        "login": password("Password: "),
        "less": pager("a\nb"),
        "true": "",
        "two": after(2.0, "done"),
        "all": [
            after(5.0, "a\n"),
            question("Install? "),
            after(5.0, "b\n"),
            password("Password: "),
        ],
    }
)


def make(panes: int = 1, *, evidence: bool = True, remain_on_exit: bool = False) -> FakeTerminal:
    """Return a fake with so many shells at their prompts."""
    terminal = FakeTerminal(
        programs={"sh": SHELL},
        evidence=evidence,
        clock=CountingClock(),
        remain_on_exit=remain_on_exit,
    )
    for _ in range(panes):
        Console(terminal, terminal.open("sh")).wait_ready()
    return terminal


def plan(terminal: FakeTerminal, *acts: Callable[[], object]) -> None:
    """Plan acts for the time of the terminal, one every ten seconds."""
    for number, act in enumerate(acts):
        terminal.clock.call_later(10.0 * number + 10.0, partial(_do, act))


def _do(act: Callable[[], object]) -> None:
    act()


def types(terminal: FakeTerminal, pane: str, *lines: str) -> list[Callable[[], object]]:
    """Return acts that type a line in a pane each."""
    console = Console(terminal, pane)
    return [partial(console.send, line) for line in lines]


def edges(changes: "list[StateChange] | islice[StateChange]") -> list[tuple[str, State]]:
    """Return the pane and the state of each change."""
    return [(change.pane.target, change.now.state) for change in changes]


LIFE = ("ask", "n", "login", "hunter2", "less", "q", "true", "make")
STATES = [
    State.PROMPT,
    State.ASKING,
    State.PROMPT,
    State.SECRET,
    State.PROMPT,
    State.FULLSCREEN,
    State.PROMPT,
    State.WORKING,
]


def test_life_of_a_pane() -> None:
    """Each change is told once, in order, from the state before, soon after it has come."""
    terminal = make()
    plan(terminal, *types(terminal, "%0", *LIFE))
    changes = []
    for change in watch_states(terminal, timeout=100.0):
        assert terminal.clock.now() - change.since < 0.05
        changes.append(change)
    assert [change.now.state for change in changes] == STATES
    assert [change.before and change.before.state for change in changes[1:]] == STATES[:-1]
    assert not any(change.now.is_guess for change in changes)
    assert changes[1].now.question == "Continue? [y/N]"
    assert changes[2].lasted == pytest.approx(10.0, abs=0.1)
    assert changes[0].lasted == 0.0


def test_async_tells_the_same() -> None:
    """The same changes at the same times."""

    async def watch() -> list[StateChange]:
        fake = make()
        plan(fake, *types(fake, "%0", *LIFE))
        terminal = AsyncFakeTerminal(fake)
        return [change async for change in async_watch_states(terminal, timeout=100.0)]

    fake = make()
    plan(fake, *types(fake, "%0", *LIFE))
    changes = list(watch_states(fake, timeout=100.0))
    found = asyncio.run(watch())
    assert [str(change) for change in found] == [str(change) for change in changes]
    assert [one.since for one in found] == pytest.approx([one.since for one in changes], abs=0.03)


def test_many_panes() -> None:
    """Each is told for itself; the others are not told again."""
    terminal = make(40)
    plan(terminal, *types(terminal, "%17", "make"), *types(terminal, "%3", "ask"))
    changes = list(watch_states(terminal, timeout=40.0))
    assert edges(changes[:40]) == [(pane.target, State.PROMPT) for pane in terminal.panes()]
    assert edges(changes[40:]) == [("%17", State.WORKING), ("%3", State.ASKING)]
    assert all(change.since % 10.0 < 0.1 for change in changes[40:])


def test_panes_that_come_and_go() -> None:
    """A pane that is opened later is found; with the last one the watch ends by an error."""
    terminal = make()
    plan(
        terminal,
        lambda: terminal.open("sh"),
        lambda: terminal.close(terminal.panes()[0]),
        lambda: terminal.close(terminal.panes()[0]),
    )
    changes = watch_states(terminal)
    expected = [
        *(("%0", State.PROMPT), ("%1", State.PROMPT)),
        *(("%0", State.EXITED), ("%1", State.EXITED)),
    ]
    assert edges(islice(changes, 4)) == expected
    with pytest.raises(TmuxServerError, match="no pane is left"):
        next(changes)


def test_panes_that_are_named() -> None:
    """Only those are watched, and the watch ends with the last of them."""
    terminal = make(3)
    terminal.open("sh", name="work")
    plan(
        terminal,
        lambda: terminal.close(terminal.panes()[1]),
        lambda: Console(terminal, "%2").send("make"),
        lambda: terminal.close(terminal.panes()[-1]),
    )
    states = edges(list(watch_states(terminal, ["%1", "work"])))
    assert states == [
        *(("%1", State.PROMPT), ("%3", State.PROMPT)),
        *(("%1", State.EXITED), ("%3", State.EXITED)),
    ]
    assert terminal.clock.now() < 40.0
    assert list(watch_states(terminal, [])) == []


def test_program_that_ends() -> None:
    """A pane that tmux keeps is dead, and goes on to be watched."""
    terminal = make(remain_on_exit=True)
    plan(
        terminal,
        *types(terminal, "%0", "exit"),
        lambda: terminal.close(terminal.panes()[0]),
    )
    states = [change.now.state for change in watch_states(terminal, ["%0"])]
    assert states == [State.PROMPT, State.DEAD, State.EXITED]


def test_server_that_comes_anew() -> None:
    """A pane of the same id is another pane."""
    terminal = make()

    def restart() -> None:
        terminal.faults.stop_server()
        terminal.open("sh")

    plan(terminal, restart)
    first, *others = watch_states(terminal, timeout=20.0)
    states = {change.pane.server: change.now.state for change in others}
    new = terminal.panes()[0].server
    assert states == {first.pane.server: State.EXITED, new: State.PROMPT}


def test_slow_consumer() -> None:
    """It gets the newest state, and none of those that have come and gone."""
    terminal = make()
    plan(terminal, *types(terminal, "%0", "ask", "n", "login", "x", "less"))
    changes = watch_states(terminal)
    assert next(changes).now.state is State.PROMPT
    terminal.clock.sleep(100.0)
    start = terminal.clock.now()
    assert next(changes).now.state is State.FULLSCREEN
    assert terminal.clock.now() - start < 0.4


def test_slow_terminal() -> None:
    """Work that is found in many panes at once is told before their screens are looked at again."""

    class Slow(WrappingTerminal):
        is_slow = False

        @override
        def observe(self, pane: Pane, *, history: int = 0, styled: bool = False) -> Screen:
            self.clock.sleep(0.1 if self.is_slow else 0.0)
            return super().observe(pane, history=history, styled=styled)

        def watch_outputs(self) -> OutputHub:
            return terminal.watch_outputs()

    terminal = make(24)
    slow = Slow(terminal)
    changes = watch_states(slow, timeout=6.0)
    assert len(list(islice(changes, 24))) == 24
    slow.is_slow = True
    for pane in terminal.panes():
        Console(terminal, pane).send("two")
    told = [change.pane for change in changes if change.now.state is State.WORKING]
    assert len(set(told)) == len(told) >= 16


def test_quick_command_is_no_change() -> None:
    """Enter and a command that ends at once."""
    terminal = make()
    plan(terminal, *types(terminal, "%0", "", "true", ""))
    assert [change.now.state for change in watch_states(terminal, timeout=60.0)] == [State.PROMPT]


def test_without_evidence() -> None:
    """The screen alone decides, and all is a guess, told when a wait would end by it."""
    terminal = make(evidence=False)
    plan(terminal, *types(terminal, "%0", "ask", "n"))
    changes = list(watch_states(terminal, timeout=60.0))
    assert [change.now.state for change in changes] == [State.PROMPT, State.IDLE, State.PROMPT]
    assert all(change.now.is_guess for change in changes)
    assert all(change.since % 10.0 < 5.0 for change in changes)


def test_idle_pane_costs_little() -> None:
    """A minute takes some ten questions a second, and few screens."""
    terminal = ScriptedTerminal(Frame(0.0, screen("$ "), AT_PROMPT))
    (change,) = watch_states(terminal, timeout=60.0)  # type: ignore[arg-type]
    assert change.now.state is State.PROMPT
    assert terminal.probes < 60 * 15
    assert terminal.looks < 60 * 3


def test_idle_panes_cost_less_each() -> None:
    """Where many line editors wait, the kernel is asked seldom, and tmux hardly."""

    class Counting(WrappingTerminal):
        looks = probes = 0

        @override
        def observe(self, pane: Pane, *, history: int = 0, styled: bool = False) -> Screen:
            self.looks += 1
            return super().observe(pane, history=history, styled=styled)

        @override
        def probe(self, pane: Pane) -> TtyState | None:
            self.probes += 1
            return super().probe(pane)

        def watch_outputs(self) -> OutputHub:
            return terminal.watch_outputs()

    terminal = make(60)
    counting = Counting(terminal)
    changes = watch_states(counting, timeout=100.0)
    assert len(list(islice(changes, 60))) == 60
    counting.looks = counting.probes = 0
    assert list(changes) == []
    assert counting.looks <= 60 * 2
    assert counting.probes < 60 * 100 / 0.8


def test_terminal_without_a_hub() -> None:
    """It is polled, so that a change is told a little later."""
    fake = make()
    plan(fake, *types(fake, "%0", *LIFE))
    states = [change.now.state for change in watch_states(WrappingTerminal(fake), timeout=100.0)]
    assert states == STATES


def test_hub_that_reports_a_pane_of_before() -> None:
    """It is ignored."""

    class Hub:
        def add(self, pane: Pane) -> bool:
            """Watch nothing."""
            return bool(pane)

        def wait(self, seconds: float) -> list[Pane]:
            """Let time pass."""
            fake.clock.sleep(seconds)
            return [Pane("%99")]

        def close(self) -> None:
            """Note it."""
            closed.append(True)

    class HasHub(WrappingTerminal):
        def watch_outputs(self) -> Hub:
            """Return the hub."""
            return Hub()

    closed: list[bool] = []
    fake = make()
    (change,) = watch_states(HasHub(fake), timeout=5.0)
    assert change.now.state is State.PROMPT
    assert closed == [True]


def test_program_that_is_started_in_place_of_another() -> None:
    """The end of the one before is told, and then the state of the new one."""
    shown = screen("$ ")
    terminal = ScriptedTerminal(
        Frame(0.0, attrs.evolve(shown, pane_pid=10), AT_PROMPT),
        Frame(5.0, attrs.evolve(shown, pane_pid=11, command="make"), RUNNING),
        Frame(9.0, None),
    )
    states = [change.now.state for change in watch_states(terminal, ["%7"])]  # type: ignore[arg-type]
    assert states == [State.PROMPT, State.EXITED, State.WORKING, State.EXITED]


def test_pane_that_is_gone_before_it_was_seen() -> None:
    """An id without a pane has exited; a name is an error."""
    terminal = make(2)
    pane = terminal.panes()[0]
    terminal.close(pane)
    (change,) = watch_states(terminal, [pane])
    assert (change.before, change.now.state) == (None, State.EXITED)
    with pytest.raises(PaneNotFoundError):
        next(watch_states(terminal, ["nobody"]))
    with pytest.raises(TmuxServerError):
        next(watch_states(FakeTerminal()))


def test_server_that_hangs() -> None:
    """The timeout is raised; the watch can go on."""
    terminal = make()
    changes = watch_states(terminal)
    assert next(changes).now.state is State.PROMPT
    terminal.faults.hang(8.0)
    with pytest.raises(TmuxTimeoutError):
        next(changes)
    plan(terminal, *types(terminal, "%0", "make"))
    assert next(changes).now.state is State.WORKING


def test_watch_that_is_closed() -> None:
    """It ends by hand, by a with block and by itself; twice is no error."""
    terminal = make()
    with watch_states(terminal, ["%0"], timeout=5.0) as changes:
        assert next(changes).now.state is State.PROMPT
    changes.close()
    assert list(changes) == []
    assert list(changes) == []


def test_cancelled_step_loses_nothing() -> None:
    """The next one goes on where it was."""

    async def watch() -> list[State]:
        fake = make()
        terminal = AsyncFakeTerminal(fake)
        found: list[State] = []
        async with async_watch_states(terminal) as changes:
            found.append((await anext(changes)).now.state)
            step = asyncio.ensure_future(anext(changes))
            await terminal.clock.sleep(5.0)
            step.cancel()
            await asyncio.wait([step])
            await AsyncConsole(terminal, "%0").send("ask")
            found.append((await anext(changes)).now.state)
        return found

    assert asyncio.run(watch()) == [State.PROMPT, State.ASKING]


def test_strategy_of_the_users_own() -> None:
    """It decides instead; one that reads the raw output gets it."""

    class Hears(Strategy):
        hears_signals = True

        @override
        def assess(self, snapshot: Snapshot) -> Pass:
            """Note what it is given."""
            heard.append(snapshot.signals.unavailable)
            return Pass("it only listens")

    heard: list[str] = []
    terminal = make()
    strategies: list[ReadinessStrategy] = [ExitStrategy(), Hears()]
    for strategy in strategies:
        (change,) = watch_states(terminal, timeout=2.0, strategy=strategy)
        assert (change.now.state, change.now.is_guess) == (State.WORKING, True)
    assert set(heard) == {""}
    terminal.tap(terminal.panes()[0]).close()


def test_bad_arguments() -> None:
    """They are refused before the first step."""
    terminal = make()
    with pytest.raises(InvalidPaneError):
        watch_states(terminal, ["%x"])
    with pytest.raises(InvalidStrategyError):
        watch_states(terminal, timeout=-1.0)
    with pytest.raises(InvalidStrategyError):
        watch_states(terminal, strategy=ExitStrategy)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="use async_watch_states"):
        watch_states(AsyncFakeTerminal())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="use watch_states"):
        async_watch_states(FakeTerminal())  # type: ignore[arg-type]
