"""The wait engine: how a wait ends, and what it tells."""

import math
from itertools import pairwise

import attrs
import pytest
from typing_extensions import override

from tests.unit.builders import (
    ASKING,
    AT_PROMPT,
    MARK,
    RUNNING,
    Frame,
    ScriptedTerminal,
    screen,
)
from tests.unit.waiting import DONE, MAKING, Busily, Never, wait
from tmuxprim import (
    Console,
    FakeTerminal,
    Outcome,
    Pane,
    PaneNotFoundError,
    Screen,
    TimeoutStrategy,
    TmuxTimeoutError,
    TtyState,
)
from tmuxprim._engine.log import watcher
from tmuxprim._engine.wait import SHORTEST, LastChanges, PollSchedule
from tmuxprim._readiness.chain import Judgement
from tmuxprim._values.evidence import Activity
from tmuxprim.errors import InvalidStrategyError
from tmuxprim.readiness import Chain
from tmuxprim.testing import (
    FakeTty,
    Program,
    Run,
    ScriptedShell,
    Sleep,
    after,
    question,
    spinner,
)


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
    assert str(caught.value) == f"timeout is None, or 0 or more seconds, got {timeout!r}"
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
    last_changes = LastChanges()
    terminal = ScriptedTerminal(Frame(0, MAKING), Frame(5, None))
    wait(terminal, timeout=1, last_changes=last_changes)
    terminal.clock.sleep(10)
    readiness = wait(terminal, timeout=60, last_changes=last_changes)
    assert (readiness.outcome, readiness.screen) == (Outcome.EXITED, MAKING)


@pytest.mark.parametrize("tty", [AT_PROMPT, None])
def test_result_has_the_evidence_it_was_found_with(tty: TtyState | None) -> None:
    """The kernel's evidence comes back with the screen that it belongs to."""
    readiness = wait(ScriptedTerminal(Frame(0, DONE, tty)), timeout=9, mark=MARK)
    assert readiness.outcome is Outcome.PROMPT
    assert (readiness.screen, readiness.tty) == (DONE, tty)


@pytest.mark.parametrize(
    ("program", "evidence", "outcome", "is_guess"),
    [
        ("asks", True, Outcome.AWAITING_INPUT, False),
        ("asks", False, Outcome.STABLE, True),
        ("works", False, Outcome.TIMEOUT, False),
    ],
)
def test_result_says_whether_it_is_a_guess(
    program: str, outcome: Outcome, *, evidence: bool, is_guess: bool
) -> None:
    """It is one where the kernel does not report the reader; a timeout is not."""
    programs: dict[str, Program] = {"asks": question("Sure? "), "works": spinner(1e6, "")}
    terminal = FakeTerminal(programs=programs, evidence=evidence)
    readiness = Console(terminal, terminal.open(program)).wait_ready()
    assert (readiness.outcome, readiness.is_guess) == (outcome, is_guess)


def test_chain_in_a_wait_is_flat() -> None:
    """All verdicts of the last round are told, those of a chain one by one."""
    terminal = ScriptedTerminal(Frame(0, MAKING))
    readiness = wait(terminal, timeout=0, strategy=Chain((Never(), Never())))
    assert [name for name, _ in readiness.verdicts] == ["Never", "Never", "TimeoutStrategy"]


# `PollSchedule`: how often a wait asks the kernel.

START = 1024.0
TICK = 0.125


@pytest.mark.parametrize(
    ("passed", "pause"),
    [
        (0.0, 0.0005),
        (0.009, 0.0005),
        (0.02, 0.001),
        (0.1, 0.005),
    ],
)
def test_pause_at_the_beginning(passed: float, pause: float) -> None:
    """Most waits are short: a share of what has passed, and never nothing."""
    schedule = PollSchedule(START, START)
    assert schedule.pause(START + passed) == pytest.approx(pause)
    assert pause >= SHORTEST


@pytest.mark.parametrize(
    ("passed", "pause"),
    [
        (0.15, 0.0075),
        (0.2, 0.01),
        (0.3, 0.02),
        (1.1, 0.1),
        (2.6, 0.25),
        (20.1, 1.9),
        (30.1, 2.9),
        (60.0, 3.0),
        (1e9, 3.0),
    ],
)
def test_pause_in_quiet(passed: float, pause: float) -> None:
    """The longer nothing is written, the less often, but every third second."""
    assert PollSchedule(START, START).pause(START + passed) == pytest.approx(pause)


