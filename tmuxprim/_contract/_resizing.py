"""The contract of sizes: a pane that becomes wider, higher, tiny or huge."""

from typing import Final

from tmuxprim._contract._base import ContractBase
from tmuxprim._contract._shell import LONG_LINE
from tmuxprim._pane import Pane
from tmuxprim._sequence import KeySequence
from tmuxprim._size import Size

_LARGEST: Final = 10_000


class ResizingContract(ContractBase):
    """Holds a backend to what is promised of resize."""

    def test_resize_changes_the_size(self) -> None:
        """The next look has the new size."""
        pane = self.ready_shell()
        self.terminal.resize(pane, Size(100, 10))
        assert self.terminal.observe(pane).size == Size(100, 10)

    def test_resize_to_the_same_size_changes_nothing(self) -> None:
        """The screen stays as it is."""
        pane = self.ready_shell()
        before = self.terminal.observe(pane)
        self.terminal.resize(pane, before.size)
        assert self.terminal.observe(pane).rows == before.rows

    def test_resize_leaves_other_panes_alone(self) -> None:
        """It is the one pane that changes."""
        pane, other = self.open_shell(), self.open_shell()
        self.terminal.resize(pane, Size(40, 12))
        assert self.terminal.observe(other).size == Size(80, 24)

    def test_resize_to_a_single_cell(self) -> None:
        """Rows, cursor and history still fit together, and the pane recovers from it."""
        pane = self.ready_shell()
        self.type_line(pane, "seq 1 100")
        self.eventually(lambda: self.terminal.observe(pane).rows[-2:] == ("100", "$"))
        self.terminal.resize(pane, Size(1, 1))
        screen = self.terminal.observe(pane, history=20_000)
        assert screen.size == Size(1, 1)
        assert len(screen.history) == screen.history_size
        self.terminal.send(pane, KeySequence.keys("Enter"))
        self.terminal.resize(pane, Size(80, 24))
        self.type_line(pane, "true")
        self._shows_output_again(pane)

    def test_resize_to_the_largest_size(self) -> None:
        """Ten thousand columns or rows are a size as any other."""
        pane = self.ready_shell()
        for size in (Size(_LARGEST, 2), Size(2, _LARGEST)):
            self.terminal.resize(pane, size)
            screen = self.terminal.observe(pane)
            assert screen.size == size
            assert len(screen.rows) == size.rows
        self.terminal.resize(pane, Size(80, 24))
        self._shows_output_again(pane)

    def test_resize_lays_long_lines_out_anew(self) -> None:
        """A line that is cut into rows is the same line at every width."""
        pane = self.ready_shell()
        self.type_line(pane, "long-line")
        self.eventually(lambda: LONG_LINE in self.terminal.observe(pane).lines)
        for columns in (37, 250, 80):
            self.terminal.resize(pane, Size(columns, 24))
            assert LONG_LINE in self.terminal.observe(pane, history=99).lines

    def test_resize_under_an_alternate_screen_keeps_the_main_one(self) -> None:
        """What a full-screen program hides is there again when it ends, in the new size."""
        pane = self.ready_shell()
        self.type_line(pane, "echo kept")
        self.eventually_shows(pane, "\nkept")
        self.type_line(pane, "fullscreen on")
        self.eventually(lambda: self.terminal.observe(pane).alternate)
        self.terminal.resize(pane, Size(60, 20))
        assert self.terminal.observe(pane).alternate
        self.type_line(pane, "fullscreen off")
        self.eventually(lambda: not self.terminal.observe(pane).alternate)
        screen = self.terminal.observe(pane)
        assert screen.size == Size(60, 20)
        assert {"$ echo kept", "kept"} <= set(screen.rows)

    def _shows_output_again(self, pane: Pane) -> None:
        self.type_line(pane, "colours")
        self.eventually(lambda: "red and green" in self.terminal.observe(pane).rows)
