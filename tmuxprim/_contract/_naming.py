"""The contract of names: which pane is meant."""

from tmuxprim._contract._base import ContractBase, refused
from tmuxprim._errors import PaneNotFoundError
from tmuxprim._pane import Pane
from tmuxprim._size import Size


class NamingContract(ContractBase):
    """Holds a backend to what is promised of resolve, and of names in all it does."""

    def test_resolve_finds_a_pane_by_its_name(self) -> None:
        """A session, a window of it and a pane of that are names of the pane."""
        pane = self.open_shell(name="shared")
        for name in ("shared", "shared:0", "shared:0.0"):
            assert self.terminal.resolve(Pane(name)) == pane

    def test_resolve_leaves_an_id_as_it_is(self) -> None:
        """An id is its own answer, also beside a pane whose name looks like its number."""
        pane, other = self.open_shell(name="1000"), self.open_shell()
        assert self.terminal.resolve(other) == other
        assert self.terminal.resolve(Pane("1000")) == pane

    def test_resolve_never_takes_a_beginning_for_a_name(self) -> None:
        """``shared`` is not ``shared-2``, and patterns are no names."""
        self.open_shell(name="shared-2")
        for name in ("shared", "shar", "sh*", "shared-2:1", "shared-2:0.1", "="):
            with refused(PaneNotFoundError):
                self.terminal.resolve(Pane(name))

    def test_resolve_compares_names_letter_by_letter(self) -> None:
        """Case counts, spaces around a name do, and no name is a command or a relative one."""
        self.open_shell(name="shared")
        odd = ("Shared", " shared", "shared ", "=shared", "shared:", "shared.0", ";shared")
        for name in (*odd, "{last}", "!", "+", "-", "@0", "$0", "~", "shared:^", "shared:0.+"):
            with refused(PaneNotFoundError):
                self.terminal.resolve(Pane(name))

    def test_every_operation_takes_a_name(self) -> None:
        """What can be done by a pane's id can be done by its name."""
        pane, name = self.ready_shell(name="shared"), Pane("shared")
        self.ready_shell(name="shared-2")
        self.type_line(name, "echo one")
        self.eventually_shows(name, "\none")
        self.terminal.resize(name, Size(60, 20))
        assert self.terminal.observe(pane).size == Size(60, 20)
        by_id, by_name = self.terminal.probe(pane), self.terminal.probe(name)
        assert (by_id is None) is (by_name is None)
        self.terminal.listen(name).close()

    def test_close_by_name_closes_that_pane(self) -> None:
        """A name will do for closing."""
        self.open_shell(name="shared")
        other = self.open_shell(name="shared-2")
        self.terminal.close(Pane("shared"))
        assert self.terminal.panes() == (other,)

    def test_close_by_a_beginning_of_a_name_closes_nothing(self) -> None:
        """What is no error is still not taken for another pane."""
        pane = self.open_shell(name="shared-2")
        for name in ("shared", "sh*", "=", "shared-2:1"):
            self.terminal.close(Pane(name))
        assert self.terminal.panes() == (pane,)
