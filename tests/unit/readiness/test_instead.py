"""A pattern is a condition: what ends a wait for one that is not there, and what does not."""

import attrs
import pytest

from tests.unit.builders import ASKING, AT_PROMPT, HIDING, MARK, RAW_ONLY, screen
from tmuxprim import Cursor, Outcome, TtyState, default_chain
from tmuxprim._readiness.default import with_pattern
from tmuxprim._readiness.silence import SilenceStrategy
from tmuxprim.readiness import Prompt, Ready, Snapshot

LOOP = attrs.evolve(AT_PROMPT, foreground_pid=11, reader_pid=11, foreground_is_pane=False)
"""An event loop with a time limit: it sleeps in a read of the terminal, and nothing else."""


def shows(text: str, command: str = "agent") -> Snapshot:
    """Return a snapshot of a program that has shown a text for long."""
    shown = attrs.evolve(screen(text), command=command)
    return Snapshot(screen=shown, mark=MARK, unchanged_for=60.0, silent_for=60.0)


@pytest.mark.parametrize(
    "text", ["work\n> ", "work\n>>> ", "work\nyour text", "work\n", "esc interrupt\n\n> "]
)
@pytest.mark.parametrize("tty", [LOOP, ASKING, RAW_ONLY, None], ids=["loop", "line", "raw", "-"])
def test_what_reads_is_not_ready(text: str, tty: TtyState | None) -> None:
    """A program that may be at work does not end the wait, however long it stands still."""
    snapshot = attrs.evolve(shows(text), tty=tty)
    assert isinstance(default_chain().assess(snapshot), Ready) or "\n\n" in text or tty is not LOOP
    verdict = with_pattern(SilenceStrategy() | default_chain(), "tab agents").assess(snapshot)
    assert not isinstance(verdict, Ready)
    assert "the pattern is not in" in verdict.reason


@pytest.mark.parametrize(
    ("text", "tty", "outcome"),
    [
        ("Go on? [y/N] ", LOOP, Outcome.AWAITING_INPUT),
        ("Go on? [y/N] ", ASKING, Outcome.AWAITING_INPUT),
        ("? Which one\n\u276f \n  a\n  b", LOOP, Outcome.AWAITING_INPUT),
        ("Password: ", HIDING, Outcome.AWAITING_SECRET),
    ],
)
def test_a_dialog_ends_it(text: str, tty: TtyState | None, outcome: Outcome) -> None:
    """A question, a menu or a secret needs an answer before the pattern can come."""
    snapshot = attrs.evolve(shows(text), tty=tty)
    if "\u276f" in text:  # where the menu is searched
        searched = attrs.evolve(snapshot.screen, cursor=Cursor(1, 2))
        snapshot = attrs.evolve(snapshot, screen=searched)
    verdict = default_chain("tab agents").assess(snapshot)
    assert isinstance(verdict, Ready)
    assert verdict.outcome is outcome


def test_without_evidence_a_question_is_a_guess() -> None:
    """It ends the wait, since nothing comes before it is answered, and is called a guess."""
    verdict = default_chain("tab agents").assess(shows("Go on? [y/N] "))
    assert verdict == Ready(Outcome.STABLE, "a guess: question 'Go on? [y/N]'", is_guess=True)


@pytest.mark.parametrize(
    ("text", "outcome", "reason"),
    [
        ("a: not found\n$ ", Outcome.AWAITING_INPUT, "a shell's prompt is there, and the pattern"),
        ("$ make '\n> ", Outcome.CONTINUATION, ""),
        ("Sure? [y/N] ", Outcome.AWAITING_INPUT, "a program waits for keys, after 'Sure? [y/N]'"),
    ],
)
def test_a_shell_ends_it(text: str, outcome: Outcome, reason: str) -> None:
    """What was started has ended, and the reason says where the pattern is not."""
    before = attrs.evolve(screen(text.partition("\n")[0]), command="bash")
    mark = attrs.evolve(MARK, screen=before)
    tty = attrs.evolve(AT_PROMPT, wakeups=9)
    snapshot = attrs.evolve(shows(text, "bash"), tty=tty, mark=mark)
    verdict = default_chain("tab agents").assess(snapshot)
    assert isinstance(verdict, Ready)
    assert verdict.outcome is outcome
    assert verdict.reason.startswith(reason)


def test_a_shell_that_works() -> None:
    """One that reads and shows no prompt yet is waited for."""
    mark = attrs.evolve(MARK, prompt=Prompt("$ ", 10))
    snapshot = attrs.evolve(shows("made", "bash"), tty=AT_PROMPT, mark=mark)
    assert not isinstance(default_chain("tab agents").assess(snapshot), Ready)


def test_a_line_that_somebody_has_begun_at_a_shell() -> None:
    """The line is behind the known prompt, and the wait ends, since only a person goes on there."""
    mark = attrs.evolve(MARK, prompt=Prompt("~ ", 10))
    snapshot = attrs.evolve(shows("made\n~ rm -r", "bash"), tty=AT_PROMPT, mark=mark)
    verdict = default_chain("~$").assess(snapshot)
    assert isinstance(verdict, Ready)
    assert verdict.outcome is Outcome.AWAITING_INPUT
