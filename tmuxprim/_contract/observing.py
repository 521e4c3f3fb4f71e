"""The contract for screens."""

from typing import Final

import attrs

from tmuxprim._contract.base import ContractBase, refused
from tmuxprim._contract.contract_shell import BLANKS, FULL_ROW, HOSTILE_TITLE, LONG_LINE
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.pane import Pane, Size
from tmuxprim._values.screen import Cursor
from tmuxprim._values.style import Style, StyledText
from tmuxprim.errors import InvalidScreenError


class ObservingContract(ContractBase):
    """Tests that a backend keeps the promises of observe and read."""

    def test_observe_shows_rows_and_cursor(self) -> None:
        """There is a row for each row of the screen, and the cursor is behind the prompt."""
        pane = self.ready_shell()
        screen = self.terminal.observe(pane)
        assert screen.rows == ("$", *[""] * 23)
        assert (screen.cursor.row, screen.cursor.column) == (0, 2)
        assert screen.before_cursor == "$ "
        # Rows that were never there are not made up, nor those of the screen given twice.
        screen = self.terminal.observe(pane, history=100)
        assert (screen.history, screen.history_size) == ((), 0)
        assert screen.rows == ("$", *[""] * 23)

    def test_observe_tells_the_state(self) -> None:
        """A fresh shell is alive, in no mode and on the main screen."""
        screen = self.terminal.observe(self.ready_shell())
        assert [screen.dead, screen.input_off, screen.alternate, screen.mode] == [False] * 3 + [""]
        assert screen.cursor_visible
        assert screen.pane_pid > 0
        assert screen.tty.startswith("/dev/")

    def test_observe_gives_as_much_history_as_there_is(self) -> None:
        """History comes oldest first, no more rows than asked for and than there are."""
        pane = self.counted_shell()
        assert self.terminal.observe(pane).history == ()
        some = self.terminal.observe(pane, history=5)
        assert some.history == ("73", "74", "75", "76", "77")
        every = self.terminal.observe(pane, history=9999)
        assert every.history[:2] == ("$ seq 1 100", "1")
        assert len(every.history) == every.history_size

    def test_a_history_of_less_than_nothing_is_refused(self) -> None:
        """A negative number of rows is an error."""
        pane = self.open_shell()
        for call in (self.terminal.observe, self.terminal.read):
            with refused(InvalidScreenError):
                call(pane, history=-1)

    def test_read_says_what_is_shown(self) -> None:
        """It is the text of a snapshot of now, with the given amount of history."""
        pane = self.ready_shell()
        assert self.terminal.read(pane) == "$"
        self.type_line(pane, "seq 1 100")
        self.eventually(lambda: self.terminal.observe(pane).rows[-2:] == ("100", "$"))
        for history in (0, 1, 5, 9999):
            shown = self.terminal.observe(pane, history=history).text
            assert self.terminal.read(pane, history=history) == shown

    def test_observe_knows_the_alternate_screen(self) -> None:
        """The screen of a full-screen program is marked as such, and the main one comes back."""
        pane = self.ready_shell()
        self.type_line(pane, "fullscreen on")
        self.eventually(lambda: self.terminal.observe(pane).alternate)
        self.type_line(pane, "fullscreen off")
        self.eventually(lambda: not self.terminal.observe(pane).alternate)

    def test_observe_reads_clean_text(self) -> None:
        """Colours are not part of the text."""
        pane = self.ready_shell()
        self.type_line(pane, "colours")
        assert "red and green" in self.eventually_shows(pane, "\nred").rows

    def test_observe_tells_styles_when_asked(self) -> None:
        """Colours and attributes come with the rows on demand only."""
        pane = self.ready_shell()
        self.type_line(pane, "colours")
        row = self.eventually_shows(pane, "\nred").rows.index("red and green")
        screen = self.terminal.observe(pane, styled=True)
        assert screen.styles is not None
        assert len(screen.styles) == screen.size.rows
        assert screen.styles[row] == (
            StyledText("red", Style(foreground=1)),
            StyledText(" and "),
            StyledText("green", Style(foreground=2, bold=True)),
        )
        assert self.terminal.observe(pane) == attrs.evolve(screen, styles=None)

    def test_observe_knows_the_title(self) -> None:
        """A program's title is reported; no format in it is expanded, and nothing ends it."""
        pane = self.ready_shell()
        self.type_line(pane, "title hello")
        self.eventually(lambda: self.terminal.observe(pane).title == "hello")
        self.type_line(pane, "hostile-title")
        self.eventually(lambda: self.terminal.observe(pane).title == HOSTILE_TITLE)

    def test_a_wide_character_takes_two_columns(self) -> None:
        """The cursor counts cells, and the text left of it is cut by cells."""
        pane = self.ready_shell()
        self.terminal.send(pane, KeySequence.text("日本"))
        screen = self.eventually_shows(pane, "日本")
        assert screen.cursor.column == 6
        assert screen.before_cursor == "$ 日本"

    def test_a_long_line_wraps(self) -> None:
        """Text that does not fit on a row goes on in the next one."""
        pane = self.ready_shell(size=Size(20, 5))
        self.terminal.send(pane, KeySequence.text("x" * 30))
        self.eventually(lambda: self.terminal.observe(pane).rows[:2] == ("$ " + "x" * 18, "x" * 12))

    def test_a_wide_character_does_not_begin_in_the_last_column(self) -> None:
        """It goes to the next row whole, and belongs to the same line."""
        pane = self.ready_shell(size=Size(20, 6))
        self.type_line(pane, "wide-edge")
        screen = self.eventually_shows(pane, "日本")
        assert screen.rows[1:3] == ("x" * 19, "日本")
        assert f"{'x' * 19}日本" in screen.lines

    def test_observe_tells_rows_from_lines(self) -> None:
        """Rows of one wrapped line are joined; a row that is just full is a line of its own."""
        pane = self.ready_shell()
        self.type_line(pane, "long-line")
        self.eventually(lambda: LONG_LINE in self.terminal.observe(pane).lines)
        screen = self.terminal.observe(pane)
        assert screen.rows[1:4] == (LONG_LINE[:80], LONG_LINE[80:160], LONG_LINE[160:])
        assert screen.layout.wrapped[:4] == (False, True, True, False)

    def test_observe_tells_the_spaces_at_the_end_of_a_line(self) -> None:
        """Rows have none; lines have those that were written."""
        pane = self.ready_shell()
        self.type_line(pane, "blanks")
        self.eventually_shows(pane, "\none\n")
        assert BLANKS in self.terminal.observe(pane).lines

    def test_the_cursor_waits_behind_a_full_row(self) -> None:
        """It is then in no column of the row, and not yet in the next row."""
        pane = self.ready_shell(size=Size(len(FULL_ROW), 5))
        self.type_line(pane, "full-row")
        screen = self.eventually_shows(pane, FULL_ROW)
        assert screen.cursor == Cursor(1, len(FULL_ROW))
        assert screen.before_cursor == FULL_ROW

    def test_history_comes_without_gap_or_overlap(self) -> None:
        """Its last row is the one right above the screen, however many rows there are."""
        pane = self.counted_shell()
        size = self.terminal.observe(pane).history_size
        numbers = [str(number) for number in range(1, 101)]
        for history in (1, 2, size - 1, size, size + 1):
            screen = self.terminal.observe(pane, history=history)
            assert len(screen.history) == min(history, size)
            shown = [row for row in (*screen.history, *screen.rows) if row.isdigit()]
            assert shown == numbers[-len(shown) :]
            assert screen.history_size == size <= screen.history_limit

    def test_observe_changes_nothing(self) -> None:
        """Two snapshots of a pane in which nothing happens are equal."""
        pane = self.counted_shell()
        before = self.terminal.observe(pane)
        self.terminal.observe(pane, history=50)
        self.terminal.probe(pane)
        assert self.terminal.observe(pane).rows == before.rows
        assert self.terminal.observe(pane).cursor == before.cursor

    def test_observe_tells_whether_the_cursor_shows(self) -> None:
        """A hidden cursor is reported as hidden, and comes back."""
        pane = self.ready_shell()
        self.type_line(pane, "cursor off")
        self.eventually(lambda: not self.terminal.observe(pane).cursor_visible)
        self.type_line(pane, "cursor on")
        self.eventually(lambda: self.terminal.observe(pane).cursor_visible)


