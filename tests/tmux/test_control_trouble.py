"""Control mode on real tmux in trouble: sessions, servers and clients that end or hang."""

import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.control import CAT, control, eventually, sink
from tests.tmux_server import Server, is_alive
from tmuxprim import KeySequence, Pane, PaneNotFoundError, TmuxServerError, TmuxTerminal

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash")]


def seat(server: Server) -> str:
    """Return the session that the client sits in."""
    return server.tmux("list-clients", "-F", "#{client_session}")


def send(terminal: TmuxTerminal, pane: Pane, keys: KeySequence) -> Counter[bool]:
    """Send keys; count whether it is certain that they arrived, or unknown."""
    try:
        terminal.send(pane, keys)
    except TmuxServerError as error:
        if "may not have been carried out" not in str(error):
            raise
        return Counter([False])
    return Counter([True])


OPERATIONS: dict[str, Callable[[TmuxTerminal, Pane], object]] = {
    "observe": lambda terminal, pane: terminal.observe(pane).size,
    "read": lambda terminal, pane: terminal.read(pane),
    "send": lambda terminal, pane: send(terminal, pane, KeySequence.text("x")),
    "panes": lambda terminal, pane: terminal.panes().index(pane),
    "close": lambda terminal, pane: terminal.close(pane),
    "resolve": lambda terminal, _: terminal.resolve(Pane("zz")),
}


@pytest.mark.parametrize("detaches", ["on", "off"])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_the_session_it_sits_in_is_killed(server: Server, operation: str, detaches: str) -> None:
    """The next operation works all the same; of a sending nobody may know."""
    with control(server) as linked:
        linked.open(CAT, name="aa")
        pane = linked.open(CAT, name="zz")
        server.tmux("set-option", "-g", "detach-on-destroy", detaches)
        linked.panes()
        assert seat(server) == "aa"
        server.tmux("kill-session", "-t", "=aa")
        OPERATIONS[operation](linked, pane)
        assert (pane in server.terminal.panes()) is (operation != "close")
        assert linked.transport == "control"


def test_it_closes_the_pane_it_sits_by(server: Server, linked: TmuxTerminal) -> None:
    """One after another, to the last one; then a new one can be opened."""
    panes = [linked.open(CAT) for _ in range(5)]
    for pane in panes:
        linked.close(pane)
        assert pane not in linked.panes()
    pane = linked.open(CAT)
    assert linked.observe(pane).pane_pid
    assert server.terminal.panes() == (pane,)


def test_keys_arrive_once_while_sessions_end(
    server: Server, linked: TmuxTerminal, tmp_path: Path
) -> None:
    """The program of the session that it sits in ends while keys are sent to another pane."""
    keys = tmp_path / "zz"
    pane = sink(linked, keys)
    sent = Counter[bool]()
    for number in range(15):
        short = linked.open(("sh", "-c", "read x"), name=f"a{number}")
        linked.disconnect()
        linked.panes()
        assert seat(server) == f"a{number}"
        send(linked, short, KeySequence.keys("Enter"))
        while server.tmux("list-sessions", "-F", "#{session_name}") != "zz":
            sent += send(linked, pane, KeySequence.text("x"))
    # What is typed by another client arrives last, so all else has arrived by then.
    server.terminal.send(pane, KeySequence.text("."))
    eventually(lambda: keys.read_bytes().endswith(b"."))
    assert sent[True] <= len(keys.read_bytes()) - 1 <= sent.total()


def test_threads_send_while_sessions_are_killed(
    server: Server, linked: TmuxTerminal, tmp_path: Path
) -> None:
    """Every key arrives once, or the error says that it is unknown, even if sessions are killed."""
    sinks = {tmp_path / f"z{n}": sink(linked, tmp_path / f"z{n}") for n in range(4)}
    over = threading.Event()

    def type_on(pane: Pane) -> Counter[bool]:
        sent = Counter[bool]()
        while not over.is_set():
            sent += send(linked, pane, KeySequence.text("x"))
        server.terminal.send(pane, KeySequence.text("."))
        return sent

    with ThreadPoolExecutor(4) as pool:
        typing = [pool.submit(type_on, pane) for pane in sinks.values()]
        for number in range(20):
            extra = linked.open(CAT, name=f"a{number}")
            if number % 2:
                linked.close(extra)
            else:
                server.tmux("kill-session", "-t", f"=a{number}")
        over.set()
        counts = [one.result(10) for one in typing]
    for keys, sent in zip(sinks, counts, strict=True):
        eventually(lambda: keys.read_bytes().endswith(b"."))  # noqa: B023  # it is called at once
        assert 0 < sent[True] <= len(keys.read_bytes()) - 1 <= sent.total()


