"""Typing a line and Enter in one delivery: when that is right, and what the mark is then."""

from typing import Any

import attrs
import pytest

from tests.unit.builders import AT_PROMPT, screen
from tmuxprim import (
    Console,
    Cursor,
    FakeTerminal,
    KeySequence,
    Mark,
    Outcome,
    Pane,
    PaneBusyError,
    Readiness,
    Screen,
    Size,
)
from tmuxprim._engine.plan import drive
from tmuxprim._engine.submit import as_typed, at_its_line, submit_at_once, takes_line_at_once
from tmuxprim.readiness import Prompt
from tmuxprim.testing import Program, ScriptedShell, repl

PROMPT = Prompt("$ ", 10)
EDITING = attrs.evolve(AT_PROMPT, edits=True)
READY = Readiness(
    outcome=Outcome.PROMPT,
    strategy="PromptStrategy",
    reason="",
    screen=attrs.evolve(screen("$ ", size=Size(20, 3)), command="bash"),
    elapsed=0.0,
    tty=EDITING,
)


def with_tty(**fields: Any) -> Readiness:  # noqa: ANN401  # fields of all types
    """Return the readiness with other evidence."""
    return attrs.evolve(READY, tty=attrs.evolve(EDITING, **fields))


def test_a_shell_at_its_prompt_takes_a_line_at_once() -> None:
    """One that fits into the row of the prompt, so that it is shown as it is."""
    assert takes_line_at_once(READY, PROMPT, "ls")
    assert takes_line_at_once(READY, PROMPT, "x" * 17)
    assert takes_line_at_once(READY, PROMPT, "echo 'é 日本'")


@pytest.mark.parametrize("line", ["", "x" * 18, "日" * 9, "a\tb", "a\nb", "\x1b", "e\u0301\u200b"])
def test_a_line_that_is_shown_otherwise_is_typed_before_its_enter(line: str) -> None:
    """An empty one, one that wraps, one with keys that edit, one of unknown width."""
    assert not takes_line_at_once(READY, PROMPT, line)


@pytest.mark.parametrize(
    ("ready", "prompt"),
    [
        (attrs.evolve(READY, outcome=Outcome.STABLE), PROMPT),
        (attrs.evolve(READY, outcome=Outcome.CONTINUATION), PROMPT),
        (attrs.evolve(READY, tty=None), PROMPT),
        (with_tty(reading=None), PROMPT),
        (with_tty(passes_on=True), PROMPT),
        (with_tty(pass_through_count=1), PROMPT),
        (with_tty(edits=False), PROMPT),
        (with_tty(foreground_pid=11), PROMPT),
        (attrs.evolve(READY, screen=attrs.evolve(READY.screen, command="python3")), PROMPT),
        (attrs.evolve(READY, screen=attrs.evolve(screen("$ half"), command="bash")), PROMPT),
        (attrs.evolve(READY, screen=attrs.evolve(screen("  "), command="bash")), Prompt("  ", 10)),
        (READY, None),
    ],
)
def test_whoever_may_be_another_program_gets_its_enter_later(
    ready: Readiness, prompt: Prompt | None
) -> None:
    """It may take a text and a carriage return that arrive together for a paste."""
    assert not takes_line_at_once(ready, prompt, "ls")


def test_the_mark_to_read_by_shows_the_line() -> None:
    """As if it had been taken right before the Enter."""
    mark = Mark(screen=screen("a\n$ ", size=Size(9, 3)), tty=EDITING, prompt=PROMPT)
    typed = as_typed(mark, "ls 日 ")
    assert typed.screen.rows == ("a", "$ ls 日", "")
    assert typed.screen.before_cursor == "$ ls 日 "
    assert (typed.tty, typed.prompt) == (EDITING, PROMPT)


def test_it_is_one_delivery() -> None:
    """The mark to wait by is from before both; nothing is typed into copy mode."""
    terminal = FakeTerminal()
    pane = terminal.open()
    Console(terminal, pane).wait_ready()
    mark = drive(submit_at_once(pane, "ls", READY, PROMPT, leave_mode=False), terminal)
    assert (mark.screen.before_cursor, len(terminal.sent())) == ("$ ", 1)
    terminal.assert_sent(pane, "ls", "Enter")
    terminal.set_mode(pane, "copy-mode")
    with pytest.raises(PaneBusyError, match="copy-mode"):
        drive(submit_at_once(pane, "ls", READY, PROMPT, leave_mode=False), terminal)
    drive(submit_at_once(pane, "ls", READY, PROMPT, leave_mode=True), terminal)


class Remembering(FakeTerminal):
    """A terminal that tells what it was said to have been seen."""

    hint: Screen | None = None

    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        """Type as all do."""
        self.hint = seen
        return super().send(pane, keys, leave_mode=leave_mode, seen=seen)


def test_a_look_may_be_spared() -> None:
    """The last one is handed over with the line."""
    terminal = Remembering()
    pane = terminal.open()
    Console(terminal, pane).wait_ready()
    mark = drive(submit_at_once(pane, "ls", READY, PROMPT, leave_mode=False), terminal)
    terminal.assert_sent(pane, "ls", "Enter")
    assert (terminal.hint, mark.tty) == (READY.screen, EDITING)


def sends(console: Console, pane: Pane) -> int:
    """Return in how many deliveries a command is run."""
    terminal = console.terminal
    assert isinstance(terminal, FakeTerminal)
    before = len(terminal.sent(pane))
    console.run("echo hi")
    return len(terminal.sent(pane)) - before


def test_run_spares_a_shell_one_delivery_and_a_repl_none() -> None:
    """By whom the line is read decides."""
    programs: dict[str, Program] = {
        "sh": ScriptedShell(),
        "python": repl(lambda line: line, prompt=">>> "),
    }
    terminal = FakeTerminal(programs=programs)
    for name, count in (("sh", 1), ("python", 2)):
        pane = terminal.open(name)
        assert sends(Console(terminal, pane), pane) == count


@pytest.mark.parametrize(
    ("shown", "scrolled", "cursor"),
    [
        ("hi\n> 6 * 7\n42", 0, Cursor(1, 7)),  # node goes to the row below, and back
        ("> 6 * 7\n42", 1, Cursor(0, 7)),
        ("hi\n> 6 * 7", 0, Cursor(1, 7)),
        ("hi\n> 6 * 8\n56", 0, Cursor(2, 2)),
        ("42", 2, Cursor(0, 2)),
    ],
)
def test_a_preview_below_the_line_is_not_where_it_was_typed(
    shown: str, scrolled: int, cursor: Cursor
) -> None:
    """The cursor is behind the line again, if that is where it stands."""
    mark = Mark(screen=attrs.evolve(screen(shown), history_size=scrolled))
    assert at_its_line(mark, screen("hi\n> "), "6 * 7").screen.cursor == cursor
