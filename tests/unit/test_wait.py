"""The wait engine: when it looks, what it costs, how it ends."""

import attrs
import pytest
from typing_extensions import override

from tests.unit.builders import (
    AT_PROMPT,
    MARK,
    PANE,
    RUNNING,
    Frame,
    ScriptedTerminal,
    screen,
)
from tmuxprim import (
    Chain,
    Console,
    InvalidStrategyError,
    Look,
    Mark,
    Outcome,
    Pane,
    PaneNotFoundError,
    Pass,
    Readiness,
    ReadinessStrategy,
    Screen,
    Strategy,
    TimeoutStrategy,
    TmuxServerError,
    TmuxTimeoutError,
    TtyState,
    Verdict,
    default_chain,
)
from tmuxprim._plan import drive
from tmuxprim._wait import Stillness, wait_until_ready
from tmuxprim.testing import FakeTerminal, ScriptedShell, after

DONE = screen("$ make\ndone\n$ ")
MAKING = screen("$ make\n")


def wait(
    terminal: ScriptedTerminal,
    *,
    timeout: float,
    mark: Mark | None = None,
    strategy: ReadinessStrategy | None = None,
    stillness: Stillness | None = None,
) -> Readiness:
    """Wait on the scripted pane."""
    chain = strategy or default_chain()
    plan = wait_until_ready(PANE, chain, timeout=timeout, mark=mark, stillness=stillness)
    return drive(plan, terminal)


@attrs.frozen
class Never(Strategy):
    """Is never ready, and notes each look."""

    looks: list[Look] = attrs.field(factory=list)
    again_in: float = 0.05
    when_torn: float = 10.0

    @override
    def assess(self, look: Look) -> Verdict:
        """Pass."""
        self.looks.append(look)
        return Pass("never", self.again_in if look.steady else self.when_torn)


def test_ready_pane_needs_no_time() -> None:
    """With ``timeout=0`` a pane that is ready is ready."""
    terminal = ScriptedTerminal(Frame(0, DONE, AT_PROMPT))
    readiness = wait(terminal, timeout=0, mark=MARK)
    assert (readiness.outcome, readiness.elapsed) == (Outcome.PROMPT, 0)
    assert (terminal.looks, terminal.clock.sleeps) == (1, 0)


def test_busy_pane_with_no_time() -> None:
    """With ``timeout=0`` a pane that is not ready has timed out at once, after one look."""
    terminal = ScriptedTerminal(Frame(0, MAKING, RUNNING))
    readiness = wait(terminal, timeout=0, mark=MARK)
    assert (readiness.outcome, readiness.elapsed) == (Outcome.TIMEOUT, 0)
    assert terminal.looks == 1


def test_one_more_look_after_the_deadline() -> None:
    """What becomes ready in the last moment is found, since the last look is the latest."""
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


@pytest.mark.parametrize("timeout", [-1, float("nan"), "10", None])
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
    assert readiness.reason == (
        "timed out after 0.5 s; ForegroundStrategy said busy: make runs and does not read"
    )
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
    with pytest.raises(TmuxServerError):
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


def test_ready_as_soon_as_the_kernel_tells() -> None:
    """The kernel is asked often, so a prompt is found within milliseconds."""
    terminal = ScriptedTerminal(Frame(0, MAKING, RUNNING), Frame(20.001, DONE, AT_PROMPT))
    readiness = wait(terminal, timeout=60, mark=MARK)
    assert readiness.outcome is Outcome.PROMPT
    assert 20.001 <= readiness.elapsed < 20.012


@pytest.mark.parametrize("seconds", [0.0003, 0.002, 0.02, 0.1])
def test_short_wait_is_short(seconds: float) -> None:
    """The kernel is asked the more often the shorter the wait has been so far."""
    terminal = ScriptedTerminal(Frame(0, MAKING, RUNNING), Frame(1024 + seconds, DONE, AT_PROMPT))
    terminal.clock.sleep(1024)
    readiness = wait(terminal, timeout=60, mark=MARK)
    assert readiness.outcome is Outcome.PROMPT
    assert -1e-9 < readiness.elapsed - seconds < seconds * 0.06 + 0.0006