@pytest.mark.parametrize("passed", [11.0, 11.3, 30.01, 60.0, 61.7])
def test_slow_waits_ask_at_the_same_moments(passed: float) -> None:
    """A process that waits for a thousand panes is woken a few times a second, and no more."""
    asked = START + passed + PollSchedule(START, START).pause(START + passed)
    assert asked % TICK == pytest.approx(0.0, abs=1e-9)


def test_pause_after_a_silence() -> None:
    """Who writes after a silence may be about to read: it asks as often as in the beginning."""
    schedule = PollSchedule(START, START)
    schedule.note_written(START + 30.0)
    assert schedule.pause(START + 30.0) == SHORTEST
    assert schedule.pause(START + 30.1) == pytest.approx(0.005)
    assert schedule.pause(START + 31.1) == pytest.approx(0.1)


def test_pause_while_a_program_writes_on_and_on() -> None:
    """That is one burst, in which the kernel is asked a hundred times in a second."""
    schedule = PollSchedule(START, START)
    for number in range(1, 101):
        schedule.note_written(START + number / 20)
    assert schedule.burst_at == START
    assert schedule.pause(START + 5.0) == 0.01


@pytest.mark.parametrize(
    ("since", "is_new"), [(0.0, False), (0.05, False), (0.1, False), (0.11, True), (9.0, True)]
)
def test_burst_ends_with_a_tenth_of_a_second_of_silence(since: float, *, is_new: bool) -> None:
    """A shorter silence is part of it."""
    schedule = PollSchedule(0.0, 0.0)
    schedule.note_written(since)
    assert schedule == PollSchedule(since if is_new else 0.0, since)


@pytest.mark.parametrize(
    ("passed", "is_quick"), [(0.0, True), (0.1, True), (0.11, False), (60.0, False)]
)
def test_quick(passed: float, *, is_quick: bool) -> None:
    """Listening is too slow only right after something was written."""
    assert PollSchedule(0.0, 0.0).is_quick(passed) is is_quick


def test_cost_of_a_minute() -> None:
    """In a minute of silence hardly two hundred questions are asked."""
    schedule, now, count = PollSchedule(0.0, 0.0), 0.0, 0
    while now < 60.0:
        now += schedule.pause(now)
        count += 1
    assert 100 < count < 200


# The wait engine: when it looks, and what that costs.


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


@pytest.mark.parametrize("is_deaf", [False, True])
def test_probes_of_a_minute(*, is_deaf: bool) -> None:
    """A minute's wait for a silent command costs next to nothing, whether it is heard or not."""
    terminal = ScriptedTerminal(Frame(0, MAKING, RUNNING))
    terminal.is_deaf = is_deaf
    terminal.clock.sleep(1024)
    wait(terminal, timeout=60, mark=MARK)
    assert terminal.probes < 400
    assert terminal.looks < 20


def build(tty: FakeTty) -> Run:
    """Run two programs, of which nothing is heard."""
    for name in ("make", "cc"):
        with tty.foreground(name):
            yield Sleep(3.0)
    return 0


def test_who_watches_is_told_what_runs_now() -> None:
    """And not for a minute what ran when the wait began; nobody else needs to know."""
    terminal = FakeTerminal(programs={"build": build})
    told: list[tuple[float, str]] = []

    def watches(judgement: Judgement) -> None:
        told.append((terminal.clock.now(), judgement.obstacle))

    token = watcher.set(watches)
    try:
        Console(terminal, terminal.open("build")).wait_ready(5.0)
    finally:
        watcher.reset(token)
    named = {reason: at for at, reason in reversed(told)}  # when it was told first
    assert named["build runs and does not read"] == 0.0
    assert named["make runs and does not read"] <= 1.0
    assert 3.0 <= named["cc runs and does not read"] <= 4.0


def test_cost_of_a_minute_without_evidence() -> None:
    """Without evidence the screen is read twenty times in a second, and nothing else is asked."""
    terminal = ScriptedTerminal(Frame(0, MAKING))
    wait(terminal, timeout=60, mark=MARK)
    assert terminal.looks < 1_300
    assert terminal.probes <= 3 * terminal.looks  # two of them belong to each snapshot


def test_cost_of_a_strategy_that_knows_when() -> None:
    """A strategy that says when to be asked again is not asked before, if nothing happens."""
    terminal, strategy = ScriptedTerminal(Frame(0, MAKING, RUNNING)), Never(again_in=10)
    wait(terminal, timeout=60, strategy=strategy)
    assert len(strategy.looks) == 7


