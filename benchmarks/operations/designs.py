"""The designs that are compared: each looks, reads, types and runs as one does with it.

All that drive tmux are on one server; each has a shell of its own there, and they share a pane
that shows a full page. pexpect has no screen, and the same shell on a pty of its own.
"""

import os
import shlex
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias
from unittest.mock import patch

import attrs
from typing_extensions import override

from benchmarks.readiness.server import Server
from tmuxprim import Console, Pane, TmuxTerminal

if TYPE_CHECKING:
    from tmuxprim._tmux.choice import TransportName

Operation: TypeAlias = Callable[[], object]

LOOK, READ, KEY, LINE = "look", "read", "one key", "a line and Enter"
RUN, RUN_PROGRAM = 'run("true")', 'run("/bin/true")'
OPERATIONS: Final = (LOOK, READ, KEY, LINE, RUN, RUN_PROGRAM)

SHELL: Final = ("bash", "--norc", "--noprofile")
_PAGE: Final = ("sh", "-c", "seq -f 'row %g of a page that is full' 23; exec cat")
# Does nothing at an empty prompt, not even ring.
KEY_WITHOUT_EFFECT: Final = "C-e"
COMMANDS: Final = {RUN: "true", RUN_PROGRAM: "/bin/true"}
_DELIVERY: Final = 0.003  # seconds in which tmux hands on what was typed


@attrs.frozen
class Stage:
    """What all designs share.

    Args:
        server: The tmux server.
        page: A pane with a full page of text.
    """

    server: Server
    page: Pane

    @classmethod
    def on(cls, server: Server) -> "Stage":
        """Open the page, and wait until it is written."""
        page = server.terminal.open(_PAGE)
        assert Console(server.terminal, page).wait_for("row 23")
        return cls(server, page)


