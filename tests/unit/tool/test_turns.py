"""Whose turn it is: calls are stepped through by hand, for threads go by chance."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import pytest

from tests.event_loops import LONG
from tests.unit.tool.talking import SHELL
from tmuxprim import FakeTerminal, KeySequence, Pane, Screen, TmuxprimError
from tmuxprim._engine.plan import Call, Step
from tmuxprim._tool.panes import NamedPanes
from tmuxprim._tool.tool_session import ToolSession
from tmuxprim._tool.turns import Acquire, Turns
from tmuxprim.tool import TmuxTool

SHARED: Final = Pane("shared")


class SteppedLock:
    """A lock of callers that are stepped on only while it is free."""

    def __init__(self) -> None:
        self.is_held = False

    def acquire(self) -> None:
        """Take it."""
        assert not self.is_held
        self.is_held = True

    def release(self) -> None:
        """Give it back."""
        assert self.is_held
        self.is_held = False


class Desk:
    """A fake terminal, and the session on it."""

    def __init__(self) -> None:
        self.terminal = FakeTerminal(programs={"sh": SHELL})
        self.session = ToolSession(NamedPanes(), opens=True)
        self.turns = Turns(self.session, SteppedLock)

    def call(self, action: str, **arguments: object) -> "Caller":
        """Begin a call."""
        return Caller(self, {"action": action, **arguments})

    def say(self, action: str, **arguments: object) -> str:
        """Make a call, and return what is told."""
        return self.call(action, **arguments).finish()


class Caller:
    """Plays a thread that makes a call.

    Args:
        desk: Where it is carried out.
        arguments: What is asked for.
    """

    def __init__(self, desk: Desk, arguments: dict[str, object]) -> None:
        self._terminal = desk.terminal
        self._plan = desk.turns.carry_out(desk.session.parse(arguments))
        self._next: Step | None = next(self._plan)
        self.reply: str | None = None

    @property
    def waits(self) -> bool:
        """Whether another call has its turn."""
        if not isinstance(self._next, Acquire):
            return False
        assert isinstance(self._next.lock, SteppedLock)
        return self._next.lock.is_held

    def step(self) -> None:
        """Take one step."""
        assert self._next is not None
        try:
            try:
                answer = self._next.perform(self._terminal)
            except TmuxprimError as error:  # as of a pane that is not there
                self._next = self._plan.throw(error)
            else:
                self._next = self._plan.send(answer)
        except StopIteration as end:
            self._next, self.reply = None, end.value.message

    def go(self, is_there: Callable[[object], bool] = lambda _: False) -> None:
        """Go on until a step is next, or it waits for another, or is done."""
        while self._next is not None and not self.waits and not is_there(self._next):
            self.step()

    def go_to(self, name: str) -> None:
        """Go on until a call of the terminal is next."""
        self.go(lambda step: isinstance(step, Call) and step.name == name)
        assert isinstance(self._next, Call)

    def finish(self) -> str:
        """Go on until it is done, and return what is told."""
        self.go()
        assert self.reply is not None
        return self.reply

    def give_up(self) -> None:
        """End at this step, as a task that is cancelled does."""
        self._plan.close()


@pytest.fixture
def desk() -> Desk:
    """Give a session of which nothing is known, and a shell in ``shared``, at its prompt."""
    desk = Desk()
    desk.terminal.open("sh", name="shared")
    desk.terminal.clock.sleep(1.0)
    return desk


@pytest.mark.parametrize("is_known", [False, True])
@pytest.mark.parametrize(("first", "second"), [("shared", "%0"), ("%0", "shared:0.0")])
def test_two_names_of_one_pane(desk: Desk, first: str, second: str, *, is_known: bool) -> None:
    """The second waits until the first has typed its text and its Enter, known or not."""
    if is_known:
        desk.say("read", pane=first)
    one = desk.call("send", text="a", pane=first)
    one.go_to("send")
    one.step()
    other = desk.call("send", text="b", pane=second)
    other.go()
    assert other.waits
    assert one.finish() == "Sent: 'a' + Enter"
    assert other.finish() == "Sent: 'b' + Enter"
    desk.terminal.assert_sent(SHARED, "a", "Enter", "b", "Enter")


def test_a_name_that_is_not_yet_known(desk: Desk) -> None:
    """Who comes while the name is looked up is next."""
    one, other = desk.call("send", text="a"), desk.call("send", text="b")
    one.go_to("resolve")
    other.go()
    assert other.waits
    one.go_to("send")
    other.go()
    assert other.waits
    one.finish()
    other.finish()
    desk.terminal.assert_sent(SHARED, "a", "Enter", "b", "Enter")


def test_two_panes(desk: Desk) -> None:
    """One that is at work keeps nobody from the other."""
    desk.terminal.open("sh", name="other")
    desk.terminal.clock.sleep(1.0)
    waiting = desk.call("send", text="a")
    waiting.go_to("send")
    assert desk.say("send", text="b", pane="other") == "Sent: 'b' + Enter"
    assert waiting.finish() == "Sent: 'a' + Enter"


def test_the_shared_pane_is_opened_once() -> None:
    """Of several that come when it is not there, one opens it."""
    desk = Desk()
    calls = [desk.call("read") for _ in range(3)]
    calls[0].go_to("resolve")
    calls[0].step()  # it is not there
    for call in calls[1:]:
        call.go()
        assert call.waits
    heads = [call.finish().partition("\n")[0] for call in calls]
    assert heads[0].startswith("There was no pane 'shared', so it was opened")
    assert heads[1:] == ["$", "$"]
    assert len(desk.terminal.panes()) == 1


def test_a_pane_that_goes_before_its_turn(desk: Desk) -> None:
    """The call is not carried out in the pane that has been opened since, which stays known."""
    desk.say("send", text="exit")
    one, other = desk.call("wait_ready"), desk.call("send", text="rm -r build")
    one.go(lambda step: not isinstance(step, Acquire))
    other.go()
    assert one.finish().startswith("exited: ")
    desk.terminal.open("sh", name="shared")
    desk.terminal.clock.sleep(1.0)
    assert other.finish().startswith("error: the pane 'shared' is gone: its program has ended")
    assert desk.say("read") == "$"
    desk.terminal.assert_sent(SHARED)


def test_a_pane_that_goes_once_it_is_found(desk: Desk) -> None:
    """A name that tmux has known a moment ago is not called unknown."""
    other = desk.terminal.open("sh", name="other")
    call = desk.call("send", text="ls", pane="other")
    call.go_to("resolve")
    call.step()
    desk.terminal.close(other)
    assert call.finish().startswith("error: the pane 'other' is gone")


def test_a_call_that_is_given_up(desk: Desk) -> None:
    """Wherever that is, the next one has its turn."""
    steps = 0
    while True:
        call = desk.call("send", text="a")
        for _ in range(steps):  # the shell may have taken what was typed before, or not yet
            if call.reply is None:
                call.step()
        if call.reply is not None:
            break
        call.give_up()
        desk.say("read")
        steps += 1
    assert steps > len(("lock", "find", "lock", "text", "Enter"))


def test_an_error_of_a_step_reaches_the_call(desk: Desk) -> None:
    """It is told, and the next has its turn."""
    other = desk.terminal.open("sh", name="other")
    desk.terminal.clock.sleep(1.0)
    desk.terminal.set_mode(other, "copy-mode")
    assert desk.say("send", text="a", pane="other").startswith(
        "error: nothing was sent: pane %1 is"
    )
    assert desk.say("read", pane="other") == "$"


def test_a_call_waits_for_its_own_pane_only(desk: Desk) -> None:
    """The end of a call for another pane changes nothing for it."""
    desk.terminal.open("sh", name="other")
    working, elsewhere = desk.call("wait_ready"), desk.call("wait_ready", pane="other")
    working.go(lambda step: not isinstance(step, Acquire))
    for call in (working, elsewhere):
        call.go_to("clock_time")
    waiting = desk.call("read")
    waiting.go()
    waits = [waiting.waits]
    for call in (elsewhere, working):
        call.finish()
        waits.append(waiting.waits)
    assert waits == [True, True, False]
    assert waiting.finish() == "$"


# One tool in several threads.


class SlowTerminal(FakeTerminal):
    """Waits for the test before it types."""

    begun = threading.Event()
    may_go_on = threading.Event()

    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        """Type."""
        self.begun.set()
        assert self.may_go_on.wait(LONG)
        return super().send(pane, keys, leave_mode=leave_mode, seen=seen)


def test_calls_of_several_threads() -> None:
    """Who comes second types when the first has ended."""
    terminal = SlowTerminal(programs={"sh": SHELL})
    pane = terminal.open("sh", name="shared")
    terminal.clock.sleep(1.0)
    tool = TmuxTool(terminal)
    with ThreadPoolExecutor(2) as threads:
        calls = [threads.submit(tool.execute, action="send", text="a")]
        assert terminal.begun.wait(LONG)
        calls.append(threads.submit(tool.execute, action="send", text="b", pane="%0"))
        assert not calls[1].done()
        terminal.may_go_on.set()
        told = [call.result(LONG).message for call in calls]
    assert told == ["Sent: 'a' + Enter", "Sent: 'b' + Enter"]
    terminal.assert_sent(pane, "a", "Enter", "b", "Enter")
