"""The strategies that judge the pane and the kernel's evidence."""

import attrs
import pytest

from tests.unit.builders import (
    ASKING,
    AT_PROMPT,
    COOKED_ONLY,
    HIDING,
    MARK,
    RAW_ONLY,
    RUNNING,
    screen,
)
from tmuxprim import Mark, Outcome, TtyState
from tmuxprim._engine.wait import LastChanges
from tmuxprim._readiness.kernel import ConsumedStrategy
from tmuxprim._readiness.snapshot import ON_CHANGE
from tmuxprim._values.evidence import Activity
from tmuxprim.readiness import (
    Busy,
    ExitStrategy,
    ForegroundStrategy,
    ModeStrategy,
    Pass,
    Ready,
    Snapshot,
    Verdict,
    default_chain,
)

DEAD = attrs.evolve(screen(), dead=True)
COUNTED = attrs.evolve(AT_PROMPT, unread=2)


@pytest.mark.parametrize(
    ("snapshot", "verdict"),
    [
        (Snapshot(screen=screen()), Pass("the program lives", again_in=ON_CHANGE)),
        (
            Snapshot(screen=attrs.evolve(DEAD, exit_status=2)),
            Ready(Outcome.EXITED, "the program has exited with status 2"),
        ),
        (
            Snapshot(screen=attrs.evolve(DEAD, exit_status=0)),
            Ready(Outcome.EXITED, "the program has exited with status 0"),
        ),
        (
            Snapshot(screen=attrs.evolve(DEAD, exit_signal=15)),
            Ready(Outcome.EXITED, "the program has exited by signal 15"),
        ),
        (
            Snapshot(screen=DEAD, unchanged_for=0.09),
            Busy("the program has exited, but tmux does not know how yet", again_in=0.01),
        ),
        (
            Snapshot(screen=DEAD, unchanged_for=0.1),
            Ready(Outcome.EXITED, "the program has exited in an unknown way"),
        ),
    ],
)
def test_exit(snapshot: Snapshot, verdict: Verdict) -> None:
    """A dead pane ends the wait, with how its program ended if that is known in time."""
    assert ExitStrategy().assess(snapshot) == verdict


@pytest.mark.parametrize(
    ("mode", "input_off", "verdict"),
    [
        ("", False, Pass("keys reach the program", again_in=ON_CHANGE)),
        ("copy-mode", False, Busy("the pane is in copy-mode: keys would go there")),
        ("view-mode", True, Busy("the pane is in view-mode: keys would go there")),
        ("", True, Busy("the pane's input is off: keys would be dropped")),
    ],
)
def test_mode(mode: str, *, input_off: bool, verdict: Verdict) -> None:
    """A pane that would swallow keys is not ready, whatever it shows."""
    shown = attrs.evolve(screen(), mode=mode, input_off=input_off)
    assert ModeStrategy().assess(Snapshot(screen=shown)) == verdict


@pytest.mark.parametrize(
    ("tty", "verdict"),
    [
        (None, Pass("no kernel evidence here; only the screen can show it")),
        (RUNNING, Busy("make runs and does not read", again_in=ON_CHANGE)),
        (COUNTED, Busy("2 bytes that were typed are not read yet")),
        (
            attrs.evolve(AT_PROMPT, reading=False),
            Busy("make runs and does not read", again_in=ON_CHANGE),
        ),
        (RAW_ONLY, Pass("the kernel does not report the reader")),
        (AT_PROMPT, Pass("a program reads from the terminal", again_in=ON_CHANGE)),
        (ASKING, Pass("a program reads from the terminal", again_in=ON_CHANGE)),
        (HIDING, Pass("a program reads from the terminal", again_in=ON_CHANGE)),
    ],
)
def test_foreground(tty: TtyState | None, verdict: Verdict) -> None:
    """Nobody who reads, or keys that nobody has read: the pane is busy."""
    shown = attrs.evolve(screen("100%"), command="make")
    assert ForegroundStrategy().assess(Snapshot(screen=shown, tty=tty)) == verdict


