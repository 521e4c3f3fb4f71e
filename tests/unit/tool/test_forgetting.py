"""What a tool forgets: it may work on a server where panes come and go for weeks."""

import gc
import threading
from weakref import WeakSet

import pytest

from tests.unit.tool.talking import SHELL, Talk, start
from tmuxprim import FakeTerminal
from tmuxprim._engine.console_plans import ConsolePlans
from tmuxprim._engine.plan import drive
from tmuxprim._tool.panes import NamedPanes
from tmuxprim._tool.tool_session import ToolSession
from tmuxprim._tool.turns import Turns

KEPT = 101  # the last hundred, and one that is there
MANY = KEPT + 50


def conversations() -> int:
    """Return how many there are."""
    gc.collect()
    return sum(isinstance(one, ConsolePlans) for one in gc.get_objects())


@pytest.fixture(params=[False, True], ids=["threads", "tasks"])
def talk(request: pytest.FixtureRequest) -> Talk:
    """Give a tool, for threads or for tasks, whose pane ``shared`` is a shell at its prompt."""
    return start(is_async=request.param)


def test_panes_that_were_closed_are_forgotten(talk: Talk) -> None:
    """But for the last of them; what a tool knows of panes that are there, it keeps."""
    talk.say("send", text="make")
    before = conversations()
    for number in range(MANY):
        pane = talk.terminal.open("sh", name=f"work-{number}")
        for name in (f"work-{number}", pane.target):
            assert talk.say("read", pane=name) in {"$", "(pane is empty)"}
        talk.terminal.close(pane)
    assert conversations() <= before + KEPT
    # By the mark of its last key: the prompt that still stands there is an old one.
    assert talk.say("wait_ready", timeout=1).startswith("wait_ready timed out")


def test_panes_of_a_server_that_is_gone_are_forgotten(talk: Talk) -> None:
    """The next one gives the same ids to other panes."""
    before = conversations()
    for number in range(MANY):
        talk.terminal.faults.stop_server()
        talk.terminal.open("sh", name=f"work-{number}")
        talk.say("read", pane=f"work-{number}")
    assert conversations() <= before + KEPT


def test_a_lock_goes_with_its_call() -> None:
    """The lock of a pane is nothing to remember when no call holds it or waits for it."""
    locks: WeakSet[threading.Lock] = WeakSet()

    def make_lock() -> threading.Lock:
        lock = threading.Lock()
        locks.add(lock)
        return lock

    terminal = FakeTerminal(programs={"sh": SHELL})
    session = ToolSession(NamedPanes(), opens=True)
    turns = Turns(session, make_lock)
    for number in range(20):
        terminal.open("sh", name=f"work-{number}")
        call = session.parse({"action": "read", "pane": f"work-{number}"})
        assert not drive(turns.carry_out(call), terminal).is_error
    gc.collect()
    assert not locks
