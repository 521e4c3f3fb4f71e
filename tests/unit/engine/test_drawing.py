"""Output that the pane's history is too short for: it is drawn anew, or said to be incomplete."""

import asyncio
from collections.abc import Callable

import pytest
from typing_extensions import override

from tests.unit.builders import screen
from tmuxprim import (
    AsyncConsole,
    CommandResult,
    Console,
    FakeTerminal,
    KeySequence,
    Outcome,
    Pane,
    Size,
)
from tmuxprim._engine import drawing
from tmuxprim.errors import PaneDeadError, TapUnavailableError
from tmuxprim.testing import (
    AsyncFakeTerminal,
    Program,
    Reply,
    ScriptedShell,
    Tap,
    after,
    crash,
)

NUMBERS = "".join(f"{number}\n" for number in range(1, 301))
WIDE = "".join(f"{number} 日本日本日本日本\n" for number in range(1, 301))
NOT_FOR_SURE = "the raw output, drawn anew, may differ from the pane"

# What is printed, and what is read of it.
PRINTED = {
    "seq": (NUMBERS, NUMBERS),
    "colours": (f"\x1b[31m{NUMBERS[:-1]}\x1b[m\n", NUMBERS),
    "wide": (WIDE, WIDE),
    "long": ("0123456789" * 400 + "\n", "0123456789" * 400 + "\n"),
    "bar": (f"1%\r50%\r100%\n{NUMBERS}", f"100%\n{NUMBERS}"),
    "tabs": (f"a\tb\n{NUMBERS}", f"a       b\n{NUMBERS}"),
    "less": (f"one\n\x1b[?1049h\x1b[Hpage\x1b[L\x1b[?1049l{NUMBERS}", f"one\n{NUMBERS}"),
    "erased": (f"one\n\x1b[H\x1b[2J{NUMBERS}", None),
    "blanks": (f"one  \n{NUMBERS}", f"one  \n{NUMBERS}"),
}
UNSURE = {
    "clear": f"{NUMBERS}\x1b[H\x1b[2J\x1b[3J{NUMBERS}",
    "inserted": f"\x1b[L{NUMBERS}",
    "broken": f"\ufffd{NUMBERS}",
    "joined": f"\u200d{NUMBERS}",
    "split": f"\u65e5\bx{NUMBERS}",
}


COMMANDS: dict[str, Reply] = {
    **{name: printed for name, (printed, _) in PRINTED.items()},
    **UNSURE,
    "fail": crash(NUMBERS, status=3),
    "slow": [NUMBERS, after(60.0, NUMBERS)],
}


def make_fake(limit: int = 50, **more: Program) -> FakeTerminal:
    """Return a fake whose panes keep few rows."""
    return FakeTerminal(programs={"sh": ScriptedShell(COMMANDS), **more}, history_limit=limit)


def console_on(terminal: FakeTerminal, size: Size = Size(40, 10)) -> Console:  # noqa: B008  # frozen
    """Return a console whose prompt is known."""
    console = Console(terminal, terminal.open("sh", size=size))
    console.run("true")
    return console


@pytest.fixture
def console() -> Console:
    """Give such a console."""
    return console_on(make_fake())


@pytest.mark.parametrize("command", PRINTED)
def test_all_of_it_is_returned(command: str) -> None:
    """As it would be if the pane kept it all; again, too, with a history that is full."""
    console = console_on(make_fake())
    longer = console_on(make_fake(5000)).run(command)
    assert not console.run(command).complete
    for _ in range(2):
        result = console.run(command, all_output=True)
        assert (result.complete, result.doubt) == (True, "")
        assert result.output == longer.output
        assert PRINTED[command][1] in (result.output, None)


@pytest.mark.parametrize("limit", [0, 1, 9, 10, 250, 290, 300, 310])
@pytest.mark.parametrize("rows", [1, 2, 10])
def test_however_little_is_kept(limit: int, rows: int) -> None:
    """No row is lost or there twice where the history ends."""
    console = console_on(make_fake(limit), Size(20, rows))
    for _ in range(2):
        result = console.run("seq", all_output=True)
        assert (result.complete, result.output) == (True, NUMBERS)


@pytest.mark.parametrize("command", UNSURE)
def test_what_is_not_sure_is_as_without(console: Console, command: str) -> None:
    """It says so."""
    without = console_on(make_fake()).run(command)
    result = console.run(command, all_output=True)
    assert (result.output, result.complete) == (without.output, False)
    assert result.doubt.endswith(NOT_FOR_SURE)


