"""Control mode on real tmux when the server hangs."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.control import CAT, control, eventually, sink
from tests.tmux_server import Server
from tmuxprim import KeySequence, TmuxTimeoutError

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash")]


def is_answered(operation: Callable[[], object]) -> bool:
    """Whether an operation is answered in time: a server that wakes up has much to do first."""
    try:
        return bool(operation())
    except TmuxTimeoutError:
        return False


def test_a_hung_server_is_a_timeout_and_then_right_again(server: Server) -> None:
    """No answer that comes late is given to another question."""
    with control(server, timeout=1.0) as linked:
        panes = [linked.open(("sh", "-c", f"echo pane{n}; exec cat")) for n in range(3)]
        eventually(lambda: all(linked.read(pane).strip() for pane in panes))
        clients = server.tmux("list-clients")
        with server.stopped():
            for pane in panes:
                with pytest.raises(TmuxTimeoutError):
                    linked.read(pane)
        for number in (2, 0, 1):
            assert linked.read(panes[number]).strip() == f"pane{number}"
        assert server.tmux("list-clients") == clients


def test_threads_wait_for_a_hung_server_side_by_side(server: Server) -> None:
    """Each waits for its own time limit and not for the others'."""
    with control(server, timeout=1.0) as linked:
        pane = linked.open(CAT)
        linked.observe(pane)
        with server.stopped(), ThreadPoolExecutor(8) as pool:
            began = time.monotonic()
            done = [pool.submit(linked.observe, pane) for _ in range(8)]
            errors = [one.exception(30) for one in done]
            assert time.monotonic() - began < 4.0  # one after another takes 8 s
        assert {type(error) for error in errors} == {TmuxTimeoutError}
        assert linked.observe(pane).pane_pid


def test_a_hung_server_that_took_all_it_could(server: Server, tmp_path: Path) -> None:
    """When its input is full the connection is given up; afterwards there is a new one."""
    sink(server.terminal, tmp_path / "zz")
    with control(server, timeout=0.05) as linked:
        eventually(lambda: is_answered(linked.panes))
        pane = server.terminal.panes()[0]
        text = KeySequence.text("x" * 3_900)
        with server.stopped():
            for _ in range(20):
                with pytest.raises(TmuxTimeoutError):
                    linked.send(pane, text)
        eventually(lambda: len(server.tmux("list-clients").splitlines()) <= 1)
        eventually(lambda: is_answered(lambda: linked.observe(pane)))
        assert linked.transport == "control"
        eventually(lambda: len((tmp_path / "zz").read_bytes()) % 3_900 == 0)  # no line was torn


def test_leaving_a_hung_server_takes_a_moment(server: Server) -> None:
    """The client is killed when it does not leave."""
    linked = control(server)
    linked.observe(linked.open(CAT))
    with server.stopped():
        began = time.monotonic()
        linked.disconnect()
        assert time.monotonic() - began < 20.0
    assert server.tmux("list-clients") == ""


def test_news_of_others_are_no_answer(server: Server) -> None:
    """A person's hook may wait for ever while windows are renamed all the time."""
    with control(server, timeout=0.5) as linked, ThreadPoolExecutor(1) as pool:
        pane = linked.open(CAT)
        linked.observe(pane)
        server.tmux("set-hook", "-g", "after-capture-pane", "wait-for never")
        sending = pool.submit(linked.send, pane, KeySequence.text("x"))
        deadline = time.monotonic() + 20
        while not sending.done() and time.monotonic() < deadline:
            server.tmux("rename-window", "-t", pane.target, f"{time.monotonic()}")
        is_in_time = sending.done()
        server.tmux("set-hook", "-gu", "after-capture-pane")
        server.tmux("wait-for", "-S", "never")
        assert is_in_time
        with pytest.raises(TmuxTimeoutError):
            sending.result()