def is_gone(server: Server) -> bool:
    """Whether no server answers."""
    try:
        return not server.tmux("list-sessions")
    except subprocess.CalledProcessError:
        return True


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL, None])
def test_a_server_that_has_gone_is_told(
    server: Server, linked: TmuxTerminal, how: int | None
) -> None:
    """Its panes are gone; a new server is found."""
    pane = linked.open(CAT)
    linked.observe(pane)
    pid = server.pid()
    assert pid is not None
    if how is None:
        server.tmux("kill-server")
    else:
        os.kill(pid, how)
    eventually(lambda: is_gone(server))
    with pytest.raises(PaneNotFoundError, match="there is no tmux server with a pane"):
        linked.observe(pane)
    assert linked.panes() == ()
    pane = linked.open(CAT)
    assert linked.panes() == (pane,)
    assert len(server.tmux("list-clients").splitlines()) == 1


def test_a_client_that_others_end_comes_back(server: Server, linked: TmuxTerminal) -> None:
    """Whether it is detached by a person, or killed."""
    pane = linked.open(CAT, name="shared")
    ended = ""

    def clients() -> str:
        return server.tmux("list-clients", "-F", "#{client_pid}")

    def is_back() -> bool:
        linked.observe(pane)
        return clients() not in ("", ended)

    def is_gone() -> bool:
        return not is_alive(int(ended)) and clients() != ended

    for number in range(6):
        eventually(is_back)
        ended = clients()
        if number % 2:
            server.tmux("detach-client", "-s", "=shared")
        else:
            os.kill(int(ended), signal.SIGKILL)
        assert linked.observe(pane).pane_pid
        # Until tmux has noticed, nobody can tell whether a sending was carried out.
        eventually(is_gone)
        linked.send(pane, KeySequence.text("x"))
    eventually(lambda: linked.observe(pane).rows[0] == "x" * 6)
    assert linked.transport == "control"


def test_ctrl_c_at_a_terminal_ends_no_client(server: Server) -> None:
    """It reaches the client as well, which is in our process group."""
    pane = server.terminal.open(("sh", "-c", "echo shown; exec cat"))
    script = f"""
import os, signal
from tmuxprim import Pane, TmuxTerminal
terminal = TmuxTerminal(socket_path={str(server.socket)!r}, transport="control")
terminal.read(Pane({pane.target!r}))
before = [t.split()[0] for t in os.popen("tmux -S {server.socket} list-clients")]
try:
    os.killpg(0, signal.SIGINT)
    signal.pause()
except KeyboardInterrupt:
    pass
print(terminal.read(Pane({pane.target!r})).strip())
assert before == [t.split()[0] for t in os.popen("tmux -S {server.socket} list-clients")]
"""
    argv = [sys.executable, "-c", script]
    done = subprocess.run(
        argv, capture_output=True, text=True, timeout=20, start_new_session=True, check=True
    )
    assert (done.stdout, done.stderr) == ("shown\n", "")


def test_interrupts_mix_no_answers_up(server: Server) -> None:
    """Whenever one comes, later answers are those of later questions."""
    panes = [server.terminal.open(("sh", "-c", f"echo pane{n}; exec cat")) for n in range(2)]
    eventually(lambda: all(server.terminal.read(pane).strip() for pane in panes))
    script = f"""
import random, signal
from tmuxprim import Pane, TmuxTerminal
terminal = TmuxTerminal(socket_path={str(server.socket)!r}, transport="control")
panes = [Pane("{panes[0]}"), Pane("{panes[1]}")]
class Interrupt(BaseException): pass
def interrupt(*_):
    raise Interrupt
def check():
    for number, pane in enumerate(panes):
        shown = terminal.read(pane).strip()
        assert shown == f"pane{{number}}", shown
signal.signal(signal.SIGALRM, interrupt)
for _ in range(100):
    check()
    try:
        signal.setitimer(signal.ITIMER_REAL, random.uniform(1e-5, 3e-4))
        while True:
            terminal.read(panes[0])
    except Interrupt:
        pass
check()
print("right")
"""
    argv = [sys.executable, "-c", script]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=30, check=True)
    assert (done.stdout, done.stderr) == ("right\n", "")
