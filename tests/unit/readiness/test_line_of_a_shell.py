"""`PromptStrategy` where a shell edits lines: any text may be its prompt."""

from typing import Any

import attrs
import pytest

from tests.unit.builders import ASKING, AT_PROMPT, HIDING, screen
from tmuxprim import Mark, Outcome, PromptStrategy, Screen, TtyState
from tmuxprim.readiness import Pass, Prompt, Ready, Snapshot, Verdict

EDITING = attrs.evolve(AT_PROMPT, edits=True)
# After "make" was typed at a prompt that looks like none.
ODD = Mark(screen=screen("go make"), tty=EDITING, prompt=Prompt("go ", 10))


def shown(text: str, command: str = "bash") -> Screen:
    """Return a screen while *command* is in the foreground."""
    return attrs.evolve(screen(text), command=command)


def judge(snapshot: Snapshot, unchanged_for: float = 60.0) -> Verdict:
    """Ask for a prompt on a screen that has stood still for long."""
    return PromptStrategy().assess(attrs.evolve(snapshot, unchanged_for=unchanged_for))


FIRST = Snapshot(screen=shown("ready! "), tty=EDITING)
NEXT = Snapshot(screen=shown("go make\nready! "), tty=EDITING, mark=ODD)


@pytest.mark.parametrize("command", ["bash", "-bash", "zsh", "-zsh", "fish", "mksh", "busybox"])
@pytest.mark.parametrize("snapshot", [FIRST, NEXT], ids=["first", "after a command"])
def test_line_of_a_shell(snapshot: Snapshot, command: str) -> None:
    """Whatever a shell shows when it begins to edit a line is its prompt."""
    snapshot = attrs.evolve(snapshot, screen=attrs.evolve(snapshot.screen, command=command))
    assert judge(snapshot) == Ready(Outcome.PROMPT, "prompt 'ready!' at the cursor")


@pytest.mark.parametrize("snapshot", [FIRST, NEXT], ids=["first", "after a command"])
def test_it_may_still_be_drawing(snapshot: Snapshot) -> None:
    """So a prompt that is not known stands for a moment, though all is known of who reads."""
    early = judge(snapshot, 0.04)
    assert isinstance(early, Pass)
    assert early.reason == "prompt 'ready!' at the cursor, not settled yet"
    assert early.again_in == pytest.approx(0.01)
    assert isinstance(judge(snapshot, 0.05), Ready)


@pytest.mark.parametrize(
    ("snapshot", "change"),
    [
        (FIRST, {"edits": False}),
        (FIRST, {"edits": None}),
        (FIRST, {"reading": False}),
        (NEXT, {"edits": False}),
        (NEXT, {"reading": False}),
    ],
)
def test_without_a_line_editor_text_is_no_prompt(
    snapshot: Snapshot, change: dict[str, Any]
) -> None:
    """Nor while the shell still works."""
    tty = attrs.evolve(EDITING, **change)
    assert judge(attrs.evolve(snapshot, tty=tty)) == Pass("no prompt in 'ready! '")


@pytest.mark.parametrize("command", ["python3", "vim", ""])
def test_other_programs_have_line_editors_too(command: str) -> None:
    """In those a text may be anything."""
    assert isinstance(judge(attrs.evolve(FIRST, screen=shown("ready! ", command))), Pass)


@pytest.mark.parametrize(
    ("text", "tty", "found"),
    [
        ("ready! ", attrs.evolve(EDITING, reading=None), True),
        ("", EDITING, True),
        ("", attrs.evolve(EDITING, reading=None), False),
        ("  ", attrs.evolve(EDITING, reading=None), False),
        ("Name: ", EDITING, True),
    ],
    ids=["reader unknown", "no text", "nothing is known", "spaces", "like a question"],
)
def test_first_line(text: str, tty: TtyState, *, found: bool) -> None:
    """Nothing was sent, so nothing can ask; but without any text somebody has to read."""
    snapshot = attrs.evolve(FIRST, screen=shown(text), tty=tty)
    assert isinstance(judge(snapshot), Ready if found else Pass)


