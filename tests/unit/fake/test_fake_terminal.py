"""`FakeTerminal`: what it does beyond the contract of all terminals."""

from collections.abc import Callable

import pytest

from tmuxprim import (
    Console,
    Cursor,
    FakeTerminal,
    InvalidKeyError,
    InvalidPaneError,
    KeySequence,
    Outcome,
    Pane,
    PaneBusyError,
    PaneDeadError,
    PaneNotFoundError,
    Size,
    TmuxTimeoutError,
)
from tmuxprim.errors import InvalidScreenError, ProgramNotFoundError
from tmuxprim.testing import (
    FakeClock,
    FakeTty,
    Interrupted,
    ReadKey,
    ReadLine,
    Run,
    ScriptedShell,
    Sent,
    Sleep,
    assert_screen,
    crash,
    repl,
)

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


# Panes of a fake terminal whose program has ended and that remain, as in tmux 3.3a.

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
    """The notice takes one row, also if it names a signal."""
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


# `Faults`: what goes wrong on demand, and with which errors.

CALLS: dict[str, Callable[[FakeTerminal, Pane], object]] = {
    "send": lambda terminal, pane: terminal.send(pane, HELLO),
    "observe": lambda terminal, pane: terminal.observe(pane),
    "resize": lambda terminal, pane: terminal.resize(pane, Size(10, 5)),
    "resolve": lambda terminal, _pane: terminal.resolve(Pane("shared")),
    "panes": lambda terminal, _pane: terminal.panes(),
    "close": lambda terminal, pane: terminal.close(pane),
    "open": lambda terminal, _pane: terminal.open(),
}


def opened(*, remain_on_exit: bool = False) -> tuple[FakeTerminal, Pane]:
    """Return a terminal and a shell in it that is ready."""
    terminal = FakeTerminal(remain_on_exit=remain_on_exit)
    pane = terminal.open(name="shared")
    terminal.clock.sleep(1.0)
    return terminal, pane


def test_a_killed_pane_is_gone() -> None:
    """The others stay."""
    terminal, pane = opened()
    other = terminal.open()
    terminal.faults.kill(pane)
    assert terminal.panes() == (other,)
    with pytest.raises(PaneNotFoundError):
        terminal.send(pane, HELLO)


def test_a_killed_pane_may_remain() -> None:
    """It tells the signal, and no status."""
    terminal, pane = opened(remain_on_exit=True)
    terminal.faults.kill(pane, 15)
    screen = terminal.observe(pane)
    assert (screen.dead, screen.exit_status, screen.exit_signal) == (True, None, 15)
    assert terminal.probe(pane) is None
    with pytest.raises(PaneDeadError):
        terminal.send(pane, HELLO)


@pytest.mark.parametrize("call", ["send", "observe", "resize", "resolve"])
def test_a_stopped_server_answers_nobody(call: str) -> None:
    """Its panes are gone, as any pane that is."""
    terminal, pane = opened(remain_on_exit=True)
    assert terminal.remain_on_exit
    terminal.faults.stop_server()
    with pytest.raises(PaneNotFoundError):
        CALLS[call](terminal, pane)
    assert terminal.panes() == ()
    terminal.close(pane)


@pytest.mark.parametrize("call", CALLS)
def test_a_call_to_a_server_that_hangs_times_out(call: str) -> None:
    """It takes the terminal's timeout, and no longer."""
    terminal, pane = opened()
    terminal.faults.hang(60.0)
    with pytest.raises(TmuxTimeoutError) as caught:
        CALLS[call](terminal, pane)
    assert terminal.clock.now() == 1.0 + 5.0
    assert str(caught.value).startswith(
        "tmux did not answer within 5 s; a late answer is ignored, but the server may still "
        "carry the command out. The command was "
    )


def test_a_server_that_wakes_up_in_time_answers() -> None:
    """The call takes as long as that."""
    terminal, pane = opened()
    terminal.faults.hang(3.0)
    assert terminal.observe(pane).text == "$"
    assert terminal.clock.now() == 1.0 + 3.0


def test_what_was_asked_for_is_done_when_the_server_wakes_up() -> None:
    """Keys that were sent meanwhile arrive late."""
    terminal, pane = opened()
    terminal.faults.hang(8.0)
    with pytest.raises(TmuxTimeoutError):
        terminal.send(pane, HELLO)
    terminal.assert_sent(pane)
    terminal.clock.sleep(4.0)
    terminal.assert_sent(pane, "hello")
    assert terminal.observe(pane).text == "$ hello"


def test_what_cannot_be_done_any_more_is_not() -> None:
    """Nobody is told."""
    terminal, pane = opened()
    terminal.faults.hang(8.0)
    with pytest.raises(TmuxTimeoutError):
        terminal.send(pane, HELLO)
    terminal.faults.kill(pane)
    terminal.clock.sleep(60.0)
    terminal.assert_sent(pane)


def test_the_kernel_answers_while_the_server_hangs() -> None:
    """It is not asked through tmux."""
    terminal, pane = opened()
    terminal.faults.hang(8.0)
    assert terminal.probe(pane) is not None
    assert terminal.clock.now() == 1.0


