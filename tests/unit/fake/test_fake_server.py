"""What a fake terminal plays of the tmux server: names, order, modes."""

import pytest

from tmuxprim import Console, FakeTerminal, InvalidTextError, KeySequence, Pane
from tmuxprim.testing import ScriptedShell, after


def test_panes_are_listed_by_the_names_of_their_sessions() -> None:
    """As tmux lists them, and not in the order in which they were opened."""
    terminal = FakeTerminal()
    panes = {name: terminal.open(name=name) for name in ("b", "a", "c")}
    assert terminal.panes() == (panes["a"], panes["b"], panes["c"])


def test_a_session_without_a_name_has_a_number_that_is_free() -> None:
    """Tmux counts all sessions, and never goes back."""
    terminal = FakeTerminal()
    terminal.open(name="1")
    second, third = terminal.open(), terminal.open()
    assert terminal.resolve(Pane("2")) == second
    assert terminal.resolve(Pane("3")) == third
    terminal.close(second)
    fourth = terminal.open()
    assert terminal.resolve(Pane("4")) == fourth


def test_another_server_counts_its_sessions_anew() -> None:
    """The ids of panes alone are never used again."""
    terminal = FakeTerminal()
    terminal.close(terminal.open())
    pane = terminal.open()
    assert (pane, terminal.resolve(Pane("0"))) == (Pane("%1"), pane)


@pytest.mark.parametrize("text", ["", "x"])
def test_a_mode_is_left_on_demand(text: str) -> None:
    """Also with nothing to type."""
    terminal = FakeTerminal()
    pane = terminal.open()
    terminal.set_mode(pane, "copy-mode")
    terminal.send(pane, KeySequence.text(text), leave_mode=True)
    assert terminal.observe(pane).mode == ""


def test_a_line_that_is_too_long_for_the_kernel_is_refused() -> None:
    """While a command runs, as on Linux."""
    shell = ScriptedShell({"make": after(60.0)})
    terminal = FakeTerminal(programs={"sh": shell})
    console = Console(terminal, terminal.open())
    console.wait_ready()
    console.send("make")
    terminal.clock.sleep(1.0)
    with pytest.raises(InvalidTextError, match="over 4095"):
        console.send("x" * 4096)