@pytest.mark.parametrize("tty", [None, RAW_ONLY, COOKED_ONLY])
def test_sleep_reads_nothing(tty: TtyState | None) -> None:
    """Its name is enough where nobody tells who reads; of another in its group it may be not."""
    asleep = attrs.evolve(screen("Name: "), command="sleep")
    verdict = ForegroundStrategy().assess(Snapshot(screen=asleep, tty=tty))
    assert verdict == Busy("sleep runs, which reads nothing")
    told = ForegroundStrategy().assess(Snapshot(screen=asleep, tty=ASKING))
    assert isinstance(told, Pass)


def test_foreground_of_an_unknown_program() -> None:
    """A program without a name is still busy."""
    verdict = ForegroundStrategy().assess(Snapshot(screen=screen(), tty=RUNNING))
    assert verdict == Busy("a program runs and does not read", again_in=ON_CHANGE)


@pytest.mark.parametrize("tty", [attrs.evolve(AT_PROMPT, reading=False), RUNNING])
def test_foreground_of_a_full_screen_program(tty: TtyState) -> None:
    """A full-screen program works as well while it does not read, in raw mode or not."""
    shown = attrs.evolve(screen("~"), alternate=True, command="vim")
    verdict = ForegroundStrategy().assess(Snapshot(screen=shown, tty=tty))
    assert verdict == Busy("vim runs and does not read", again_in=ON_CHANGE)


AS_MARKED = Snapshot(screen=MARK.screen, tty=MARK.tty, mark=MARK)


@pytest.mark.parametrize(
    ("snapshot", "verdict"),
    [
        (Snapshot(screen=screen()), Pass("nothing was sent", again_in=ON_CHANGE)),
        (
            attrs.evolve(AS_MARKED, unchanged_for=0.75),
            Busy("nothing has happened yet since the last key was sent", 0.25, is_stale=True),
        ),
        (
            attrs.evolve(AS_MARKED, unchanged_for=1.0),
            Pass("nothing has happened in 1 s since the last key was sent"),
        ),
        (
            attrs.evolve(AS_MARKED, tty=AT_PROMPT),
            Pass("what was sent has been taken", again_in=ON_CHANGE),
        ),
        (
            attrs.evolve(AS_MARKED, screen=screen("$ make\n")),
            Pass("what was sent has been taken", again_in=ON_CHANGE),
        ),
    ],
)
def test_consumed(snapshot: Snapshot, verdict: Verdict) -> None:
    """Nothing counts until what was sent has had an effect, but not for longer than a second."""
    assert ConsumedStrategy().assess(snapshot) == verdict


@pytest.mark.parametrize(
    ("tty", "unchanged_for", "again_in"),
    [
        (ASKING, 0.0, 0.01),
        (ASKING, 0.25, 0.25),
        (ASKING, 0.75, 0.25),
        (HIDING, 0.25, 0.75),
        (AT_PROMPT, 0.25, 0.75),
        (attrs.evolve(AT_PROMPT, only_reading=False), 0.25, 0.25),
        (None, 0.25, 0.75),
    ],
)
def test_the_kernels_echo_rings_no_bell(
    tty: TtyState | None, unchanged_for: float, again_in: float
) -> None:
    """A key at who reads whole lines shows on the screen alone, perhaps just after the snapshot."""
    shown = screen("Name: ")
    mark = Mark(screen=shown, tty=tty)
    snapshot = Snapshot(screen=shown, tty=tty, mark=mark, unchanged_for=unchanged_for)
    verdict = ConsumedStrategy().assess(snapshot)
    reason = "nothing has happened yet since the last key was sent"
    assert verdict == Busy(reason, again_in, is_stale=True)


def test_consumed_without_evidence() -> None:
    """Without the kernel only the screen can show that keys were taken."""
    snapshot = Snapshot(screen=MARK.screen, mark=Mark(screen=MARK.screen))
    assert isinstance(ConsumedStrategy(bound=3).assess(snapshot), Busy)
    assert isinstance(ConsumedStrategy(bound=0).assess(snapshot), Pass)


WORKING = TtyState(canonical=False, echo=False, reading=False, activity=Activity(5, 1_000))


