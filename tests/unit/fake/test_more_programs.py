"""The programs that draw, work or fail: full screen, bar, spinner, crash; a shell's keys."""

import math
from collections.abc import Callable

import pytest

from tests.unit.fake.test_ready_programs import Stage
from tmuxprim import KeySequence, Size
from tmuxprim.testing import (
    FakeTerminal,
    FakeTty,
    ReadKey,
    Run,
    ScriptedShell,
    Sleep,
    after,
    crash,
    full_screen,
    progress_bar,
    spinner,
)


def test_a_full_screen_program_draws_its_state() -> None:
    """A key makes the next one, and None leaves the screen as it was."""
    menu = full_screen(
        0,
        draw=lambda row: f"menu\n\nrow {row}",
        on_key=lambda row, key: None if key == "q" else row + (key == "\x1b[B"),
    )
    stage = Stage(ScriptedShell({"menu": menu}))
    stage.enter("menu")
    assert stage.text == "menu\n\nrow 0"
    assert stage.terminal.observe(stage.pane).alternate
    stage.type("x", "Down")
    assert stage.text == "menu\n\nrow 1"
    stage.type("q")
    assert stage.text == "$ menu\n$"


def test_a_full_screen_program_draws_what_there_is_room_for() -> None:
    """What is too long or too much does not scroll the screen."""
    stage = Stage(full_screen("", lambda _: "abcdef\nb\nc\nd", lambda _, __: None), Size(4, 3))
    assert stage.text == "abcd\nb\nc"


def test_a_progress_bar_grows_in_its_row() -> None:
    """And ends at a hundred percent."""
    stage = Stage(ScriptedShell({"get": progress_bar(10.0, steps=4, done="saved")}))
    stage.enter("get")
    assert stage.text == "$ get\n[    ] 0%"
    stage.wait(5.0)
    assert stage.text == "$ get\n[##  ] 50%"
    stage.wait(5.0)
    assert stage.text == "$ get\n[####] 100%\nsaved\n$"


def test_a_spinner_turns() -> None:
    """It shows one frame after the other, and takes its row back."""
    stage = Stage(ScriptedShell({"think": spinner(0.4, "hm", frames="ab", done="42")}))
    stage.enter("think")
    assert stage.text == "$ think\na hm"
    stage.wait(0.1)
    assert stage.text == "$ think\nb hm"
    stage.wait(0.3)
    assert stage.text == "$ think\n42\n$"


@pytest.mark.parametrize("program", [progress_bar(1.0, steps=20), spinner(1.0, "a long text")])
def test_what_moves_stays_in_its_row(program: object) -> None:
    """On a narrow screen it is cut."""
    assert callable(program)
    stage = Stage(ScriptedShell({"go": program}), Size(8, 5))
    stage.enter("go")
    stage.wait(0.5)
    assert stage.terminal.observe(stage.pane).cursor.row == 1


@pytest.mark.parametrize(
    ("program", "status", "signal"),
    [(crash(), 1, None), (crash(status=3), 3, None), (crash(signal=11), None, 11)],
)
def test_a_crash_ends_the_pane(program: object, status: int | None, signal: int | None) -> None:
    """With a status, or by a signal."""
    assert callable(program)
    stage = Stage(program)
    screen = stage.terminal.observe(stage.pane)
    assert (screen.dead, screen.exit_status, screen.exit_signal) == (True, status, signal)


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (crash("oops"), "oops"),
        (crash("oops", after=2.0, signal=11), "oops\nSegmentation fault"),
        (crash(signal=9), "Killed"),
        (crash(signal=31), "Signal 31"),
    ],
)
def test_a_shell_survives_a_crash(program: object, said: str) -> None:
    """It says of which signal its command died, and asks again."""
    assert callable(program)
    stage = Stage(ScriptedShell({"run": program}))
    stage.enter("run")
    stage.wait(2.0)
    assert stage.text == f"$ run\n{said}\n$"


