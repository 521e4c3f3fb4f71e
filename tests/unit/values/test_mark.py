"""`Mark` and `Prompt`: what is known of a pane before something is sent."""

import pytest

from tests.unit.builders import AT_PROMPT, COOKED_ONLY, screen
from tmuxprim import Mark, TtyState
from tmuxprim.readiness import Prompt


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
    """The same text of another process, or of nobody knows whom, is another prompt."""
    assert Prompt("$ ") == Prompt("$ ", None)
    assert Prompt("$ ", 10) not in {Prompt("$ "), Prompt("$ ", 11)}
