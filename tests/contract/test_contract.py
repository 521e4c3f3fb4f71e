"""The contract of all terminals, on the fake and on real tmux."""

import sys
import tempfile
from pathlib import Path

import pytest

from tests.tmux_server import Server
from tmuxprim import Bell, FakeTerminal, Pane, Size, Terminal
from tmuxprim.testing import CONTRACT_RC, CONTRACT_SHELL, TerminalContract

_SIZE = Size(80, 24)


class RingingContract(TerminalContract):
    """Holds a backend to more than all: its bells ring."""

    rings = True

    def heard(self, pane: Pane) -> Bell:
        """Return a bell that rings; skip the test where this machine does not tell who writes."""
        if not self.rings:
            pytest.skip("inotify is of Linux")
        return self.terminal.listen(pane)

    def test_a_bell_rings_when_the_program_writes(self) -> None:
        """Each time anew, and not before."""
        console = self.console()
        bell = self.heard(console.pane)
        self.eventually(lambda: not bell.wait(0.1))
        for _ in range(2):
            self.type_line(console.pane, "seq 1 100")
            start = self.terminal.clock.now()
            assert bell.wait(10.0)
            assert self.terminal.clock.now() - start < 5.0
            self.eventually(lambda: not bell.wait(0.1))
        bell.close()

    def test_a_bell_of_a_name(self) -> None:
        """A pane may be listened to by its name."""
        pane = self.open_shell(name="heard")
        self.eventually(lambda: self.terminal.observe(pane).before_cursor == "$ ")
        bell = self.heard(Pane("heard"))
        self.type_line(pane, "echo one")
        assert bell.wait(10.0)
        bell.close()

    def test_a_bell_of_another_pane_does_not_ring(self) -> None:
        """Each pane has its own."""
        one, other = self.ready_shell(), self.ready_shell()
        bell = self.heard(one)
        self.eventually(lambda: not bell.wait(0.1))
        self.type_line(other, "echo one")
        self.eventually_shows(other, "\none")
        assert not bell.wait(0.0)
        bell.close()


class TestFakeTerminal(RingingContract):
    """The fake keeps the contract."""

    def make_terminal(self) -> Terminal:
        """Return a fake with the contract's shell."""
        self.fake = FakeTerminal(programs={"sh": CONTRACT_SHELL})
        return self.fake

    def open_shell(self, *, size: Size = _SIZE, name: str | None = None) -> Pane:
        """Open the contract's shell."""
        return self.fake.open("sh", size=size, name=name)

    def enter_copy_mode(self, pane: Pane) -> None:
        """Enter copy mode by the fake's own means."""
        self.fake.set_mode(pane, "copy-mode")

    def switch_input_off(self, pane: Pane) -> None:
        """Switch input off by the fake's own means."""
        self.fake.set_input(pane, on=False)

    def keep_dead_panes(self) -> None:
        """Let dead panes stay."""
        self.fake.remain_on_exit = True


class TestFakeTerminalWithoutEvidence(TestFakeTerminal):
    """The fake that plays a remote server keeps the contract, too."""

    def make_terminal(self) -> Terminal:
        """Return a fake without kernel evidence."""
        self.fake = FakeTerminal(programs={"sh": CONTRACT_SHELL}, evidence=False)
        return self.fake


@pytest.mark.tmux
@pytest.mark.needs("bash")
class TestTmuxTerminal(RingingContract):
    """Real tmux keeps the contract."""

    rings = sys.platform.startswith("linux")

    def make_terminal(self) -> Terminal:
        """Return a terminal on a tmux server of its own."""
        self.folder = tempfile.TemporaryDirectory(prefix="tmuxprim-")
        self.rc = Path(self.folder.name, "rc")
        self.rc.write_text(CONTRACT_RC)
        self.server = Server(self.folder.name)
        return self.server.terminal

    def open_shell(self, *, size: Size = _SIZE, name: str | None = None) -> Pane:
        """Open bash with the contract's commands."""
        command = ["bash", "--noprofile", "--rcfile", str(self.rc)]
        return self.terminal.open(command, size=size, name=name)

    def enter_copy_mode(self, pane: Pane) -> None:
        """Enter copy mode as a key binding does."""
        self.server.tmux("copy-mode", "-t", pane.target)

    def switch_input_off(self, pane: Pane) -> None:
        """Switch input off as a person does."""
        self.server.tmux("select-pane", "-d", "-t", pane.target)

    def keep_dead_panes(self) -> None:
        """Let dead panes stay."""
        self.server.tmux("set-option", "-g", "remain-on-exit", "on")

    def teardown_method(self) -> None:
        """End the server and remove its folder."""
        self.server.stop()
        self.folder.cleanup()
