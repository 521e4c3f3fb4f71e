"""The contract of looking at panes."""

from tmuxprim._contract._base import ContractBase, refused
from tmuxprim._errors import InvalidScreenError
from tmuxprim._sequence import KeySequence
from tmuxprim._size import Size


class LookingContract(ContractBase):
    """Holds a backend to what is promised of observe and resize."""

    def test_observe_shows_rows_and_cursor(self) -> None:
        """There is a row for each row of the screen, and the cursor is behind the prompt."""
        pane = self.ready_shell()
        screen = self.terminal.observe(pane)
        assert screen.rows == ("$", *[""] * 23)
        assert (screen.cursor.row, screen.cursor.column) == (0, 2)
        assert screen.before_cursor == "$ "

    def test_observe_tells_the_state(self) -> None:
        """A fresh shell is alive, in no mode and on the main screen."""
        screen = self.terminal.observe(self.ready_shell())
        assert [screen.dead, screen.input_off, screen.alternate, screen.mode] == [False] * 3 + [""]
        assert screen.cursor_visible
        assert screen.pane_pid > 0
        assert screen.tty.startswith("/dev/")

    def test_observe_gives_as_much_history_as_there_is(self) -> None:
        """History comes oldest first, no more rows than asked for and than there are."""
        pane = self.ready_shell()
        self.type_line(pane, "seq 1 100")
        self.eventually(lambda: self.terminal.observe(pane).rows[-2:] == ("100", "$"))
        assert self.terminal.observe(pane).history == ()
        some = self.terminal.observe(pane, history=5)
        assert some.history == ("73", "74", "75", "76", "77")
        every = self.terminal.observe(pane, history=9999)
        assert every.history[:2] == ("$ seq 1 100", "1")
        assert len(every.history) == every.history_size

    def test_observe_refuses_a_history_of_less_than_nothing(self) -> None:
        """A negative number of rows is a mistake, and is told as one."""
        pane = self.open_shell()
        with refused(InvalidScreenError):
            self.terminal.observe(pane, history=-1)

    def test_observe_knows_the_alternate_screen(self) -> None:
        """A full-screen program's screen is told apart, and the main one comes back."""
        pane = self.ready_shell()
        self.type_line(pane, "fullscreen on")
        self.eventually(lambda: self.terminal.observe(pane).alternate)
        self.type_line(pane, "fullscreen off")
        self.eventually(lambda: not self.terminal.observe(pane).alternate)

    def test_observe_reads_clean_text(self) -> None:
        """Colours are not part of what is read."""
        pane = self.ready_shell()
        self.type_line(pane, "colours")
        assert "red and green" in self.eventually_shows(pane, "\nred").rows

    def test_observe_knows_the_title(self) -> None:
        """A title that a program sets is told."""
        pane = self.ready_shell()
        self.type_line(pane, "title hello")
        self.eventually(lambda: self.terminal.observe(pane).title == "hello")

    def test_a_wide_character_takes_two_columns(self) -> None:
        """The cursor counts cells, and the text left of it is cut by cells."""
        pane = self.ready_shell()
        self.terminal.send(pane, KeySequence.text("日本"))
        screen = self.eventually_shows(pane, "日本")
        assert screen.cursor.column == 6
        assert screen.before_cursor == "$ 日本"

    def test_a_long_line_wraps(self) -> None:
        """What does not fit on a row goes on in the next one."""
        pane = self.ready_shell(size=Size(20, 5))
        self.terminal.send(pane, KeySequence.text("x" * 30))
        self.eventually(lambda: self.terminal.observe(pane).rows[:2] == ("$ " + "x" * 18, "x" * 12))

    def test_resize_changes_the_size(self) -> None:
        """The next look has the new size."""
        pane = self.ready_shell()
        self.terminal.resize(pane, Size(100, 10))
        assert self.terminal.observe(pane).size == Size(100, 10)
