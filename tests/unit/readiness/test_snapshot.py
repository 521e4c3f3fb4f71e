"""`Snapshot`: what has changed since the mark, and whether the program took what was sent."""

import attrs
import pytest

from tests.unit.builders import ASKING, AT_PROMPT, COOKED_ONLY, MARK, RAW_ONLY, RUNNING, screen
from tmuxprim import Cursor, Mark, Outcome, Screen, TtyState
from tmuxprim._readiness.snapshot import once_settled, patience_for_text, shows_the_same
from tmuxprim.readiness import Pass, Ready, Snapshot, Verdict

AS_MARKED = screen("$ make")


@pytest.mark.parametrize(
    "other",
    [
        screen("$ make\n"),
        screen("$ make all"),
        attrs.evolve(AS_MARKED, cursor=Cursor(0, 3)),
        attrs.evolve(AS_MARKED, history_size=1),
        attrs.evolve(AS_MARKED, alternate=True),
        attrs.evolve(AS_MARKED, dead=True),
    ],
    ids=["cursor row", "rows", "cursor column", "history", "alternate screen", "death"],
)
def test_another_picture(other: Screen) -> None:
    """A picture is made of rows, cursor, scrolling, the alternate screen, and life or death."""
    assert not shows_the_same(AS_MARKED, other)
    assert Snapshot(screen=other, mark=MARK).changed
    assert Snapshot(screen=other, mark=MARK).consumed


def test_the_same_picture() -> None:
    """A title that spins and a command's name that flips are no change of the picture."""
    other = attrs.evolve(AS_MARKED, title="|", command="make", cursor_visible=False)
    assert shows_the_same(AS_MARKED, other)
    assert not Snapshot(screen=other, mark=MARK).changed


def test_first_look() -> None:
    """A snapshot that is told of nothing but a screen is the first one of a wait."""
    snapshot = Snapshot(screen=AS_MARKED)
    assert (snapshot.elapsed, snapshot.unchanged_for, snapshot.reading_for) == (0.0, 0.0, 0.0)
    assert snapshot.steady
    assert (snapshot.tty, snapshot.mark) == (None, None)


def test_without_a_mark_all_is_new() -> None:
    """Nothing was sent, so nothing is waited for."""
    snapshot = Snapshot(screen=AS_MARKED)
    assert snapshot.changed
    assert snapshot.consumed


@pytest.mark.parametrize(
    ("before", "now", "consumed"),
    [
        (AT_PROMPT, AT_PROMPT, False),
        (AT_PROMPT, attrs.evolve(AT_PROMPT, wakeups=6), True),
        (AT_PROMPT, RUNNING, True),
        (None, AT_PROMPT, False),
        (AT_PROMPT, None, False),
        (None, None, False),
    ],
)
def test_consumed_on_the_same_screen(
    before: TtyState | None, now: TtyState | None, *, consumed: bool
) -> None:
    """On an unchanged screen only the kernel can tell that the keys were taken."""
    snapshot = Snapshot(screen=AS_MARKED, tty=now, mark=Mark(screen=AS_MARKED, tty=before))
    assert snapshot.consumed is consumed


def test_unread_keys_are_not_consumed() -> None:
    """Bytes that wait to be read are no sign that the program has taken them."""
    waiting = attrs.evolve(AT_PROMPT, unread=3)
    snapshot = Snapshot(
        screen=screen("$ "), tty=waiting, mark=Mark(screen=screen("$ "), tty=AT_PROMPT)
    )
    assert not snapshot.consumed


def test_a_relay_that_woke_up_has_not_consumed() -> None:
    """What waits for other things as well may have woken for those, or only passed keys on."""
    pass_through = attrs.evolve(AT_PROMPT, only_reading=False)
    mark = Mark(screen=screen("$ "), tty=pass_through)
    woken = attrs.evolve(pass_through, wakeups=99)
    assert not Snapshot(screen=screen("$ "), tty=woken, mark=mark).consumed
    assert Snapshot(screen=screen("$ x"), tty=woken, mark=mark).consumed


