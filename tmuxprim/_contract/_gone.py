"""The contract of panes that are not there: never were, were closed, or have ended."""

from contextlib import suppress

from tmuxprim._console import Console
from tmuxprim._contract._base import ContractBase, refused
from tmuxprim._errors import PaneNotFoundError, TmuxServerError
from tmuxprim._pane import Pane
from tmuxprim._readiness._verdict import Outcome
from tmuxprim._sequence import KeySequence
from tmuxprim._tty import TtyState


class GonePaneContract(ContractBase):
    """Holds a backend to an error of its own kind wherever a pane is not there."""

    def test_every_operation_refuses_a_pane_that_is_not_there(self) -> None:
        """An unknown pane is an error of its own kind, by id and by name."""
        self.open_shell()
        for pane in (Pane("%9999"), Pane("nobody")):
            for operation in self.operations(pane):
                with refused(PaneNotFoundError):
                    operation()

    def test_every_operation_refuses_a_pane_that_was_closed(self) -> None:
        """That it was there once makes no difference, whatever a backend remembers of it."""
        self.open_shell()
        pane = self.ready_shell(name="shared")
        self.terminal.probe(pane)
        self.terminal.close(pane)
        for gone in (pane, Pane("shared"), Pane("shared:0.0")):
            for operation in self.operations(gone):
                with refused(PaneNotFoundError):
                    operation()

    def test_every_operation_refuses_a_pane_that_has_ended(self) -> None:
        """A program that exits takes its pane along; that nobody closed it is no difference."""
        other, pane = self.open_shell(), self.ready_shell(name="shared")
        self.type_line(pane, "exit")
        self.eventually(lambda: self.terminal.panes() == (other,))
        for gone in (pane, Pane("shared")):
            for operation in self.operations(gone):
                with refused(PaneNotFoundError):
                    operation()

    def test_every_operation_refuses_a_pane_that_another_closed(self) -> None:
        """What a terminal remembers of a pane is no longer so when somebody else has closed it."""
        self.open_shell()
        pane = self.ready_shell()
        self.terminal.probe(pane)
        self.terminal_beside().close(pane)
        for operation in self.operations(pane):
            with refused(PaneNotFoundError):
                operation()

    def test_without_panes_there_is_no_server(self) -> None:
        """With the last pane the server goes; listing is no error, all else is."""
        self.terminal.close(self.open_shell())
        assert self.terminal.panes() == ()
        for pane in (Pane("%0"), Pane("nobody")):
            for operation in self.operations(pane):
                with refused(TmuxServerError):
                    operation()

    def test_an_id_is_never_given_twice(self) -> None:
        """As long as there is a pane, a new one has an id that none had before."""
        panes = [self.open_shell()]
        for _ in range(3):
            panes.append(self.open_shell())
            self.terminal.close(panes[-1])
        assert len(set(panes)) == len(panes)

    def test_a_name_is_free_when_its_pane_is_gone(self) -> None:
        """It names the new pane from then on, and the old id does not come back with it."""
        self.open_shell()
        old = self.open_shell(name="shared")
        assert self.terminal.resolve(Pane("shared")) == old
        self.terminal.close(old)
        new = self.open_shell(name="shared")
        assert self.terminal.resolve(Pane("shared")) == new
        with refused(PaneNotFoundError):
            self.terminal.observe(old)

    def test_what_is_sent_to_a_gone_pane_reaches_no_other(self) -> None:
        """Of all panes that are left none shows it."""
        pane, other = self.ready_shell(), self.ready_shell()
        self.terminal.close(pane)
        with refused(PaneNotFoundError):
            self.terminal.send(pane, KeySequence.text("hello"))
        self.terminal.send(other, KeySequence.text("mine"))
        assert self.eventually_shows(other, "mine").text == "$ mine"

    def test_an_id_means_no_pane_of_the_next_server(self) -> None:
        """With its last pane a server goes, and the next one may give the same ids again."""
        opened = self.ready_shell(name="shared")
        (listed,) = self.terminal.panes()
        found = [self.terminal.resolve(Pane(name)) for name in ("shared", opened.target)]
        new = self._on_the_next_server(opened)
        for gone in (opened, listed, *found):
            for operation in self.operations(gone):
                with refused(PaneNotFoundError):
                    operation()
            assert self._evidence_of(gone) is None
            self.terminal.close(gone)
        assert self.terminal.panes() == (new,)
        assert self.terminal.observe(new).text == "$"

    def test_a_console_types_into_no_pane_of_the_next_server(self) -> None:
        """However it was told of its pane, it is with that one, and does not go on elsewhere."""
        pane = self.ready_shell(name="shared")
        consoles = [Console(self.terminal, named) for named in (pane, Pane(pane.target))]
        consoles.append(Console(self.terminal, Pane("shared")))
        for console in consoles:
            console.wait_ready()
        new = self._on_the_next_server(pane)
        for console in consoles:
            with refused(PaneNotFoundError):
                console.send("echo hi")
            with refused(PaneNotFoundError):
                console.keys("C-c")
            with refused(PaneNotFoundError):
                console.run("echo hi")
            with refused(PaneNotFoundError):
                console.read()
            assert console.wait_ready().outcome is Outcome.EXITED
        assert self.terminal.observe(new).text == "$"

    def test_an_id_without_a_server_is_of_the_one_that_is_there(self) -> None:
        """It is what people write; only a console keeps to what it was when first used."""
        old = self.ready_shell()
        new = self._on_the_next_server(old)
        assert self.terminal.observe(Pane(new.target)).text == "$"
        Console(self.terminal, Pane(new.target)).send("echo hi")
        self.eventually_shows(new, "\nhi\n$")

    def test_probe_knows_nothing_of_a_pane_that_is_not_there(self) -> None:
        """It says so or has no evidence, but it does not make any up."""
        self.open_shell()
        for pane in (Pane("%9999"), Pane("nobody")):
            assert self._evidence_of(pane) is None

    def test_probe_takes_no_other_pane_for_one_that_has_ended(self) -> None:
        """The terminal of a pane that has ended is soon another's; its evidence is not."""
        other, pane = self.open_shell(), self.ready_shell()
        self.terminal.probe(pane)
        self.type_line(pane, "exit")
        self.eventually(lambda: self.terminal.panes() == (other,))
        # Kernels give a new terminal the lowest number that is free.
        for _ in range(3):
            self.ready_shell()
        assert self._evidence_of(pane) is None

    def test_wait_ready_refuses_a_pane_that_never_was(self) -> None:
        """A name that is mistyped is told at once, and not waited for."""
        self.open_shell()
        start = self.terminal.clock.now()
        with refused(PaneNotFoundError):
            Console(self.terminal, Pane("nobody")).wait_ready(timeout=60.0)
        assert self.terminal.clock.now() - start < 10.0

    def _on_the_next_server(self, last: Pane) -> Pane:
        """Close the last pane, and open one of the same name when there is no server any more."""
        self.terminal.close(last)
        self.eventually(lambda: not self.terminal.panes())
        return self.ready_shell(name="shared")

    def _evidence_of(self, pane: Pane) -> TtyState | None:
        with suppress(PaneNotFoundError):
            return self.terminal.probe(pane)
        return None
