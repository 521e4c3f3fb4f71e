"""What a program says of itself in its raw output, and what is believed of it."""

import attrs
import pytest

from tests.unit.builders import AT_PROMPT, screen
from tmuxprim import Outcome, PromptStrategy, TtyState, default_chain
from tmuxprim._readiness.chain import wants_signals
from tmuxprim._readiness.default import with_pattern
from tmuxprim.profiles import CODEX
from tmuxprim.readiness import (
    BellStrategy,
    Busy,
    ExitStrategy,
    Pass,
    Ready,
    Signals,
    SignalStrategy,
    Snapshot,
    Verdict,
)

LOOP = attrs.evolve(AT_PROMPT, only_reading=False)


def snapshot(tty: TtyState | None = LOOP, *, waited: float = 1.0, **said: object) -> Snapshot:
    """Return a snapshot of a program that has said something of itself."""
    signals = Signals(**said)  # type: ignore[arg-type]  # the fields of signals
    return Snapshot(
        screen=screen("> "), tty=tty, elapsed=waited, unchanged_for=waited, signals=signals
    )


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ({}, Pass),
        ({"status": "state=working:app=codex"}, Busy),
        ({"status": "state=idle"}, Ready),
        ({"status": "state=done"}, Ready),
        ({"status": "state=error"}, Ready),
        ({"status": "state=else"}, Pass),
        ({"progress": 0}, Pass),
        ({"progress": 1, "percent": 50}, Busy),
        ({"progress": 2}, Busy),
        ({"progress": 3}, Busy),
        ({"progress": 4}, Pass),
        ({"status": "state=idle", "progress": 3}, Busy),
        ({"title": "⠋ project"}, Pass),  # TitleStrategy sees that on the screen
        ({"bracketed_paste": False}, Pass),
        ({"bracketed_paste": True}, Pass),
        ({"bells": 1}, Pass),
        ({"unavailable": "somebody has it"}, Pass),
    ],
)
def test_status_and_progress(said: dict[str, object], verdict: type[Verdict]) -> None:
    """Each state is believed as the program means it; what says nothing decides nothing."""
    assert isinstance(SignalStrategy().assess(snapshot(**said)), verdict)  # type: ignore[arg-type]  # fields of a table


@pytest.mark.parametrize(("is_on", "verdict"), [(True, Ready), (False, Busy), (None, Pass)])
def test_bracketed_paste(is_on: bool | None, verdict: type[Verdict]) -> None:  # noqa: FBT001  # a table
    """It tells of programs that switch it off while they work, and only where one says so."""
    assert isinstance(SignalStrategy(paste=True).assess(snapshot(bracketed_paste=is_on)), verdict)


def test_a_question_is_no_prompt() -> None:
    """What is blocked asks something."""
    verdict = SignalStrategy().assess(snapshot(status="state=blocked:app=codex:kind=permission"))
    assert verdict == Ready(
        Outcome.AWAITING_INPUT, "it asks: 'state=blocked:app=codex:kind=permission'"
    )


def test_who_only_reads_does_not_work() -> None:
    """The kernel knows better than what was said before."""
    for said in ({"status": "state=working"}, {"progress": 3}, {"bracketed_paste": False}):
        seen = snapshot(AT_PROMPT, **said)
        assert isinstance(SignalStrategy(paste=True).assess(seen), Pass)
    assert isinstance(SignalStrategy().assess(snapshot(None, status="state=working")), Busy)


def test_idle_is_not_believed_right_after_a_key() -> None:
    """With a key some say that they are idle, and only then that they work."""
    verdict = SignalStrategy().assess(snapshot(waited=0.25, status="state=idle"))
    assert verdict == Busy(
        "it says that it waits: 'state=idle', but the wait has just begun", again_in=0.25
    )
    drawing = attrs.evolve(snapshot(status="state=idle"), unchanged_for=0.25)
    assert isinstance(SignalStrategy().assess(drawing), Pass)
    assert isinstance(SignalStrategy(settled=0.25).assess(drawing), Ready)


def test_a_bell() -> None:
    """Nothing but a bell ends the wait for one."""
    assert isinstance(BellStrategy().assess(snapshot(status="state=idle")), Pass)
    assert isinstance(BellStrategy().assess(snapshot(unavailable="somebody has it")), Pass)
    assert BellStrategy().assess(snapshot(bells=2)) == Ready(Outcome.MATCHED, "the bell has rung")


class Foreign:
    """A strategy without the base class."""

    def assess(self, snapshot: Snapshot) -> Verdict:
        """Pass."""
        return Pass(repr(snapshot))


def test_who_wants_signals() -> None:
    """Only a chain with a strategy that hears takes the pane's pipe, wherever that stands."""
    hears = SignalStrategy()
    codex = attrs.evolve(CODEX, answered=hears | default_chain())
    for wants in (
        hears,
        BellStrategy(),
        ExitStrategy() | hears,
        PromptStrategy() & hears,
        codex,
        default_chain(programs=[hears]),
        default_chain("> ?$", programs=[codex]),
        with_pattern(hears | default_chain(), "> ?$"),
    ):
        assert wants_signals(wants)
    for does_not in (
        ExitStrategy(),
        Foreign(),
        default_chain(),
        PromptStrategy() & ExitStrategy(),
        CODEX,
        attrs.evolve(CODEX, answered=None),
    ):
        assert not wants_signals(does_not)
