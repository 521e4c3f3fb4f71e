"""What a fake terminal plays of the tmux server: names, order, modes."""

import pytest

from tmuxprim import (
    Console,
    FakeTerminal,
    InvalidTextError,
    KeySequence,
    Pane,
    PaneNotFoundError,
)
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


def test_another_server_counts_anew() -> None:
    """Its sessions and its panes, as tmux does; processes have numbers of the machine's."""
    terminal = FakeTerminal()
    before = terminal.observe(terminal.open())
    terminal.close(Pane("%0"))
    pane = terminal.open()
    assert (pane.target, terminal.resolve(Pane("0"))) == ("%0", pane)
    assert terminal.observe(pane).pane_pid != before.pane_pid


def test_what_was_sent_is_told_apart_by_servers() -> None:
    """An id that is used again is another pane's; without its server it is both's."""
    terminal = FakeTerminal()
    panes = []
    for text in ("one", "two"):
        pane = terminal.open(name=text)
        terminal.send(pane, KeySequence.text(text))
        terminal.close(pane)
        panes.append(pane)
    terminal.assert_sent(panes[0], "one")
    terminal.assert_sent(panes[1], "two")
    terminal.assert_sent(Pane("one"), "one")
    terminal.assert_sent(Pane("%0"), "one", "two")


def test_a_name_of_a_server_that_is_gone_names_no_pane_of_the_next() -> None:
    """Though that has the id that the name had."""
    terminal = FakeTerminal()
    terminal.close(terminal.open(name="shared"))
    pane = terminal.open(name="other")
    with pytest.raises(PaneNotFoundError):
        terminal.observe(Pane("shared"))
    terminal.close(Pane("shared"))
    assert terminal.panes() == (pane,)


def test_a_pane_of_another_fake_is_none_of_this_one() -> None:
    """Two fakes have the same ids, as two tmux servers have."""
    terminal, other = FakeTerminal(), FakeTerminal()
    terminal.open()
    with pytest.raises(PaneNotFoundError):
        terminal.send(other.open(), KeySequence.text("x"))
    assert terminal.sent() == ()


def test_a_line_that_is_too_long_for_the_kernel_is_refused() -> None:
    """While a command runs, as on Linux."""
    shell = ScriptedShell({"make": after(60.0)})
    terminal = FakeTerminal(programs={"sh": shell})
    console = Console(terminal, terminal.open())
    console.wait_ready()
    console.send("make")
    terminal.clock.sleep(1.0)
    with pytest.raises(InvalidTextError, match="after 4095"):
        console.send("x" * 4096)