def test_cost_of_a_minute() -> None:
    """A minute's wait for a silent command asks the kernel often and the screen hardly ever."""
    terminal = ScriptedTerminal(Frame(0, MAKING, RUNNING))
    terminal.clock.sleep(1024)
    wait(terminal, timeout=60, mark=MARK)
    assert terminal.probes < 6_300
    assert terminal.looks < 65


def test_cost_of_a_minute_without_evidence() -> None:
    """Without evidence the screen is read twenty times in a second, and nothing else is asked."""
    terminal = ScriptedTerminal(Frame(0, MAKING))
    wait(terminal, timeout=60, mark=MARK)
    assert terminal.looks < 1_300
    assert terminal.probes <= 3 * terminal.looks  # two of them belong to each look


def test_cost_of_a_strategy_that_knows_when() -> None:
    """A strategy that says when to be asked again is not asked before, if nothing happens."""
    terminal, strategy = ScriptedTerminal(Frame(0, MAKING, RUNNING)), Never(again_in=10)
    wait(terminal, timeout=60, strategy=strategy)
    assert len(strategy.looks) == 7


def test_unsteady_evidence_is_looked_at_again_at_once() -> None:
    """A screen between two different states of the kernel is read again after half a millisecond.

    The first look here is torn, so the prompt on it does not count; the second one is not.
    """
    terminal = ScriptedTerminal(Frame(0, DONE, AT_PROMPT), flicker=(0, 0))
    readiness = wait(terminal, timeout=60, mark=MARK)
    assert terminal.looks == 2
    assert readiness.elapsed == pytest.approx(0.0005)


def test_unsteady_evidence_does_not_wait_for_the_strategy() -> None:
    """A torn look is no look: a strategy that is in no hurry is asked again at once, too."""
    terminal = ScriptedTerminal(Frame(0, DONE, AT_PROMPT), flicker=(0, 0))
    strategy = Never(again_in=10)
    wait(terminal, timeout=1, strategy=strategy)
    assert [look.elapsed for look in strategy.looks] == [0, 0.0005, pytest.approx(1)]


@pytest.mark.parametrize(("when_torn", "pause"), [(0.0, 0.0005), (10.0, 0.01)])
def test_cost_of_unsteady_evidence(when_torn: float, pause: float) -> None:
    """Late in a wait a torn look is followed by one within 10 ms, or sooner if that is wanted."""
    frames = Frame(0, MAKING, RUNNING), Frame(5, MAKING, AT_PROMPT)
    terminal = ScriptedTerminal(*frames, flicker=(5, 5.05))
    strategy = Never(again_in=10, when_torn=when_torn)
    wait(terminal, timeout=9, strategy=strategy)
    torn = [look for look in strategy.looks if not look.steady]
    assert len(torn) == pytest.approx(0.05 / pause, rel=0.2, abs=1)


def test_torn_prompt_is_found_at_once_late_in_a_wait() -> None:
    """A prompt that was read while the program worked is found half a millisecond later."""
    frames = Frame(0, MAKING, RUNNING), Frame(5, DONE, AT_PROMPT)
    terminal = ScriptedTerminal(*frames, flicker=(5, 5.02))
    readiness = wait(terminal, timeout=9, mark=MARK)
    assert readiness.outcome is Outcome.PROMPT
    assert 5.02 < readiness.elapsed < 5.021


@pytest.mark.parametrize(("flicker", "steady"), [(None, True), ((0, 0), False)])
def test_look_tells_whether_it_is_steady(
    flicker: tuple[float, float] | None, *, steady: bool
) -> None:
    """Strategies are told whether screen and evidence belong together."""
    terminal, strategy = ScriptedTerminal(Frame(0, DONE, AT_PROMPT), flicker=flicker), Never()
    wait(terminal, timeout=0, strategy=strategy)
    assert strategy.looks[0].steady is steady


