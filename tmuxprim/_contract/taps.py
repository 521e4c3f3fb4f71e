"""The contract for taps on the output of a pane's program."""

from typing import Final

from tmuxprim._contract.base import ContractBase, refused
from tmuxprim._terminal import Tap
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.pane import Pane
from tmuxprim._values.screen import Screen
from tmuxprim.errors import (
    PaneBusyError,
    PaneDeadError,
    PaneNotFoundError,
    TapUnavailableError,
)

# The end of what ``colours`` prints.
_COLOURS: Final = "green\x1b[m\r\n"
_LINE: Final = KeySequence.text("colours") + KeySequence.keys("Enter")


class TappingContract(ContractBase):
    """Tests that a backend keeps the promises of tap, if it has one."""

    def tapped(
        self, pane: Pane, keys: KeySequence | None = None, seen: Screen | None = None
    ) -> Tap | None:
        """Return a tap, or None if the backend has none."""
        try:
            return self.terminal.tap(pane, keys, seen=seen)
        except TapUnavailableError:
            return None

    def eventually_reads(self, tap: Tap, text: str) -> str:
        """Read until *text* has come, and return all that was read."""
        read: list[str] = []

        def has_come() -> bool:
            read.append(tap.read())
            return text in "".join(read)

        self.eventually(has_come)
        return "".join(read)

    def test_a_tap_has_all_that_is_written(self) -> None:
        """Each character once, with control sequences, and none from before the tap."""
        pane = self.counted_shell()
        tap = self.tapped(pane)
        if tap is None:
            return
        assert tap.screen.rows[-2:] == ("100", "$")
        self.type_line(pane, "seq 1 100")
        numbers = "".join(f"{number}\r\n" for number in range(1, 101))
        read = self.eventually_reads(tap, numbers)
        assert read.count("100\r\n") == 2
        self.type_line(pane, "colours")
        read = self.eventually_reads(tap, _COLOURS)
        assert numbers not in read
        assert "\x1b[31mred\x1b[0m and" in read
        tap.close()

    def test_a_tap_splits_no_character(self) -> None:
        """However often it is read."""
        pane = self.ready_shell()
        tap = self.tapped(pane)
        if tap is not None:
            for _ in range(5):
                self.type_line(pane, "wide-edge")
                assert "\ufffd" not in self.eventually_reads(tap, "日本\r\n")
            tap.close()

    def test_a_tap_has_all_that_its_keys_bring_about(self) -> None:
        """From the first character on; its screen is that from right before.

        A snapshot that still holds may be that; one that does not is of no harm.
        """
        pane = self.counted_shell()
        seen = self.terminal.observe(pane)
        for before in (seen, seen, None):
            tap = self.tapped(pane, _LINE, before)
            if tap is None:
                return
            assert not tap.unavailable
            assert tap.is_as_new
            assert tap.screen.cursor_line == "$"
            assert self.eventually_reads(tap, _COLOURS).startswith("colours\r\n")
            tap.close()
            self.eventually(lambda: self.terminal.observe(pane).cursor_line == "$")

    def test_a_tap_types_nothing_where_no_key_arrives(self) -> None:
        """If a tap is not available, no key is typed; if keys are refused, no tap begins."""
        pane = self.ready_shell()
        if (tap := self.tapped(pane)) is None:
            return
        with refused(PaneBusyError):
            self.tapped(pane, _LINE)
        tap.close()
        self.enter_copy_mode(pane)
        with refused(PaneBusyError):
            self.tapped(pane, _LINE)
        tap = self.terminal.tap(pane)
        tap.close()
        tap = self.terminal.tap(pane, _LINE, leave_mode=True)
        assert self.eventually_reads(tap, _COLOURS).count("colours") == 1
        tap.close()

    def test_a_pane_has_one_tap(self) -> None:
        """A second tap would end the first; it is possible once the first is closed."""
        pane = self.ready_shell()
        tap = self.tapped(pane)
        if tap is None:
            return
        for terminal in (self.terminal, self.terminal_beside()):
            with refused(PaneBusyError):
                terminal.tap(pane)
        for _ in range(3):
            tap.close()
            tap.close()
            tap = self.terminal.tap(pane)
        self.type_line(pane, "colours")
        self.eventually_reads(tap, _COLOURS)
        tap.close()

    def test_a_tap_that_is_closed_takes_no_more(self) -> None:
        """The pane goes on without it."""
        pane = self.ready_shell()
        tap = self.tapped(pane)
        if tap is not None:
            tap.close()
            self.type_line(pane, "echo one")
            self.eventually_shows(pane, "\none")
            assert not tap.read()

    def test_a_tap_outlives_its_pane(self) -> None:
        """Its earlier output can still be read."""
        self.ready_shell()  # keeps the server
        pane = self.ready_shell()
        tap = self.tapped(pane)
        if tap is not None:
            self.type_line(pane, "colours")
            self.eventually_reads(tap, _COLOURS)
            self.terminal.close(pane)
            tap.read()
            tap.close()

    def test_a_tap_by_name(self) -> None:
        """A pane may be named, as in every operation."""
        self.ready_shell(name="shared")
        tap = self.tapped(Pane("shared"))
        if tap is not None:
            tap.close()

    def test_run_returns_all_output(self) -> None:
        """The output is the same, and the tap is closed at the end, so the next one can begin."""
        console = self.console()
        numbers = "".join(f"{number}\n" for number in range(1, 101))
        for _ in range(2):
            result = console.run("seq 1 100", all_output=True)
            assert (result.output, result.complete) == (numbers, True)

    def test_tap_refuses_a_pane_that_writes_nothing(self) -> None:
        """A missing pane and a dead pane are refused."""
        pane = self.ready_shell()
        if (tap := self.tapped(pane)) is None:
            return
        tap.close()
        for gone in (Pane("%9999"), Pane("nobody")):
            with refused(PaneNotFoundError):
                self.terminal.tap(gone)
        self.keep_dead_panes()
        self.type_line(pane, "exit")
        self.eventually(lambda: self.terminal.observe(pane).dead)
        with refused(PaneDeadError):
            self.terminal.tap(pane)
