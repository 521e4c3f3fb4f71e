"""`Snapshot`: what has changed since the mark, and whether the program took what was sent."""

import attrs
import pytest

from tests.unit.builders import AT_PROMPT, MARK, RAW_ONLY, RUNNING, screen
from tmuxprim import Cursor, Mark, Screen, TtyState
from tmuxprim._readiness.snapshot import shows_the_same
from tmuxprim.readiness import Snapshot

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
    ("tty", "command", "pass_through_count"),
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
def test_relay(tty: TtyState | None, command: str, *, pass_through_count: bool) -> None:
    """A relay is known by what it waits for; else by its name, or by passing C-c on."""
    snapshot = Snapshot(screen=attrs.evolve(screen(), command=command), tty=tty)
    assert snapshot.facts.is_passed_through is pass_through_count


@pytest.mark.parametrize(
    ("tty", "missing"),
    [
        (None, "without kernel evidence"),
        (REMOTE, "a guess: nobody tells what runs behind this program"),
        (attrs.evolve(REMOTE, command="ssh"), "a guess: nobody tells what runs behind ssh"),
        (RAW_ONLY, "without knowing who reads"),
        (attrs.evolve(RAW_ONLY, level="stat"), "without knowing who reads; stat evidence"),
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
    """What tmux names is the relay."""
    shown, tty = attrs.evolve(screen(), command="script"), attrs.evolve(AT_PROMPT, command="bash")
    for of in (Snapshot(screen=shown, tty=tty), Mark(screen=shown, tty=tty)):
        assert of.command == "bash"
    for of in (Snapshot(screen=shown, tty=AT_PROMPT), Mark(screen=shown)):
        assert of.command == "script"
