"""The wait engine: how a wait ends, and what it tells."""

import attrs
import pytest
from typing_extensions import override

from tests.unit.builders import (
    AT_PROMPT,
    MARK,
    RUNNING,
    Frame,
    ScriptedTerminal,
)
from tests.unit.waiting import DONE, MAKING, Never, wait
from tmuxprim import (
    Console,
    Outcome,
    Pane,
    PaneNotFoundError,
    Screen,
    TimeoutStrategy,
    TmuxTimeoutError,
    TtyState,
)
from tmuxprim._engine.wait import Stillness
from tmuxprim.errors import InvalidStrategyError
from tmuxprim.readiness import Chain
from tmuxprim.testing import FakeTerminal, ScriptedShell, after


def test_ready_pane_needs_no_time() -> None:
    """With ``timeout=0`` a pane that is ready is ready, also if it has to be seen twice."""
    for shown, looks in ((attrs.evolve(DONE, caught_up=True), 1), (DONE, 2)):
        terminal = ScriptedTerminal(Frame(0, shown, AT_PROMPT))
        readiness = wait(terminal, timeout=0, mark=MARK)
        assert (readiness.outcome, readiness.elapsed) == (Outcome.PROMPT, 0)
        assert (terminal.looks, terminal.clock.sleeps) == (looks, 0)


def test_busy_pane_with_no_time() -> None:
    """With ``timeout=0`` a pane that is not ready has timed out at once, after one snapshot."""
    terminal = ScriptedTerminal(Frame(0, MAKING, RUNNING))
    readiness = wait(terminal, timeout=0, mark=MARK)
    assert (readiness.outcome, readiness.elapsed) == (Outcome.TIMEOUT, 0)
    assert terminal.looks == 1


def test_one_more_look_after_the_deadline() -> None:
    """What becomes ready in the last moment is found, since the last snapshot is the latest."""
    frames = Frame(0, MAKING, RUNNING), Frame(1, DONE, RUNNING)
    strategy = Never(again_in=1000)
    readiness = wait(ScriptedTerminal(*frames), timeout=1, mark=MARK, strategy=strategy)
    assert strategy.looks[-1].elapsed >= 1
    assert readiness.screen == strategy.looks[-1].screen == DONE


def test_timeout_is_kept() -> None:
    """The wait is over with the time, and not a pause later."""
    terminal = ScriptedTerminal(Frame(0, MAKING, RUNNING))
    readiness = wait(terminal, timeout=1.25, mark=MARK)
    assert 1.25 <= readiness.elapsed < 1.251
    assert readiness.elapsed == terminal.clock.now()


@pytest.mark.parametrize("start", [0.3, 1.9, 12345.6])
def test_timeout_is_kept_on_any_clock(start: float) -> None:
    """A time limit comes whatever the time is, although sums of seconds are rounded."""
    for milliseconds in range(700, 720):
        terminal = ScriptedTerminal(Frame(0, MAKING, RUNNING))
        terminal.clock.sleep(start)
        readiness = wait(terminal, timeout=milliseconds / 1000, mark=MARK)
        assert 0 <= readiness.elapsed - milliseconds / 1000 < 0.001


def test_endless_timeout() -> None:
    """A wait may take as long as it takes."""
    terminal = ScriptedTerminal(Frame(0, MAKING, RUNNING), Frame(90, DONE, AT_PROMPT))
    readiness = wait(terminal, timeout=float("inf"), mark=MARK)
    assert readiness.outcome is Outcome.PROMPT
    assert 90 <= readiness.elapsed < 90.011


@pytest.mark.parametrize("timeout", [-1, float("nan"), "10", b"1"])
def test_timeout_refused(timeout: float) -> None:
    """What is no number of seconds is refused before anything is asked."""
    terminal = ScriptedTerminal(Frame(0, DONE, AT_PROMPT))
    with pytest.raises(InvalidStrategyError) as caught:
        wait(terminal, timeout=timeout)
    assert str(caught.value) == f"a timeout is 0 or more seconds, got {timeout!r}"
    assert terminal.probes == 0


class HangingTerminal(ScriptedTerminal):
    """Answers some looks, and of all others says after five seconds that tmux does not."""

    answers = 1

    @override
    def observe(self, pane: Pane, *, history: int = 0) -> Screen:
        """Return the first screen."""
        if self.looks == self.answers:
            self.clock.sleep(5.0)
            raise TmuxTimeoutError("tmux did not answer within 5 s")
        return super().observe(pane, history=history)


def test_timeout_with_a_terminal_that_hangs() -> None:
    """A terminal that hangs while it is waited for is a timeout, with the last screen."""
    terminal = HangingTerminal(Frame(0, MAKING))
    terminal.clock.sleep(1024)
    readiness = wait(terminal, timeout=1)
    assert (readiness.outcome, readiness.strategy) == (Outcome.TIMEOUT, "TimeoutStrategy")
    assert readiness.reason == "the pane cannot be seen: tmux did not answer within 5 s"
    assert readiness.screen == MAKING
    assert readiness.elapsed == pytest.approx(5.05, abs=0.001)


def test_hanging_terminal_whose_pane_was_seen_before() -> None:
    """The screen of the mark is the last one if there was none since."""
    terminal = HangingTerminal(Frame(0, MAKING))
    terminal.answers = 0
    readiness = wait(terminal, timeout=1, mark=MARK)
    assert (readiness.outcome, readiness.screen) == (Outcome.TIMEOUT, MARK.screen)


