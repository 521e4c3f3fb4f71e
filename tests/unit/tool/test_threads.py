"""One tool in several threads."""

import threading
from concurrent.futures import ThreadPoolExecutor

from tests.event_loops import LONG
from tests.unit.tool.talking import SHELL
from tmuxprim import FakeTerminal, KeySequence, Pane, Screen
from tmuxprim.tool import TmuxTool


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
