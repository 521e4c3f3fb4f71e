"""Tests of what is said where the reader may go on without a key: a guess, and called one."""

import attrs
import pytest

from tests.unit.builders import AT_PROMPT, screen
from tmuxprim import Mark, Outcome
from tmuxprim._readiness.snapshot import Ready, Snapshot
from tmuxprim._values.evidence import Prompt, TtyState
from tmuxprim.readiness import default_chain

LOOP = attrs.evolve(
    AT_PROMPT, only_reading=False, passes_on=False, edits=True, may_work=True, program="app.js"
)
LINES = attrs.evolve(LOOP, canonical=True, echo=True, edits=False, program=None)


def seen(tty: TtyState, text: str, *, still: float, mark: Mark | None = None) -> Snapshot:
    """Return a snapshot of a program of node's that shows a text."""
    shown = attrs.evolve(screen(text), command="node")
    return Snapshot(screen=shown, tty=tty, unchanged_for=still, elapsed=0.0, mark=mark)


def decided(snapshot: Snapshot) -> Ready | None:
    """Return what the default chain says of it; None if it waits on."""
    verdict = default_chain().assess(snapshot)
    return verdict if isinstance(verdict, Ready) else None


@pytest.mark.parametrize("tty", [LOOP, LINES], ids=["keys", "lines"])
@pytest.mark.parametrize("text", ["which? ", "work> ", "Password: "])
def test_it_is_a_guess_after_two_seconds(tty: TtyState, text: str) -> None:
    """No sooner, since its own work may be over by then; and the reason says that it is one."""
    assert decided(seen(tty, text, still=1.9)) is None
    verdict = decided(seen(tty, text, still=2.1))
    assert verdict is not None
    assert verdict.reason.startswith("a guess: ")


def test_who_waits_for_others_and_does_not_work_is_believed() -> None:
    """As a menu of Python's asyncio, whose loop has a socket of its own."""
    idle = attrs.evolve(LOOP, may_work=False)
    verdict = decided(seen(idle, "which? ", still=0.6))
    assert verdict == Ready(Outcome.AWAITING_INPUT, "question 'which?'")
    assert decided(seen(idle, "work> ", still=0.1)) is not None


@pytest.mark.parametrize(
    ("tty", "is_guess"),
    [
        (LOOP, True),
        (attrs.evolve(LOOP, program="node"), False),
        (attrs.evolve(LOOP, program="fish"), False),
        (attrs.evolve(LINES, program="node"), True),
        (attrs.evolve(LOOP, passes_on=True), False),
        (attrs.evolve(LOOP, reading=False), False),
        (attrs.evolve(LOOP, may_work=None), False),
        (attrs.evolve(LOOP, program=None), False),  # node, by its command
    ],
)
def test_shells_and_repls_show_their_prompts_while_others_may_wake_them(
    tty: TtyState, *, is_guess: bool
) -> None:
    """They do so at their prompts as well, with a line editor; what is passed on is another's."""
    assert seen(tty, "> ", still=0.0).facts.may_work is is_guess
    assert Snapshot(screen=screen()).facts.may_work is False


def test_a_prompt_that_its_process_has_shown_before_is_no_guess() -> None:
    """A REPL that nobody knows is as quick as others from its second prompt on."""
    before = seen(LOOP, "work> ", still=0.0).screen
    mark = Mark(screen=before, tty=LOOP, prompt=Prompt("work> ", LOOP.foreground_pid))
    snapshot = attrs.evolve(seen(LOOP, "work> ", still=0.2, mark=mark), screen=screen("1\nwork> "))
    snapshot = attrs.evolve(snapshot, screen=attrs.evolve(snapshot.screen, command="node"))
    verdict = decided(snapshot)
    assert verdict is not None
    assert verdict == Ready(Outcome.PROMPT, "prompt 'work>' at the cursor")


def test_its_prompt_is_no_half_line() -> None:
    """Nothing is typed at it."""
    asked = attrs.evolve(LOOP, canonical=True)
    before = seen(asked, "Leave? ", still=0.0).screen
    mark = Mark(screen=before, tty=asked, prompt=Prompt("work> ", LOOP.foreground_pid))
    assert decided(seen(LOOP, "work> ", still=0.2, mark=mark)) is None
    half = decided(seen(LOOP, "work> m", still=0.2, mark=mark))
    assert half == Ready(Outcome.AWAITING_INPUT, "half a line is typed: 'work> m'")
