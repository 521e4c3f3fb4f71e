"""The contract for panes and programs that are gone."""

from contextlib import suppress
from functools import partial

from tmuxprim._console import Console
from tmuxprim._contract.base import ContractBase, refused
from tmuxprim._readiness.snapshot import Outcome
from tmuxprim._values.evidence import TtyState
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.pane import Pane, Size
from tmuxprim.errors import PaneDeadError, PaneNotFoundError


class GonePaneContract(ContractBase):
    """Tests that every operation on a missing pane raises an error of its own kind."""

    def test_every_operation_refuses_a_pane_that_is_not_there(self) -> None:
        """An unknown pane raises an error of its own kind, by id and by name."""
        self.open_shell()
        self.refuses(PaneNotFoundError, Pane("%9999"), Pane("nobody"))

    def test_every_operation_refuses_a_pane_that_was_closed(self) -> None:
        """It does not matter that the pane once existed, whatever a backend remembers of it."""
        self.open_shell()
        pane = self.ready_shell(name="shared")
        self.terminal.probe(pane)
        self.terminal.close(pane)
        self.refuses(PaneNotFoundError, pane, Pane("shared"), Pane("shared:0.0"))

    def test_every_operation_refuses_a_pane_that_has_ended(self) -> None:
        """A pane goes with its program, which is the same as a pane that was closed."""
        other, pane = self.open_shell(), self.ready_shell(name="shared")
        self.type_line(pane, "exit")
        self.eventually(lambda: self.terminal.panes() == (other,))
        self.refuses(PaneNotFoundError, pane, Pane("shared"))

    def test_every_operation_refuses_a_pane_that_another_closed(self) -> None:
        """A terminal does not rely on its memory of a pane that another terminal has closed."""
        self.open_shell()
        pane = self.ready_shell()
        self.terminal.probe(pane)
        self.terminal_beside().close(pane)
        self.refuses(PaneNotFoundError, pane)

    def test_a_pane_is_gone_as_any_other_if_it_was_the_last_one(self) -> None:
        """The server ends with it, which makes no difference; then no pane is listed."""
        pane = self.ready_shell(name="shared")
        self.terminal.close(pane)
        assert self.terminal.panes() == ()
        self.refuses(PaneNotFoundError, pane, Pane("shared"), Pane("%0"), Pane("nobody"))

    def test_an_id_is_never_given_twice(self) -> None:
        """As long as the server has a pane, a new pane gets an id that no pane had before."""
        panes = [self.open_shell()]
        for _ in range(3):
            panes.append(self.open_shell())
            self.terminal.close(panes[-1])
        assert len(set(panes)) == len(panes)

    def test_a_name_is_free_when_its_pane_is_gone(self) -> None:
        """From then on it names the new pane, and the old id stays unknown."""
        self.open_shell()
        old = self.open_shell(name="shared")
        assert self.terminal.resolve(Pane("shared")) == old
        self.terminal.close(old)
        new = self.open_shell(name="shared")
        assert self.terminal.resolve(Pane("shared")) == new
        with refused(PaneNotFoundError):
            self.terminal.observe(old)

    def test_what_is_sent_to_a_gone_pane_reaches_no_other(self) -> None:
        """No remaining pane shows the text."""
        pane, other = self.ready_shell(), self.ready_shell()
        self.terminal.close(pane)
        with refused(PaneNotFoundError):
            self.terminal.send(pane, KeySequence.text("hello"))
        self.terminal.send(other, KeySequence.text("mine"))
        assert self.eventually_shows(other, "mine").text == "$ mine"

    def test_an_id_means_no_pane_of_the_next_server(self) -> None:
        """A server ends with its last pane, and the next one may give the same ids again."""
        opened = self.ready_shell(name="shared")
        (listed,) = self.terminal.panes()
        found = [self.terminal.resolve(Pane(name)) for name in ("shared", opened.target)]
        new = self._on_the_next_server(opened)
        for gone in (opened, listed, *found):
            self.refuses(PaneNotFoundError, gone)
            assert self._evidence_of(gone) is None
            self.terminal.close(gone)
        assert self.terminal.panes() == (new,)
        assert self.terminal.observe(new).text == "$"

    def test_a_console_types_into_no_pane_of_the_next_server(self) -> None:
        """A console stays with its pane, by id or by name, and never goes on in another."""
        pane = self.ready_shell(name="shared")
        consoles = [Console(self.terminal, named) for named in (pane, Pane(pane.target))]
        consoles.append(Console(self.terminal, Pane("shared")))
        for console in consoles:
            console.wait_ready()
        new = self._on_the_next_server(pane)
        for console in consoles:
            for act in (
                partial(console.send, "echo hi"),
                partial(console.keys, "C-c"),
                partial(console.run, "echo hi"),
                console.read,
            ):
                with refused(PaneNotFoundError):
                    act()
            assert console.wait_ready().outcome is Outcome.EXITED
        assert self.terminal.observe(new).text == "$"

    def test_an_id_without_a_server_is_of_the_one_that_is_there(self) -> None:
        """People write such ids; only a console keeps to the server of its first use."""
        old = self.ready_shell()
        new = self._on_the_next_server(old)
        assert self.terminal.observe(Pane(new.target)).text == "$"
        Console(self.terminal, Pane(new.target)).send("echo hi")
        self.eventually_shows(new, "\nhi\n$")

    def test_probe_knows_nothing_of_a_pane_that_is_not_there(self) -> None:
        """It raises the error or has no evidence, but it invents none."""
        self.open_shell()
        for pane in (Pane("%9999"), Pane("nobody")):
            assert self._evidence_of(pane) is None

    def test_probe_takes_no_other_pane_for_one_that_has_ended(self) -> None:
        """Another pane may soon get the terminal of an ended pane; its evidence is not returned."""
        other, pane = self.open_shell(), self.ready_shell()
        self.terminal.probe(pane)
        self.type_line(pane, "exit")
        self.eventually(lambda: self.terminal.panes() == (other,))
        # Kernels give a new terminal the lowest number that is free.
        for _ in range(3):
            self.ready_shell()
        assert self._evidence_of(pane) is None

    def test_wait_ready_refuses_a_pane_that_never_was(self) -> None:
        """A mistyped name is an error at once, without a wait."""
        self.open_shell()
        with self.within(10.0), refused(PaneNotFoundError):
            Console(self.terminal, Pane("nobody")).wait_ready(timeout=60.0)

    def _on_the_next_server(self, last: Pane) -> Pane:
        """Close the last pane, and open one of the same name when there is no server any more."""
        self.terminal.close(last)
        self.eventually(lambda: not self.terminal.panes())
        return self.ready_shell(name="shared")

    def _evidence_of(self, pane: Pane) -> TtyState | None:
        with suppress(PaneNotFoundError):
            return self.terminal.probe(pane)
        return None