@pytest.mark.parametrize(
    "text",
    ["go make\nSure? ", "go make\nName: ", "go make\n", "go make\n   ", "go make", "go make it"],
    ids=["question", "another question", "no text", "spaces", "as it was", "the same row"],
)
def test_no_line_of_a_shell(text: str) -> None:
    """The shell's own ``read -e`` asks; and what stands in the command's row was typed."""
    shown_text = text.rpartition("\n")[2]
    assert judge(attrs.evolve(NEXT, screen=shown(text))) == Pass(f"no prompt in {shown_text!r}")


def test_line_after_the_screen_was_cleared() -> None:
    """Then nobody knows where the command's row was, and any text will do."""
    assert isinstance(judge(attrs.evolve(NEXT, screen=shown("ready! "))), Ready)


def test_a_prompt_may_come_to_look_like_none() -> None:
    """A command may have changed it; nor has anybody seen one to compare it with."""
    mark = Mark(screen=screen("$ make"), tty=EDITING, prompt=Prompt("$ ", 10))
    snapshot = attrs.evolve(NEXT, screen=shown("$ make\nready! "), mark=mark)
    assert isinstance(judge(snapshot), Ready)
    unknown = attrs.evolve(snapshot, mark=attrs.evolve(mark, prompt=None))
    assert isinstance(judge(unknown), Ready)


@pytest.mark.parametrize(
    ("shown_below", "ends_line"), [("go is typed", True), ("ready! ", False)], ids=["half", "a key"]
)
def test_what_is_typed_is_no_prompt(shown_below: str, *, ends_line: bool) -> None:
    """It stands behind the known prompt, or no line has been ended."""
    mark = attrs.evolve(ODD, ends_line=ends_line)
    snapshot = attrs.evolve(NEXT, screen=shown(f"go make\n{shown_below}"), mark=mark)
    assert judge(snapshot) == Pass(f"no prompt in {shown_below!r}")


def test_what_another_reads_is_no_line_of_the_shell() -> None:
    """A picker that the shell's line editor has started reads in its place."""
    tty = attrs.evolve(EDITING, reader_pid=11)
    assert judge(attrs.evolve(NEXT, tty=tty)) == Pass("no prompt in 'ready! '")


@pytest.mark.parametrize(
    ("snapshot", "found"),
    [
        (attrs.evolve(NEXT, screen=shown("go make\nwhat now? ")), True),
        (attrs.evolve(NEXT, screen=shown("go make\nwhat now? ", "python3")), False),
        (attrs.evolve(NEXT, screen=shown("go make\nwhat now? "), tty=AT_PROMPT), False),
    ],
    ids=["a shell edits lines", "another program", "single keys are read"],
)
def test_prompt_that_looks_like_a_question(snapshot: Snapshot, *, found: bool) -> None:
    """A shell's prompt that is back is one; a question of others may just be asked again."""
    mark = attrs.evolve(ODD, screen=screen("go make"), prompt=Prompt("what now? ", 10))
    assert isinstance(judge(attrs.evolve(snapshot, mark=mark)), Ready if found else Pass)


def test_hidden_line_is_no_prompt() -> None:
    """Whatever stands before it, a prompt shows what is typed."""
    snapshot = Snapshot(screen=shown("Worth in $ "), tty=HIDING)
    assert judge(snapshot) == Pass("what is typed is not shown, so this is no prompt")
    assert isinstance(judge(attrs.evolve(snapshot, tty=ASKING)), Ready)


def test_the_prompt_of_a_line_that_wrapped() -> None:
    """The pattern sees the whole line, the reason names the row that the cursor is on."""
    text = f"{'x' * 40}\nname $ "
    wrapped = attrs.evolve(shown(text), layout=attrs.evolve(shown("").layout, wrapped=(True,)))
    snapshot = Snapshot(screen=wrapped, tty=EDITING)
    strategy = PromptStrategy(r"^x+name \$ $")
    assert strategy.assess(snapshot) == Ready(Outcome.PROMPT, "prompt 'name $' at the cursor")