@pytest.mark.parametrize(
    ("alternate", "outcome"), [(True, Outcome.FULLSCREEN), (False, Outcome.STABLE)]
)
def test_a_program_that_looks_for_keys(*, alternate: bool, outcome: Outcome) -> None:
    """It never sleeps in a read; so that it takes keys is a guess."""
    shown = attrs.evolve(screen("a game"), alternate=alternate, command="game")
    snapshot = Snapshot(screen=shown, tty=WORKING, polls=True, unchanged_for=2.0)
    reason = "a guess: game seems to poll for keys"
    judgement = default_chain().judge(snapshot)
    assert judgement.strategy == "SilenceStrategy"
    assert judgement.verdict == Ready(outcome, reason, is_guess=True)
    assert snapshot.facts.missing_evidence.startswith("without knowing the reader")
    busy = Busy("game runs and does not read", again_in=0.5)
    empty = attrs.evolve(snapshot, screen=attrs.evolve(screen(""), command="game"))
    for other in (attrs.evolve(snapshot, polls=False), empty):
        assert ForegroundStrategy().assess(other) == busy


@pytest.mark.parametrize(
    ("title", "rows"),
    [
        ("", "  \u2503\n  \u2503  Build  Model\n  \u2579\u2580\u2580\u2580\n   esc interrupt"),
        ("\u280b project", "a question"),
    ],
    ids=["its rows", "its title"],
)
def test_who_is_known_is_asked_before_a_guess(title: str, rows: str) -> None:
    """A program that says that it works is believed, though it seems to look for keys."""
    shown = attrs.evolve(screen(rows), alternate=True, title=title)
    tty = attrs.evolve(WORKING, only_reading=False, program="opencode")
    snapshot = Snapshot(screen=shown, tty=tty, polls=True, unchanged_for=60.0)
    verdict = default_chain().assess(snapshot)
    assert isinstance(verdict, Busy), verdict


def test_a_pattern_is_a_condition_for_who_polls() -> None:
    """Who waits for a pattern is given no guess; the pattern is found where nobody reads."""
    snapshot = Snapshot(screen=screen("a game"), tty=WORKING, polls=True, unchanged_for=60.0)
    assert isinstance(default_chain("^never$").assess(snapshot), Pass)
    found = default_chain("^a game$").assess(snapshot)
    assert found == Ready(Outcome.PROMPT, "the pattern is in 'a game'")


@pytest.mark.parametrize(
    ("activity", "polls"),
    [
        (Activity(25, 50_000_000), True),
        (Activity(12, 50_000_000), False),
        (Activity(25, 300_000_000), False),
        (Activity(25, 50_000_000, 2_000_000_000), True),
        (Activity(25, 50_000_000, 3_000_000_000), False),
        (None, False),
    ],
    ids=["looks for keys", "sleeps", "works", "is late", "is kept from working", "is not told"],
)
def test_what_a_program_does_while_nothing_changes(
    activity: Activity | None, *, polls: bool
) -> None:
    """Who looks for keys wakes four times a second, and hardly runs, or wants to."""
    last_changes = LastChanges()
    for now, seen in ((0.0, Activity(5, 0)), (1.0, Activity(5, 0)), (5.0, activity)):
        last_changes.note(screen("a game"), attrs.evolve(WORKING, activity=seen), now)
    assert last_changes.polls is polls


def test_a_program_is_judged_from_when_its_counters_are_told() -> None:
    """Not from when the screen stood still: a program that loads hardly runs in a short time."""
    last_changes = LastChanges()
    loads = Activity(12, 100_000_000, 800_000_000)
    looks = Activity(25, 90_000_000, 100_000_000)
    for now, seen, polls in (
        (0.0, None, False),
        (4.0, Activity(5, 0), False),
        (5.0, loads, False),
        (5.9, looks, False),
        (6.0, looks, True),
    ):
        last_changes.note(screen("a game"), attrs.evolve(WORKING, activity=seen), now)
        assert last_changes.polls is polls


def test_a_shell_that_was_sent_nothing_may_still_start() -> None:
    """A startup file that hangs is the likeliest reason, and not the shell."""
    starting = attrs.evolve(screen(""), command="bash")
    verdict = ForegroundStrategy().assess(Snapshot(screen=starting, tty=RUNNING))
    assert isinstance(verdict, Busy)
    assert verdict.reason == (
        "bash runs (its startup files, if it has just started) and does not read"
    )
