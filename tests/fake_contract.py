"""The contract of all terminals on a fake, for those who hold it to that."""

from tmuxprim import FakeTerminal, Pane, Size, Terminal
from tmuxprim.testing import CONTRACT_SHELL, TerminalContract

_SIZE = Size(80, 24)


class FakeContract(TerminalContract):
    """Runs on `FakeTerminal`, and tells what only a fake's own methods can do."""

    fake: FakeTerminal

    def make_fake(self) -> FakeTerminal:
        """Return a fake with the contract's shell."""
        return FakeTerminal(programs={"sh": CONTRACT_SHELL})

    def make_terminal(self) -> Terminal:
        """Return the fake."""
        self.fake = self.make_fake()
        return self.fake

    def open_shell(self, *, size: Size = _SIZE, name: str | None = None) -> Pane:
        """Open the contract's shell."""
        return self.terminal.open("sh", size=size, name=name)

    def enter_copy_mode(self, pane: Pane) -> None:
        """Enter copy mode by the fake's own means."""
        self.fake.set_mode(pane, "copy-mode")

    def switch_input_off(self, pane: Pane) -> None:
        """Switch input off by the fake's own means."""
        self.fake.set_input(pane, on=False)

    def synchronize(self, pane: Pane) -> None:
        """Synchronize by the fake's own means."""
        self.fake.set_synchronized(pane, on=True)

    def keep_dead_panes(self) -> None:
        """Let dead panes stay."""
        self.fake.remain_on_exit = True
