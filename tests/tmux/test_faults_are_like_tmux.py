"""The faults of the fake against the real thing: the same errors, and the same afterwards.

Each test does to a real pane what the fake's fault plays, and compares what callers see.
"""

import os
import signal
from collections.abc import Callable

import pytest

from tests.tmux_server import Server
from tmuxprim import (
    FakeTerminal,
    KeySequence,
    Pane,
    Terminal,
    TmuxprimError,
    TmuxTerminal,
    TmuxTimeoutError,
)

pytestmark = pytest.mark.tmux

HELLO = KeySequence.text("hello")
Call = Callable[[Terminal, Pane], object]

CALLS: tuple[Call, ...] = (
    lambda terminal, pane: terminal.send(pane, HELLO),
    lambda terminal, pane: terminal.observe(pane),
    lambda terminal, _pane: terminal.resolve(Pane("shared")),
    lambda terminal, _pane: terminal.panes(),
    lambda terminal, pane: terminal.close(pane),
    lambda terminal, _pane: bool(terminal.open(["sh"])),
)


def outcome(call: Call, terminal: Terminal, pane: Pane) -> object:
    """Return what a call returns, or the type of its error."""
    try:
        return call(terminal, pane)
    except TmuxprimError as error:
        return type(error)


def shown(terminal: Terminal, pane: Pane, text: str) -> Callable[[], bool]:
    """Return a question: whether the pane shows a prompt, with *text* behind it."""
    return lambda: terminal.observe(pane).last_line.endswith(text or ("$", "#"))


def until(condition: Callable[[], bool], terminal: Terminal) -> None:
    """Wait, at most 60 s, in the terminal's own time."""
    deadline = terminal.clock.now() + 60.0
    while not condition():
        assert terminal.clock.now() < deadline
        terminal.clock.sleep(0.02)


def test_a_killed_pane_is_gone(server: Server) -> None:
    """Whatever one does with it then."""
    real, fake = server.terminal, FakeTerminal()
    panes = {terminal: terminal.open(["sh"], name="shared") for terminal in (real, fake)}
    for terminal in panes:
        terminal.open(["sh"], name="other")
    os.kill(real.observe(panes[real]).pane_pid, signal.SIGKILL)
    fake.faults.kill(panes[fake])
    until(lambda: panes[real] not in real.panes(), real)
    for call in CALLS:
        assert outcome(call, real, panes[real]) == outcome(call, fake, panes[fake]) or (
            call is CALLS[3]  # the panes that are left have ids of their own
        )


def test_a_killed_pane_that_remains_is_dead(server: Server) -> None:
    """It tells the signal, and takes no keys."""
    real, fake = server.terminal, FakeTerminal(remain_on_exit=True)
    server.terminal.open(["sh"])
    server.tmux("set-option", "-g", "remain-on-exit", "on")
    panes = {terminal: terminal.open(["sh"]) for terminal in (real, fake)}
    os.kill(real.observe(panes[real]).pane_pid, signal.SIGKILL)
    fake.faults.kill(panes[fake])
    until(lambda: real.observe(panes[real]).dead, real)
    for terminal, pane in panes.items():
        screen = terminal.observe(pane)
        assert (screen.dead, screen.exit_status) == (True, None)
        # tmux 3.3a at times never learns how a program ended.
        assert screen.exit_signal in ({9, None} if terminal is real else {9})
    send = CALLS[0]
    assert outcome(send, real, panes[real]) == outcome(send, fake, panes[fake])


def test_a_stopped_server_answers_nobody(server: Server) -> None:
    """And `open` starts another."""
    real, fake = server.terminal, FakeTerminal()
    panes = {terminal: terminal.open(["sh"], name="shared") for terminal in (real, fake)}
    server.stop()
    fake.faults.stop_server()
    for call in CALLS:
        assert outcome(call, real, panes[real]) == outcome(call, fake, panes[fake])


def test_a_server_that_hangs_answers_too_late(server: Server) -> None:
    """All calls time out, and what was typed over control mode arrives when it wakes up."""
    real = TmuxTerminal(
        socket_path=server.socket, config_file="/dev/null", timeout=1.0, transport="control"
    )
    fake = FakeTerminal(timeout=1.0)
    panes = {terminal: terminal.open(["sh"], name="shared") for terminal in (real, fake)}
    for terminal, pane in panes.items():
        until(shown(terminal, pane, ""), terminal)
    fake.faults.hang(4.5)
    with server.stopped():
        for call in CALLS[:4]:
            assert outcome(call, real, panes[real]) is TmuxTimeoutError
            assert outcome(call, fake, panes[fake]) is TmuxTimeoutError
    fake.clock.sleep(1.0)
    for terminal, pane in panes.items():
        until(shown(terminal, pane, "hello"), terminal)
    real.disconnect()


def test_a_client_that_is_ended_in_time_types_nothing_later(server: Server) -> None:
    """A server that hangs has not asked it yet what to type."""
    terminal = TmuxTerminal(socket_path=server.socket, config_file="/dev/null", timeout=1.0)
    pane = terminal.open(["cat"])
    with server.stopped(), pytest.raises(TmuxTimeoutError):
        terminal.send(pane, HELLO)
    terminal.send(pane, KeySequence.text("later"))
    until(lambda: terminal.observe(pane).rows[0] == "later", terminal)