def test_a_shell_brings_old_lines_back() -> None:
    """Blank ones and repetitions are not kept."""
    stage = Stage(ScriptedShell())
    stage.enter("echo 1", "", "echo 2", "echo 2")
    stage.type("", "Up", "Up", "Enter")
    assert stage.text.endswith("$ echo 1\n1\n$")


def test_enter_amid_a_line_takes_all_of_it() -> None:
    """The output comes below the line, wherever the cursor was."""
    stage = Stage(ScriptedShell({"one two three": "ok"}), Size(8, 6))
    stage.type("one two three", "C-a", "Enter")
    assert stage.text == "$ one tw\no three\nok\n$"


def test_c_l_shows_the_prompt_at_the_top() -> None:
    """What is typed stays."""
    stage = Stage(ScriptedShell())
    stage.enter("echo 1")
    stage.type("ab", "C-l")
    assert stage.text == "$ ab"


def test_a_full_screen_program_counts_columns_and_draws_again() -> None:
    """A wide character takes two, a colour none; another size is drawn for at once."""
    stage = Stage(
        full_screen("", lambda _: "\x1b[1m日本\x1b[m\nabc", lambda _, __: None), Size(3, 3)
    )
    assert stage.text == "日\nabc"
    stage.terminal.resize(stage.pane, Size(9, 1))
    stage.wait(0.1)
    assert stage.text == "日本"


def test_a_bar_and_a_spinner_have_something_to_show() -> None:
    """What has not is refused when it is made."""
    with pytest.raises(ValueError, match="at least 1 step, got 0"):
        progress_bar(steps=0)
    with pytest.raises(ValueError, match="at least 1 character"):
        spinner(frames="")


@pytest.mark.parametrize(
    "make",
    [
        after,
        Sleep,
        progress_bar,
        spinner,
        lambda seconds: crash(after=seconds),
        lambda seconds: FakeTerminal(reaction=seconds),
    ],
)
@pytest.mark.parametrize("seconds", [-1.0, math.nan])
def test_nothing_takes_less_than_no_time(make: Callable[[float], object], seconds: float) -> None:
    """It is refused when it is made, and not in the middle of a program."""
    with pytest.raises(ValueError, match=f"takes 0 or more seconds, got {seconds}"):
        make(seconds)


def test_a_resize_comes_before_or_after_a_key_and_never_twice() -> None:
    """A program that is woken already sees the new size by itself."""
    seen = list[tuple[str, int]]()

    def watcher(tty: FakeTty) -> Run:
        while True:
            key = yield ReadKey(resizes=True)
            seen.append((key, tty.columns))

    stage = Stage(watcher)
    stage.terminal.resize(stage.pane, Size(40, 9))
    stage.wait(0.1)
    stage.terminal.send(stage.pane, KeySequence.text("x"))
    stage.terminal.resize(stage.pane, Size(50, 9))
    stage.wait(0.1)
    assert seen == [("", 40), ("x", 50)]


def test_a_resize_waits_until_a_program_asks_for_keys() -> None:
    """While it works or draws it does not see the new size; a program that begins then does."""
    seen = list[tuple[str, int]]()

    def worker(tty: FakeTty) -> Run:
        yield Sleep(5.0, raw=True)
        for _ in range(2):
            key = yield ReadKey(resizes=True)
            seen.append((key, tty.columns))
        return 0

    stage = Stage(ScriptedShell({"work": worker}))
    stage.terminal.resize(stage.pane, Size(40, 9))
    stage.enter("work")
    stage.wait(1.0)
    stage.terminal.resize(stage.pane, Size(50, 9))
    stage.wait(9.0)
    stage.type("x")
    stage.enter("work")
    stage.wait(9.0)
    stage.type("yz")
    assert seen == [("", 50), ("x", 50), ("y", 50), ("z", 50)]
