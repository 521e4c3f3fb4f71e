"""The changes of the states of real programs, as one watch reports them."""

import asyncio
import os
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice

import pytest

from tests.tmux_server import Server
from tmuxprim import (
    AsyncTmuxTerminal,
    Console,
    State,
    StateChange,
    TmuxServerError,
    TmuxTerminal,
    async_watch_states,
    watch_states,
)

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash")]

SHELL = ("bash", "--norc", "--noprofile")
PATIENCE = 60.0


def ready_shell(terminal: TmuxTerminal) -> Console:
    """Return a shell at its prompt."""
    console = Console(terminal, terminal.open(SHELL))
    assert console.wait_ready(10.0)
    return console


@contextmanager
def meanwhile(act: Callable[[], object]) -> Iterator[None]:
    """Do something in another thread, which has ended at the end."""
    thread = threading.Thread(target=act)
    thread.start()
    try:
        yield
    finally:
        thread.join()


def states(changes: "list[StateChange] | islice[StateChange]") -> list[State]:
    """Return the states alone."""
    return [change.now.state for change in changes]


@pytest.mark.needs("vim", "less", "sleep")
def test_programs_one_after_another(server: Server, either: TmuxTerminal) -> None:
    """Each begins and ends once; each is certain, and told while it lasts."""
    console = ready_shell(server.terminal)
    changes = watch_states(either, [console.pane], timeout=PATIENCE)
    assert states(islice(changes, 1)) == [State.PROMPT]
    for line, leave, state in (
        ("sleep 1", "", State.WORKING),
        ("read -p 'Name? ' name", "Enter", State.ASKING),
        ("read -s -p 'Password: ' secret", "Enter", State.SECRET),
        ("vim -u NONE -i NONE", ": q Enter", State.FULLSCREEN),
        ("less /etc/passwd", "q", State.FULLSCREEN),
    ):
        console.send(line)
        begun = next(changes)
        while begun.now.state is State.WORKING is not state:  # a busy machine starts it slowly
            begun = next(changes)
        assert (begun.now.state, begun.now.is_guess) == (state, False)
        if leave:
            console.keys(*leave.split())
        assert states(islice(changes, 1)) == [State.PROMPT]


@pytest.mark.needs("sleep")
def test_panes_that_come_and_go(server: Server, either: TmuxTerminal) -> None:
    """A pane that is opened later is found; one that is killed has exited."""
    ready_shell(server.terminal)
    count = len(server.terminal.panes())
    changes = watch_states(either, timeout=PATIENCE)
    assert State.PROMPT in states(islice(changes, count))
    pane = server.terminal.open(["sleep", "1000"])
    change = next(changes)
    assert (change.pane, change.now.state) == (pane, State.WORKING)
    server.terminal.close(pane)
    change = next(changes)
    assert (change.pane, change.now.state) == (pane, State.EXITED)
    assert change.before is not None
    assert change.before.state is State.WORKING


def test_server_that_is_killed(server: Server, either: TmuxTerminal) -> None:
    """Each pane has exited; then the watch ends with the reason."""
    ready_shell(server.terminal)
    panes = {pane.target for pane in server.terminal.panes()}
    changes = watch_states(either, timeout=PATIENCE)
    assert {change.pane.target for change in islice(changes, len(panes))} == panes
    server.tmux("kill-server")
    assert states(islice(changes, len(panes))) == [State.EXITED] * len(panes)
    with pytest.raises(TmuxServerError, match="no pane is left"):
        next(changes)


@pytest.mark.needs("sleep")
def test_program_that_is_killed(server: Server) -> None:
    """Its shell is back at the prompt; the shell's own end is that of the pane."""
    console = ready_shell(server.terminal)
    changes = watch_states(server.terminal, [console.pane], timeout=PATIENCE)
    assert states(islice(changes, 1)) == [State.PROMPT]
    console.send("sleep 1000")
    assert states(islice(changes, 1)) == [State.WORKING]
    tty = server.terminal.probe(console.pane)
    assert tty is not None
    assert tty.foreground_pid is not None
    os.kill(tty.foreground_pid, signal.SIGKILL)
    assert states(islice(changes, 1)) == [State.PROMPT]
    os.kill(server.terminal.observe(console.pane).pane_pid, signal.SIGKILL)
    assert states(list(changes)) == [State.EXITED]


@pytest.mark.needs("sleep")
def test_from_asyncio(server: Server) -> None:
    """The same; other tasks run, and a step may be cancelled."""
    console = ready_shell(server.terminal)

    async def watch() -> list[State]:
        found: list[State] = []
        async with AsyncTmuxTerminal(
            socket_path=server.socket, config_file="/dev/null"
        ) as terminal:
            changes = async_watch_states(terminal, [console.pane], timeout=PATIENCE)
            found.append((await anext(changes)).now.state)
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(anext(changes), 0.2)
            await asyncio.to_thread(console.send, "sleep 0.5")
            found += [(await anext(changes)).now.state for _ in range(2)]
            await asyncio.to_thread(server.terminal.close, console.pane)
            found += [change.now.state async for change in changes]
        return found

    assert asyncio.run(watch()) == [State.PROMPT, State.WORKING, State.PROMPT, State.EXITED]


@pytest.mark.needs("sleep")
def test_changes_are_told_soon(server: Server) -> None:
    """Far sooner than any poll of all panes, while twenty others stand still."""
    consoles = [ready_shell(server.terminal) for _ in range(21)]
    changes = watch_states(server.terminal, [one.pane for one in consoles], timeout=PATIENCE)
    assert states(islice(changes, 21)) == [State.PROMPT] * 21
    late: list[float] = []
    for console in consoles[::4]:
        console.send("sleep 0.3; echo at:$EPOCHREALTIME")
        assert states(islice(changes, 2)) == [State.WORKING, State.PROMPT]
        returned = time.time()
        (ended,) = re.findall(r"^at:([\d.]+)", console.read(), re.MULTILINE)
        late.append(returned - float(ended))
    assert sorted(late)[len(late) // 2] < 0.5


def test_two_watches_at_once(server: Server) -> None:
    """Each has a memory of its own."""
    console = ready_shell(server.terminal)
    one, other = (watch_states(server.terminal, [console.pane], timeout=PATIENCE) for _ in "ab")
    assert states([next(one), next(other)]) == [State.PROMPT] * 2
    with meanwhile(lambda: console.send("read -p 'Name? ' x")):
        assert states([next(one), next(other)]) == [State.ASKING] * 2
