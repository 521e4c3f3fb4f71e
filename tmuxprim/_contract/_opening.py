"""The contract of opening, closing and finding panes."""

from tmuxprim._contract._base import ContractBase, refused
from tmuxprim._errors import (
    InvalidPaneError,
    InvalidTextError,
    PaneNotFoundError,
    TmuxCommandError,
    TmuxServerError,
)
from tmuxprim._pane import Pane
from tmuxprim._size import Size


class OpeningContract(ContractBase):
    """Holds a backend to what is promised of open, close, panes and resolve."""

    def test_open_returns_an_id_that_is_listed(self) -> None:
        """A new pane is named by its id, and is one of the panes."""
        pane = self.open_shell()
        assert pane.is_id
        assert pane in self.terminal.panes()

    def test_open_makes_the_size_that_was_asked_for(self) -> None:
        """Columns and rows are those that were asked for, from the first look on."""
        pane = self.open_shell(size=Size(101, 31))
        assert self.terminal.observe(pane).size == Size(101, 31)

    def test_open_refuses_a_name_that_is_taken(self) -> None:
        """Two panes never share a name."""
        self.open_shell(name="shared")
        with refused(TmuxCommandError):
            self.open_shell(name="shared")

    def test_open_refuses_a_name_with_a_meaning(self) -> None:
        """A name that the terminal would expand or split is refused, and nothing opened."""
        for name in ("a:b", "a.b", "#{pid}", "%H", "", "a b", "=a", "$1"):
            with refused(InvalidPaneError):
                self.open_shell(name=name)
        assert self.terminal.panes() == ()

    def test_open_refuses_a_command_without_a_program(self) -> None:
        """Nothing is opened for a command of no words; no command at all is the shell."""
        for command in ("", "  ", [], [""]):
            with refused(InvalidTextError):
                self.terminal.open(command)
        assert self.terminal.panes() == ()

    def test_close_ends_the_pane(self) -> None:
        """A closed pane is listed no more, and the others stay."""
        pane, other = self.open_shell(), self.open_shell()
        self.terminal.close(pane)
        assert self.terminal.panes() == (other,)

    def test_close_twice_is_no_error(self) -> None:
        """Closing is idempotent, also for the last pane of a server."""
        pane = self.open_shell()
        self.terminal.close(pane)
        self.terminal.close(pane)
        assert self.terminal.panes() == ()

    def test_close_of_an_unknown_pane_is_no_error(self) -> None:
        """A pane that never was is as good as closed, by id and by name."""
        self.open_shell()
        self.terminal.close(Pane("%9999"))
        self.terminal.close(Pane("nobody"))
        assert len(self.terminal.panes()) == 1

    def test_close_by_name_closes_that_pane(self) -> None:
        """A name will do for closing."""
        self.open_shell(name="shared")
        other = self.open_shell(name="shared-2")
        self.terminal.close(Pane("shared"))
        assert self.terminal.panes() == (other,)

    def test_a_program_that_exits_takes_its_pane_along(self) -> None:
        """A pane whose program has exited is gone."""
        pane, other = self.open_shell(), self.open_shell()
        self.type_line(pane, "exit")
        self.eventually(lambda: self.terminal.panes() == (other,))
        with refused(PaneNotFoundError):
            self.terminal.observe(pane)

    def test_resolve_finds_a_pane_by_its_name(self) -> None:
        """A session, a window of it and a pane of that are names of the pane."""
        pane = self.open_shell(name="shared")
        for name in ("shared", "shared:0", "shared:0.0"):
            assert self.terminal.resolve(Pane(name)) == pane

    def test_resolve_never_takes_a_beginning_for_a_name(self) -> None:
        """``shared`` is not ``shared-2``, and patterns are no names."""
        self.open_shell(name="shared-2")
        for name in ("shared", "shar", "sh*", "shared-2:1", "shared-2:0.1", "="):
            with refused(PaneNotFoundError):
                self.terminal.resolve(Pane(name))

    def test_every_operation_refuses_a_pane_that_is_not_there(self) -> None:
        """An unknown pane is an error of its own kind, by id and by name."""
        self.open_shell()
        for pane in (Pane("%9999"), Pane("nobody")):
            for operation in self.operations(pane):
                with refused(PaneNotFoundError):
                    operation()

    def test_without_panes_there_is_no_server(self) -> None:
        """With the last pane the server goes; listing is no error, all else is."""
        self.terminal.close(self.open_shell())
        assert self.terminal.panes() == ()
        for operation in self.operations(Pane("%0")):
            with refused(TmuxServerError):
                operation()