REMOTE = attrs.evolve(AT_PROMPT, only_reading=False, passes_on=True, signals=False)


@pytest.mark.parametrize(
    ("tty", "command", "is_pass_through"),
    [
        (None, "ssh", False),
        (RUNNING, "ssh", False),
        (attrs.evolve(REMOTE, canonical=True), "ssh", False),
        (REMOTE, "ssh", True),
        (REMOTE, "script", True),
        (attrs.evolve(REMOTE, passes_on=False), "vim", False),
        (attrs.evolve(REMOTE, passes_on=False), "docker", True),
        (attrs.evolve(REMOTE, passes_on=None), "ssh", True),
        (attrs.evolve(REMOTE, passes_on=None, signals=True), "ssh", False),
    ],
    ids=[
        "no evidence",
        "it does not read",
        "whole lines are read",
        "a connection",
        "a terminal of its own",
        "a program that takes C-c itself",
        "a client with a local socket",
        "no C-c, and more is not known",
        "C-c, and more is not known",
    ],
)
def test_a_pass_through_program(
    tty: TtyState | None, command: str, *, is_pass_through: bool
) -> None:
    """It is known by what it waits for; else by its name, or by passing C-c on."""
    snapshot = Snapshot(screen=attrs.evolve(screen(), command=command), tty=tty)
    assert snapshot.facts.is_pass_through is is_pass_through


@pytest.mark.parametrize(
    ("tty", "missing"),
    [
        (None, "without kernel evidence"),
        (REMOTE, "a guess: the program behind this program cannot be determined"),
        (
            attrs.evolve(REMOTE, command="ssh"),
            "a guess: the program behind ssh cannot be determined",
        ),
        (RAW_ONLY, "without knowing the reader"),
        (attrs.evolve(RAW_ONLY, level="stat"), "without knowing the reader; stat evidence"),
        (AT_PROMPT, ""),
        (attrs.evolve(AT_PROMPT, level="syscall"), ""),
        (attrs.evolve(AT_PROMPT, level="wchan"), "wchan evidence"),
        (RUNNING, ""),
    ],
)
def test_missing_evidence(tty: TtyState | None, missing: str) -> None:
    """A result says what it was found without."""
    assert Snapshot(screen=screen(), tty=tty).facts.missing_evidence == missing


def test_the_command_behind_a_relay() -> None:
    """What tmux names is the pass-through program."""
    shown, tty = attrs.evolve(screen(), command="script"), attrs.evolve(AT_PROMPT, command="bash")
    for of in (Snapshot(screen=shown, tty=tty), Mark(screen=shown, tty=tty)):
        assert of.command == "bash"
    for of in (Snapshot(screen=shown, tty=AT_PROMPT), Mark(screen=shown)):
        assert of.command == "script"


# What is ready, but only on a screen that stands still, and for how long it has to.

READY = Ready(Outcome.STABLE, "quiet")
TORN = Pass("quiet, but the program worked meanwhile", again_in=0.0)


@pytest.mark.parametrize(
    ("seconds", "unchanged_for", "verdict"),
    [
        (0.0, 0.0, READY),
        (0.5, 0.5, READY),
        (0.5, 9.0, READY),
        (0.5, 0.0, Pass("quiet, not settled yet", again_in=0.5)),
        (0.5, 0.375, Pass("quiet, not settled yet", again_in=0.125)),
    ],
)
def test_time_to_settle(seconds: float, unchanged_for: float, verdict: Verdict) -> None:
    """Ready from so many seconds on; before, the verdict says how many are left."""
    snapshot = Snapshot(screen=screen(), unchanged_for=unchanged_for)
    assert once_settled(snapshot, seconds, Outcome.STABLE, "quiet") == verdict


@pytest.mark.parametrize("seconds", [0.0, 0.5])
@pytest.mark.parametrize("unchanged_for", [0.0, 60.0])
def test_unsteady_look(seconds: float, unchanged_for: float) -> None:
    """A screen and evidence of two moments prove nothing, for however long nothing changed."""
    snapshot = Snapshot(screen=screen(), unchanged_for=unchanged_for, steady=False)
    assert once_settled(snapshot, seconds, Outcome.STABLE, "quiet") == TORN


