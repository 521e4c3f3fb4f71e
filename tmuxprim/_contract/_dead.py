"""The contract of dead panes: their program has exited and they stay (``remain-on-exit``)."""

from tmuxprim._console import Console
from tmuxprim._contract._base import ContractBase, refused
from tmuxprim._errors import PaneDeadError, PaneNotFoundError
from tmuxprim._pane import Pane
from tmuxprim._readiness._verdict import Outcome
from tmuxprim._sequence import KeySequence
from tmuxprim._size import Size


class DeadPaneContract(ContractBase):
    """Holds a backend to telling a dead pane from one that lives and from one that is gone."""

    def test_send_refuses_a_dead_pane(self) -> None:
        """A pane whose program has exited takes nothing, short or long; it can be read."""
        pane, other = self.dead_pane(), self.open_shell()
        for text in ("hello", "x" * 20_000):
            with refused(PaneDeadError):
                self.terminal.send(pane, KeySequence.text(text))
        # tmux 3.3a at times never collects the exit status (the program stays a zombie).
        assert self.terminal.observe(pane).exit_status in (0, None)
        assert set(self.terminal.panes()) == {pane, other}

    def test_send_refuses_a_dead_pane_whatever_else_it_is(self) -> None:
        """That it is dead is said first, as leaving a mode or switching input on would not help."""
        pane = self.dead_pane()
        self.enter_copy_mode(pane)
        self.switch_input_off(pane)
        for leave_mode in (False, True):
            with refused(PaneDeadError):
                self.terminal.send(pane, KeySequence.text("q"), leave_mode=leave_mode)

    def test_send_of_nothing_refuses_a_dead_pane(self) -> None:
        """Nothing to type is no reason to call a dead pane alive."""
        pane = self.dead_pane()
        with refused(PaneDeadError):
            self.terminal.send(pane, KeySequence(()))

    def test_a_dead_pane_shows_what_it_showed_last(self) -> None:
        """Its screen can be read for as long as it stays."""
        screen = self.terminal.observe(self.dead_pane(), history=10)
        assert screen.dead
        # tmux scrolls it up by a row, on which it then says that the pane is dead.
        assert "$ exit" in (*screen.history, *screen.rows)

    def test_a_dead_pane_tells_the_exit_status(self) -> None:
        """It is the program's own, and there is no signal beside it."""
        pane = self.dead_pane(line="exit 3")
        self.eventually(lambda: self._end_of(pane) == (3, None))

    def test_a_dead_pane_tells_the_signal_that_ended_it(self) -> None:
        """There is no exit status beside it."""
        pane = self.dead_pane(line="kill -9 $$")
        self.eventually(lambda: self._end_of(pane) == (None, 9))

    def test_a_dead_pane_has_no_evidence(self) -> None:
        """No kernel knows who reads from a terminal that nobody has."""
        assert self.terminal.probe(self.dead_pane()) is None

    def test_a_dead_pane_can_be_resized(self) -> None:
        """Its screen is as large as was asked for, dead as it is."""
        pane = self.dead_pane()
        self.terminal.resize(pane, Size(100, 10))
        screen = self.terminal.observe(pane)
        assert (screen.size, screen.dead) == (Size(100, 10), True)

    def test_a_dead_pane_keeps_its_name_until_it_is_closed(self) -> None:
        """Then it is gone as any other."""
        other, pane = self.open_shell(), self.dead_pane(name="shared")
        assert self.terminal.resolve(Pane("shared")) == pane
        self.terminal.close(pane)
        assert self.terminal.panes() == (other,)
        with refused(PaneNotFoundError):
            self.terminal.resolve(Pane("shared"))

    def test_a_dead_pane_does_not_ring(self) -> None:
        """Who listens to it hears nothing, and waits no longer than asked."""
        bell = self.terminal.listen(self.dead_pane())
        start = self.terminal.clock.now()
        self.eventually(lambda: not bell.wait(0.01))
        assert not bell.wait(0.1)
        assert self.terminal.clock.now() - start < 5.0
        bell.close()

    def test_wait_ready_tells_a_dead_pane_at_once(self) -> None:
        """That the program has exited is an outcome, and nothing to wait for."""
        start = self.terminal.clock.now()
        console = Console(self.terminal, self.dead_pane())
        assert console.wait_ready(timeout=60.0).outcome is Outcome.EXITED
        assert self.terminal.clock.now() - start < 30.0

    def dead_pane(self, name: str | None = None, line: str = "exit") -> Pane:
        """Return a pane whose shell has ended by what *line* tells it."""
        pane = self.ready_shell(name=name)
        self.keep_dead_panes()
        self.type_line(pane, line)
        self.eventually(lambda: self.terminal.observe(pane).dead)
        return pane

    def _end_of(self, pane: Pane) -> tuple[int | None, int | None]:
        """Return exit status and signal of a dead pane."""
        screen = self.terminal.observe(pane)
        end = screen.exit_status, screen.exit_signal
        if end == (None, None):
            # What tmux 3.3a has overlooked it collects when the next program ends.
            self.terminal.close(self.open_shell())
        return end
