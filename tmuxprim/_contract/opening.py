"""The contract for new panes and for names."""

import os
from contextlib import suppress
from typing import Final, cast

from tmuxprim._contract.base import ContractBase, refused
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.pane import Pane, Size
from tmuxprim.errors import (
    InvalidPaneError,
    InvalidScreenError,
    InvalidTextError,
    PaneExistsError,
    PaneNotFoundError,
    ProgramNotFoundError,
)

# Each cuts a word short, or is no character, wherever it stands.
_NO_WORDS: Final = ("a\0b", "\0", "\ud800")


class OpeningContract(ContractBase):
    """Tests that a backend keeps the promises of open, close and panes."""

    def test_open_returns_an_id_that_is_listed(self) -> None:
        """A new pane is named by its id, and is one of the panes."""
        pane = self.open_shell()
        assert pane.is_id
        assert pane in self.terminal.panes()

    def test_panes_lists_every_pane(self) -> None:
        """However many there are, each is listed once."""
        opened = [self.open_shell() for _ in range(6)]
        listed = self.terminal.panes()
        assert (len(listed), set(listed)) == (len(opened), set(opened))

    def test_panes_tells_what_each_pane_is(self) -> None:
        """It has the server, place, size and program of each; the name by its place names it."""
        self.ready_shell(name="other")
        pane = self.ready_shell(size=Size(91, 17), name="shared")
        (info,) = (listed for listed in self.terminal.panes() if listed == pane)
        screen = self.terminal.observe(pane)
        assert (info.session, info.size, info.dead) == ("shared", Size(91, 17), False)
        assert (info.server, info.command, info.title) == (
            pane.server,
            screen.command,
            screen.title,
        )
        assert info.active
        assert self.terminal.resolve(Pane(info.name)) == info == pane

    def test_open_makes_the_size_that_was_asked_for(self) -> None:
        """Columns and rows are the given ones, from the first snapshot on."""
        for size in (Size(101, 31), Size(1, 1)):
            assert self.terminal.observe(self.open_shell(size=size)).size == size

    def test_a_tuple_is_a_size(self) -> None:
        """A pane gets the columns and rows of a tuple, at first and later."""
        pane = self.terminal.open(["sh"], size=(91, 17))
        assert self.terminal.observe(pane).size == Size(91, 17)
        self.terminal.resize(pane, (80, 24))
        assert self.terminal.observe(pane).size == Size(80, 24)

    def test_open_makes_a_pane_of_its_own(self) -> None:
        """Two panes are two programs on two terminals, and text typed into one stays there."""
        one, other = self.ready_shell(), self.ready_shell()
        screens = [self.terminal.observe(pane) for pane in (one, other)]
        assert screens[0].tty != screens[1].tty
        assert screens[0].pane_pid != screens[1].pane_pid
        self.type_line(one, "echo one")
        self.eventually_shows(one, "\none")
        assert self.terminal.observe(other).text == "$"

    def test_open_refuses_a_name_that_is_taken(self) -> None:
        """Two panes never share a name; the pane that has it keeps it."""
        pane = self.open_shell(name="shared")
        with refused(PaneExistsError):
            self.open_shell(name="shared")
        assert self.terminal.panes() == (pane,)
        assert self.terminal.resolve(Pane("shared")) == pane

    def test_open_refuses_a_name_with_a_meaning(self) -> None:
        """A name that the terminal would expand or split is refused, and no pane is opened."""
        for name in ("a:b", "a.b", "#{pid}", "%H", "", "a b", "=a", "$1", "a\0b", "\ud800", "a\n"):
            with refused(InvalidPaneError):
                self.open_shell(name=name)
        assert self.terminal.panes() == ()

    def test_open_refuses_a_command_without_a_program(self) -> None:
        """No pane is opened for an empty list of words; without a command it is the shell."""
        for command in ("", "  ", [], [""]):
            with refused(InvalidTextError):
                self.terminal.open(command)
        assert self.terminal.panes() == ()

    def test_open_refuses_what_no_program_can_be_given(self) -> None:
        """Words, directories and variables with a NUL or a lone surrogate are refused."""
        for word in _NO_WORDS:
            for command in ([word], ["sh", word], f"sh {word}"):
                with refused(InvalidTextError):
                    self.terminal.open(command)
            with refused(InvalidTextError):
                self.terminal.open(["sh"], cwd=word)
            for env in ({"A": word}, {word: "a"}):
                with refused(InvalidTextError):
                    self.terminal.open(["sh"], env=env)
        assert self.terminal.panes() == ()

    def test_open_passes_the_environment_of_this_process_on(self) -> None:
        """A copy of it is accepted, with long values and those that a terminal sets itself."""
        pane = self.terminal.open(["sh"], env={**os.environ, "LONG": "~$\n" * 30_000})
        assert self.terminal.panes() == (pane,)

    def test_open_gives_a_program_what_the_terminal_sets_itself(self) -> None:
        """A command of words can get another PATH or TERM than the other panes have."""
        pane = self.terminal.open(["sh"], env={"PATH": os.defpath, "TERM": "dumb"})
        assert self.terminal.panes() == (pane,)

    def test_open_refuses_to_integrate_another_program(self) -> None:
        """A program that is no shell with an integration is not opened, not even without it."""
        for command in (["sh"], ["vim"], "bash -l", "make", [], ["env", "bash"]):
            with refused(InvalidTextError):
                self.terminal.open(command, shell_integration=True)
        assert self.terminal.panes() == ()

    def test_a_pane_tells_that_its_shell_was_opened_with_integration(self) -> None:
        """Each screen of this pane says so, and none of another pane."""
        assert not self.terminal.observe(self.open_shell()).shell_integration
        for shell in ("bash", ["zsh"], ["fish"]):
            # Of a backend that cannot know the shell's machine, or has no such program.
            with suppress(InvalidTextError, ProgramNotFoundError):
                pane = self.terminal.open(shell, shell_integration=True)
                assert self.terminal.observe(pane).shell_integration

    def test_what_is_no_size_is_refused(self) -> None:
        """A text is no size: no pane is opened, and none changes."""
        pane, text = self.open_shell(), cast("Size", "80x24")
        with refused(InvalidScreenError):
            self.terminal.open(["sh"], size=text)
        with refused(InvalidScreenError):
            self.terminal.resize(pane, text)
        assert self.terminal.panes() == (pane,)

    def test_a_program_that_is_not_there_leaves_nothing(self) -> None:
        """It is refused, or its pane closes like that of any program that ends."""
        other = self.open_shell()
        with suppress(ProgramNotFoundError):  # of a backend that can know
            self.terminal.open(["no-such-program-of-tmuxprim"])
        self.eventually(lambda: self.terminal.panes() == (other,))

    def test_close_ends_the_pane(self) -> None:
        """A closed pane is no longer listed, and the others stay."""
        pane, other = self.open_shell(), self.open_shell()
        self.terminal.close(pane)
        assert self.terminal.panes() == (other,)

    def test_close_does_not_ask_the_program(self) -> None:
        """A pane closes while a command runs, in a mode and with its input off."""
        pane, other = self.ready_shell(), self.open_shell()
        self.type_line(pane, "sleep 60")
        self.enter_copy_mode(pane)
        self.switch_input_off(pane)
        self.terminal.close(pane)
        assert self.terminal.panes() == (other,)

    def test_close_twice_is_no_error(self) -> None:
        """Closing is idempotent, also for the last pane of a server."""
        pane = self.open_shell()
        self.terminal.close(pane)
        self.terminal.close(pane)
        assert self.terminal.panes() == ()

    def test_close_of_an_unknown_pane_is_no_error(self) -> None:
        """A pane that never existed counts as closed, and is not taken for another."""
        pane = self.open_shell(name="shared-2")
        for name in ("%9999", "nobody", "shared", "sh*", "=", "shared-2:1"):
            self.terminal.close(Pane(name))
        assert self.terminal.panes() == (pane,)

    def test_open_works_again_after_the_last_pane(self) -> None:
        """A server that ended with its last pane does not prevent a new one."""
        for _ in range(3):
            pane = self.ready_shell(name="shared")
            self.terminal.send(pane, KeySequence.text("again"))
            self.eventually_shows(pane, "$ again")
            self.terminal.close(pane)
            assert self.terminal.panes() == ()

    def test_a_terminal_beside_sees_the_same_panes(self) -> None:
        """If one terminal opens or closes a pane, every other on that server sees it."""
        beside = self.terminal_beside()
        kept, pane = self.ready_shell(), self.ready_shell()
        assert set(beside.panes()) == {kept, pane}
        beside.send(pane, KeySequence.text("hello"))
        self.eventually_shows(pane, "$ hello")
        beside.close(pane)
        assert self.terminal.panes() == (kept,)


