"""Panes of a fake terminal whose program has ended and that remain, as in tmux 3.3a."""

import pytest

from tmuxprim import Cursor, FakeTerminal, KeySequence, Pane, PaneDeadError, Size
from tmuxprim.testing import assert_screen, crash

SIZE = Size(50, 4)


def dead(terminal: FakeTerminal, program: str = "sh", size: Size = SIZE) -> Pane:
    """Return a pane whose program has ended."""
    pane = terminal.open(program, size=size)
    terminal.clock.sleep(1.0)
    if program == "sh":
        terminal.send(pane, KeySequence.text("exit") + KeySequence.keys("Enter"))
        terminal.clock.sleep(1.0)
    return pane


def test_a_dead_pane_says_how_its_program_ended() -> None:
    """On the lowest row, for which the others have scrolled; the cursor is hidden."""
    terminal = FakeTerminal(remain_on_exit=True)
    screen = terminal.observe(dead(terminal), history=9)
    notice = "Pane is dead (status 0, Thu Jan  1 00:00:01 1970)"
    assert_screen(screen, f"\n\n\n{notice}", cursor=Cursor(3, 0))
    assert screen.history == ("$ exit",)
    assert not screen.cursor_visible


def test_the_notice_of_a_dead_pane_is_cut() -> None:
    """It takes one row, whatever it says: a signal, too."""
    terminal = FakeTerminal(programs={"buggy": crash(signal=11)}, remain_on_exit=True)
    assert "(signal 11, Thu" in terminal.observe(dead(terminal, "buggy")).last_line
    pane = dead(terminal, "buggy", Size(10, 4))
    assert terminal.observe(pane).rows == ("", "", "", "Pane is de")


def test_a_pane_that_died_before_goes_on_to_remain() -> None:
    """What counts is what was asked for when its program ended."""
    terminal = FakeTerminal(remain_on_exit=True)
    pane = dead(terminal)
    terminal.remain_on_exit = False
    other = dead(terminal)
    assert terminal.panes() == (pane,)
    assert other != pane


def test_a_dead_pane_cannot_be_killed() -> None:
    """It has no program that a signal could end once more."""
    terminal = FakeTerminal(remain_on_exit=True)
    pane = dead(terminal)
    terminal.faults.kill(pane)
    assert (terminal.observe(pane).exit_status, terminal.observe(pane).exit_signal) == (0, None)
    with pytest.raises(PaneDeadError):
        terminal.send(pane, KeySequence.text("x"))
