"""The contract of bells. Where nothing can be heard they are deaf, and keep all this, too."""

from contextlib import closing, suppress

from tmuxprim._contract._base import ContractBase
from tmuxprim._errors import PaneNotFoundError
from tmuxprim._pane import Pane


class ListeningContract(ContractBase):
    """Holds a backend to what is promised of listen."""

    def test_a_bell_is_waited_for_no_longer_than_asked(self) -> None:
        """Whether it rings or is deaf, it lets go of who waits, and can be closed."""
        pane = self.ready_shell()
        bell = self.terminal.listen(pane)
        start = self.terminal.clock.now()
        for _ in range(3):
            bell.wait(0.1)
        bell.wait(0.0)
        assert self.terminal.clock.now() - start < 1.0
        bell.close()

    def test_a_bell_is_not_waited_for_when_the_time_is_up(self) -> None:
        """A deadline that has passed is no reason to wait for ever, nor an error."""
        bell = self.terminal.listen(self.ready_shell())
        start = self.terminal.clock.now()
        for seconds in (0.0, -0.001, -60.0):
            bell.wait(seconds)
        assert self.terminal.clock.now() - start < 1.0
        bell.close()

    def test_a_bell_of_a_silent_program_does_not_ring(self) -> None:
        """Once asked it has rung for all there was; looking at the pane does not ring it."""
        pane = self.ready_shell()
        bell = self.terminal.listen(pane)
        self.eventually(lambda: not bell.wait(0.1))
        self.terminal.observe(pane)
        self.terminal.probe(pane)
        assert not bell.wait(0.05)
        bell.close()

    def test_a_bell_of_another_pane_does_not_ring(self) -> None:
        """Each pane has its own."""
        one, other = self.ready_shell(), self.ready_shell()
        bell = self.terminal.listen(one)
        self.eventually(lambda: not bell.wait(0.1))
        self.type_line(other, "echo one")
        self.eventually_shows(other, "\none")
        assert not bell.wait(0.0)
        bell.close()

    def test_a_bell_of_an_unknown_pane_does_not_ring(self) -> None:
        """It is refused, or it is deaf; it is never that of another pane."""
        pane = self.ready_shell(name="shared-2")
        for unknown in (Pane("%9999"), Pane("nobody"), Pane("shared")):
            with suppress(PaneNotFoundError), closing(self.terminal.listen(unknown)) as bell:
                self.type_line(pane, "echo one")
                self.eventually_shows(pane, "\none")
                assert not bell.wait(0.01)

    def test_a_bell_does_not_keep_a_pane(self) -> None:
        """Who listens sees the pane go, and is not woken for ever by that."""
        self.ready_shell()  # keeps the server
        pane = self.ready_shell()
        bell = self.terminal.listen(pane)
        self.terminal.close(pane)
        self.eventually(lambda: pane not in self.terminal.panes())
        self.eventually(lambda: not bell.wait(0.01))
        bell.close()

    def test_a_bell_outlives_the_server(self) -> None:
        """With the last pane all goes; who still waits is let go, and may close the bell."""
        pane = self.ready_shell()
        bell = self.terminal.listen(pane)
        self.terminal.close(pane)
        assert self.terminal.panes() == ()
        self.eventually(lambda: not bell.wait(0.01))
        bell.close()

    def test_a_bell_may_be_closed_twice(self) -> None:
        """Closing is idempotent, as it is for panes, and does not close what is another's."""
        pane = self.ready_shell()
        bell = self.terminal.listen(pane)
        bell.close()
        other = self.terminal.listen(pane)
        bell.close()
        other.wait(0.01)
        other.close()

    def test_bells_are_independent(self) -> None:
        """The same pane may be listened to by many; closing one bell leaves the others."""
        pane = self.ready_shell()
        one, other = self.terminal.listen(pane), self.terminal.listen(pane)
        one.close()
        other.wait(0.01)
        other.close()
        self.type_line(pane, "echo one")
        self.eventually_shows(pane, "\none")
