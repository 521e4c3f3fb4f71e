"""`Console.follow` on the fake: each line once, in order, and a gap is reported."""

import asyncio
from collections.abc import Callable, Iterable
from functools import partial

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tmuxprim import (
    AsyncConsole,
    Console,
    FakeTerminal,
    NewText,
    Outcome,
    Pane,
    PaneNotFoundError,
    Screen,
)
from tmuxprim.errors import InvalidPaneError, InvalidStrategyError
from tmuxprim.testing import AsyncFakeTerminal, ScriptedShell, after, crash, pager, question

# A reply without any text prints no line.
SIGNS = st.text("ab 1$>#%", max_size=100).map(lambda text: f"x{text}".rstrip())


def on_shell(
    reply: object, *, prompt: str = "$ ", evidence: bool = True, keeps: int = 2000
) -> Console:
    """Return a console on a shell at its prompt whose command ``serve`` replies so."""
    shell = ScriptedShell({"serve": reply}, prompt=prompt)  # type: ignore[dict-item]
    terminal = FakeTerminal(programs={"sh": shell}, evidence=evidence, history_limit=keeps)
    console = Console(terminal, terminal.open("sh"))
    assert console.wait_ready().outcome is Outcome.PROMPT
    return console


def followed(lines: Iterable[NewText]) -> list[tuple[str, bool]]:
    """Return lines and whether they are complete."""
    return [(str(line), line.complete) for line in lines]


def all_complete(*lines: str) -> list[tuple[str, bool]]:
    """Return what is expected of lines without a gap."""
    return [(line, True) for line in lines]


@settings(max_examples=25)
@given(st.lists(SIGNS, min_size=1, max_size=40), st.sampled_from([0.0, 1.0]))
def test_every_line_comes_once_in_order(lines: list[str], seconds: float) -> None:
    """Whatever they look like, however wide they are, and whether they come at once or slowly."""
    console = on_shell([after(seconds, line) for line in lines])
    console.send("serve")
    assert followed(console.follow()) == all_complete(*lines)


@pytest.mark.parametrize("evidence", [True, False])
def test_a_line_comes_when_it_has_ended(*, evidence: bool) -> None:
    """And not with the next one, nor at the end of the command."""
    console = on_shell([after(5.0, "up"), after(50.0, "GET /"), after(5.0)], evidence=evidence)
    console.send("serve")
    began = console.terminal.clock.now()
    times = [console.terminal.clock.now() - began for _ in console.follow()]
    assert [round(seconds) for seconds in times] == [5, 55]


def test_a_loop_that_was_left_goes_on_with_another() -> None:
    """From a mark; the program knows nothing of it."""
    console = on_shell([after(1.0, str(number)) for number in range(5)])
    console.send("serve")
    for line in console.follow():
        if line == "1":
            break
    assert followed(console.follow(since=console.mark())) == all_complete("2", "3", "4")
    assert console.run("serve").output == "0\n1\n2\n3\n4\n"


def test_the_time_limit_ends_the_loop() -> None:
    """Of the whole loop, however often something is printed."""
    console = on_shell([after(1.0, str(number)) for number in range(50)])
    console.send("serve")
    assert followed(console.follow(4.5)) == all_complete("0", "1", "2", "3")
    assert console.wait_ready(0.0).outcome is Outcome.TIMEOUT


def test_a_question_ends_the_loop() -> None:
    """It is no line; the next wait returns it."""
    console = on_shell(question("a\nGo on? [y/N] "))
    console.send("serve")
    assert followed(console.follow()) == all_complete("a")
    assert console.wait_ready(0.0).outcome is Outcome.AWAITING_INPUT


def test_a_prompt_of_two_rows_is_no_line() -> None:
    """Where its height is known."""
    console = on_shell([after(0.5, "a"), after(0.5, "b")], prompt="in ~\n$ ")
    console.learn_prompt()
    console.send("serve")
    assert followed(console.follow()) == all_complete("a", "b")


def test_without_a_send_all_that_the_pane_keeps_is_new() -> None:
    """As of a program that was opened in the pane itself."""
    lines = [str(number) for number in range(50)]
    terminal = FakeTerminal(programs={"serve": crash("\n".join(lines))}, remain_on_exit=True)
    console = Console(terminal, terminal.open("serve"))
    assert followed(console.follow()) == all_complete(*lines)
    assert console.wait_ready().outcome is Outcome.EXITED


def test_lines_that_the_pane_threw_away_are_reported() -> None:
    """By the lines that are read next."""
    lines = [str(number) for number in range(200)]
    console = on_shell(
        [after(1.0, "first"), after(1.0, "\n".join(lines)), after(1.0, "z")], keeps=50
    )
    console.send("serve")
    found = followed(console.follow())
    rest = [line for line, complete in found if not complete]
    assert found[0] == ("first", True)
    assert rest == lines[-len(rest) :]
    assert found[-1] == ("z", True)


def test_a_line_that_is_there_several_times_may_be_another() -> None:
    """Where the pane has thrown rows away, their number does not tell it."""
    console = on_shell([after(1.0, "\n".join("y" * 45)), after(1.0, "\n".join("y" * 30))], keeps=50)
    console.send("serve")
    found = followed(console.follow())
    assert found[:45] == all_complete(*"y" * 45)
    assert {complete for _, complete in found[45:]} == {False}


