"""The same shell on a fake terminal and on real tmux: what is done to one is done to the other."""

import os
import signal
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from tests.seen import Known, Seen, Shown, known, shown
from tests.tmux_server import Server
from tests.twin_shell import SHELL, rc
from tmuxprim import (
    Console,
    FakeTerminal,
    KeySequence,
    Outcome,
    Pane,
    Size,
    Terminal,
    TmuxprimError,
    TmuxTerminal,
)
from tmuxprim._tmux.choice import TransportName

T = TypeVar("T")

_PATIENCE: Final = 20.0
_MOMENT: Final = 0.05  # of virtual time: all that was typed has been answered by then
_EVERYTHING: Final = 2000
_BELOW: Final = 2  # rows that a pane of one row takes, with the line between


class Ran(NamedTuple):
    """What came of a command."""

    output: str
    complete: bool
    outcome: Outcome


def answer(act: Callable[[], T]) -> T | type[TmuxprimError]:
    """Return what *act* returns, or the type of the error it raises."""
    try:
        return act()
    except TmuxprimError as error:
        return type(error)


class Side(ABC):
    """One of the two terminals, with consoles on its panes by their numbers."""

    def __init__(self, terminal: Terminal, command: Sequence[str]) -> None:
        self.terminal = terminal
        self.command = command
        self.consoles: list[Console] = []

    @abstractmethod
    def set_mode(self, pane: Pane, *, on: bool) -> None:
        """Enter or leave copy mode, as a person does."""

    @abstractmethod
    def set_input(self, pane: Pane, *, on: bool) -> None:
        """Let the pane take keys or not, as a person does."""

    @abstractmethod
    def share_input(self, pane: Pane, *, on: bool) -> None:
        """Put a pane of one row below, which gets all that is typed, or take it away."""

    @abstractmethod
    def set_remain(self, *, on: bool) -> None:
        """Let panes stay whose programs exit from now on, or not."""

    def open(self, size: Size, name: str | None) -> Outcome:
        """Open a shell and wait for its prompt."""
        env = {"INPUTRC": "/dev/null"}  # no keys of this machine's own
        pane = self.terminal.open(self.command, size=size, name=name, env=env)
        self.consoles.append(Console(self.terminal, pane))
        return self.consoles[-1].wait_ready(_PATIENCE).outcome

    def close_all(self) -> tuple[Pane, ...]:
        """Close all panes, and return those that are left."""
        for console in self.consoles:
            self.terminal.close(console.pane)
        return self.terminal.panes()

    def pane(self, number: int) -> Pane:
        """Return the pane of a number."""
        return self.consoles[number].pane

    def numbers(self) -> list[int]:
        """Return the numbers of the panes that are listed, in that order."""
        opened = [console.pane for console in self.consoles]
        return [opened.index(pane) for pane in self.terminal.panes()]

    def resolve(self, name: str) -> int:
        """Return the number of the pane that has a name, or else what is not a pane's."""
        pane = self.terminal.resolve(Pane(name))
        return next((n for n, console in enumerate(self.consoles) if console.pane == pane), -1)

    def observe(self, number: int, history: int) -> Shown:
        """Look at the screen, with some history."""
        return shown(self.terminal.observe(self.pane(number), history=history))

    def read(self, number: int, lines: int) -> str:
        """Read the screen and some history."""
        return self.consoles[number].read(lines)

    def send(self, number: int, keys: KeySequence, *, leave_mode: bool = False) -> bool:
        """Send keys, and nothing else."""
        return bool(self.terminal.send(self.pane(number), keys, leave_mode=leave_mode))

    def run(self, number: int, command: str, timeout: float) -> Ran:
        """Run a command, and return what came of it."""
        result = self.consoles[number].run(command, timeout)
        return Ran(result.output, result.complete, result.readiness.outcome)

    def wait_ready(self, number: int, timeout: float) -> Outcome:
        """Wait, and return how it ended."""
        outcome = self.consoles[number].wait_ready(timeout).outcome
        if outcome is not Outcome.AWAITING_INPUT:
            return outcome
        # At a prompt at which was typed, AWAITING_INPUT is said after 80 ms and PROMPT after 100:
        # which it is first depends on how fast the machine is, but not which it is in the end.
        self.terminal.clock.sleep(0.1)
        return self.consoles[number].wait_ready(timeout).outcome

    def snapshot(self, number: int) -> Seen:
        """Look at a pane; of one that is gone, a real kernel may tell nothing or refuse."""
        seen = answer(lambda: self._shown(number))
        return Seen(seen, None if isinstance(seen, type) else answer(lambda: self._known(number)))

    def _shown(self, number: int) -> Shown:
        return shown(self.terminal.observe(self.pane(number), history=_EVERYTHING))

    def _known(self, number: int) -> Known | None:
        tty = self.terminal.probe(self.pane(number))
        return None if tty is None else known(tty)