STALE = Mark(screen=screen("$ "))
RELAY = attrs.evolve(AT_PROMPT, only_reading=False, passes_on=True)


@pytest.mark.parametrize(
    ("tty", "mark", "known", "unknown"),
    [
        (None, MARK, 0.3, 1.0),
        (RUNNING, MARK, 0.3, 1.0),
        (attrs.evolve(ASKING, only_reading=False), MARK, 0.3, 1.0),
        (RELAY, MARK, 0.1, 1.5),
        (RELAY, STALE, 0.1, 1.5),
        (RAW_ONLY, MARK, 0.1, 0.1),
        (COOKED_ONLY, MARK, 0.3, 1.0),
        (AT_PROMPT, STALE, 0.06, 0.06),
        (AT_PROMPT, MARK, 0.0, 0.0),
        (AT_PROMPT, None, 0.0, 0.0),
        (ASKING, MARK, 0.0, 0.0),
        (attrs.evolve(RELAY, passes_on=False), MARK, 0.0, 0.0),
    ],
    ids=[
        "no evidence",
        "nobody reads",
        "whole lines are read, and more is waited for",
        "a pass-through program",
        "a pass-through program that shows nothing new",
        "keys are read by an unknown program",
        "lines are read, and the reader is not known",
        "nothing new",
        "a line editor",
        "a line editor, and nothing was sent",
        "a reader of lines",
        "a line editor that waits for more",
    ],
)
def test_patience(tty: TtyState | None, mark: Mark | None, known: float, unknown: float) -> None:
    """The less is known of who reads, and of the prompt, the longer a text has to stand."""
    snapshot = Snapshot(screen=screen("$ "), tty=tty, mark=mark)
    assert patience_for_text(snapshot, 0.1, known=True) == pytest.approx(known)
    assert patience_for_text(snapshot, 0.1, known=False) == pytest.approx(unknown)


@pytest.mark.parametrize(
    ("tty", "is_ready"),
    [(AT_PROMPT, False), (ASKING, False), (None, True)],
    ids=["a line editor", "a reader of lines", "no evidence"],
)
@pytest.mark.parametrize("confirmed", [False, True])
def test_what_tmux_may_still_be_reading_is_looked_at_twice(
    tty: TtyState | None, *, is_ready: bool, confirmed: bool
) -> None:
    """The program has written all before it reads; tmux may not have read all of that."""
    snapshot = Snapshot(screen=screen("$ "), tty=tty, mark=MARK, confirmed=confirmed)
    verdict = once_settled(snapshot, 0.0, Outcome.STABLE, "quiet")
    unsure = Pass("quiet, not seen twice yet", again_in=0.0)
    assert verdict == (READY if is_ready or confirmed else unsure)


@pytest.mark.parametrize(("passes_on", "seconds"), [(0, 0.0), (1, 0.03), (2, 0.06)])
def test_a_relay_takes_a_moment(passes_on: int, seconds: float) -> None:
    """What stands behind it may read already, while its text is still on its way."""
    tty = attrs.evolve(AT_PROMPT, pass_through_count=passes_on)
    snapshot = Snapshot(screen=screen("$ "), tty=tty, unchanged_for=seconds)
    assert isinstance(once_settled(snapshot, 0.0, Outcome.PROMPT, "a prompt"), Ready)
    early = once_settled(attrs.evolve(snapshot, unchanged_for=0.0), 0.0, Outcome.PROMPT, "a prompt")
    assert isinstance(early, Pass) is bool(passes_on)


def test_the_outcome_of_a_verdict_is_no_text() -> None:
    """A text would be found only when it is compared with an outcome, and never be equal."""
    with pytest.raises(TypeError, match="got 'prompt'"):
        Ready("prompt", "it is there")  # type: ignore[arg-type]
