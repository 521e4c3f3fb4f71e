"""The wait engine and the bell: what wakes it, what does not, and that nothing is left open."""

from itertools import pairwise

import attrs
import pytest
from typing_extensions import override

from tests.unit.builders import (
    AT_PROMPT,
    MARK,
    PANE,
    RAW_ONLY,
    RUNNING,
    Frame,
    ScriptedTerminal,
    screen,
)
from tests.unit.waiting import DONE, MAKING, Never, wait
from tmuxprim import (
    Outcome,
    Pane,
    PaneNotFoundError,
    Screen,
    TmuxTimeoutError,
    TtyState,
)
from tmuxprim._engine.plan import drive
from tmuxprim._engine.wait import LastChanges, wait_until_ready
from tmuxprim.readiness import Snapshot, Verdict


class BreakingTerminal(ScriptedTerminal):
    """Raises an error at a step that is done twice, or at the first ``watch_output``."""

    step = "observe"
    error: BaseException = ZeroDivisionError()

    @override
    def observe(self, pane: Pane, *, history: int = 0) -> Screen:
        """Look once, and then break."""
        self._break("observe", self.looks)
        return super().observe(pane, history=history)

    @override
    def probe(self, pane: Pane) -> TtyState | None:
        """Answer for one snapshot, and then break."""
        self._break("probe", self.probes // 2)
        return super().probe(pane)

    @override
    def resolve(self, pane: Pane) -> Pane:
        """Break when an output watch begins."""
        self._break("watch_output", 1)
        return super().resolve(pane)

    def _break(self, step: str, count: int) -> None:
        if self.step == step and count:
            raise self.error


def test_ready_pane_is_not_listened_to() -> None:
    """Who does not have to wait needs no bell."""
    terminal = ScriptedTerminal(Frame(0, DONE, AT_PROMPT))
    assert wait(terminal, timeout=9, mark=MARK).outcome is Outcome.PROMPT
    assert terminal.bells == []


@pytest.mark.parametrize(
    ("frames", "outcome"),
    [
        ((Frame(0, MAKING, RUNNING), Frame(1, DONE, AT_PROMPT)), Outcome.PROMPT),
        ((Frame(0, MAKING, RUNNING),), Outcome.TIMEOUT),
        ((Frame(0, MAKING, RUNNING), Frame(1, None)), Outcome.EXITED),
    ],
)
def test_bell_is_closed_at_the_end(frames: tuple[Frame, ...], outcome: Outcome) -> None:
    """There is one for the whole wait, and none after it, however it ends."""
    terminal = ScriptedTerminal(*frames)
    assert wait(terminal, timeout=9, mark=MARK).outcome is outcome
    assert [output_watch.closed for output_watch in terminal.bells] == [True]


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (PaneNotFoundError("gone"), Outcome.EXITED),
        (TmuxTimeoutError("hangs"), Outcome.TIMEOUT),
    ],
)
@pytest.mark.parametrize(("step", "bells"), [("observe", 1), ("probe", 1), ("watch_output", 0)])
def test_bell_is_closed_when_the_pane_cannot_be_seen(
    step: str, bells: int, error: BaseException, outcome: Outcome
) -> None:
    """A pane that goes while it is waited for is an outcome, whatever step comes upon it."""
    terminal = BreakingTerminal(Frame(0, MAKING))
    terminal.step, terminal.error = step, error
    readiness = wait(terminal, timeout=9)
    assert (readiness.outcome, readiness.screen) == (outcome, MAKING)
    assert readiness.reason == f"the pane cannot be seen: {error}"
    assert [output_watch.closed for output_watch in terminal.bells] == [True] * bells


@pytest.mark.parametrize("error", [ZeroDivisionError(), KeyboardInterrupt()])
def test_bell_is_closed_after_a_foreign_error(error: BaseException) -> None:
    """A bug, or a person who presses C-c, leaves nothing open either."""
    terminal = BreakingTerminal(Frame(0, MAKING))
    terminal.error = error
    plan = wait_until_ready(PANE, Never(), timeout=9)
    with pytest.raises(type(error)):
        drive(plan, terminal)
    plan.close()  # as Python does with a plan that nobody carries on
    assert [output_watch.closed for output_watch in terminal.bells] == [True]


