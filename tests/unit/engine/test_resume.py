"""Going on with a command: `Console.resume`, `idle_timeout`, and `Console.interrupt`."""

import asyncio

import attrs
import pytest

from tests.unit.builders import screen
from tmuxprim import (
    AsyncConsole,
    CommandResult,
    Console,
    FakeTerminal,
    Outcome,
    PaneBusyError,
    Readiness,
    TimeoutStrategy,
)
from tmuxprim._readiness.snapshot import Snapshot
from tmuxprim.errors import InvalidStrategyError
from tmuxprim.testing import AsyncFakeTerminal, ScriptedShell, after, crash, question, repl

SHELL = ScriptedShell(
    {
        "make": ["one", after(60.0, "two")],
        "drip": [after(5.0, str(number)) for number in range(5)],
        "fail": [after(5.0), crash("no", status=3)],
        "flood": [after(5.0, "\n".join(map(str, range(300)))), after(5.0, "end")],
        "ask": question("Sure? ", lambda said: f"you said {said}"),
        "hang": after(1e6),
        "python": repl(str.upper),
    }
)


def console(*, evidence: bool = True) -> Console:
    """Return a console on a shell with commands that take their time."""
    terminal = FakeTerminal(programs={"sh": SHELL}, evidence=evidence)
    return Console(terminal, terminal.open("sh"))


@pytest.mark.parametrize("evidence", [True, False])
def test_a_command_whose_time_is_up_is_resumed(evidence: bool) -> None:  # noqa: FBT001  # a case of the table
    """Each time with all of the output so far, until it has ended."""
    pane = console(evidence=evidence)
    result = pane.run("make", 10.0)
    assert (result.output, result.complete) == ("one\n", False)
    result = pane.resume(10.0)
    assert (result.output, result.complete) == ("one\n", False)
    result = pane.resume(60.0)
    assert (result.output, result.complete) == ("one\ntwo\n", True)
    assert result.readiness.outcome is Outcome.PROMPT


def test_output_that_has_scrolled_away_is_there_in_the_end() -> None:
    """As it is behind a `run` that had the time."""
    pane = console()
    pane.run("flood", 7.0)
    result = pane.resume()
    assert result.output == "".join(f"{number}\n" for number in range(300)) + "end\n"
    assert result.complete


def test_the_lines_before_are_in_the_output() -> None:
    """Those of the same command."""
    pane = console()
    pane.run("echo a\nmake", 10.0)
    assert pane.resume(60.0).output == "a\none\ntwo\n"


def test_the_mark_is_that_of_the_first_line() -> None:
    """From there on the pane may be read at any time."""
    pane = console()
    mark = pane.run("echo a\nmake", 10.0).mark
    assert mark is not None
    assert pane.read(since=mark).startswith("a\n")
    assert pane.resume(60.0).mark == mark


def test_an_answer_stands_in_the_output() -> None:
    """So that is not exactly the command's."""
    pane = console()
    pane.run("ask")
    pane.send("y")
    result = pane.resume()
    assert (result.output, result.complete) == ("Sure? y\nyou said y\n", False)
    assert "typed meanwhile" in result.doubt


def test_what_another_has_run_meanwhile_is_seen() -> None:
    """By the prompt that stands in the output."""
    pane = console()
    pane.run("make", 10.0)
    other = Console(pane.terminal, pane.pane)
    other.wait_ready(60.0)
    other.run("echo b")
    result = pane.resume()
    assert result.output == "one\ntwo\n$ echo b\nb\n"
    assert not result.complete


def test_lines_that_were_not_typed_are_not_typed_now() -> None:
    """A question stood between."""
    pane = console()
    pane.run("ask\necho b")
    pane.send("y")
    result = pane.resume()
    assert "not typed" in result.doubt
    assert "echo b" not in pane.read()


@pytest.mark.parametrize("command", ["", "echo a"])
def test_there_may_be_nothing_to_resume(command: str) -> None:
    """No command, or one that has ended."""
    pane = console()
    if command:
        pane.run(command)
    with pytest.raises(PaneBusyError, match="no command of run"):
        pane.resume()


def test_a_repl_that_was_begun_has_not_ended() -> None:
    """It has when the shell is back."""
    pane = console()
    assert "shows a prompt" in pane.run("python").doubt
    assert "shows a prompt" in pane.resume().doubt
    pane.keys("C-d")
    assert pane.resume().readiness.outcome is Outcome.PROMPT


def test_the_exit_status_is_asked_for_in_the_end() -> None:
    """If the run was to, and nobody has typed anything since."""
    pane = console()
    assert pane.run("fail", 1.0, exit_status=True).exit_status is None
    result = pane.resume()
    assert (result.output, result.exit_status) == ("no\n", 3)
    pane.run("ask", exit_status=True)
    pane.send("y")
    assert pane.resume().exit_status is None