def test_without_a_send_lines_may_be_thrown_away_already() -> None:
    """Then the first lines say so."""
    serve = crash("\n".join(str(number) for number in range(200)))
    terminal = FakeTerminal(programs={"serve": serve}, remain_on_exit=True, history_limit=50)
    console = Console(terminal, terminal.open("serve"))
    assert {complete for _, complete in followed(console.follow())} == {False}


def test_a_screen_that_was_cleared_is_reported() -> None:
    """The lines behind that are new."""
    console = on_shell([after(1.0, "a"), after(1.0, "\x1b[2J\x1b[3J\x1b[Hb"), after(1.0, "c")])
    console.send("serve")
    assert followed(console.follow()) == [("a", True), ("b", False), ("c", True)]


@pytest.mark.parametrize("seconds", [0.0, 1.0])
def test_a_row_that_a_shell_has_filled_and_wiped_is_no_line(seconds: float) -> None:
    """The history keeps it where the screen was cleared, at once or a moment before."""
    cleared, wiped = "\x1b[2J\x1b[3J\x1b[H\x1b[1A", " " * 80
    parts = [after(1.0, "a"), after(1.0, cleared), after(seconds, wiped), after(1.0, "c")]
    console = on_shell(parts)
    console.send("serve")
    assert followed(console.follow()) == [("a", True), ("c", False)]


def test_a_cursor_that_is_above_for_a_while_hides_no_line() -> None:
    """As of a program that draws a progress bar in a row above."""
    console = on_shell(
        [after(1.0, "a\nb"), after(1.0, "\x1b[4A"), after(1.0, "\x1b[3Bc"), after(1.0)]
    )
    console.send("serve")
    assert followed(console.follow()) == all_complete("a", "b", "c")


def test_a_full_screen_ends_the_loop() -> None:
    """It has no lines."""
    console = on_shell(pager("a\nb"))
    console.send("serve")
    assert followed(console.follow()) == []


def test_a_pane_that_closes_ends_the_loop() -> None:
    """With the lines that were seen; a pane that was gone before has none."""
    console = on_shell([after(1.0, "\n".join("abcdefgh" * 9)), after(1.0, "z"), after(5.0)])
    terminal, pane = console.terminal, console.pane
    console.send("serve")
    lines = console.follow()
    assert next(lines) == "a"
    terminal.close(pane)
    assert len([*lines]) == 8 * 9 - 1
    with pytest.raises(PaneNotFoundError):
        next(Console(terminal, pane).follow())


def test_what_cannot_be_followed_is_refused() -> None:
    """Before anything is waited for."""
    console = on_shell("a")
    other = Console(console.terminal, console.terminal.open())
    with pytest.raises(InvalidPaneError, match="the mark is of pane"):
        next(console.follow(since=other.mark()))
    with pytest.raises(InvalidStrategyError, match="timeout is None, or 0 or more seconds"):
        next(console.follow(-1.0))


class ChangingTerminal(FakeTerminal):
    """A fake in which something happens right before the history is read."""

    happens: Callable[[], object] = staticmethod(int)

    def observe(self, pane: Pane, *, history: int = 0, styled: bool = False) -> Screen:
        """Let it happen."""
        if history:
            self.happens()
        return super().observe(pane, history=history, styled=styled)


def on_changing_shell() -> tuple[ChangingTerminal, Console]:
    """Return a console whose command prints more than the screen shows, and then ends."""
    reply = [after(1.0, "\n".join("abcdefgh" * 9)), after(1.0)]
    terminal = ChangingTerminal(programs={"sh": ScriptedShell({"serve": reply})})
    terminal.open()
    console = Console(terminal, terminal.open("sh"))
    console.wait_ready()
    console.send("serve")
    return terminal, console


def test_a_pane_may_close_right_before_its_history_is_read() -> None:
    """Then the screen that was seen before is all there is, and the first lines are missing."""
    terminal, console = on_changing_shell()
    terminal.happens = partial(terminal.close, console.pane)
    found = followed(console.follow())
    assert found
    assert {complete for _, complete in found} == {False}


def test_a_prompt_that_comes_while_the_history_is_read_is_no_line() -> None:
    """The lines are read again, once the program is known to be ready."""
    terminal, console = on_changing_shell()
    terminal.happens = partial(terminal.clock.sleep, 5.0)
    assert followed(console.follow()) == all_complete(*"abcdefgh" * 9)


def test_a_command_line_that_was_shown_late_is_no_line() -> None:
    """In however many rows it is."""
    console = on_shell([after(1.0, "a")])
    before = console.mark()
    console.send("serve" + " " * 5 + "x" * 100)
    mark = attrs.evolve(before, line="")
    assert followed(console.follow(since=mark))[0][0].startswith("sh: serve")


def test_a_command_line_that_is_shown_twice_is_reported() -> None:
    """As of a text that was typed before the shell had begun to read."""
    console = on_shell([after(1.0, "$ serve\na"), after(1.0, "b")])
    console.send("serve")
    assert followed(console.follow()) == [("$ serve", False), ("a", False), ("b", True)]


def test_the_same_lines_for_asyncio() -> None:
    """One by one."""

    async def follow() -> list[tuple[str, bool]]:
        shell = ScriptedShell({"serve": [after(0.01, str(number)) for number in range(3)]})
        terminal = AsyncFakeTerminal(FakeTerminal(programs={"sh": shell}))
        console = AsyncConsole(terminal, await terminal.open("sh"))
        await console.wait_ready()
        await console.send("serve")
        return followed([line async for line in console.follow()])

    assert asyncio.run(follow()) == all_complete("0", "1", "2")
