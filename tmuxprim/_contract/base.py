"""The base of the contract's tests: a terminal, panes with a shell, and waits."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from typing import Final

from tmuxprim._console import Console
from tmuxprim._terminal import DEFAULT_SIZE, OutputWatch, Terminal
from tmuxprim._values.evidence import TtyState
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.pane import Pane, Size
from tmuxprim._values.screen import Screen
from tmuxprim.errors import TmuxprimError

_PATIENCE: Final = 10.0
_POLL: Final = 0.005


class ContractBase:
    """Makes terminals and panes for contract tests; a backend implements some methods."""

    terminal: Terminal

    def make_terminal(self) -> Terminal:
        """Return a terminal without panes."""
        raise NotImplementedError

    def open_shell(self, *, size: Size = DEFAULT_SIZE, name: str | None = None) -> Pane:
        """Open a shell whose prompt is ``$ `` and that knows the contract's commands."""
        raise NotImplementedError

    def enter_copy_mode(self, pane: Pane) -> None:
        """Put the pane into copy mode, as a person does to scroll."""
        raise NotImplementedError

    def switch_input_off(self, pane: Pane) -> None:
        """Switch the pane's input off."""
        raise NotImplementedError

    def synchronize(self, pane: Pane) -> None:
        """Make text that is typed into the pane also go to another pane."""
        raise NotImplementedError

    def keep_dead_panes(self) -> None:
        """Keep panes whose program has exited."""
        raise NotImplementedError

    def terminal_beside(self) -> Terminal:
        """Return another terminal on the same server, or this one if each has its own server."""
        return self.terminal

    def setup_method(self) -> None:
        """Make the terminal; pytest calls this before each test."""
        self.terminal = self.make_terminal()

    def teardown_method(self) -> None:
        """Close all panes; pytest calls this after each test."""
        for pane in self.terminal.panes():
            self.terminal.close(pane)

    def operations(self, pane: Pane) -> Sequence[Callable[[], object]]:
        """Return every operation on an existing pane."""
        return (
            lambda: self.terminal.observe(pane),
            lambda: self.terminal.read(pane),
            lambda: self.terminal.send(pane, KeySequence.text("x")),
            lambda: self.terminal.send(pane, KeySequence.text("x" * 20_000)),
            lambda: self.terminal.resize(pane, Size(80, 24)),
        )

    def refuses(self, error: type[TmuxprimError], *panes: Pane) -> None:
        """Demand that every operation on each of the panes raises *error*."""
        for pane in panes:
            for operation in self.operations(pane):
                with refused(error):
                    operation()

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Demand that the block takes less time than that, on the terminal's own clock."""
        start = self.terminal.clock.now()
        yield
        assert self.terminal.clock.now() - start < seconds

    def watching_output(self, pane: Pane) -> AbstractContextManager[OutputWatch]:
        """Return a watch on the pane's output, which the block closes."""
        return closing(self.terminal.watch_output(pane))

    def falls_silent(self, output_watch: OutputWatch) -> None:
        """Wait until a watch has reported all earlier output."""
        self.eventually(lambda: not output_watch.wait(0.1))

    def console(self) -> Console:
        """Return a console on a shell at its prompt."""
        return Console(self.terminal, self.ready_shell())

    def ready_shell(self, *, size: Size = DEFAULT_SIZE, name: str | None = None) -> Pane:
        """Open a shell and wait for its prompt."""
        pane = self.open_shell(size=size, name=name)
        self.eventually(lambda: self.terminal.observe(pane).before_cursor == "$ ")
        return pane

    def counted_shell(self) -> Pane:
        """Return a shell in which the numbers from 1 to 100 were printed."""
        pane = self.ready_shell()
        self.type_line(pane, "seq 1 100")
        self.eventually(lambda: self.terminal.observe(pane).rows[-2:] == ("100", "$"))
        return pane

    def type_line(self, pane: Pane, line: str) -> None:
        """Type a line and Enter."""
        self.terminal.send(pane, KeySequence.text(line) + KeySequence.keys("Enter"))

    def eventually_probes(self, pane: Pane, condition: Callable[[TtyState], bool]) -> TtyState:
        """Wait until the kernel's evidence meets the condition, and return it."""
        found: list[TtyState] = []

        def holds() -> bool:
            tty = self.terminal.probe(pane)
            found[:] = [tty] if tty is not None and condition(tty) else []
            return bool(found)

        self.eventually(holds)
        return found[0]

    def eventually_shows(self, pane: Pane, text: str) -> Screen:
        """Wait until the screen shows *text*, and return it."""
        self.eventually(lambda: text in self.terminal.observe(pane).text)
        return self.terminal.observe(pane)

    def eventually(self, condition: Callable[[], bool]) -> None:
        """Wait on the terminal's own clock until *condition* holds."""
        clock = self.terminal.clock
        deadline = clock.now() + _PATIENCE
        while not condition():
            if clock.now() > deadline:
                seen = [self.terminal.observe(pane).text for pane in self.terminal.panes()]
                raise AssertionError(f"not true after {_PATIENCE:g} s; the panes show {seen}")
            clock.sleep(_POLL)


@contextmanager
def refused(error: type[TmuxprimError]) -> Iterator[None]:
    """Demand that the block raises exactly *error*, and no other error of its tree."""
    try:
        yield
    except TmuxprimError as caught:
        if type(caught) is error:
            return
        raise
    raise AssertionError(f"{error.__name__} was not raised")