def test_a_command_that_starts_is_no_reason_to_look() -> None:
    """Evidence that changes to "nobody reads" cannot be a prompt, and the screen is not read."""
    asleep = attrs.evolve(RUNNING, foreground_pid=12)
    terminal = ScriptedTerminal(Frame(0, MAKING, RUNNING), Frame(0.2, MAKING, asleep))
    wait(terminal, timeout=0.9, mark=MARK)
    assert terminal.looks == 2


def test_evidence_that_ends_is_a_reason_to_look() -> None:
    """When the kernel tells no more, only the screen can."""
    strategy = Never(again_in=1000)
    terminal = ScriptedTerminal(Frame(0, MAKING, RUNNING), Frame(0.2, DONE, None))
    wait(terminal, timeout=0.5, strategy=strategy)
    assert [look.screen for look in strategy.looks] == [MAKING, DONE, DONE]


def test_look_tells_for_how_long_nothing_has_changed() -> None:
    """The time without change begins with the look that saw the last change."""
    strategy = Never(again_in=0.25)
    frames = Frame(0, MAKING), Frame(0.6, DONE), Frame(0.8, attrs.evolve(DONE, title="|"))
    wait(ScriptedTerminal(*frames), timeout=1.5, strategy=strategy)
    last = strategy.looks[-1]
    assert 0.6 < last.elapsed - last.unchanged_for < 0.9
    assert strategy.looks[0].unchanged_for == 0


def test_old_screen_does_not_count_as_quiet() -> None:
    """For how long nothing has changed is counted from the first look, not from the mark."""
    strategy = Never()
    terminal = ScriptedTerminal(Frame(0, MARK.screen, RUNNING))
    terminal.clock.sleep(5)
    wait(terminal, timeout=0, mark=MARK, strategy=strategy)
    assert strategy.looks[0].unchanged_for == 0
    assert strategy.looks[0].mark == MARK


@pytest.mark.parametrize(("before", "unchanged_for"), [(MAKING, 3.0), (DONE, 0.0)])
def test_stillness_outlives_a_wait(before: Screen, unchanged_for: float) -> None:
    """For how long nothing has changed is known from the wait before, if it saw the same."""
    strategy, stillness = Never(), Stillness()
    terminal = ScriptedTerminal(Frame(0, before), Frame(2, MAKING))
    wait(terminal, timeout=1, stillness=stillness)
    terminal.clock.sleep(3 - terminal.clock.now())
    wait(terminal, timeout=0, strategy=strategy, stillness=stillness)
    assert strategy.looks[0].unchanged_for == pytest.approx(unchanged_for)


def test_stillness_counts_from_the_first_look_at_the_same() -> None:
    """The same picture, whatever its title, is still; another one begins anew."""
    stillness = Stillness()
    titled = attrs.evolve(MAKING, title="|")
    seen = [(MAKING, 5.0), (titled, 6.0), (MAKING, 6.5), (DONE, 7.0), (DONE, 9.0), (MAKING, 9.5)]
    assert [stillness.note(shown, None, at) for shown, at in seen] == [0, 1.0, 1.5, 0, 2.0, 0]


def test_stillness_ends_when_another_reads() -> None:
    """A command's end is a change, even when the screen stays as it is for a moment."""
    stillness = Stillness()
    woken = attrs.evolve(AT_PROMPT, wakeups=99)
    seen = [(RUNNING, 5.0), (RUNNING, 8.0), (AT_PROMPT, 8.1), (woken, 8.2)]
    noted = [stillness.note(MAKING, tty, at) for tty, at in seen]
    assert noted == pytest.approx([0, 3.0, 0, 0.1])


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
