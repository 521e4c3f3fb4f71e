"""`Console.watch`, and what waits tell the log."""

import asyncio
import logging
import sys

import attrs
import pytest

from tests.unit.builders import AT_PROMPT, screen
from tmuxprim import AsyncConsole, Console, FakeTerminal, PaneNotFoundError
from tmuxprim._engine.log import log_snapshot
from tmuxprim._readiness.chain import Judgement
from tmuxprim._values.pane import Pane
from tmuxprim.readiness import Busy, Snapshot
from tmuxprim.testing import AsyncFakeTerminal, Program, ScriptedShell, after, crash, progress_bar

SHELL = ScriptedShell(
    {
        "get": progress_bar(4.0, steps=4),
        "late": after(60.0, "here"),
        "export TOKEN=hunter2": after(1.0),
    }
)


def console(*, remain_on_exit: bool = False) -> Console:
    """Return a console on a shell at its prompt."""
    programs: dict[str, Program] = {"sh": SHELL, "dies": crash("no", after=1.0)}
    terminal = FakeTerminal(programs=programs, remain_on_exit=remain_on_exit)
    pane = Console(terminal, terminal.open("sh"))
    pane.wait_ready()
    return pane


def test_each_picture_is_seen() -> None:
    """The first as it is, and then each change, until the time is up."""
    pane = console()
    pane.send("get")
    seen = [screen.rows[1] for screen in pane.watch(60.0)]
    bars = [row for row in seen if row.startswith("[")]
    assert sorted({*bars}, key=bars.index) == [
        "[    ] 0%",
        "[#   ] 25%",
        "[##  ] 50%",
        "[### ] 75%",
        "[####] 100%",
    ]
    assert pane.terminal.clock.now() >= 60.0


def test_nothing_changes() -> None:
    """There is one picture then, and as many as come if more time is given."""
    pane = console()
    assert len([*pane.watch(0.0)]) == 1
    pane.send("late")
    assert [*pane.watch(100.0)][-1].rows[1] == "here"


@pytest.mark.parametrize("remain_on_exit", [True, False])
def test_it_ends_with_the_program(*, remain_on_exit: bool) -> None:
    """Whether its pane stays or goes."""
    terminal = console(remain_on_exit=remain_on_exit).terminal
    pane = Console(terminal, terminal.open("dies"))
    last = [*pane.watch()][-1]
    assert last.dead is remain_on_exit
    with pytest.raises(PaneNotFoundError):
        next(Console(terminal, Pane("%99")).watch())


def test_it_ends_with_the_pane() -> None:
    """Somebody closes it between two pictures."""
    pane = console()
    pictures = pane.watch()
    next(pictures)
    pane.terminal.close(pane.pane)
    assert [*pictures] == []


def test_from_asyncio() -> None:
    """The same with ``async for``; who leaves early leaves nothing behind."""

    async def watch() -> str:
        terminal = AsyncFakeTerminal(FakeTerminal(programs={"sh": SHELL}))
        pane = AsyncConsole(terminal, await terminal.open("sh"))
        await pane.wait_ready()
        await pane.send("get")
        async for seen in pane.watch():
            if "50%" in seen.text:
                break
        async for seen in pane.watch(10.0):
            last = seen.rows[1]
        return last

    assert asyncio.run(watch()) == "[####] 100%"


def test_a_wait_tells_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """What was seen, who said what, and how it has ended; nothing of what was typed, or shown."""
    pane = console()
    with caplog.at_level(logging.DEBUG, "tmuxprim"):
        pane.run("export TOKEN=hunter2")
    assert {record.name for record in caplog.records} == {"tmuxprim"}
    assert caplog.messages[-1].startswith("%0: prompt after 1.0")
    assert caplog.messages[-1].endswith(" by PromptStrategy: prompt '...' at the cursor")
    assert any("cursor 1,0 of 80x24" in told for told in caplog.messages)
    assert any("ForegroundStrategy: busy: export runs" in told for told in caplog.messages)
    assert "hunter2" not in caplog.text
    assert "TOKEN" not in caplog.text


def test_nobody_listens(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then nothing is told; and the log is not imported for that."""
    pane = console()
    with caplog.at_level(logging.INFO, "tmuxprim"):
        pane.run("echo hi")
    monkeypatch.delitem(sys.modules, "logging")
    pane.run("echo hi")
    assert not caplog.messages
    assert "logging" not in sys.modules


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("the shell's line 'rm x' stands there", "the shell's line '...' stands there"),
        ("\"it's\" and 'a'", "'...' and '...'"),
        ("'it\\'s a secret'", "'...'"),
    ],
)
def test_texts_are_left_out(reason: str, told: str, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever quotes they hold."""
    busy = Busy(reason)
    for tty in (AT_PROMPT, attrs.evolve(AT_PROMPT, canonical=True), None):
        with caplog.at_level(logging.DEBUG, "tmuxprim"):
            log_snapshot(
                Pane("%1"), Snapshot(screen=screen(), tty=tty), Judgement(busy, "S", (("S", busy),))
            )
    assert all(message.endswith(f"; S: busy: {told}") for message in caplog.messages)
    assert all(kind in "".join(caplog.messages) for kind in ("raw", "canonical", "no kernel"))
