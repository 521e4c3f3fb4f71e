"""`TtyState`: what the line discipline's flags say together."""

import pytest

from tests.unit.builders import AT_PROMPT, COOKED_ONLY, screen
from tmuxprim import Mark, TtyState
from tmuxprim.readiness import Prompt


@pytest.mark.parametrize(
    ("canonical", "echo", "is_raw", "hides_input"),
    [
        (True, True, False, False),
        (True, False, False, True),
        (False, False, True, False),
        (False, True, True, False),
    ],
)
def test_modes(*, canonical: bool, echo: bool, is_raw: bool, hides_input: bool) -> None:
    """Raw is not canonical; a line without echo is hidden, a key without echo is not."""
    tty = TtyState(canonical=canonical, echo=echo)
    assert (tty.is_raw, tty.hides_input) == (is_raw, hides_input)


def test_unknown_is_none() -> None:
    """What was not found out is None, and only ISIG is taken for what it mostly is."""
    tty = TtyState(canonical=True, echo=True)
    assert tty.signals is True
    facts = (tty.foreground_pid, tty.foreground_is_pane, tty.reading, tty.only_reading)
    counts = (tty.reader_pid, tty.wakeups, tty.unread, tty.line_limit)
    assert (*facts, tty.edits, tty.passes_on, *counts) == (None,) * 10


@pytest.mark.parametrize(
    ("stack", "depth", "read_site"), [(7, 5, (7, 5)), (None, 5, None), (7, None, None)]
)
def test_read_site(stack: int | None, depth: int | None, read_site: tuple[int, int] | None) -> None:
    """Where a reader sleeps is known if its stack is, and how much of it is used."""
    tty = TtyState(canonical=True, echo=True, stack=stack, depth=depth)
    assert tty.read_site == read_site


# `Mark` and `Prompt`: what is known of a pane before something is sent.


def test_mark_of_a_screen_alone() -> None:
    """Without the kernel's evidence and a prompt a mark knows neither, and says so."""
    mark = Mark(screen=screen("$ "))
    assert mark.tty is None
    assert mark.prompt is None


@pytest.mark.parametrize(("tty", "pid"), [(AT_PROMPT, 10), (COOKED_ONLY, None), (None, None)])
def test_prompt_is_of_the_foreground(tty: TtyState | None, pid: int | None) -> None:
    """A prompt is the whole text left of the cursor, and whose it is, if the kernel tells."""
    assert Prompt.seen(screen("make\n~/src ready! "), tty) == Prompt("~/src ready! ", pid)


def test_prompt_of_a_text_alone() -> None:
    """The same text of another or an unknown process is another prompt."""
    assert Prompt("$ ") == Prompt("$ ", None)
    assert Prompt("$ ", 10) not in {Prompt("$ "), Prompt("$ ", 11)}
