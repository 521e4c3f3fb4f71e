"""The contract of all terminals, on the fake and on real tmux."""

import tempfile
from pathlib import Path

import pytest

from tests.tmux_server import Server
from tmuxprim import FakeTerminal, Pane, Size, Terminal
from tmuxprim.testing import CONTRACT_RC, CONTRACT_SHELL, TerminalContract

_SIZE = Size(80, 24)


class TestFakeTerminal(TerminalContract):
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
class TestTmuxTerminal(TerminalContract):
    """Real tmux keeps the contract."""

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