def test_hanging_terminal_whose_pane_was_never_seen() -> None:
    """Without any screen there is nothing to return, and the error of the terminal is raised."""
    terminal = HangingTerminal(Frame(0, MAKING))
    terminal.answers = 0
    with pytest.raises(TmuxTimeoutError, match="tmux did not answer within 5 s"):
        wait(terminal, timeout=1)


def test_timeout_tells_what_was_awaited_and_seen() -> None:
    """A timeout's reason says why the pane was not ready, and its text shows the screen."""
    terminal = ScriptedTerminal(Frame(0, attrs.evolve(MAKING, command="make"), RUNNING))
    readiness = wait(terminal, timeout=0.5, mark=MARK)
    assert readiness.strategy == "TimeoutStrategy"
    assert readiness.reason == ("timed out after 0.5 s; make runs and does not read")
    assert str(readiness) == (
        f"not ready after 0.500 s: {readiness.reason} (timed out, TimeoutStrategy)\n"
        "  ExitStrategy said pass: the program lives\n"
        "  ModeStrategy said pass: keys reach the program\n"
        "  ForegroundStrategy said busy: make runs and does not read\n"
        "  | $ make"
    )


def test_timeout_of_a_strategy_alone() -> None:
    """A strategy's own time limit counts, and there is nothing to say but that it came."""
    terminal = ScriptedTerminal(Frame(0, MAKING, RUNNING))
    readiness = wait(terminal, timeout=60, strategy=TimeoutStrategy(0.5))
    assert readiness.reason == "timed out after 0.5 s"
    assert 0.5 <= readiness.elapsed < 0.511


def test_pane_that_vanishes_has_exited() -> None:
    """A pane that was seen and is gone is an outcome, with the last screen that there was."""
    terminal = ScriptedTerminal(Frame(0, MAKING, RUNNING), Frame(0.5, None))
    readiness = wait(terminal, timeout=60, mark=MARK)
    assert (readiness.outcome, readiness.strategy) == (Outcome.EXITED, "ExitStrategy")
    assert readiness.reason == "the pane cannot be seen: no pane %7"
    assert readiness.screen == MAKING
    assert 0.5 <= readiness.elapsed < 0.52


def test_pane_that_vanished_after_the_send_has_exited() -> None:
    """A pane that was seen when something was sent to it is known to have been there."""
    readiness = wait(ScriptedTerminal(Frame(0, None)), timeout=60, mark=MARK)
    assert readiness.outcome is Outcome.EXITED
    assert readiness.screen == MARK.screen


def test_pane_that_was_never_there() -> None:
    """A pane that was never seen is an error, and not a program that ended."""
    with pytest.raises(PaneNotFoundError, match="no pane %7"):
        wait(ScriptedTerminal(Frame(0, None)), timeout=60)


def test_server_that_goes_away() -> None:
    """With its last pane a tmux server goes; that is the same to who waits for the pane."""
    terminal = FakeTerminal(programs={"sh": ScriptedShell({"bye": after(1.0)})})
    console = Console(terminal, terminal.open())
    assert console.wait_ready()
    console.send("exit")
    readiness = console.wait_ready()
    assert readiness.outcome is Outcome.EXITED
    assert readiness.reason.startswith("the pane cannot be seen: there is no tmux server")
    with pytest.raises(PaneNotFoundError):
        Console(terminal, console.pane).wait_ready()


def test_dead_pane_has_exited() -> None:
    """A pane that stays when its program has ended tells how that was."""
    terminal = FakeTerminal(remain_on_exit=True)
    console = Console(terminal, terminal.open())
    assert console.wait_ready()
    console.send("exit")
    readiness = console.wait_ready()
    assert (readiness.outcome, readiness.reason) == (
        Outcome.EXITED,
        "the program has exited with status 0",
    )


def test_dead_pane_is_given_time_for_its_status() -> None:
    """An exit status that tmux collects a moment after the death is waited for."""
    dead = attrs.evolve(MAKING, dead=True)
    frames = Frame(0, MAKING), Frame(1, dead), Frame(1.06, attrs.evolve(dead, exit_status=3))
    readiness = wait(ScriptedTerminal(*frames), timeout=60)
    assert readiness.reason == "the program has exited with status 3"


def test_pane_that_vanished_after_an_earlier_wait_has_exited() -> None:
    """What an earlier wait has seen is the last screen of the next one."""
    stillness = Stillness()
    terminal = ScriptedTerminal(Frame(0, MAKING), Frame(5, None))
    wait(terminal, timeout=1, stillness=stillness)
    terminal.clock.sleep(10)
    readiness = wait(terminal, timeout=60, stillness=stillness)
    assert (readiness.outcome, readiness.screen) == (Outcome.EXITED, MAKING)


@pytest.mark.parametrize("tty", [AT_PROMPT, None])
def test_result_has_the_evidence_it_was_found_with(tty: TtyState | None) -> None:
    """The kernel's evidence comes back with the screen that it belongs to."""
    readiness = wait(ScriptedTerminal(Frame(0, DONE, tty)), timeout=9, mark=MARK)
    assert readiness.outcome is Outcome.PROMPT
    assert (readiness.screen, readiness.tty) == (DONE, tty)


def test_chain_in_a_wait_is_flat() -> None:
    """All verdicts of the last round are told, those of a chain one by one."""
    terminal = ScriptedTerminal(Frame(0, MAKING))
    readiness = wait(terminal, timeout=0, strategy=Chain((Never(), Never())))
    assert [name for name, _ in readiness.verdicts] == ["Never", "Never", "TimeoutStrategy"]