class Design(ABC):
    """One way to use a terminal.

    Args:
        stage: Where to.
    """

    name: ClassVar[str]
    how: ClassVar[Mapping[str, str]]
    """What it calls, by operation."""
    needs: ClassVar[str] = ""
    """The package without which it is left out."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    @abstractmethod
    def operations(self) -> dict[str, Operation]:
        """Return what it has a way to do."""

    @abstractmethod
    def settle(self, operation: str) -> None:
        """Wait, where need be, until its shell is at its prompt again; that is not timed."""

    @abstractmethod
    def close(self) -> None:
        """End its shell, and what it keeps for itself."""

    @classmethod
    def is_missing(cls) -> bool:
        """Whether what it needs is not installed."""
        return bool(cls.needs) and find_spec(cls.needs) is None


class OverControl(Design):
    """tmuxprim over control mode."""

    name = "tmuxprim, control"
    how: ClassVar = {
        LOOK: "Terminal.observe",
        READ: "Console.read",
        KEY: "Console.keys",
        LINE: "Console.send",
        RUN: "Console.run",
    }
    transport: ClassVar["TransportName"] = "control"

    @override
    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        socket = stage.server.socket
        self._terminal = TmuxTerminal(
            socket_path=socket, config_file="/dev/null", transport=self.transport
        )
        self._console = Console(self._terminal, self._terminal.open(SHELL))
        self._page = Console(self._terminal, stage.page)
        assert self._console.wait_ready()
        assert self._terminal.transport == self.transport

    @override
    def operations(self) -> dict[str, Operation]:
        page = self._stage.page
        runs = {run: lambda text=text: self._run(text) for run, text in COMMANDS.items()}
        return {
            LOOK: lambda: self._terminal.observe(page),
            READ: self._page.read,
            KEY: lambda: self._console.keys(KEY_WITHOUT_EFFECT),
            LINE: lambda: self._console.send("true"),
            **runs,
        }

    @override
    def settle(self, operation: str) -> None:
        if operation in {KEY, LINE}:
            assert self._console.wait_ready()

    @override
    def close(self) -> None:
        self._terminal.close(self._console.pane)
        self._terminal.disconnect()

    def _run(self, command: str) -> None:
        result = self._console.run(command)
        assert result.complete
        assert not result.output


class OverSubprocesses(OverControl):
    """tmuxprim as it comes: a client of tmux for each call."""

    name = "tmuxprim, subprocess"
    transport = "subprocess"


class _OnPane(Design):
    """Drives a shell in a pane of its own, and knows not when that is ready."""

    @override
    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._pane = stage.server.terminal.open(SHELL)
        self._watcher = Console(stage.server.terminal, self._pane)
        assert self._watcher.wait_ready()

    @override
    def settle(self, operation: str) -> None:
        if operation not in {LOOK, READ}:
            time.sleep(_DELIVERY)
            assert self._watcher.wait_ready()

    @override
    def close(self) -> None:
        self._stage.server.terminal.close(self._pane)


class RawTmux(_OnPane):
    """What one writes with subprocess in a few lines."""

    name = "raw tmux"
    how: ClassVar = {
        LOOK: "tmux display-message -p … ; capture-pane -p, in one call",
        READ: "tmux capture-pane -p",
        KEY: "tmux send-keys",
        LINE: "tmux send-keys -l, then send-keys Enter",
        RUN: "types '…; tmux wait-for -S done', then wait-for done and capture-pane -p",
    }

    @override
    def operations(self) -> dict[str, Operation]:
        page, pane = self._stage.page.target, self._pane.target
        fields = "#{cursor_x} #{cursor_y} #{pane_dead} #{pane_mode} #{alternate_on}"
        capture = ("capture-pane", "-p", "-t", page)
        runs = {run: lambda text=text: self._run(text) for run, text in COMMANDS.items()}
        return {
            LOOK: lambda: self._tmux("display-message", "-p", "-t", page, fields, ";", *capture),
            READ: lambda: self._tmux(*capture),
            KEY: lambda: self._tmux("send-keys", "-t", pane, KEY_WITHOUT_EFFECT),
            LINE: lambda: self._type("true"),
            **runs,
        }

    def _type(self, line: str) -> None:
        self._tmux("send-keys", "-t", self._pane.target, "-l", "--", line)
        self._tmux("send-keys", "-t", self._pane.target, "Enter")

    def _run(self, command: str) -> None:
        channel = f"done-{self._pane.target}"
        signal = shlex.join(("tmux", *self._socket, "wait-for", "-S", channel))
        self._type(f"{command}; {signal}")
        self._tmux("wait-for", channel)
        self._tmux("capture-pane", "-p", "-t", self._pane.target)

    @property
    def _socket(self) -> tuple[str, ...]:
        return "-S", str(self._stage.server.socket)

    def _tmux(self, *words: str) -> str:
        argv = ("tmux", "-u", *self._socket, *words)
        # No timeout: with one, Python looks every other millisecond whether the client has
        # ended, which those who write this would not pay for.
        return subprocess.run(argv, capture_output=True, text=True, check=True).stdout


class Libtmux(_OnPane):
    """libtmux with its defaults."""

    name = "libtmux"
    how: ClassVar = {
        LOOK: "Pane.refresh and Pane.capture_pane",
        READ: "Pane.capture_pane",
        KEY: "Pane.send_keys(…, enter=False)",
        LINE: "Pane.send_keys",
    }
    needs = "libtmux"

    @override
    def operations(self) -> dict[str, Operation]:
        import libtmux  # noqa: PLC0415  # a peer may be missing

        server = libtmux.Server(socket_path=str(self._stage.server.socket))
        page = server.panes.get(pane_id=self._stage.page.target)
        pane = server.panes.get(pane_id=self._pane.target)
        assert page is not None
        assert pane is not None

        def snapshot() -> object:
            page.refresh()
            return page.capture_pane()

        return {
            LOOK: snapshot,
            READ: page.capture_pane,
            KEY: lambda: pane.send_keys(KEY_WITHOUT_EFFECT, enter=False),
            LINE: lambda: pane.send_keys("true"),
        }


class Pexpect(Design):
    """pexpect's replwrap as it comes: it sleeps for 50 ms before it sends anything."""

    name = "pexpect"
    how: ClassVar = {KEY: "spawn.send", LINE: "spawn.sendline", RUN: "REPLWrapper.run_command"}
    needs = "pexpect"
    has_delay = True

    @override
    def __init__(self, stage: Stage) -> None:
        from pexpect import replwrap  # noqa: PLC0415  # a peer may be missing

        super().__init__(stage)
        with patch.dict(os.environ, {"PS1": "$ "}):  # it waits for one, which root has not
            self._repl = replwrap.bash()
        if not self.has_delay:
            self._repl.child.delaybeforesend = None

    @override
    def operations(self) -> dict[str, Operation]:
        child = self._repl.child
        runs = {run: lambda text=text: self._run(text) for run, text in COMMANDS.items()}
        return {KEY: lambda: child.send("\x05"), LINE: lambda: child.sendline("true"), **runs}

    @override
    def settle(self, operation: str) -> None:
        if operation == LINE:
            self._repl.child.expect_exact(self._repl.prompt)

    @override
    def close(self) -> None:
        self._repl.child.close(force=True)

    def _run(self, command: str) -> None:
        output = self._repl.run_command(command)
        assert not output


class PromptPexpect(Pexpect):
    """The same, told not to sleep."""

    name = "pexpect, no delay"
    has_delay = False