_LARGEST: Final = 10_000


class ResizingContract(ContractBase):
    """Tests that a backend keeps the promises of resize."""

    def test_resize_changes_the_size(self) -> None:
        """The next snapshot has the new size; its text and other panes stay as they are."""
        pane, other = self.ready_shell(), self.open_shell()
        for size in (Size(80, 24), Size(100, 10)):
            self.terminal.resize(pane, size)
            screen = self.terminal.observe(pane)
            assert (screen.size, screen.text) == (size, "$")
        assert self.terminal.observe(other).size == Size(80, 24)

    def test_resize_to_a_single_cell(self) -> None:
        """Rows, cursor and history still fit together, and the pane recovers from it."""
        pane = self.counted_shell()
        self.terminal.resize(pane, Size(1, 1))
        screen = self.terminal.observe(pane, history=20_000)
        assert screen.size == Size(1, 1)
        assert len(screen.history) == screen.history_size
        self.terminal.send(pane, KeySequence.keys("Enter"))
        self.terminal.resize(pane, Size(80, 24))
        self.type_line(pane, "true")
        self._shows_output_again(pane)

    def test_resize_to_the_largest_size(self) -> None:
        """Ten thousand columns or rows are a valid size."""
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
        """Text that a full-screen program hides is back when it ends, in the new size."""
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
        """Demand that a command's output shows, once the shell knows the new size.

        tmux reports a size to the program up to 0.25 s later, and bash then draws its line again,
        over the output of a command that it was given before. So the command is given again.
        """

        def shows() -> bool:
            self.type_line(pane, "colours")
            return "red and green" in self.terminal.observe(pane).rows

        self.eventually(shows)
