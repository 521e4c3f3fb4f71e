"""`default_chain`: who decides in which situation."""

import attrs
import pytest

from tests.unit.builders import (
    ASKING,
    AT_PROMPT,
    COOKED_ONLY,
    HIDING,
    MARK,
    RAW_ONLY,
    RUNNING,
    screen,
)
from tmuxprim import InvalidPatternError, Outcome, PromptStrategy, StabilityStrategy, default_chain
from tmuxprim._readiness.assistants import ASSISTANTS
from tmuxprim._readiness.default import with_pattern
from tmuxprim._readiness.instead import InsteadStrategy
from tmuxprim._readiness.silence import KnownProgramStrategy
from tmuxprim.errors import InvalidStrategyError
from tmuxprim.readiness import (
    AwaitingInputStrategy,
    Busy,
    Chain,
    ConsumedStrategy,
    ContinuationStrategy,
    ExitStrategy,
    ForegroundStrategy,
    FullscreenStrategy,
    LineEditorStrategy,
    ModeStrategy,
    ReadinessStrategy,
    Ready,
    SecretStrategy,
    SilenceStrategy,
    Snapshot,
    Strategy,
    TitleStrategy,
    Verdict,
)


def test_order() -> None:
    """Facts come first, then what text may mean, and the guess last."""
    facts = (ExitStrategy(), ModeStrategy(), ForegroundStrategy(), ConsumedStrategy())
    signs = (TitleStrategy(ASSISTANTS), KnownProgramStrategy(ASSISTANTS), SilenceStrategy())
    prompts = (LineEditorStrategy(), ContinuationStrategy(), PromptStrategy())
    asking = (SecretStrategy(), AwaitingInputStrategy(), FullscreenStrategy())
    assert default_chain() == Chain((*facts, *signs, *prompts, *asking, StabilityStrategy()))


@pytest.mark.parametrize("pattern", [None, "ready>"])
@pytest.mark.parametrize("program", ["opencode", ExitStrategy, None])
def test_what_is_no_program_is_refused(pattern: str | None, program: object) -> None:
    """When the chain is built, and not when it waits."""
    with pytest.raises(InvalidStrategyError, match=r"has a method assess\(snapshot\), got"):
        default_chain(pattern, programs=[program])  # type: ignore[list-item]  # the mistake


def test_prompt_pattern_replaces_what_guesses() -> None:
    """A pattern is a condition: besides it only facts, dialogs and secrets are left."""
    pattern = PromptStrategy("ready>", last_line=True)
    signs = (TitleStrategy(ASSISTANTS), KnownProgramStrategy(ASSISTANTS, finds_prompts=False))
    asks = (SecretStrategy(), InsteadStrategy())
    strategies = default_chain("ready>").strategies
    assert strategies[4:] == (*signs, pattern, *asks, pattern)
    assert strategies[:4] == default_chain().strategies[:4]


@attrs.frozen
class Asks(Strategy):
    """A strategy of somebody's own, which knows a program."""

    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say that it asks, or that it waits."""
        if "?" in snapshot.screen.text:
            return Ready(Outcome.AWAITING_INPUT, "it asks")
        return Ready(Outcome.STABLE, "it stands")


@pytest.mark.parametrize(
    ("strategy", "programs"),
    [
        (None, []),
        (default_chain(), []),
        (default_chain(programs=[Asks()]), [Asks()]),
        (Asks(), [Asks()]),
        (Asks() | default_chain(), [Asks()]),
        (PromptStrategy("another>") | StabilityStrategy(9.0), []),
        (default_chain("another>"), []),
    ],
)
def test_a_pattern_loses_no_program(
    strategy: ReadinessStrategy | None, programs: list[ReadinessStrategy]
) -> None:
    """It takes the place of prompts and guesses, and of nothing else."""
    assert with_pattern(strategy, "ready>") == default_chain("ready>", programs=programs)


@pytest.mark.parametrize(
    ("shown", "outcome"), [("Go?", Outcome.AWAITING_INPUT), ("x", None), ("ready>", Outcome.PROMPT)]
)
def test_with_a_pattern_a_program_is_ready_by_that_alone(
    shown: str, outcome: Outcome | None
) -> None:
    """What somebody's own strategy says of questions counts; what it takes for ready does not."""
    snapshot = Snapshot(screen=screen(shown), tty=RAW_ONLY, unchanged_for=9.0)
    verdict = with_pattern(Asks(), "ready>").assess(snapshot)
    assert (verdict.outcome if isinstance(verdict, Ready) else None) is outcome


