"""The same steps by chance on the fake and on real tmux give the same answers and exceptions."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from tests.tmux_server import Server
from tmuxprim import (
    Console,
    FakeTerminal,
    KeySequence,
    Outcome,
    Pane,
    Screen,
    Size,
    Terminal,
    TmuxprimError,
)
from tmuxprim.testing import CONTRACT_RC, CONTRACT_SHELL

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash")]

SIZES = (Size(40, 6), Size(80, 24))
COMMANDS = (
    *("true", "seq 1 100", "colours", "title hello", "fullscreen on", "fullscreen off"),
    *("ask", "ask-secret", "sleep 1", "", "exit"),
)
# What is typed is taken back again: the two shells know different commands.
KEYS = ("a BSpace", "a b C-u", "a C-c", "C-c", "C-u", "Enter")
PANES = st.integers(0, 3)


class Side:
    """One of the two terminals, and the consoles on its panes."""

    def __init__(self, terminal: Terminal, shell: list[str]) -> None:
        self.terminal = terminal
        self.shell = shell
        self.consoles: list[Console] = []
        self.keeper = terminal.open(shell, name="keeper")  # a server without panes would leave

    def open(self, size: Size, name: str | None) -> Outcome:
        """Open a shell and wait for its prompt."""
        console = Console(self.terminal, self.terminal.open(self.shell, size=size, name=name))
        self.consoles.append(console)
        return console.wait_ready().outcome

    def send(self, number: int, text: str) -> tuple[Outcome, object]:
        """Type a line, and return what came of it."""
        console = self.consoles[number]
        console.send(text)
        return self.settled(console)

    def press(self, number: int, key: str) -> tuple[Outcome, object]:
        """Press keys."""
        console = self.consoles[number]
        console.keys(KeySequence.parse(key))
        return self.settled(console)

    def settled(self, console: Console) -> tuple[Outcome, object]:
        """Wait, and return how that ended and what is to be seen."""
        readiness = console.wait_ready(3.0)
        seen = None if readiness.outcome is Outcome.EXITED else shown(readiness.screen)
        return readiness.outcome, seen

    def observe(self, number: int, history: int) -> object:
        """Look, with some of the history."""
        console = self.consoles[number]
        return shown(self.terminal.observe(console.pane, history=history))

    def resolve(self, name: str) -> bool:
        """Whether a name is that of a pane that is listed."""
        return self.terminal.resolve(Pane(name)) in self.terminal.panes()

    def run(self, number: int, command: str) -> tuple[str, bool, Outcome]:
        """Run a command and return its output."""
        result = self.consoles[number].run(command, timeout=3.0)
        return result.output, result.complete, result.readiness.outcome

    def close(self, number: int) -> int:
        """Close a pane, and return how many there are."""
        self.terminal.close(self.consoles[number].pane)
        return len(self.terminal.panes())


def shown(screen: Screen) -> object:
    """Return all of a screen that does not tell which terminal it is from."""
    return (
        *(screen.size, screen.rows, screen.cursor, screen.history, screen.history_size),
        *(screen.lines, screen.alternate, screen.mode, screen.dead, screen.input_off),
    )


def answer(act: Callable[[], object]) -> object:
    """Return what *act* returns, or the type of the error it raises."""
    try:
        return act()
    except TmuxprimError as error:
        return type(error)


class FakeAndTmux(RuleBasedStateMachine):
    """Does everything twice."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory(prefix="tmuxprim-")
        rc = Path(self.folder.name, "rc")
        rc.write_text(CONTRACT_RC)
        self.server = Server(self.folder.name)
        self.fake = FakeTerminal(programs={"bash": CONTRACT_SHELL})
        self.sides = [
            Side(self.fake, ["bash"]),
            Side(self.server.terminal, ["bash", "--noprofile", "--rcfile", str(rc)]),
        ]
        self.count = 0

    def teardown(self) -> None:
        """Leave nothing behind."""
        self.server.stop()
        self.folder.cleanup()

    def twice(self, act: Callable[[Side], object]) -> Any:  # noqa: ANN401  # whatever it returns
        """Do it on both sides and demand the same answer."""
        fake, real = (answer(lambda side=side: act(side)) for side in self.sides)  # type: ignore[misc]
        assert fake == real
        return fake

    @initialize(size=st.sampled_from(SIZES))
    def begin(self, size: Size) -> None:
        """Open the first pane."""
        self.open(size, None)

    @precondition(lambda self: self.count < 4)
    @rule(size=st.sampled_from(SIZES), name=st.sampled_from([None, "a", "b", "keeper", "no good"]))
    def open(self, size: Size, name: str | None) -> None:
        """Open another pane, perhaps by a name that is taken, or is none."""
        self.count += self.twice(lambda side: side.open(size, name)) is Outcome.PROMPT

    @rule(number=PANES, text=st.sampled_from(COMMANDS))
    def send(self, number: int, text: str) -> None:
        """Type a line into a pane that is there, or has gone."""
        number %= self.count
        self.twice(lambda side: side.send(number, text))

    @rule(number=PANES, key=st.sampled_from(KEYS))
    def press(self, number: int, key: str) -> None:
        """Press keys."""
        number %= self.count
        self.twice(lambda side: side.press(number, key))

    @rule(number=PANES, command=st.sampled_from(["true", "seq 1 100", "colours"]))
    def run_command(self, number: int, command: str) -> None:
        """Run a command, if the pane takes one."""
        number %= self.count
        self.twice(lambda side: side.run(number, command))

    @rule(number=PANES, history=st.sampled_from([0, 3, 500, -1]))
    def observe(self, number: int, history: int) -> None:
        """Look, with more history than there is, or less than none."""
        number %= self.count
        self.twice(lambda side: side.observe(number, history))

    @rule(name=st.sampled_from(["a", "b", "keep", "keeper:0.0", "a:7"]))
    def resolve(self, name: str) -> None:
        """Look a pane up by a name."""
        self.twice(lambda side: side.resolve(name))

    @rule(number=PANES)
    def copy_mode(self, number: int) -> None:
        """Enter copy mode: keys are refused until it is left."""
        number %= self.count
        if isinstance(self.twice(lambda side: side.observe(number, 0)), type):
            return
        fake, real = (side.consoles[number].pane for side in self.sides)
        self.fake.set_mode(fake, "copy-mode")
        self.server.tmux("copy-mode", "-t", real.target)
        keys = KeySequence.text("x")
        self.twice(lambda side: side.consoles[number].send(keys).screen.mode)
        self.fake.set_mode(fake, "")
        self.server.tmux("copy-mode", "-q", "-t", real.target)

    @rule(number=PANES)
    def close(self, number: int) -> None:
        """Close a pane, perhaps for the second time."""
        number %= self.count
        self.twice(lambda side: side.close(number))


TestFakeAndTmux = pytest.mark.tmux(FakeAndTmux.TestCase)
TestFakeAndTmux.settings = settings(
    max_examples=12,
    stateful_step_count=15,
    deadline=None,
    derandomize=True,  # the same steps in every run
    suppress_health_check=[HealthCheck.too_slow],
)
