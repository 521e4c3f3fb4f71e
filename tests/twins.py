"""The same shell on a fake terminal and on real tmux: what is done to one is done to the other.

Both shells know the contract's commands and some more, and ``ask`` is a process of its own in
both, so that the kernel's evidence can be compared, too.
"""

import os
import signal
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from shlex import quote
from typing import Final, NamedTuple, TypeVar

from tests.seen import Known, Seen, Shown, known, shown
from tests.tmux_server import Server
from tmuxprim import (
    Console,
    FakeTerminal,
    Outcome,
    Pane,
    Size,
    Terminal,
    TmuxprimError,
)
from tmuxprim.testing import (
    CONTRACT_RC,
    CONTRACT_SHELL,
    FakeTty,
    Program,
    Run,
    ScriptedShell,
    after,
)

T = TypeVar("T")

TEXTS: Final = {
    "long": f"{'0123456789' * 12}\nshort\n",
    "spaces": "one  \n  two   \n",
    "wide": f"{'日本語' * 9}x\ne\u0301\n",
    "tabs": "a\tb\tc\n",
    "place": "\x1b[3;5Hhere\nbelow\n",
    "erase": "some words\x1b[4D\x1b[K\nnext\x1b[1K\n",
    "region": "\x1b[2;4r\x1b[4;1Hone\ntwo\nthree\n\x1b[r\x1b[4;1H",
    "lines": "\x1b[2;1H\x1b[2L\x1b[M",
    "clean": "\x1b[H\x1b[2J",
    "forget": "\x1b[3J",
    "hide": "\x1b[?25l",
    "show": "\x1b[?25h",
    "no-newline": "abc",
}
"""What further commands print."""

COMMANDS: Final = ("true", "seq 1 100", "colours", "title hello", *TEXTS)
"""Commands that come to an end by themselves."""

_RC: Final = r"""
ask() { (exec -a ask bash -c "read -p 'Continue? [y/N] ' answer"); }
ask-secret() { (exec -a ask-secret bash -c "read -s -p 'Password: ' answer; echo"); }
# The fake knows whole lines, and seq with other arguments is no command to it.
eval "_$(declare -f title)"
eval "_$(declare -f fullscreen)"
_seq() { command seq "$@"; }
_sleep() { command sleep "$@"; }
strictly() {
  case "$*" in
    'seq 1 100' | 'title hello' | 'fullscreen on' | 'fullscreen off' | 'sleep 0.2' | 'sleep 600')
      "_$@" ;;
    *) command_not_found_handle "$1" ;;
  esac
}
for name in seq title fullscreen sleep; do eval "$name() { strictly $name \"\$@\"; }"; done
command_not_found_handle() { echo "sh: $1: not found"; }
TERM=vt100 # readline neither inserts nor deletes characters then, as little as the fake's editor
unset HISTFILE
HISTCONTROL=ignoredups
exit() { builtin exit "$@" 2> /dev/null; }
"""
_PATIENCE: Final = 5.0
_MOMENT: Final = 0.05  # of virtual time: all that was typed has been answered by then
_EVERYTHING: Final = 2000


def _printing(text: str) -> Program:
    def run(tty: FakeTty) -> Run:
        tty.write(text)
        yield from ()
        return 0

    return run


SHELL: Final = ScriptedShell(
    {
        **CONTRACT_SHELL.commands,
        **{name: _printing(text) for name, text in TEXTS.items()},
        "sleep 0.2": after(0.2),
        "sleep 600": after(86400.0),  # virtual time may be more than was really spent
    }
)


def rc() -> str:
    """Return the start-up file that makes bash the same shell."""
    prints = [f"{name}() {{ printf '%b' {quote(text)}; }}" for name, text in TEXTS.items()]
    return "\n".join([CONTRACT_RC, _RC, *prints, ""]).replace("\x1b", r"\033")


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
    """Is one of the two terminals, with consoles on its panes by their numbers."""

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

    def look(self, number: int) -> Seen:
        """Look at a pane; of one that is gone, a real kernel may tell nothing or refuse."""
        seen = answer(lambda: self._shown(number))
        return Seen(seen, None if isinstance(seen, type) else answer(lambda: self._known(number)))

    def _shown(self, number: int) -> Shown:
        return shown(self.terminal.observe(self.pane(number), history=_EVERYTHING))

    def _known(self, number: int) -> Known | None:
        tty = self.terminal.probe(self.pane(number))
        return None if tty is None else known(tty)


class FakeSide(Side):
    """Is the fake."""

    def __init__(self) -> None:
        self.fake = FakeTerminal(programs={"bash": SHELL})
        super().__init__(self.fake, ["bash"])

    def set_mode(self, pane: Pane, *, on: bool) -> None:
        """Enter or leave copy mode."""
        self.fake.set_mode(pane, "copy-mode" if on else "")

    def set_input(self, pane: Pane, *, on: bool) -> None:
        """Let the pane take keys or not."""
        self.fake.set_input(pane, on=on)

    def set_remain(self, *, on: bool) -> None:
        """Let dead panes stay or not."""
        self.fake.remain_on_exit = on

    def settled(self, number: int) -> Seen:
        """Look at a pane once all has come to rest."""
        self.terminal.clock.sleep(_MOMENT)
        return self.look(number)


class RealSide(Side):
    """Is tmux, on a server of its own."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="tmuxprim-")
        start = Path(self.folder.name, "rc")
        start.write_text(rc())
        self.server = Server(self.folder.name)
        super().__init__(self.server.terminal, ["bash", "--noprofile", "--rcfile", str(start)])

    def stop(self) -> None:
        """Leave nothing behind."""
        self.server.stop()
        self.folder.cleanup()

    def set_mode(self, pane: Pane, *, on: bool) -> None:
        """Enter or leave copy mode."""
        self.server.tmux("copy-mode", *([] if on else ["-q"]), "-t", pane.target)

    def set_input(self, pane: Pane, *, on: bool) -> None:
        """Let the pane take keys or not."""
        self.server.tmux("select-pane", "-e" if on else "-d", "-t", pane.target)

    def set_remain(self, *, on: bool) -> None:
        """Let dead panes stay or not."""
        self.server.tmux("set-option", "-g", "remain-on-exit", "on" if on else "off")

    def settled(self, number: int, expected: Seen) -> Seen:
        """Look until a pane is as expected, and is so twice while nothing happens in it."""
        deadline = time.monotonic() + _PATIENCE
        agreed = 0
        while True:
            seen = self.look(number)
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
