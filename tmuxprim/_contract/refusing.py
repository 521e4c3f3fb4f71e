"""The contract of panes that take no input: all keys are refused, or all of them arrive."""

from typing import Final

from tmuxprim._contract.base import ContractBase, refused
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.pane import Pane
from tmuxprim.errors import PaneBusyError

# None, one delivery or several, in one part or many: nothing of it may arrive.
_SEQUENCES: Final = (
    KeySequence(()),
    KeySequence.text("q"),
    KeySequence.text("x" * 20_000),
    KeySequence.paste("pasted"),
    KeySequence.keys("Enter", "C-c"),
    (KeySequence.text("ab") + KeySequence.keys("BSpace")) * 500,
)


class RefusingContract(ContractBase):
    """Tests that a backend sends all keys or none."""

    def test_send_refuses_a_mode_that_came_after_a_snapshot(self) -> None:
        """A snapshot from before the mode does not help."""
        pane = self.ready_shell()
        seen = self.terminal.observe(pane)
        self.enter_copy_mode(pane)
        with refused(PaneBusyError):
            self.terminal.send(pane, KeySequence.text("q"), seen=seen)

    def test_send_refuses_a_pane_in_copy_mode(self) -> None:
        """Keys would scroll it, so none is sent, however many there are."""
        pane = self.ready_shell()
        self.enter_copy_mode(pane)
        self._refuses_all(pane)
        screen = self.terminal.observe(pane)
        assert (screen.mode, screen.before_cursor) == ("copy-mode", "$ ")
        self.terminal.send(pane, KeySequence.text("only this"), leave_mode=True)
        assert self.eventually_shows(pane, "this").text == "$ only this"

    def test_send_refuses_a_pane_without_input(self) -> None:
        """Keys that would be dropped are refused."""
        pane = self.ready_shell()
        self.switch_input_off(pane)
        self._refuses_all(pane)

    def test_send_refuses_a_pane_that_shares_its_input(self) -> None:
        """Keys that would go to other programs as well are refused."""
        pane = self.ready_shell()
        self.synchronize(pane)
        assert self.terminal.observe(pane).synchronized
        self._refuses_all(pane)
        assert self.terminal.observe(pane).before_cursor == "$ "

    def test_leave_mode_types_into_a_pane_in_copy_mode(self) -> None:
        """The mode is left and all keys arrive; the screen is still the one from before."""
        for text in ("hello", "y" * 5_000):
            pane = self.ready_shell()
            self.enter_copy_mode(pane)
            before = self.terminal.send(pane, KeySequence.text(text), leave_mode=True)
            assert before.mode == "copy-mode"
            assert before.before_cursor == "$ "
            typed = f"$ {text}"
            self.eventually(lambda: typed in self.terminal.observe(pane, history=99).lines)  # noqa: B023  # asked at once
            assert self.terminal.observe(pane).mode == ""

    def test_leave_mode_with_nothing_to_type_leaves_it(self) -> None:
        """The mode is left, and nothing arrives."""
        pane = self.ready_shell()
        self.enter_copy_mode(pane)
        assert self.terminal.send(pane, KeySequence(()), leave_mode=True).mode == "copy-mode"
        screen = self.terminal.observe(pane)
        assert (screen.mode, screen.before_cursor) == ("", "$ ")

    def test_leave_mode_without_a_mode_is_no_error(self) -> None:
        """There is nothing to leave, and the keys arrive."""
        pane = self.ready_shell()
        self.terminal.send(pane, KeySequence.text("hello"), leave_mode=True)
        assert self.eventually_shows(pane, "hello").text == "$ hello"

    def test_leave_mode_does_not_switch_input_on(self) -> None:
        """It removes no other obstacle; if the keys are refused, the mode stays."""
        pane = self.ready_shell()
        self.enter_copy_mode(pane)
        self.switch_input_off(pane)
        with refused(PaneBusyError):
            self.terminal.send(pane, KeySequence.text("q"), leave_mode=True)
        screen = self.terminal.observe(pane)
        assert (screen.mode, screen.input_off) == ("copy-mode", True)

    def _refuses_all(self, pane: Pane) -> None:
        for keys in _SEQUENCES:
            with refused(PaneBusyError):
                self.terminal.send(pane, keys)