def test_pattern_refused() -> None:
    """What is no regular expression is refused before anything is waited for."""
    with pytest.raises(InvalidPatternError, match=r"a prompt pattern is a regular expression"):
        default_chain("[")


PICTURE = attrs.evolve(screen("~"), alternate=True)


@pytest.mark.parametrize(
    ("snapshot", "outcome"),
    [
        (
            Snapshot(screen=attrs.evolve(screen(), dead=True, exit_status=0), tty=None),
            Outcome.EXITED,
        ),
        (Snapshot(screen=screen("a\n$ "), tty=AT_PROMPT, mark=MARK), Outcome.PROMPT),
        (
            Snapshot(screen=screen("Continue? [y/N] "), tty=ASKING, mark=MARK),
            Outcome.AWAITING_INPUT,
        ),
        (Snapshot(screen=screen(""), tty=ASKING, mark=MARK), Outcome.AWAITING_INPUT),
        (Snapshot(screen=screen("Password: "), tty=HIDING, mark=MARK), Outcome.AWAITING_SECRET),
        (Snapshot(screen=PICTURE, tty=AT_PROMPT, mark=MARK), Outcome.FULLSCREEN),
        (Snapshot(screen=screen("x"), tty=RAW_ONLY, mark=MARK), Outcome.STABLE),
        (Snapshot(screen=screen("a\n$ "), mark=MARK), Outcome.PROMPT),
        (Snapshot(screen=screen("Continue? [y/N] "), mark=MARK), Outcome.STABLE),
        (Snapshot(screen=screen("Password: "), mark=MARK), Outcome.AWAITING_SECRET),
        (Snapshot(screen=PICTURE, mark=MARK), Outcome.STABLE),
        (Snapshot(screen=screen("x"), mark=MARK), Outcome.STABLE),
    ],
)
def test_ready(snapshot: Snapshot, outcome: Outcome) -> None:
    """What has stood still for long is called by its name."""
    verdict = default_chain().assess(attrs.evolve(snapshot, unchanged_for=60))
    assert isinstance(verdict, Ready)
    assert verdict.outcome is outcome


@pytest.mark.parametrize(
    "snapshot",
    [
        Snapshot(screen=screen("$ "), tty=RUNNING, mark=MARK),
        Snapshot(screen=screen("Password: "), tty=RUNNING, mark=MARK),
        Snapshot(screen=screen("$ "), tty=attrs.evolve(AT_PROMPT, unread=1), mark=MARK),
        Snapshot(screen=attrs.evolve(screen("$ "), mode="copy-mode"), tty=AT_PROMPT),
        Snapshot(screen=attrs.evolve(screen("$ "), input_off=True), tty=AT_PROMPT),
        Snapshot(screen=screen("done\n"), tty=COOKED_ONLY, mark=MARK),
    ],
    ids=[
        "a command shows a prompt",
        "a command shows a question",
        "keys are unread",
        "copy mode",
        "input off",
        "lines are read and nothing is asked",
    ],
)
def test_veto(snapshot: Snapshot) -> None:
    """However long nothing changes, a pane that is known to be busy is not ready."""
    assert isinstance(default_chain().assess(attrs.evolve(snapshot, unchanged_for=60)), Busy)
