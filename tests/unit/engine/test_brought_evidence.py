"""Looks at the screen that bring the kernel's evidence, as by an exec."""

from pathlib import Path

import attrs
import pytest
from typing_extensions import override

from tmuxprim import Console, FakeTerminal, Outcome, Pane, Screen, TtyState
from tmuxprim.testing import (
    After,
    RecordingTerminal,
    ReplayTerminal,
    ScriptedShell,
    WrappingTerminal,
    after,
    password,
    question,
)

SLEEPS: list[str | After] = [after(3.0, "")]
SHELL = ScriptedShell({"sleep": SLEEPS, "ls": "a", "ask": question("Really? "), "su": password()})


class Bringing(WrappingTerminal):
    """Brings the evidence with each look, and counts the calls of a machine that is far away."""

    def __init__(self, inner: FakeTerminal) -> None:
        super().__init__(inner)
        self.looks = self.probes = 0

    @override
    def observe(self, pane: Pane, *, history: int = 0, styled: bool = False) -> Screen:
        self.looks += 1
        before = self.inner.probe(pane)
        screen = self.inner.observe(pane, history=history, styled=styled)
        return attrs.evolve(screen, evidence=(before, self.inner.probe(pane)))

    @override
    def probe(self, pane: Pane) -> TtyState | None:
        self.probes += 1
        return self.inner.probe(pane)


def shell(*, evidence: bool = True) -> tuple[Bringing, Console]:
    """Return a console at a prompt."""
    terminal = Bringing(FakeTerminal(programs={"sh": SHELL}, evidence=evidence))
    console = Console(terminal, terminal.open("sh"))
    assert console.wait_ready().outcome is Outcome.PROMPT
    terminal.looks = terminal.probes = 0
    return terminal, console


def test_a_command_takes_few_calls() -> None:
    """The kernel is asked once before it is typed, and once before the first look."""
    terminal, console = shell()
    result = console.run("ls")
    assert (result.output, result.complete) == ("a\n", True)
    assert "guess" not in result.readiness.reason
    assert terminal.looks + terminal.probes <= 5


def test_a_command_that_says_nothing_is_waited_for() -> None:
    """Until it ends, and not much longer."""
    _, console = shell()
    result = console.run("sleep")
    assert (result.output, result.complete) == ("", True)
    assert 3.0 <= result.readiness.elapsed <= 3.6


@pytest.mark.parametrize(
    ("line", "outcome"), [("ask", Outcome.AWAITING_INPUT), ("su", Outcome.AWAITING_SECRET)]
)
def test_a_question_is_no_guess(line: str, outcome: Outcome) -> None:
    """As on this machine."""
    _, console = shell()
    console.send(line)
    readiness = console.wait_ready()
    assert readiness.outcome is outcome
    assert "guess" not in readiness.reason


def test_a_machine_that_tells_nothing_is_known_by_the_screen() -> None:
    """As without such looks."""
    _, console = shell(evidence=False)
    result = console.run("ls")
    assert result.output == "a\n"
    assert result.readiness.tty is None


def test_a_recording_asks_for_the_evidence_itself(tmp_path: Path) -> None:
    """So a replay has it."""
    path = tmp_path / "session.jsonl"
    fake = Bringing(FakeTerminal(programs={"sh": SHELL}))
    for play in (lambda: RecordingTerminal(fake, path), lambda: ReplayTerminal(path)):
        terminal = play()
        console = Console(terminal, terminal.open("sh"))
        assert console.wait_ready().outcome is Outcome.PROMPT
        assert console.run("ls").output == "a\n"
