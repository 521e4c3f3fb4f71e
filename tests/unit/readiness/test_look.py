"""`Look`: what has changed since the mark, and whether the program took what was sent."""

import attrs
import pytest

from tests.unit.builders import AT_PROMPT, MARK, RAW_ONLY, RUNNING, screen
from tmuxprim import Cursor, Mark, Screen, TtyState
from tmuxprim._readiness.look import same_picture
from tmuxprim.readiness import Look

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
    assert not same_picture(AS_MARKED, other)
    assert Look(screen=other, mark=MARK).changed
    assert Look(screen=other, mark=MARK).consumed


def test_the_same_picture() -> None:
    """A title that spins and a command's name that flips are no change of the picture."""
    other = attrs.evolve(AS_MARKED, title="|", command="make", cursor_visible=False)
    assert same_picture(AS_MARKED, other)
    assert not Look(screen=other, mark=MARK).changed


def test_first_look() -> None:
    """A look that is told of nothing but a screen is the first one of a wait."""
    look = Look(screen=AS_MARKED)
    assert (look.elapsed, look.unchanged_for, look.reading_for) == (0.0, 0.0, 0.0)
    assert look.steady
    assert (look.tty, look.mark) == (None, None)


def test_without_a_mark_all_is_new() -> None:
    """Nothing was sent, so nothing is waited for."""
    look = Look(screen=AS_MARKED)
    assert look.changed
    assert look.consumed


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
    look = Look(screen=AS_MARKED, tty=now, mark=Mark(screen=AS_MARKED, tty=before))
    assert look.consumed is consumed


def test_unread_keys_are_not_consumed() -> None:
    """Bytes that wait to be read are no sign that the program has taken them."""
    waiting = attrs.evolve(AT_PROMPT, unread=3)
    look = Look(screen=screen("$ "), tty=waiting, mark=Mark(screen=screen("$ "), tty=AT_PROMPT))
    assert not look.consumed


def test_a_relay_that_woke_up_has_not_consumed() -> None:
    """What waits for other things as well may have woken for those, or only passed keys on."""
    relay = attrs.evolve(AT_PROMPT, only_reading=False)
    mark = Mark(screen=screen("$ "), tty=relay)
    woken = attrs.evolve(relay, wakeups=99)
    assert not Look(screen=screen("$ "), tty=woken, mark=mark).consumed
    assert Look(screen=screen("$ x"), tty=woken, mark=mark).consumed


FAR = attrs.evolve(AT_PROMPT, only_reading=False, relays=True, signals=False)


@pytest.mark.parametrize(
    ("tty", "command", "relayed"),
    [
        (None, "ssh", False),
        (RUNNING, "ssh", False),
        (attrs.evolve(FAR, canonical=True), "ssh", False),
        (FAR, "ssh", True),
        (FAR, "script", True),
        (attrs.evolve(FAR, relays=False), "vim", False),
        (attrs.evolve(FAR, relays=False), "docker", True),
        (attrs.evolve(FAR, relays=None), "ssh", True),
        (attrs.evolve(FAR, relays=None, signals=True), "ssh", False),
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
def test_relay(tty: TtyState | None, command: str, *, relayed: bool) -> None:
    """A relay is known by what it waits for; else by its name, or by passing C-c on."""
    look = Look(screen=attrs.evolve(screen(), command=command), tty=tty)
    assert look.is_relayed is relayed


@pytest.mark.parametrize(
    ("tty", "missing"),
    [
        (None, "without kernel evidence"),
        (FAR, "a guess: nobody tells what runs behind this program"),
        (attrs.evolve(FAR, command="ssh"), "a guess: nobody tells what runs behind ssh"),
        (RAW_ONLY, "without knowing who reads"),
        (attrs.evolve(RAW_ONLY, level="counters"), "without knowing who reads; counters evidence"),
        (AT_PROMPT, ""),
        (attrs.evolve(AT_PROMPT, level="full"), ""),
        (attrs.evolve(AT_PROMPT, level="shared"), "shared evidence"),
        (RUNNING, ""),
    ],
)
def test_missing_evidence(tty: TtyState | None, missing: str) -> None:
    """A result says what it was found without."""
    assert Look(screen=screen(), tty=tty).missing_evidence == missing


def test_the_command_behind_a_relay() -> None:
    """What tmux names is the relay."""
    shown, tty = attrs.evolve(screen(), command="script"), attrs.evolve(AT_PROMPT, command="bash")
    for of in (Look(screen=shown, tty=tty), Mark(screen=shown, tty=tty)):
        assert of.command == "bash"
    for of in (Look(screen=shown, tty=AT_PROMPT), Mark(screen=shown)):
        assert of.command == "script"
