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
from tmuxprim import (
    InvalidPatternError,
    Mark,
    Outcome,
    PromptStrategy,
    StabilityStrategy,
    default_chain,
)
from tmuxprim._readiness.assistants import STATES
from tmuxprim._readiness.default import with_pattern
from tmuxprim._readiness.input import AwaitingInputStrategy, FullscreenStrategy, SecretStrategy
from tmuxprim._readiness.instead import InsteadStrategy
from tmuxprim._readiness.kernel import ConsumedStrategy
from tmuxprim._readiness.silence import KnownProgramStrategy, SilenceStrategy, TitleStrategy
from tmuxprim._readiness.snapshot import Ready, Snapshot
from tmuxprim._values.evidence import Prompt, TtyState
from tmuxprim.errors import InvalidStrategyError
from tmuxprim.readiness import (
    Busy,
    Chain,
    ContinuationStrategy,
    ExitStrategy,
    ForegroundStrategy,
    LineEditorStrategy,
    ModeStrategy,
    ReadinessStrategy,
    Strategy,
    Verdict,
)


def test_order() -> None:
    """Facts come first, then what text may mean, and the guess last."""
    facts = (ExitStrategy(), ModeStrategy(), ForegroundStrategy(), ConsumedStrategy())
    signs = (TitleStrategy(STATES), KnownProgramStrategy(STATES), SilenceStrategy())
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
    signs = (TitleStrategy(STATES), KnownProgramStrategy(STATES, finds_prompts=False))
    asks = (SecretStrategy(), InsteadStrategy())
    strategies = default_chain("ready>").strategies
    assert strategies[4:] == (*signs, pattern, *asks, pattern)
    assert strategies[:4] == default_chain().strategies[:4]


@attrs.frozen
class Asks(Strategy):
    """A user's strategy that knows a program."""

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
    """A user's strategy may say that a program asks, but not that it is ready."""
    snapshot = Snapshot(screen=screen(shown), tty=RAW_ONLY, unchanged_for=9.0)
    verdict = with_pattern(Asks(), "ready>").assess(snapshot)
    assert (verdict.outcome if isinstance(verdict, Ready) else None) is outcome


def test_pattern_refused() -> None:
    """What is no regular expression is refused before anything is waited for."""
    with pytest.raises(InvalidPatternError, match=r"a pattern is a regular expression"):
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


# Tests of what is said where the reader may go on without a key: a guess, and called one.

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
    """An unknown REPL is as quick as others from its second prompt on."""
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