def test_unsteady_evidence_is_looked_at_again_at_once() -> None:
    """A screen between two different states of the kernel is read again after half a millisecond.

    The first snapshot here is torn, so the prompt on it does not count; the second one is not.
    """
    terminal = ScriptedTerminal(Frame(0, DONE, AT_PROMPT), flicker=(0, 0))
    readiness = wait(terminal, timeout=60, mark=MARK)
    assert terminal.looks == 2
    assert readiness.elapsed == pytest.approx(0.0005)


def test_unsteady_evidence_does_not_wait_for_the_strategy() -> None:
    """A torn look is no look: a strategy that is in no hurry is asked again at once."""
    terminal = ScriptedTerminal(Frame(0, DONE, AT_PROMPT), flicker=(0, 0))
    strategy = Never(again_in=10)
    wait(terminal, timeout=1, strategy=strategy)
    assert [snapshot.elapsed for snapshot in strategy.looks] == [0, 0.0005, pytest.approx(1)]


@pytest.mark.parametrize(("when_torn", "longest"), [(0.0, 0.0005), (10.0, 0.0024)])
def test_cost_of_unsteady_evidence(when_torn: float, longest: float) -> None:
    """A torn look is followed by another at once, or less and less soon if that is enough."""
    frames = Frame(0, MAKING, RUNNING), Frame(5, MAKING, AT_PROMPT)
    terminal = ScriptedTerminal(*frames, flicker=(5, 5.05))
    strategy = Never(again_in=10, when_torn=when_torn)
    wait(terminal, timeout=9, strategy=strategy)
    torn = [snapshot.elapsed for snapshot in strategy.looks if not snapshot.steady]
    pauses = [after - before for before, after in pairwise(torn)]
    assert torn[0] == 5.0
    assert pauses[0] == pytest.approx(0.0005)
    assert pauses == pytest.approx(sorted(pauses))
    assert pauses[-1] == pytest.approx(longest, rel=0.2)


def test_torn_prompt_is_found_at_once_late_in_a_wait() -> None:
    """A prompt that was read while the program worked is found half a millisecond later."""
    frames = Frame(0, MAKING, RUNNING), Frame(5, DONE, AT_PROMPT)
    terminal = ScriptedTerminal(*frames, flicker=(5, 5.02))
    readiness = wait(terminal, timeout=9, mark=MARK)
    assert readiness.outcome is Outcome.PROMPT
    assert 5.02 < readiness.elapsed < 5.021


def test_a_prompt_that_comes_during_a_look_is_looked_at_at_once() -> None:
    """The program was at work before the snapshot, and its shell reads after it."""
    shown = attrs.evolve(DONE, caught_up=True)
    terminal = ScriptedTerminal(Frame(0, MAKING, RUNNING), Frame(0.001, shown, AT_PROMPT))
    terminal.look_takes = 0.002
    readiness = wait(terminal, timeout=60, mark=MARK)
    assert readiness.outcome is Outcome.PROMPT
    assert (readiness.elapsed, terminal.looks, terminal.probes) == (0.004, 2, 3)


def test_a_program_that_stops_reading_all_the_time_is_not_looked_at_all_the_time() -> None:
    """Of two snapshots that follow one another the second one is followed by a rest."""
    frames = [Frame(0.001 * n, MAKING, AT_PROMPT if n % 2 else RUNNING) for n in range(100)]
    terminal = ScriptedTerminal(*frames)
    terminal.look_takes, strategy = 0.001, Never()
    wait(terminal, timeout=0.05, strategy=strategy)
    starts = [snapshot.elapsed for snapshot in strategy.looks]
    at_once = [after - before < 0.00101 for before, after in pairwise(starts)]
    assert any(at_once)
    assert not any(one and other for one, other in pairwise(at_once))


@pytest.mark.parametrize(("flicker", "steady"), [(None, True), ((0, 0), False)])
def test_look_tells_whether_it_is_steady(
    flicker: tuple[float, float] | None, *, steady: bool
) -> None:
    """Strategies are told whether screen and evidence belong together."""
    terminal, strategy = ScriptedTerminal(Frame(0, DONE, AT_PROMPT), flicker=flicker), Never()
    wait(terminal, timeout=0, strategy=strategy)
    assert strategy.looks[0].steady is steady


