"""`Faults`: what goes wrong on demand, and with which errors."""

from collections.abc import Callable

import pytest

from tmuxprim import (
    Console,
    FakeTerminal,
    InvalidKeyError,
    KeySequence,
    Outcome,
    Pane,
    PaneDeadError,
    PaneNotFoundError,
    Size,
    TmuxTimeoutError,
)
from tmuxprim.testing import (
    FakeTty,
    Interrupted,
    ReadKey,
    ReadLine,
    Run,
    ScriptedShell,
    Sleep,
    crash,
)

HELLO = KeySequence.text("hello")

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
        "tmux did not answer within 5 s; nobody waits for it any more, but the server may still "
        "do it when it wakes up. The command was "
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
    with pytest.raises(ValueError, match="at least once, got 0 times"):
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
