"""The contract of typing into panes."""

from typing import Final

from tmuxprim._contract._base import ContractBase, refused
from tmuxprim._errors import PaneBusyError, PaneDeadError
from tmuxprim._sequence import KeySequence
from tmuxprim._size import Size

# What a shell may be asked to type back; each was lost or changed by some tool.
HOSTILE_TEXTS: Final = (
    "select 1;",
    ";",
    "a;;",
    "\\;",
    "-l -R",
    "--",
    "Enter",
    "C-c",
    "Up",
    "0x41",
    "#{pane_id}",
    "#(id)",
    "%H %%",
    "~ ~root",
    "$HOME ${HOME}",
    "\"double\" 'single' `back`",
    "back\\slash \\n",
    "kill-server ; kill-server",
    "{ } [ ] ( ) < > | & * ? !",
    "é ü ß",
    "日本語",
)


class SendingContract(ContractBase):
    """Holds a backend to what is promised of send."""

    def test_send_types_text_as_it_is(self) -> None:
        """No text is a key, a flag, a command or a format, and none of it is lost."""
        for text in HOSTILE_TEXTS:
            pane = self.ready_shell()
            self.terminal.send(pane, KeySequence.text(text))
            self.eventually_shows(pane, f"$ {text}")
            self.terminal.close(pane)

    def test_send_types_a_long_text_whole(self) -> None:
        """A text too long for one command line arrives whole and in order."""
        pane = self.ready_shell(size=Size(200, 50))
        text = "".join(f"{number:05d}" for number in range(1800))
        self.terminal.send(pane, KeySequence.text(text))
        self.eventually(lambda: "".join(self.terminal.observe(pane).rows) == f"$ {text}")

    def test_send_presses_keys(self) -> None:
        """Keys are pressed in order, between texts."""
        pane = self.ready_shell()
        keys = KeySequence.text("echo ab") + KeySequence.keys("BSpace", "c", "Enter")
        self.terminal.send(pane, keys)
        assert "ac" in self.eventually_shows(pane, "\nac\n").rows

    def test_send_of_nothing_only_looks(self) -> None:
        """An empty sequence sends nothing and is no error."""
        pane = self.ready_shell()
        assert self.terminal.send(pane, KeySequence(())).before_cursor == "$ "

    def test_send_returns_the_screen_from_right_before(self) -> None:
        """The screen that comes back does not show what was sent."""
        pane = self.ready_shell()
        assert self.terminal.send(pane, KeySequence.text("hello")).before_cursor == "$ "
        self.eventually_shows(pane, "$ hello")
        assert self.terminal.send(pane, KeySequence.keys("Enter")).before_cursor == "$ hello"

    def test_send_interrupts(self) -> None:
        """C-c ends what runs."""
        pane = self.ready_shell()
        self.type_line(pane, "sleep 60")
        self.eventually(lambda: self.terminal.observe(pane).rows[0] == "$ sleep 60")
        self.terminal.send(pane, KeySequence.keys("C-c"))
        self.eventually(lambda: self.terminal.observe(pane).before_cursor == "$ ")

    def test_send_refuses_a_pane_in_copy_mode(self) -> None:
        """Keys that would scroll instead of being typed are refused, and nothing is sent."""
        pane = self.ready_shell()
        self.enter_copy_mode(pane)
        with refused(PaneBusyError):
            self.terminal.send(pane, KeySequence.text("q"))
        screen = self.terminal.observe(pane)
        assert screen.mode == "copy-mode"
        assert screen.before_cursor == "$ "

    def test_send_refuses_a_pane_without_input(self) -> None:
        """Keys that would be dropped are refused."""
        pane = self.ready_shell()
        self.switch_input_off(pane)
        with refused(PaneBusyError):
            self.terminal.send(pane, KeySequence.text("q"))

    def test_send_refuses_a_dead_pane(self) -> None:
        """A pane whose program has exited takes nothing, short or long; it can be read."""
        pane, other = self.ready_shell(), self.open_shell()
        self.keep_dead_panes()
        self.type_line(pane, "exit")
        self.eventually(lambda: self.terminal.observe(pane).dead)
        for text in ("hello", "x" * 20_000):
            with refused(PaneDeadError):
                self.terminal.send(pane, KeySequence.text(text))
        # tmux 3.3a at times never collects the exit status (the program stays a zombie).
        assert self.terminal.observe(pane).exit_status in (0, None)
        assert set(self.terminal.panes()) == {pane, other}
