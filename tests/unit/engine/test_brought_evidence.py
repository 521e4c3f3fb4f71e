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


class Waiting(Bringing):
    """Waits for a change where the pane is, as a shell there does."""

    def __init__(self, inner: FakeTerminal) -> None:
        super().__init__(inner)
        self.heard: list[bool] = []

    def watch_changes(self, pane: Pane) -> "Waits":
        """Return a watch for one wait."""
        return Waits(self, pane)


@attrs.define
class Waits:
    """The watch for one wait."""

    terminal: Waiting
    pane: Pane
    last: tuple[object, object] | None = None

    def look(self, seconds: float, *, history: int, hears_output: bool) -> tuple[Screen, float]:
        """Return the screen when it has changed, or the kernel's answer has."""
        self.terminal.heard.append(hears_output)
        waited = 0.0
        while waited < seconds and self.now(hears_output=hears_output) == self.last:
            self.terminal.clock.sleep(0.02)
            waited += 0.02
        self.last = self.now(hears_output=hears_output)
        return self.terminal.observe(self.pane, history=history), waited

    def now(self, *, hears_output: bool) -> tuple[object, object]:
        """Return what a change changes."""
        tty = self.terminal.inner.probe(self.pane)
        return tty and tty.reading, hears_output and self.terminal.inner.observe(self.pane)


def waiting_shell() -> tuple[Waiting, Console]:
    """Return a console at a prompt, whose waits are there."""
    terminal = Waiting(FakeTerminal(programs={"sh": SHELL}))
    console = Console(terminal, terminal.open("sh"))
    assert console.wait_ready().outcome is Outcome.PROMPT
    terminal.looks = terminal.probes = 0
    terminal.heard.clear()
    return terminal, console


def test_a_wait_there_takes_few_calls() -> None:
    """It ends soon after the command, and a program that works is not heard."""
    terminal, console = waiting_shell()
    console.send("sleep")
    looks = terminal.looks
    readiness = console.wait_ready()
    assert readiness.outcome is Outcome.PROMPT
    assert "guess" not in readiness.reason
    assert 3.0 <= readiness.elapsed <= 3.2
    assert terminal.looks - looks <= 4
    assert terminal.heard[:2] == [True, False]


def test_a_wait_there_ends_in_time() -> None:
    """The last look comes after it."""
    _, console = waiting_shell()
    console.send("sleep")
    readiness = console.wait_ready(1.0)
    assert readiness.outcome is Outcome.TIMEOUT
    assert 1.0 <= readiness.elapsed <= 1.1
    assert console.wait_ready().outcome is Outcome.PROMPT


@pytest.mark.parametrize("line", ["ask", "su"])
def test_a_question_is_found_there(line: str) -> None:
    """And is no guess."""
    terminal, console = waiting_shell()
    console.send(line)
    readiness = console.wait_ready()
    assert readiness.outcome in {Outcome.AWAITING_INPUT, Outcome.AWAITING_SECRET}
    assert "guess" not in readiness.reason
    assert terminal.looks <= 5


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