class FakeSide(Side):
    """The fake."""

    def __init__(self) -> None:
        self.fake = FakeTerminal(programs={"bash": SHELL})
        super().__init__(self.fake, ["bash"])

    def set_mode(self, pane: Pane, *, on: bool) -> None:
        """Enter or leave copy mode."""
        self.fake.set_mode(pane, "copy-mode" if on else "")

    def set_input(self, pane: Pane, *, on: bool) -> None:
        """Let the pane take keys or not."""
        self.fake.set_input(pane, on=on)

    def share_input(self, pane: Pane, *, on: bool) -> None:
        """Play that there is another pane."""
        size = self.fake.observe(pane).size
        self.fake.resize(pane, Size(size.columns, size.rows + (-_BELOW if on else _BELOW)))
        self.fake.set_synchronized(pane, on=on)

    def set_remain(self, *, on: bool) -> None:
        """Let dead panes stay or not."""
        self.fake.remain_on_exit = on

    def settled(self, number: int) -> Seen:
        """Look at a pane once all has come to rest."""
        self.terminal.clock.sleep(_MOMENT)
        return self.snapshot(number)


class RealSide(Side):
    """Is tmux, on a server of its own, which is talked to in one way or another."""

    def __init__(self, transport: TransportName) -> None:
        self.directory = tempfile.TemporaryDirectory(prefix="tmuxprim-")
        start = Path(self.directory.name, "rc")
        start.write_text(rc())
        self.server = Server(self.directory.name)
        self.tmux = TmuxTerminal(
            socket_path=self.server.socket, config_file="/dev/null", transport=transport
        )
        super().__init__(self.tmux, ["bash", "--noprofile", "--rcfile", str(start)])

    def stop(self) -> None:
        """Leave nothing behind."""
        self.tmux.disconnect()
        self.server.stop()
        self.directory.cleanup()

    def set_mode(self, pane: Pane, *, on: bool) -> None:
        """Enter or leave copy mode."""
        self.server.tmux("copy-mode", *([] if on else ["-q"]), "-t", pane.target)

    def set_input(self, pane: Pane, *, on: bool) -> None:
        """Let the pane take keys or not."""
        self.server.tmux("select-pane", "-e" if on else "-d", "-t", pane.target)

    def share_input(self, pane: Pane, *, on: bool) -> None:
        """Split the window and synchronize it, or leave the pane alone in it."""
        target = ("-t", pane.target)
        if on:
            self.server.tmux("split-window", "-d", "-l", "1", *target, "sleep 600")
        else:
            self.server.tmux("kill-pane", "-a", *target)
        self.server.tmux("set-option", "-w", *target, "synchronize-panes", "on" if on else "off")

    def set_remain(self, *, on: bool) -> None:
        """Let dead panes stay or not."""
        self.server.tmux("set-option", "-g", "remain-on-exit", "on" if on else "off")

    def settled(self, number: int, expected: Seen) -> Seen:
        """Look until a pane is as expected, and is so twice while nothing happens in it."""
        deadline = time.monotonic() + _PATIENCE
        agreed = 0
        while True:
            seen = self.snapshot(number)
            agreed = agreed + 1 if seen == expected else 0
            if agreed == 2 or time.monotonic() > deadline:
                return seen
            if isinstance(seen.shown, Shown) and seen.shown.modes["dead"] and not agreed:
                self.collect()

    def collect(self) -> None:
        """Let tmux collect exit statuses: 3.3a at times overlooks one when two signals meet."""
        pid = self.server.pid()
        if pid is not None:
            os.kill(pid, signal.SIGCHLD)