class NamingContract(ContractBase):
    """Tests that a backend keeps the promises of resolve and of names."""

    def test_resolve_finds_a_pane_by_its_name(self) -> None:
        """A session, a window and a pane of a window are names of the pane."""
        pane = self.open_shell(name="shared")
        for name in ("shared", "shared:0", "shared:0.0"):
            assert self.terminal.resolve(Pane(name)) == pane

    def test_resolve_leaves_an_id_as_it_is(self) -> None:
        """An id is returned as it is, even beside a pane whose name looks like its number."""
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
        """Case and outer spaces count, and no name is a command or a relative one."""
        self.open_shell(name="shared")
        odd = ("Shared", " shared", "shared ", "=shared", "shared:", "shared.0", ";shared")
        for name in (*odd, "{last}", "!", "+", "-", "@0", "$0", "~", "shared:^", "shared:0.+"):
            with refused(PaneNotFoundError):
                self.terminal.resolve(Pane(name))

    def test_every_operation_takes_a_name(self) -> None:
        """A pane's name works wherever its id does."""
        pane, name = self.ready_shell(name="shared"), Pane("shared")
        self.ready_shell(name="shared-2")
        self.type_line(name, "echo one")
        self.eventually_shows(name, "\none")
        self.terminal.resize(name, Size(60, 20))
        assert self.terminal.observe(pane).size == Size(60, 20)
        by_id, by_name = self.terminal.probe(pane), self.terminal.probe(name)
        assert (by_id is None) is (by_name is None)
        self.terminal.watch_output(name).close()

    def test_close_by_name_closes_that_pane(self) -> None:
        """A pane can be closed by its name."""
        self.open_shell(name="shared")
        other = self.open_shell(name="shared-2")
        self.terminal.close(Pane("shared"))
        assert self.terminal.panes() == (other,)
