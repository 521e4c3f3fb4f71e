"""`TerminalContract`: the duties of every `Terminal`, as tests for any backend.

The library runs it on `FakeTerminal`, on a recorded one and on real tmux. Subclass it for a backend
of your own: give it a terminal, a way to start the contract's shell, and ways to make output
unwatchable. It needs no test framework: pytest or a loop of yours finds the ``test_`` methods.
docs/guides/backend.md has a whole example.
"""

from tmuxprim._contract.gone import DeadPaneContract, GonePaneContract
from tmuxprim._contract.observing import ObservingContract, ResizingContract
from tmuxprim._contract.opening import NamingContract, OpeningContract
from tmuxprim._contract.refusing import RefusingContract
from tmuxprim._contract.sending import ArrivingContract, SendingContract
from tmuxprim._contract.taps import TappingContract
from tmuxprim._contract.waits import OutputWatchContract, TimingContract, WaitingContract


class TerminalContract(
    OpeningContract,
    NamingContract,
    GonePaneContract,
    DeadPaneContract,
    ObservingContract,
    ResizingContract,
    SendingContract,
    ArrivingContract,
    RefusingContract,
    OutputWatchContract,
    TappingContract,
    WaitingContract,
    TimingContract,
):
    """Tests that a `Terminal` keeps the promises of all terminals.

    Examples:
        >>> class TestMine(TerminalContract):
        ...     def make_terminal(self):
        ...         return FakeTerminal(programs={"sh": CONTRACT_SHELL})
        ...
        ...     def open_shell(self, *, size=Size(80, 24), name=None):
        ...         return self.terminal.open("sh", size=size, name=name)
        >>> mine = TestMine()
        >>> mine.setup_method()
        >>> mine.test_close_twice_is_no_error()
        >>> mine.teardown_method()
    """
