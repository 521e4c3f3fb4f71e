"""`Readiness`: whether it is true, and how it reads."""

import pickle

import attrs
import pytest

from tests.unit.builders import AT_PROMPT, screen
from tmuxprim import Mark, Outcome, Readiness
from tmuxprim._cli.report import facts_of
from tmuxprim._tool.replies import tell_read
from tmuxprim.readiness import Busy, Pass, Ready, Verdict


def result(outcome: Outcome) -> Readiness:
    """Return a result with that outcome."""
    return Readiness(
        outcome=outcome,
        strategy="S",
        reason="because",
        screen=screen("a\n\n$ "),
        elapsed=1.23456,
        tty=AT_PROMPT,
        verdicts=(("P", Pass("unknown")), ("S", Ready(outcome, "because"))),
    )


@pytest.mark.parametrize("outcome", Outcome)
def test_readiness_is_true_if_ready(outcome: Outcome) -> None:
    """Only a timeout and a program that ended are not ready."""
    assert bool(result(outcome)) is (outcome not in {Outcome.TIMEOUT, Outcome.EXITED})


def test_readiness_reads_as_english() -> None:
    """One that is ready is told in a line; one that is not tells all that is known."""
    assert str(result(Outcome.STABLE)) == "ready after 1.235 s: because (stable, S)"
    assert str(result(Outcome.EXITED)) == (
        "not ready after 1.235 s: because (exited, S)\n  P said pass: unknown\n  | a\n  | \n  | $"
    )


def test_who_reads_is_named() -> None:
    """And not the shell by a key of which it was started, which is all that tmux tells."""
    readiness = attrs.evolve(result(Outcome.STABLE), screen=attrs.evolve(screen(), command="bash"))
    assert readiness.command == "bash"
    tty = attrs.evolve(AT_PROMPT, command="fzf")
    assert attrs.evolve(readiness, tty=tty).command == "fzf"
    assert facts_of(attrs.evolve(readiness, tty=tty))["command"] == "fzf"
    mark = Mark(screen=readiness.screen, tty=tty)
    assert tell_read("> ", mark, None).startswith("[fzf; cursor in row ")


def test_readiness_survives_pickling() -> None:
    """A result from another process is the same result."""
    before = result(Outcome.PROMPT)
    after_ = pickle.loads(pickle.dumps(before))  # noqa: S301  # what was pickled just now
    assert after_ == before


# `Outcome` and the verdicts: how they read.


@pytest.mark.parametrize(
    ("verdict", "text"),
    [
        (Ready(Outcome.AWAITING_INPUT, "it asks"), "ready (awaiting input): it asks"),
        (Busy("it works"), "busy: it works"),
        (Pass("no idea"), "pass: no idea"),
    ],
)
def test_verdict_reads_as_english(verdict: Verdict, text: str) -> None:
    """A verdict says what it is, and why."""
    assert str(verdict) == text


@pytest.mark.parametrize("verdict", [Busy("it works"), Pass("no idea")])
def test_verdict_is_asked_again_soon(verdict: Busy | Pass) -> None:
    """A strategy that says nothing of time is asked again after 50 ms."""
    assert verdict.again_in == 0.05


def test_outcomes_are_words() -> None:
    """Each outcome has a word of its own, in lower case, that a message can use."""
    words = [outcome.value for outcome in Outcome]
    assert len(set(words)) == len(Outcome.__members__)
    assert all(word == word.lower() for word in words)
