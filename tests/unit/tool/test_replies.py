"""Each outcome of a wait is told, in words of its own."""

import attrs
import pytest

from tests.unit.builders import screen
from tests.unit.tool.talking import start
from tmuxprim import Outcome, Readiness
from tmuxprim._tool.replies import WORDINGS, tell
from tmuxprim.readiness import Ready


def found(outcome: Outcome) -> Readiness:
    """Return how a wait ended."""
    return Readiness(
        outcome=outcome,
        strategy="S",
        reason="the program has exited with status 3",
        screen=screen("$ ls"),
        elapsed=0.1,
        is_guess=outcome is Outcome.STABLE,
    )


@pytest.mark.parametrize(
    ("outcome", "head"),
    [
        (Outcome.PROMPT, "ready (prompt matched)"),
        (Outcome.CONTINUATION, "waiting for the rest of the command"),
        (Outcome.AWAITING_INPUT, "waiting for input"),
        (Outcome.AWAITING_SECRET, "waiting for a secret"),
        (Outcome.FULLSCREEN, "ready (full-screen program)"),
        (Outcome.STABLE, "ready (stable): the program has exited with status 3"),
        (Outcome.MATCHED, "ready (matched)"),
        (Outcome.EXITED, "exited: the pane is gone"),
        (Outcome.TIMEOUT, "wait_ready timed out after 0.5s"),
    ],
)
def test_tell(outcome: Outcome, head: str) -> None:
    """The first line tells the outcome, the rest is the screen."""
    assert tell(found(outcome), 0.5) == f"{head}\n$ ls"


def test_a_dead_pane_says_how_it_ended() -> None:
    """A pane that stays when its program has exited knows the status."""
    dead = attrs.evolve(found(Outcome.EXITED), screen=attrs.evolve(screen("$ ls"), dead=True))
    assert tell(dead, 10.0) == "exited: the program has exited with status 3\n$ ls"


def test_another_program_in_the_pane_is_told() -> None:
    """The pane is there, and its program is another one."""
    reason = "the program has exited, and another one was started in its place"
    said = (("ExitStrategy", Ready(Outcome.EXITED, reason)),)
    respawned = attrs.evolve(found(Outcome.EXITED), reason=reason, verdicts=said)
    assert tell(respawned, 10.0) == f"exited: {reason}\n$ ls"


def test_every_outcome_has_words() -> None:
    """No outcome is missing, and no two are told alike."""
    assert WORDINGS.keys() == set(Outcome)
    assert len({wording.head for wording in WORDINGS.values()}) == len(Outcome)


def test_a_program_that_is_known_is_named() -> None:
    """A model is told which assistant it is that waits, or asks."""
    asks = attrs.evolve(
        found(Outcome.AWAITING_INPUT),
        strategy="KnownProgramStrategy",
        reason="Codex asks: 'Do you trust it?'",
    )
    assert tell(asks, 10.0) == "waiting for input: Codex asks: 'Do you trust it?'\n$ ls"


@pytest.mark.parametrize(
    ("outcome", "strategy", "reason", "head"),
    [
        (
            *(Outcome.TIMEOUT, "TimeoutStrategy", "timed out after 5 s; Codex works: 'esc'"),
            "wait_ready timed out after 5s: Codex works: 'esc'",
        ),
        (
            *(Outcome.TIMEOUT, "TimeoutStrategy", "timed out after 5 s"),
            "wait_ready timed out after 5s",
        ),
        (
            *(Outcome.FULLSCREEN, "ForegroundStrategy", "a guess: top seems to look for keys"),
            "ready (full-screen program): a guess: top seems to look for keys",
        ),
        (
            *(Outcome.AWAITING_INPUT, "InsteadStrategy", "a shell's prompt is there"),
            "waiting for input: a shell's prompt is there",
        ),
        (Outcome.PROMPT, "PromptStrategy", "prompt '$' at the cursor", "ready (prompt matched)"),
    ],
)
def test_what_the_screen_does_not_show_is_told(
    outcome: Outcome, strategy: str, reason: str, head: str
) -> None:
    """Why the time was up, that it is a guess, and what stands there in place of a pattern."""
    is_guess = reason.startswith("a guess")
    ended = attrs.evolve(found(outcome), strategy=strategy, reason=reason, is_guess=is_guess)
    assert tell(ended, 5.0) == f"{head}\n$ ls"


def test_a_shell_in_the_place_of_a_pattern() -> None:
    """The program that was started has ended, and the reply says that a shell is there."""
    talk = start()
    talk.say("send", text="opencode")
    assert talk.say("wait_ready", timeout=120, prompt_pattern="tab agents").startswith(
        "waiting for input: a shell's prompt is there, and the pattern is not in '$'\n"
    )


def test_a_pattern_that_cannot_match() -> None:
    """Where the time is up, the reply says which row it is not in."""
    talk = start()
    talk.say("send", text="less")
    told = talk.say("wait_ready", timeout=5, prompt_pattern="tab agents")
    assert told.startswith("wait_ready timed out after 5s: the pattern is not in '(END)'\n")