def test_quiet_ends_a_wait_without_output() -> None:
    """Not one in which something is printed all the time."""
    pane = console()
    result = pane.run("drip", idle_timeout=6.0)
    assert result.readiness.outcome is Outcome.PROMPT
    assert result.complete
    result = pane.run("make", 300.0, idle_timeout=6.0)
    assert result.readiness.outcome is Outcome.TIMEOUT
    assert result.readiness.reason.startswith("no output for 6 s; ")
    assert 6.0 <= result.readiness.elapsed < 8.0
    assert not result.complete
    assert pane.resume(300.0, idle_timeout=6.0).readiness.outcome is Outcome.TIMEOUT
    assert pane.resume(300.0, idle_timeout=60.0).output == "one\ntwo\n"


@pytest.mark.parametrize("idle_timeout", [0, -1.0, float("nan"), "3"])
def test_quiet_is_a_number_of_seconds(idle_timeout: float) -> None:
    """Anything else is refused before the command is typed."""
    pane = console()
    with pytest.raises(InvalidStrategyError, match="idle_timeout is more than 0 seconds, got"):
        pane.run("make", idle_timeout=idle_timeout)
    assert "make" not in pane.read()


def test_a_time_limit_says_which_time_is_up() -> None:
    """The longest wait, or the longest silence, whichever is first."""
    limit = TimeoutStrategy(10.0, idle_timeout=3.0)
    snapshot = Snapshot(screen=screen(), elapsed=5.0, unchanged_for=2.0)
    assert str(limit.assess(snapshot)) == "pass: there is time left"
    assert limit.assess(snapshot).again_in == pytest.approx(1.0)  # type: ignore[union-attr]  # a Busy
    snapshot = attrs.evolve(snapshot, unchanged_for=3.0, silent_for=3.0)
    assert str(limit.assess(snapshot)) == "ready (timed out): no output for 3 s"
    snapshot = attrs.evolve(snapshot, elapsed=10.0)
    assert str(limit.assess(snapshot)) == "ready (timed out): timed out after 10 s"


def test_interrupt_ends_a_command() -> None:
    """The shell is back, and what was printed is still to be had."""
    pane = console()
    pane.run("make", 10.0)
    assert pane.interrupt().outcome is Outcome.PROMPT
    result = pane.resume()
    assert result.output == "one\n^C\n"
    assert pane.run("echo a").output == "a\n"


def test_interrupt_from_another_task() -> None:
    """The task that waits gets what is there then."""

    async def run() -> tuple[CommandResult, Readiness, CommandResult]:
        terminal = AsyncFakeTerminal(FakeTerminal(programs={"sh": SHELL}))
        pane = AsyncConsole(terminal, await terminal.open("sh"))
        await pane.run("true")

        async def later() -> Readiness:
            await terminal.clock.sleep(20.0)
            return await pane.interrupt()

        result, readiness = await asyncio.gather(pane.run("hang", 300.0), later())
        return result, readiness, await pane.run("echo a")

    result, readiness, after_it = asyncio.run(run())
    assert (result.output, result.readiness.outcome) == ("^C\n", Outcome.PROMPT)
    assert readiness.outcome is Outcome.PROMPT
    assert (after_it.output, after_it.complete) == ("a\n", True)


@pytest.mark.parametrize(("step", "complete"), [("probe", True), ("send", False)])
def test_interrupt_while_a_run_begins(
    monkeypatch: pytest.MonkeyPatch, step: str, *, complete: bool
) -> None:
    """It looks again for the prompt; what is typed while C-c is pressed may lose its beginning."""
    pane = console()
    carry_out = getattr(FakeTerminal, step)

    def pressed_meanwhile(*args: object, **more: object) -> object:
        monkeypatch.setattr(FakeTerminal, step, carry_out)
        pane.interrupt()
        return carry_out(*args, **more)

    monkeypatch.setattr(FakeTerminal, step, pressed_meanwhile)
    result = pane.run("echo a")
    assert (result.output, result.complete) == ("a\n", complete)
    assert result.doubt.startswith(
        "" if complete else "C-c was pressed while the command was typed"
    )


def test_resume_from_asyncio() -> None:
    """A run that was cancelled may be resumed, too."""

    async def run() -> tuple[str, str]:
        terminal = AsyncFakeTerminal(FakeTerminal(programs={"sh": SHELL}))
        pane = AsyncConsole(terminal, await terminal.open("sh"))
        await pane.run("make", 10.0)
        one = (await pane.resume(60.0, idle_timeout=100.0)).output
        task = asyncio.create_task(pane.run("make", 100.0))
        await terminal.clock.sleep(10.0)
        task.cancel()
        await asyncio.wait([task])
        return one, (await pane.resume(100.0)).output

    assert asyncio.run(run()) == ("one\ntwo\n", "one\ntwo\n")
