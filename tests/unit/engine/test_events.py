"""Events: what a listener is told, and what becomes of one that raises."""

import asyncio
import logging
import sys

import pytest
from typing_extensions import override

from tmuxprim import (
    AsyncConsole,
    Console,
    Event,
    EventKind,
    FakeTerminal,
    Outcome,
    Receipt,
)
from tmuxprim.readiness import Snapshot, Strategy, Verdict
from tmuxprim.testing import AsyncFakeTerminal, ScriptedShell, after


class Broken(Strategy):
    """A strategy with a fault."""

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Raise an error of its own."""
        raise ZeroDivisionError


SHELL = ScriptedShell({"make": after(2.0, "built"), "ls": "a"})


def listened(told: list[Event]) -> Console:
    """Return a console at a shell's prompt, whose events are kept."""
    terminal = FakeTerminal(programs={"sh": SHELL})
    terminal.open("sh")
    console = Console(terminal, terminal.open("sh"), on_event=told.append)
    console.wait_ready()
    del told[:]
    return console


def kinds(told: list[Event]) -> list[str]:
    """Return the kinds of events."""
    return [event.kind.value for event in told]


def test_a_run_is_a_send_and_a_wait() -> None:
    """With how the wait has ended, when, and on what evidence; without any text."""
    told: list[Event] = []
    listened(told).run("make")
    assert kinds(told) == ["sent", "wait begun", "wait ended"]
    sent, begun, ended = told
    assert (sent.outcome, sent.seconds, sent.level) == (None, 0.0, "syscall")
    assert str(begun) == "%1: wait begun"
    assert (ended.outcome, ended.level) == (Outcome.PROMPT, "syscall")
    assert ended.seconds == pytest.approx(2.0, abs=0.1)
    assert ended.strategy == "PromptStrategy"
    assert ended.reason == "prompt '...' at the cursor"
    assert not any("make" in repr(event) or "built" in repr(event) for event in told)


def test_all_else_that_is_done() -> None:
    """A receipt, keys, a wait for a text, an interrupt."""
    told: list[Event] = []
    console = listened(told)
    console.submit("ls")
    assert kinds(told) == ["sent", "receipt"]
    assert told[-1].receipt is Receipt.DELIVERED
    assert str(told[-1]) == "%1: receipt: delivered"
    console.wait_for("a")
    assert told[-1].outcome is Outcome.MATCHED
    console.send("make")
    del told[:]
    console.interrupt()
    assert kinds(told) == ["sent", "wait begun", "wait ended"]


def test_a_wait_that_raises_has_no_end() -> None:
    """Its error says why."""
    told: list[Event] = []
    console = listened(told)
    with pytest.raises(ZeroDivisionError):
        console.wait_ready(strategy=Broken())
    assert kinds(told) == ["wait begun"]


def test_open_and_asyncio() -> None:
    """A console of each kind takes a listener, also when it is opened."""
    told: list[Event] = []
    terminal = FakeTerminal(programs={"sh": SHELL})
    with Console.open(terminal, "sh", on_event=told.append) as console:
        console.run("ls")

    async def run() -> None:
        fake = AsyncFakeTerminal(terminal)
        async with AsyncConsole.open(fake, "sh", on_event=told.append) as opened:
            await opened.run("ls")

    first = kinds(told)
    asyncio.run(run())
    assert first == ["wait begun", "wait ended", "sent", "wait begun", "wait ended"]
    assert kinds(told) == first * 2


def test_a_listener_that_raises(caplog: pytest.LogCaptureFixture) -> None:
    """Its error is in the log; what was sent is known, and the wait goes on."""

    def fails(event: Event) -> None:
        raise ValueError(event.kind)

    terminal = FakeTerminal(programs={"sh": SHELL})
    console = Console(terminal, terminal.open("sh"), on_event=fails)
    assert console.run("ls").output == "a\n"
    assert {record.levelname for record in caplog.records} == {"ERROR"}
    assert caplog.messages[-1].startswith("on_event has raised; its event was %0: prompt after")


def test_who_is_no_listener() -> None:
    """It is refused before anything is done."""

    async def awaited(event: Event) -> None:
        del event

    terminal = FakeTerminal()
    pane = terminal.open()
    for wrong in (7, awaited):
        with pytest.raises(TypeError, match="on_event is a function that is called with an Event"):
            Console(terminal, pane, on_event=wrong)  # type: ignore[arg-type]


def test_events_are_the_log(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is a line of it, with a listener or without; none if nobody has imported it."""
    told: list[Event] = []
    console = listened(told)
    with caplog.at_level(logging.DEBUG, "tmuxprim"):
        console.run("ls")
    assert [line for line in caplog.messages if line in map(str, told)] == [*map(str, told)]
    monkeypatch.delitem(sys.modules, "logging")
    console.run("ls")
    assert told[-1].kind is EventKind.WAIT_ENDED
    assert "logging" not in sys.modules
