"""`FakeTerminal`: what it does beyond the contract of all terminals."""

from collections.abc import Callable

import pytest

from tmuxprim import (
    FakeTerminal,
    InvalidPaneError,
    KeySequence,
    Pane,
    PaneBusyError,
    PaneNotFoundError,
    Size,
)
from tmuxprim.errors import InvalidScreenError, ProgramNotFoundError
from tmuxprim.testing import FakeClock, ScriptedShell, Sent, repl

HELLO = KeySequence.text("hello")
ENTER = KeySequence.keys("Enter")


def settled(terminal: FakeTerminal, pane: Pane) -> Pane:
    """Return the pane when its program waits for input."""
    terminal.clock.sleep(1.0)
    assert terminal.observe(pane).rows[0]
    return pane


def carry_out(terminal: FakeTerminal, pane: Pane, line: str) -> None:
    """Type a line and let its command end."""
    terminal.send(pane, KeySequence.text(line) + ENTER)
    terminal.clock.sleep(1.0)


def test_it_starts_a_plain_shell() -> None:
    """Without a command, and without a program given, there is one."""
    terminal = FakeTerminal()
    pane = settled(terminal, terminal.open())
    assert terminal.observe(pane).rows[0] == "$"
    assert terminal.observe(pane).command == "sh"


def test_an_unknown_program_is_refused() -> None:
    """The message says which there are, and how to give one; it is the test's mistake."""
    terminal = FakeTerminal(programs={"py": repl(str.upper)})
    with pytest.raises(ProgramNotFoundError) as caught:
        terminal.open("node x.js")
    assert str(caught.value) == (
        "this FakeTerminal has no program 'node', only ['py', 'sh']; "
        "give it one: FakeTerminal(programs={...})"
    )
    assert terminal.panes() == ()


def test_a_program_reacts_a_moment_later() -> None:
    """Who reads without waiting sees the screen too early, as on a real terminal."""
    terminal = FakeTerminal(reaction=0.5)
    pane = terminal.open()
    terminal.clock.sleep(0.4)
    assert terminal.observe(pane).text == ""
    terminal.clock.sleep(0.1)
    assert terminal.observe(pane).text == "$"


def test_the_clock_can_be_shared() -> None:
    """Two fakes on one clock live in one time."""
    clock = FakeClock()
    one, other = FakeTerminal(clock=clock), FakeTerminal(clock=clock)
    pane = one.open()
    other.clock.sleep(1.0)
    assert one.clock is clock
    assert one.observe(pane).text == "$"


def test_panes_have_ids_processes_and_terminals_of_their_own() -> None:
    """No two panes share one."""
    terminal = FakeTerminal()
    one, other = (terminal.observe(terminal.open()) for _ in range(2))
    assert terminal.panes() == (Pane("%0"), Pane("%1"))
    assert (one.pane_pid, other.pane_pid) == (1000, 2000)
    assert (one.tty, other.tty) == ("/dev/pts/0", "/dev/pts/1")


def test_a_bad_name_is_refused_before_a_server_is_asked() -> None:
    """So it is as with tmux, also while the server hangs: the caller's mistake comes first."""
    terminal = FakeTerminal()
    terminal.faults.hang(60.0)
    with pytest.raises(InvalidPaneError):
        terminal.open(name="a.b")


def test_everything_sent_is_recorded() -> None:
    """Each delivery with its pane, its keys and its time, in order."""
    terminal = FakeTerminal()
    one, other = terminal.open(), terminal.open()
    terminal.send(one, HELLO)
    terminal.clock.sleep(2.0)
    terminal.send(other, ENTER)
    terminal.send(one, ENTER)
    assert terminal.sent() == (
        Sent(one, HELLO, 0.0),
        Sent(other, ENTER, 2.0),
        Sent(one, ENTER, 2.0),
    )
    assert terminal.sent(one) == (Sent(one, HELLO, 0.0), Sent(one, ENTER, 2.0))


def test_what_was_sent_is_found_by_name() -> None:
    """A name and an id are the same pane, in sending and in asking."""
    terminal = FakeTerminal()
    pane = terminal.open(name="shared")
    terminal.send(Pane("shared"), HELLO)
    terminal.send(pane, ENTER)
    assert [sent.keys for sent in terminal.sent(Pane("shared:0"))] == [HELLO, ENTER]


def test_what_was_sent_is_found_by_name_when_the_pane_is_gone() -> None:
    """A test can still ask what it was that ended the program."""
    terminal = FakeTerminal()
    pane = settled(terminal, terminal.open(name="shared"))
    carry_out(terminal, pane, "exit")
    terminal.panes()
    assert terminal.sent(Pane("shared")) == terminal.sent(pane) != ()


def test_the_history_has_a_limit() -> None:
    """A full history drops its oldest tenth, and a snapshot has no more than there is."""
    shell = ScriptedShell({"seq 9": "\n".join("123456789")})
    with pytest.raises(InvalidScreenError, match="keeps 0 to"):
        FakeTerminal(history_limit=-1)
    terminal = FakeTerminal(programs={"sh": shell}, history_limit=5)
    pane = settled(terminal, terminal.open(size=Size(20, 3)))
    carry_out(terminal, pane, "seq 9")
    screen = terminal.observe(pane, history=99)
    assert (screen.history_size, screen.history_limit) == (5, 5)
    assert screen.history == ("3", "4", "5", "6", "7")


def test_its_repr_tells_panes_and_time() -> None:
    """It is what a failing test prints."""
    terminal = FakeTerminal()
    terminal.open()
    terminal.clock.sleep(1.5)
    assert repr(terminal) == "FakeTerminal(panes=['%0'], now=1.5)"


def test_open_finds_a_program_by_its_name() -> None:
    """With its directory or without, and behind what only sets its environment."""
    terminal = FakeTerminal(programs={"make": ScriptedShell(), "env": ScriptedShell()})
    for command in ("make all", "/usr/bin/make", ["/usr/bin/make", "A=1"], "A=1 make"):
        assert terminal.observe(terminal.open(command)).command == "make"
    terminal = FakeTerminal(programs={"make": ScriptedShell()})
    for command in (["/usr/bin/env", "A=1", "B=2", "make"], "env A=1 make"):
        assert terminal.observe(terminal.open(command)).command == "make"
    for command in (["A=1", "make"], ["env", "A=1"], "env"):
        with pytest.raises(ProgramNotFoundError):
            terminal.open(command)


SWITCHES: dict[str, Callable[..., None]] = {
    "is in copy-mode": lambda fake, pane, on: fake.set_mode(pane, "copy-mode" * on),
    "the input of pane %0 is off": lambda fake, pane, on: fake.set_input(pane, on=not on),
    "is synchronized": lambda fake, pane, on: fake.set_synchronized(pane, on=on),
}


@pytest.mark.parametrize("told", SWITCHES)
def test_a_pane_can_be_made_deaf_for_a_while(told: str) -> None:
    """What it refuses is not recorded; and a pane that is not there is a mistake of the test."""
    terminal, switch = FakeTerminal(), SWITCHES[told]
    pane = terminal.open(name="shared")
    switch(terminal, pane, on=True)
    with pytest.raises(PaneBusyError, match=told):
        terminal.send(pane, HELLO)
    assert terminal.sent() == ()
    switch(terminal, pane, on=False)
    terminal.send(pane, HELLO)
    assert [sent.keys for sent in terminal.sent()] == [HELLO]
    for missing in (Pane("%7"), Pane("nobody"), Pane("shared:1")):
        with pytest.raises(PaneNotFoundError, match=missing.target):
            switch(terminal, missing, on=True)
