"""Readers that wait for a time only: what they show is a guess, and after a silence only."""

import attrs
import pytest

from tests.unit.builders import ASKING, AT_PROMPT, HIDING, MARK, screen
from tmuxprim import Mark, Outcome, PromptStrategy, StabilityStrategy, TtyState, default_chain
from tmuxprim._engine.wait import LastChanges
from tmuxprim._readiness.input import AwaitingInputStrategy, FullscreenStrategy, SecretStrategy
from tmuxprim.readiness import Prompt, Ready, Snapshot, Strategy

QUESTION = screen("Continue? [y/N] ")
KEYS = attrs.evolve(AT_PROMPT, edits=False, foreground_pid=11, reader_pid=11, limit=1.0)
UNTOLD = attrs.evolve(KEYS, limit=0.0, level="wchan")
LINE = attrs.evolve(ASKING, limit=3.0)
# A shell, which edits its lines.
EDITS = attrs.evolve(AT_PROMPT, edits=True, limit=1.0)
AT_ZSH = attrs.evolve(screen("% "), command="zsh")
IN_PYTHON = attrs.evolve(screen(">>> "), command="python3")


def of_zsh(depth: int, *, typed: str = "") -> Snapshot:
    """Return a snapshot of zsh, which reads its commands at depth 7 of its stack."""
    known = Prompt("% ", 10, (9, 7))
    mark = Mark(screen=AT_ZSH, tty=attrs.evolve(EDITS, limit=None), prompt=known, ends_line=False)
    tty = attrs.evolve(EDITS, stack=9, depth=depth, wakeups=9)
    shown = attrs.evolve(screen(f"% {typed}"), command="zsh")
    return Snapshot(screen=shown, tty=tty, mark=mark, unchanged_for=60.0)


@pytest.mark.parametrize(
    ("strategy", "snapshot", "seconds", "outcome"),
    [
        (AwaitingInputStrategy(), Snapshot(screen=QUESTION, tty=KEYS), 2.0, Outcome.STABLE),
        (AwaitingInputStrategy(), Snapshot(screen=QUESTION, tty=UNTOLD), 2.0, Outcome.STABLE),
        (AwaitingInputStrategy(), Snapshot(screen=QUESTION, tty=LINE), 3.5, Outcome.STABLE),
        (
            AwaitingInputStrategy(),
            Snapshot(screen=QUESTION, tty=attrs.evolve(LINE, limit=60.0)),
            2.0,
            Outcome.STABLE,
        ),
        (
            AwaitingInputStrategy(),
            Snapshot(screen=QUESTION, tty=KEYS, limit=4.0),
            4.5,
            Outcome.STABLE,
        ),
        (SecretStrategy(), Snapshot(screen=screen("Password: "), tty=KEYS), 2.0, None),
        (
            SecretStrategy(),
            Snapshot(screen=screen("Password: "), tty=attrs.evolve(HIDING, limit=9.0)),
            0.3,
            None,
        ),
        (StabilityStrategy(), Snapshot(screen=screen("go "), tty=KEYS), 2.0, Outcome.STABLE),
        (StabilityStrategy(), Snapshot(screen=screen("go "), tty=LINE), 3.5, Outcome.STABLE),
        (StabilityStrategy(), Snapshot(screen=screen(""), tty=LINE), 5.0, Outcome.STABLE),
        (
            FullscreenStrategy(),
            Snapshot(screen=attrs.evolve(screen("~"), alternate=True), tty=KEYS),
            0.1,
            Outcome.FULLSCREEN,
        ),
    ],
)
def test_a_guess_takes_longer_than_the_limit(
    strategy: Strategy, snapshot: Snapshot, seconds: float, outcome: Outcome | None
) -> None:
    """Who goes on by itself must have been seen to, unless a person has a minute to answer."""
    less = seconds - 0.01
    early = attrs.evolve(snapshot, unchanged_for=less, silent_for=less, ticking_for=less)
    assert not isinstance(strategy.assess(early), Ready)
    verdict = strategy.assess(attrs.evolve(snapshot, unchanged_for=seconds + 0.001))
    assert isinstance(verdict, Ready)
    assert verdict.outcome is (outcome or Outcome.AWAITING_SECRET)
    if outcome is Outcome.STABLE:
        assert verdict.reason.startswith("a guess: ")


@pytest.mark.parametrize("tty", [KEYS, UNTOLD, attrs.evolve(KEYS, edits=True, signals=False), LINE])
@pytest.mark.parametrize("shown", [AT_ZSH, IN_PYTHON, screen("bash-5.2# ")])
def test_what_looks_like_a_prompt_is_none(tty: TtyState, shown: object) -> None:
    """Of a program that goes on by itself it is its output, even if it is the known prompt."""
    text = getattr(shown, "line_before_cursor", "")
    name = "python3" if shown is IN_PYTHON else "program"
    mark = attrs.evolve(MARK, prompt=Prompt(text, 10))
    snapshot = Snapshot(
        screen=attrs.evolve(screen(f"\n{text}"), command=name),
        tty=tty,
        mark=mark,
        unchanged_for=60.0,
    )
    assert not isinstance(PromptStrategy().assess(snapshot), Ready)
    judged = default_chain().assess(snapshot)
    assert isinstance(judged, Ready)
    assert judged.outcome is Outcome.STABLE


def test_a_shell_that_does_something_now_and_then_is_at_its_prompt() -> None:
    """As zsh with TMOUT: it reads where it reads its commands, or just edits its lines."""
    assert default_chain().assess(of_zsh(7)) == Ready(Outcome.PROMPT, "prompt '%' at the cursor")
    first = Snapshot(screen=AT_ZSH, tty=EDITS, unchanged_for=60.0)
    assert default_chain().assess(first) == Ready(Outcome.PROMPT, "prompt '%' at the cursor")
    typed = default_chain().assess(of_zsh(7, typed="ls"))
    assert typed == Ready(Outcome.AWAITING_INPUT, "half a line is typed: '% ls'")


@pytest.mark.parametrize("typed", ["", "ls"])
def test_a_widget_of_a_shell_is_no_prompt(typed: str) -> None:
    """It reads elsewhere in the shell, for a time."""
    judged = default_chain().assess(of_zsh(8, typed=typed))
    assert isinstance(judged, Ready)
    assert judged.outcome is Outcome.STABLE


@pytest.mark.parametrize(
    ("tty", "missing"),
    [
        (KEYS, "it goes on without a key after 1 s"),
        (UNTOLD, "it may go on without a key; wchan evidence"),
        (attrs.evolve(AT_PROMPT, limit=None), ""),
    ],
)
def test_the_reason_tells_of_the_limit(tty: TtyState, missing: str) -> None:
    """So that who reads it knows why this is a guess."""
    assert Snapshot(screen=QUESTION, tty=tty).facts.missing_evidence == missing


def test_the_longest_limit_counts() -> None:
    """What is left of a time is shorter; a new picture, or a wait for ever, begins anew."""
    last_changes = LastChanges()
    for limit, longest in ((3.0, 3.0), (1.0, 3.0), (4.0, 4.0), (None, None), (1.0, 1.0)):
        last_changes.note(QUESTION, attrs.evolve(KEYS, limit=limit), 1.0)
        assert last_changes.limit == longest
    last_changes.note(screen("Sure? "), attrs.evolve(KEYS, limit=0.5), 2.0)
    assert last_changes.limit == 0.5
    last_changes.note(screen("Sure? "), None, 3.0)
    assert last_changes.limit is None