def test_a_second_look_follows_at_once() -> None:
    """What only has to be seen twice is not waited for, and the kernel is asked only after it."""
    terminal = ScriptedTerminal(Frame(0, DONE, ASKING))
    readiness = wait(terminal, timeout=60, mark=MARK)
    assert readiness.outcome is Outcome.PROMPT
    assert (readiness.elapsed, terminal.looks, terminal.probes) == (0.0, 2, 3)


def test_no_second_look_where_tmux_had_caught_up() -> None:
    """Then what has to be seen twice is seen in one snapshot."""
    shown = attrs.evolve(DONE, caught_up=True)
    terminal = ScriptedTerminal(Frame(0, shown, ASKING))
    readiness = wait(terminal, timeout=60, mark=MARK)
    assert readiness.outcome is Outcome.PROMPT
    assert (readiness.elapsed, terminal.looks, terminal.probes) == (0.0, 1, 2)


def test_only_one_look_follows_at_once() -> None:
    """A strategy that is never content is asked every half millisecond, and not without end."""
    terminal, strategy = ScriptedTerminal(Frame(0, DONE, AT_PROMPT)), Never(again_in=0.0)
    wait(terminal, timeout=0.004, strategy=strategy)
    assert [snapshot.confirmed for snapshot in strategy.looks[:3]] == [False, True, True]
    assert [snapshot.elapsed for snapshot in strategy.looks[:3]] == [0.0, 0.0, 0.0005]


@pytest.mark.parametrize(
    ("ticks", "tty", "looks"),
    [(range(0), RUNNING, 2), (range(1, 59, 2), RUNNING, 13), (range(0), None, 13)],
    ids=["silent", "writing", "no evidence"],
)
def test_looks_that_nobody_asks_for(ticks: range, tty: TtyState | None, looks: int) -> None:
    """Now and then, so that the last screen is not old; a silent program is left alone."""
    frames = [Frame(at, MAKING, tty) for at in ticks]
    strategy = Busily(again_in=math.inf)
    wait(ScriptedTerminal(Frame(0, MAKING, tty), *frames), timeout=60, strategy=strategy)
    assert len(strategy.looks) == looks


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
    assert [snapshot.screen for snapshot in strategy.looks] == [MAKING, DONE, DONE]


def test_look_tells_for_how_long_nothing_has_changed() -> None:
    """The time without change begins with the snapshot that saw the last change."""
    strategy = Never(again_in=0.25)
    frames = Frame(0, MAKING), Frame(0.6, DONE), Frame(0.8, attrs.evolve(DONE, title="|"))
    wait(ScriptedTerminal(*frames), timeout=1.5, strategy=strategy)
    last = strategy.looks[-1]
    assert 0.6 <= last.elapsed - last.unchanged_for < 0.9
    assert strategy.looks[0].unchanged_for == 0


def test_old_screen_does_not_count_as_quiet() -> None:
    """For how long nothing has changed is counted from the first snapshot, not from the mark."""
    strategy = Never()
    terminal = ScriptedTerminal(Frame(0, MARK.screen, RUNNING))
    terminal.clock.sleep(5)
    wait(terminal, timeout=0, mark=MARK, strategy=strategy)
    assert strategy.looks[0].unchanged_for == 0
    assert strategy.looks[0].mark == MARK


@pytest.mark.parametrize(("before", "unchanged_for"), [(MAKING, 3.0), (DONE, 0.0)])
def test_stillness_outlives_a_wait(before: Screen, unchanged_for: float) -> None:
    """For how long nothing has changed is known from the wait before, if it saw the same."""
    strategy, last_changes = Never(), LastChanges()
    terminal = ScriptedTerminal(Frame(0, before), Frame(2, MAKING))
    wait(terminal, timeout=1, last_changes=last_changes)
    terminal.clock.sleep(3 - terminal.clock.now())
    wait(terminal, timeout=0, strategy=strategy, last_changes=last_changes)
    assert strategy.looks[0].unchanged_for == pytest.approx(unchanged_for)


def test_stillness_counts_from_the_first_look_at_the_same() -> None:
    """The same picture, whatever its title, is still; another one begins anew."""
    last_changes = LastChanges()
    titled = attrs.evolve(MAKING, title="|")
    seen = [(MAKING, 5.0), (titled, 6.0), (MAKING, 6.5), (DONE, 7.0), (DONE, 9.0), (MAKING, 9.5)]
    assert [last_changes.note(shown, None, at) for shown, at in seen] == [0, 1.0, 1.5, 0, 2.0, 0]