def test_a_swallowed_key_does_not_arrive() -> None:
    """So often, and no other key; tmux has sent it all the same."""
    terminal, pane = opened()
    terminal.faults.swallow(pane, "Enter", times=2)
    enter = KeySequence.keys("Enter")
    terminal.send(pane, KeySequence.text("echo hi") + enter)
    terminal.send(pane, enter)
    terminal.clock.sleep(1.0)
    terminal.assert_screen(pane, "$ echo hi")
    terminal.send(pane, enter)
    terminal.clock.sleep(1.0)
    terminal.assert_screen(pane, "$ echo hi\nhi\n$")
    terminal.assert_sent(pane, "echo hi", "Enter", "Enter", "Enter")


def test_a_fault_that_can_not_be_is_refused() -> None:
    """A mistake in a test is told at once: a pane or a key that is none, less than once."""
    terminal, pane = opened()
    with pytest.raises(PaneNotFoundError, match="%9"):
        terminal.faults.kill(Pane("%9"))
    with pytest.raises(InvalidKeyError):
        terminal.faults.swallow(pane, "Return")
    with pytest.raises(ValueError, match="0 or more seconds, got -1"):
        terminal.faults.hang(-1)
    with pytest.raises(ValueError, match="0 or more seconds, got -2"):
        terminal.faults.output_in_pieces(pane, delay=-2)
    with pytest.raises(ValueError, match="at least 1 character, got 0"):
        terminal.faults.output_in_pieces(pane, 0)
    with pytest.raises(ValueError, match="times is 1 or more, got 0"):
        terminal.faults.swallow(pane, "Enter", times=0)


def test_output_comes_in_pieces() -> None:
    """Each after its delay; the program writes as long, and reads only then."""
    terminal = FakeTerminal(programs={"sh": ScriptedShell({"ls": "abcdef"})})
    console = Console(terminal, terminal.open())
    console.wait_ready()
    terminal.faults.output_in_pieces(console.pane, size=2, delay=1.0)
    console.send("ls", enter=False)
    terminal.clock.sleep(3.0)
    console.keys("Enter")
    terminal.clock.sleep(7.5)  # of which 5 s are for what leaves the line editor
    terminal.assert_screen(console.pane, "$ ls\nabcd")
    state = terminal.probe(console.pane)
    assert state is not None
    assert state.reading is False
    assert console.wait_ready().outcome is Outcome.PROMPT
    terminal.assert_screen(console.pane, "$ ls\nabcdef\n$")


def test_pieces_come_in_order_when_they_are_switched_off() -> None:
    """A large piece without a delay is as good as none, but what is on its way comes first."""
    terminal, pane = opened()
    terminal.faults.output_in_pieces(pane, 1, 1.0)
    terminal.send(pane, KeySequence.text("ab"))
    terminal.clock.sleep(0.5)
    terminal.faults.output_in_pieces(pane, 100, 0.0)
    terminal.send(pane, KeySequence.text("cd"))
    terminal.clock.sleep(10.0)
    terminal.assert_screen(pane, "$ abcd")


def test_a_program_that_writes_can_be_interrupted() -> None:
    """What it had written comes nevertheless, and it goes on from there."""

    def chatty(tty: FakeTty) -> Run:
        try:
            yield ReadLine(prompt="a long question ")
        except Interrupted:
            tty.write(" bye")
        yield ReadKey()
        return 0

    terminal = FakeTerminal(programs={"sh": chatty})
    pane = terminal.open()
    terminal.faults.output_in_pieces(pane, 1, 0.1)
    terminal.clock.sleep(0.5)
    terminal.send(pane, KeySequence.keys("C-c"))
    terminal.clock.sleep(10.0)
    terminal.assert_screen(pane, "a long question ^C bye")


def test_a_program_ends_when_all_is_written() -> None:
    """Its status is there then, and not before."""
    terminal = FakeTerminal(programs={"sh": crash("oh no", status=3)}, remain_on_exit=True)
    pane = terminal.open()
    terminal.faults.output_in_pieces(pane, 1, 1.0)
    terminal.clock.sleep(5.0)
    assert not terminal.observe(pane).dead
    terminal.clock.sleep(2.0)
    screen = terminal.observe(pane, history=9)
    assert (screen.exit_status, screen.history) == (3, ("oh no",))


def test_a_full_screen_program_stays_raw_while_it_writes() -> None:
    """Its terminal does not fall back into line mode."""

    def app(tty: FakeTty) -> Run:
        while True:
            yield ReadKey()
            tty.write("abc")
            yield Sleep(1.0, raw=True)

    terminal = FakeTerminal(programs={"sh": app})
    pane = terminal.open()
    terminal.clock.sleep(1.0)
    terminal.faults.output_in_pieces(pane, 1, 1.0)
    terminal.send(pane, HELLO)
    terminal.clock.sleep(1.5)
    state = terminal.probe(pane)
    assert state is not None
    assert (state.is_raw, state.reading) == (True, False)