@pytest.mark.parametrize("command", UNSURE)
def test_what_the_pane_keeps_needs_no_drawing(command: str) -> None:
    """Where nothing is lost, all is as without."""
    without = console_on(make_fake(5000)).run(command)
    result = console_on(make_fake(5000)).run(command, all_output=True)
    assert (result.output, result.complete) == (without.output, without.complete)
    assert result.doubt == without.doubt


def test_too_much_is_not_drawn(console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that prints for ever would be drawn for ever."""
    monkeypatch.setattr(drawing, "_MOST", 500)
    assert console.run("seq", all_output=True).doubt.endswith(NOT_FOR_SURE)


def test_a_command_of_several_lines(console: Console) -> None:
    """Each line has all of its output."""
    result = console.run("seq\nseq", all_output=True)
    assert (result.output, result.complete) == (NUMBERS * 2, True)
    result = console.run("seq\n\nseq", all_output=True)
    assert (result.output, result.complete) == (NUMBERS * 2, True)


def test_with_the_exit_status(console: Console) -> None:
    """The line that asks for it is not in the output."""
    result = console.run("fail", exit_status=True, all_output=True)
    assert (result.output, result.exit_status, result.complete) == (NUMBERS, 3, True)


def test_a_command_that_is_resumed_has_what_the_pane_keeps(console: Console) -> None:
    """Its tap is closed when the time is up."""
    assert console.run("slow", 5.0, all_output=True).readiness.outcome is Outcome.TIMEOUT
    console.terminal.tap(console.pane).close()
    result = console.resume(100.0)
    assert not result.complete
    assert NOT_FOR_SURE not in result.doubt


def test_an_empty_line(console: Console) -> None:
    """There is nothing to be taken."""
    assert console.run("", all_output=True).output == ""


def test_another_has_the_pipe(console: Console) -> None:
    """It is left alone, and the command runs all the same."""
    tap = console.terminal.tap(console.pane)
    result = console.run("seq", all_output=True)
    assert "one pipe; 'tmux pipe-pane -t %0' ends it" in result.doubt
    assert NUMBERS.endswith(result.output.partition("\n")[2])
    assert result.output
    assert "\r\n300\r\n" in tap.read()


class Tapless(FakeTerminal):
    """A fake that plays a server on another machine."""

    @override
    def tap(self, *_: object, **__: object) -> Tap:  # type: ignore[override]  # any tap
        raise TapUnavailableError("there is none")


def test_there_is_no_tap() -> None:
    """The command runs all the same, and what is kept may be all."""
    terminal = Tapless(programs={"sh": ScriptedShell(COMMANDS)}, history_limit=50)
    console = console_on(terminal)
    assert console.run("seq", all_output=True).doubt == (
        "its beginning is gone from the pane, and there is none"
    )
    terminal = Tapless(programs={"sh": ScriptedShell(COMMANDS)})
    assert console_on(terminal).run("seq", all_output=True).complete


class Meddled(FakeTerminal):
    """A fake on which something else happens right after a tap was opened, before its keys."""

    happens: Callable[[Pane], None]

    @override
    def tap(self, pane: Pane, *keys: KeySequence | None, **_: object) -> Tap:  # type: ignore[override]  # any tap
        tap = super().tap(pane)
        self.happens(pane)
        for typed in filter(None, keys):
            self.send(pane, typed)
        return tap


def meddled(happens: Callable[[Meddled, Pane], None]) -> CommandResult:
    """Return what comes of a command in the middle of that."""
    terminal = Meddled(programs={"sh": ScriptedShell(COMMANDS)}, history_limit=50)
    console = console_on(terminal)
    terminal.happens = lambda pane: happens(terminal, pane)
    return console.run("seq", all_output=True)


def test_what_was_painted_before_enter_is_drawn() -> None:
    """A line editor may still be at work."""

    def paint(terminal: Meddled, pane: Pane) -> None:
        terminal._server.get(pane).display.write("\x1b7\x1b[9;1Hpainted\x1b[2K\x1b8")  # noqa: SLF001  # a job

    assert meddled(paint).output == NUMBERS


def test_a_tap_that_is_deaf_says_why(console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    """The keys have been typed by then."""
    tapped = FakeTerminal.tap

    def tap(me: FakeTerminal, pane: Pane, keys: KeySequence, *, leave_mode: bool, **_: None) -> Tap:
        tap = tapped(me, pane, keys, leave_mode=leave_mode)
        tap.close()
        tap.unavailable = "there is no room"
        return tap

    monkeypatch.setattr(FakeTerminal, "tap", tap)
    result = console.run("seq", all_output=True)
    assert result.doubt == "its beginning is gone from the pane, and there is no room"


def test_a_pane_that_shows_something_else() -> None:
    """What no tap has told is not believed: the pane was resized and back, or tmux lost bytes."""

    def lose(terminal: Meddled, pane: Pane) -> None:
        terminal._server.get(pane).display.taps[0][:] = ["\x1b[1;1Hnever shown"]  # noqa: SLF001  # as above

    assert meddled(lose).doubt.endswith(NOT_FOR_SURE)


def test_what_comes_later_is_waited_for(console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    """The screen may be ahead of the tap."""
    reads = [""]

    class Late:
        def __init__(self, tap: Tap) -> None:
            self.tap, self.screen, self.close = tap, tap.screen, tap.close
            self.is_as_new, self.unavailable = True, ""

        def read(self) -> str:
            reads.append(self.tap.read())
            return reads[-2]

    tapped = FakeTerminal.tap
    monkeypatch.setattr(FakeTerminal, "tap", lambda me, *a, **k: Late(tapped(me, *a, **k)))
    result = console.run("seq", all_output=True)
    assert (result.output, result.complete) == (NUMBERS, True)


@pytest.mark.parametrize("number", [280, 300])
def test_one_other_row(console: Console, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """In the history or on the screen, it is seen."""

    class Wrong:
        def __init__(self, tap: Tap) -> None:
            self.tap, self.screen, self.close = tap, tap.screen, tap.close
            self.is_as_new, self.unavailable = True, ""

        def read(self) -> str:
            return self.tap.read().replace(f"\n{number}\r", f"\na{number}\r")

    tapped = FakeTerminal.tap
    monkeypatch.setattr(FakeTerminal, "tap", lambda me, *a, **k: Wrong(tapped(me, *a, **k)))
    result = console.run("seq", all_output=True)
    assert not result.complete
    assert f"a{number}" not in result.output


def test_a_screen_that_is_not_as_new(console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its tab stops are not known here."""
    tapped = FakeTerminal.tap

    def tap(me: FakeTerminal, pane: Pane, keys: KeySequence, *, leave_mode: bool, **_: None) -> Tap:
        tap = tapped(me, pane, keys, leave_mode=leave_mode)
        tap.is_as_new = False
        return tap

    monkeypatch.setattr(FakeTerminal, "tap", tap)
    assert not console.run("seq", all_output=True).complete


def test_a_program_that_has_gone(console: Console) -> None:
    """A tap of it is refused, and says what was typed."""
    terminal = console.terminal
    assert isinstance(terminal, FakeTerminal)
    terminal.remain_on_exit = True
    send, pane = terminal.send, console.pane

    def die(*args: object, **more: object) -> object:
        shown = send(*args, **more)  # type: ignore[arg-type]  # as they came
        terminal.faults.kill(pane)
        return shown

    terminal.send = die  # type: ignore[assignment,method-assign]  # for this test
    with pytest.raises(PaneDeadError, match="the text has been typed, but pressing Enter failed"):
        console.run("seq", all_output=True)


def test_async() -> None:
    """As sync; one that is cancelled leaves no tap."""

    async def work() -> CommandResult:
        terminal = AsyncFakeTerminal(make_fake())
        console = AsyncConsole(terminal, await terminal.open("sh"))
        await console.run("true")
        task = asyncio.create_task(console.run("slow", all_output=True))
        await terminal.clock.sleep(1.0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        (await terminal.tap(await console.locate())).close()
        await console.interrupt()
        return await console.run("seq", all_output=True)

    result = asyncio.run(work())
    assert (result.output, result.complete) == (NUMBERS, True)


def test_a_screen_that_a_full_screen_program_has_taken() -> None:
    """What it draws is not compared with the rows of the main screen."""
    shown = screen("$ ")
    drawn = drawing.Drawing(shown)
    drawn.add("\x1b[?1049h")
    assert not drawn.shows(shown)