def test_stillness_ends_when_another_reads() -> None:
    """A command's end is a change, even when the screen stays as it is for a moment."""
    last_changes = LastChanges()
    woken = attrs.evolve(AT_PROMPT, wakeups=99)
    seen = [(RUNNING, 5.0), (RUNNING, 8.0), (AT_PROMPT, 8.1), (woken, 8.2)]
    noted = [last_changes.note(MAKING, tty, at) for tty, at in seen]
    assert noted == pytest.approx([0, 3.0, 0, 0.1])


def test_a_reader_that_wakes_by_itself_is_ready_once_the_screen_is_still() -> None:
    """Where a snapshot takes longer than a REPL sleeps, no two questions get the same answer."""
    terminal = ScriptedTerminal(Frame(0, DONE, AT_PROMPT), flicker=(0, 60))
    readiness = wait(terminal, timeout=60, mark=MARK)
    assert readiness.outcome is Outcome.PROMPT
    assert 0.25 <= readiness.elapsed < 0.26


@pytest.mark.parametrize("tty", [RUNNING, attrs.evolve(AT_PROMPT, reading=None)])
def test_only_who_reads_may_have_woken(tty: TtyState) -> None:
    """A program that works, or may work, gives a torn look however still it is."""
    terminal, strategy = ScriptedTerminal(Frame(0, DONE, tty), flicker=(0, 60)), Never()
    wait(terminal, timeout=0.5, strategy=strategy)
    assert not any(snapshot.steady for snapshot in strategy.looks[:-1])


def test_evidence_that_comes_and_goes_is_never_steady() -> None:
    """A wake-up is no excuse for evidence that there was not before."""

    class Blinking(ScriptedTerminal):
        @override
        def probe(self, pane: Pane) -> TtyState | None:
            state = super().probe(pane)
            return state if self.probes % 2 else None

    terminal, strategy = Blinking(Frame(0, DONE, AT_PROMPT)), Never()
    wait(terminal, timeout=0.5, strategy=strategy)
    assert strategy.looks[-1].unchanged_for > 0.25
    assert not any(snapshot.steady for snapshot in strategy.looks)


@pytest.mark.parametrize(
    ("shown", "ticks"),
    [
        ("a form  14:05:09\nname:", True),
        ("a form  04:05:09\nname: ", True),
        ("a form  14:05\nname:", False),
        ("a form  1s\nname:", False),
        ("a form  00:00:01\nname:", False),  # for so long it has worked
        ("a form  14:05:09\nname: x", False),
    ],
)
def test_a_clock_that_ticks_is_no_change(shown: str, *, ticks: bool) -> None:
    """A time of day may stand in a row; whatever else changes, or is started, is news."""
    tty = attrs.evolve(AT_PROMPT, children=frozenset())
    last_changes = LastChanges()
    last_changes.note(screen("a form  23:59:58\nname:"), tty, 1.0)
    last_changes.note(screen(shown), attrs.evolve(tty, reading=False), 2.0)
    assert (last_changes.unchanged_since, last_changes.rows_unchanged_since) == (2.0, 2.0)
    assert last_changes.ticking_since == (1.0 if ticks else 2.0)
    last_changes.note(screen(shown), attrs.evolve(tty, children=frozenset({9})), 3.0)
    assert (last_changes.rows_unchanged_since, last_changes.ticking_since) == (3.0, 3.0)


def test_a_program_that_is_seen_to_run_now_and_then_is_silent() -> None:
    """As one with an event loop is on a busy machine: it is not at rest, and writes nothing."""
    tty = attrs.evolve(AT_PROMPT, only_reading=False, children=frozenset())
    runs = attrs.evolve(tty, reading=False)
    last_changes = LastChanges()
    for now, seen in ((1.0, tty), (2.0, runs), (3.0, tty)):
        last_changes.note(screen("> "), seen, now)
    assert (last_changes.unchanged_since, last_changes.rows_unchanged_since) == (3.0, 1.0)


def test_who_begins_to_poll_is_looked_at() -> None:
    """A program whose reads do not block any more is judged from then on, not 5 s later."""
    before = attrs.evolve(RUNNING, activity=None)
    polls = attrs.evolve(RUNNING, activity=Activity(5, 0))
    shown = screen("How many? ")
    terminal = ScriptedTerminal(Frame(0, shown, before), Frame(1, shown, polls))
    strategy = Busily(again_in=math.inf)
    wait(terminal, timeout=1.5, strategy=strategy)
    assert any(1.0 <= snapshot.elapsed < 1.5 for snapshot in strategy.looks)