class DeadPaneContract(ContractBase):
    """Tests that a backend distinguishes a dead pane from a living and from a missing one."""

    def test_send_refuses_a_dead_pane(self) -> None:
        """A dead pane takes no keys, few or many or none; it can be read."""
        pane, other = self.dead_pane(), self.open_shell()
        for text in ("", "hello", "x" * 20_000):
            with refused(PaneDeadError):
                self.terminal.send(pane, KeySequence.text(text))
        # tmux 3.3a at times never collects the exit status (the program stays a zombie).
        assert self.terminal.observe(pane).exit_status in (0, None)
        assert set(self.terminal.panes()) == {pane, other}

    def test_send_refuses_a_dead_pane_whatever_else_it_is(self) -> None:
        """The error says that it is dead: leaving a mode or switching input on would not help."""
        pane = self.dead_pane()
        self.enter_copy_mode(pane)
        self.switch_input_off(pane)
        for leave_mode in (False, True):
            with refused(PaneDeadError):
                self.terminal.send(pane, KeySequence.text("q"), leave_mode=leave_mode)

    def test_a_dead_pane_shows_what_it_showed_last(self) -> None:
        """Its last screen can be read as long as it stays."""
        screen = self.terminal.observe(self.dead_pane(), history=10)
        assert screen.dead
        # tmux scrolls it up by a row, on which it then says that the pane is dead.
        assert "$ exit" in (*screen.history, *screen.rows)

    def test_a_dead_pane_tells_the_exit_status(self) -> None:
        """It is the program's own status, and no signal is reported."""
        pane = self.dead_pane(line="exit 3")
        self.eventually(lambda: self._end_of(pane) == (3, None))

    def test_a_dead_pane_tells_the_signal_that_ended_it(self) -> None:
        """No exit status is reported."""
        pane = self.dead_pane(line="kill -9 $$")
        self.eventually(lambda: self._end_of(pane) == (None, 9))

    def test_a_dead_pane_has_no_evidence(self) -> None:
        """No process has its terminal, so the kernel has nothing to report."""
        assert self.terminal.probe(self.dead_pane()) is None

    def test_a_dead_pane_can_be_resized(self) -> None:
        """Its screen gets the new size, although it is dead."""
        pane = self.dead_pane()
        self.terminal.resize(pane, Size(100, 10))
        screen = self.terminal.observe(pane)
        assert (screen.size, screen.dead) == (Size(100, 10), True)

    def test_a_dead_pane_keeps_its_name_until_it_is_closed(self) -> None:
        """Then it is gone like any other pane."""
        other, pane = self.open_shell(), self.dead_pane(name="shared")
        assert self.terminal.resolve(Pane("shared")) == pane
        self.terminal.close(pane)
        assert self.terminal.panes() == (other,)
        with refused(PaneNotFoundError):
            self.terminal.resolve(Pane("shared"))

    def test_a_dead_pane_writes_nothing(self) -> None:
        """An output watch on it reports nothing, and waits no longer than asked."""
        with self.watching_output(self.dead_pane()) as output_watch, self.within(10.0):
            self.falls_silent(output_watch)
            assert not output_watch.wait(0.1)

    def test_wait_ready_tells_a_dead_pane_at_once(self) -> None:
        """The exit of the program is an outcome, found without a wait."""
        console = Console(self.terminal, self.dead_pane())
        with self.within(30.0):
            assert console.wait_ready(timeout=60.0).outcome is Outcome.EXITED

    def dead_pane(self, name: str | None = None, line: str = "exit") -> Pane:
        """Return a pane whose shell was ended by *line*."""
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