@attrs.frozen
class Broken(Never):
    """Fails at its second snapshot."""

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Fail, but for the first time."""
        if self.looks:
            raise ZeroDivisionError
        return super().assess(snapshot)


def test_bell_is_closed_when_a_strategy_fails() -> None:
    """The error of a strategy reaches the caller, and nothing stays open."""
    terminal = ScriptedTerminal(Frame(0, MAKING))
    with pytest.raises(ZeroDivisionError):
        wait(terminal, timeout=9, strategy=Broken())
    assert [output_watch.closed for output_watch in terminal.bells] == [True]


def looks_at(terminal: ScriptedTerminal, timeout: float) -> list[float]:
    """Return when a strategy is asked that is in no hurry at all."""
    strategy = Never(again_in=1000)
    wait(terminal, timeout=timeout, strategy=strategy)
    return [snapshot.elapsed for snapshot in strategy.looks]


# It does not tell that something was written: the evidence is the same all the time.
EDITOR = attrs.evolve(AT_PROMPT, wakeups=None)


@pytest.mark.parametrize(
    ("is_deaf", "looks"), [(False, [0, 0.05, 3.3, 7.123, 9]), (True, [0, 9])], ids=["heard", "deaf"]
)
def test_ring_is_a_reason_to_look(looks: list[float], *, is_deaf: bool) -> None:
    """What is written is looked at as soon as it is heard, and not if nobody hears it."""
    times = (0, 0.05, 3.3, 7.123)
    terminal = ScriptedTerminal(*(Frame(at, screen(f"{at}"), EDITOR) for at in times))
    terminal.is_deaf = is_deaf
    assert looks_at(terminal, 9) == pytest.approx(looks, abs=0.003)


def test_deaf_terminal_is_asked_again_and_again() -> None:
    """It only takes longer to find a prompt, and the longer the longer it has taken."""
    terminal = ScriptedTerminal(Frame(0, MAKING, RUNNING), Frame(20.001, DONE, AT_PROMPT))
    terminal.is_deaf = True
    readiness = wait(terminal, timeout=60, mark=MARK)
    assert readiness.outcome is Outcome.PROMPT
    assert 20.001 <= readiness.elapsed < 22.1


def flood(tty: TtyState, seconds: float = 2.0) -> ScriptedTerminal:
    """Return a terminal whose program writes a thousand times in a second."""
    times = [number / 1000 for number in range(round(seconds * 1000))]
    return ScriptedTerminal(*(Frame(at, screen(f"{at}"), tty) for at in times))


@pytest.mark.parametrize("tty", [EDITOR, RUNNING])
def test_flood_is_not_looked_at_all_the_time(tty: TtyState) -> None:
    """There are 20 ms between two snapshots, and hardly more."""
    looks = looks_at(flood(tty), 1.5)
    pauses = [after - before for before, after in pairwise(looks)][:-1]
    assert min(pauses) >= 0.02
    assert max(pauses) < 0.031
    assert looks[-1] == pytest.approx(1.5)


def test_flood_of_a_command_is_not_looked_at() -> None:
    """The chain waits for the command's end, which the kernel tells."""
    terminal = flood(RUNNING)
    readiness = wait(terminal, timeout=1.5, mark=MARK)
    assert readiness.outcome is Outcome.TIMEOUT
    assert terminal.looks == 2
    assert terminal.probes < 300


def test_prompt_after_a_flood_is_found_at_once() -> None:
    """Who has just written may be about to read, so the kernel is asked often."""
    terminal = flood(RUNNING)
    terminal.frames += (Frame(2.0, screen("x"), RUNNING), Frame(2.05, DONE, AT_PROMPT))
    readiness = wait(terminal, timeout=9, mark=MARK)
    assert 2.05 <= readiness.elapsed < 2.0601


@pytest.mark.parametrize("work", [1.0, 30.0])
def test_prompt_after_a_silence_is_found_at_once(work: float) -> None:
    """A command that has been silent for long, and then writes, is about to end: ask often."""
    frames = Frame(0, MAKING, RUNNING), Frame(work, screen("$ make\ndone"), RUNNING)
    terminal = ScriptedTerminal(*frames, Frame(work + 0.01, DONE, AT_PROMPT))
    readiness = wait(terminal, timeout=60, mark=MARK)
    assert 0.01 <= readiness.elapsed - work < 0.0111


def test_stillness_knows_for_how_long_keys_are_read() -> None:
    """Only who is found reading at every snapshot, and does nothing else, is known to read."""
    last_changes, reads_more = LastChanges(), attrs.evolve(AT_PROMPT, only_reading=False)
    for at, tty, since in [
        (1.0, AT_PROMPT, 1.0),
        (2.0, AT_PROMPT, 1.0),
        (3.0, reads_more, None),
        (4.0, AT_PROMPT, 4.0),
        (5.0, None, None),
        (6.0, RUNNING, None),
    ]:
        last_changes.note(screen(f"{at}"), tty, at)
        assert last_changes.reading_since == since


def test_look_tells_for_how_long_keys_are_read() -> None:
    """However often the picture changes meanwhile."""
    strategy = Never(again_in=0.1)
    terminal = flood(EDITOR)
    terminal.frames = (Frame(0, MAKING, RUNNING), *terminal.frames[500:])
    wait(terminal, timeout=1.5, strategy=strategy)
    assert strategy.looks[0].reading_for == 0.0
    assert strategy.looks[-1].reading_for == pytest.approx(1.0, abs=0.01)


def test_result_tells_what_it_was_found_without() -> None:
    """A guess is called one, unless it needs no evidence."""
    found = wait(ScriptedTerminal(Frame(0, DONE)), timeout=9, mark=MARK)
    assert found.reason == "prompt '$' at the cursor (without kernel evidence)"
    half = wait(ScriptedTerminal(Frame(0, DONE, RAW_ONLY)), timeout=9, mark=MARK)
    assert half.reason == "prompt '$' at the cursor (without knowing the reader)"
    dead = attrs.evolve(DONE, dead=True, exit_status=0)
    exited = wait(ScriptedTerminal(Frame(0, dead)), timeout=9, mark=MARK)
    assert exited.reason == "the program has exited with status 0"
