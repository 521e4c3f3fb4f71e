"""The designs that are compared: each opens a program, types a text and says when it is ready.

All see the same panes: opened by the same server, each for one trial, drawn and quiet before the
clock starts. pexpect has no panes, and gets the same program on a pty of its own.
"""

import re
import time
from abc import ABC, abstractmethod
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol

import attrs
from typing_extensions import override

from benchmarks.readiness.scenarios import Program
from benchmarks.readiness.server import Server
from tmuxprim import Console, Outcome, Pane, TmuxTerminal

if TYPE_CHECKING:
    from collections.abc import Callable

READY = "ready"
TIMEOUT = Outcome.TIMEOUT.value


@attrs.frozen
class Claim:
    """Is what a design said in the end.

    Args:
        outcome: Why it is ready; `READY` if the design knows of no reasons; or `TIMEOUT`.
        detail: What it said in its own words.
    """

    outcome: str
    detail: str = ""


class Stage(Protocol):
    """Is one running program, driven by one design."""

    tty: str

    def type_and_wait(self, text: str, limit: float) -> Claim:
        """Type *text* and Enter, and wait until the program is ready; this is what is timed."""
        ...

    def screen(self) -> str:
        """Return what the program shows."""
        ...

    def close(self) -> None:
        """End the program."""
        ...


class _PaneStage(ABC):
    """A program in a pane of the private server."""

    def __init__(self, program: Program, server: Server) -> None:
        self._server = server
        self._pane, self.tty, self._pid = server.open(program)

    @abstractmethod
    def type_and_wait(self, text: str, limit: float) -> Claim:
        """Type *text* and Enter, and wait."""

    def screen(self) -> str:
        return self._server.run("capture-pane", "-p", "-t", self._pane)

    def close(self) -> None:
        self._server.close(self._pane, self._pid)


class _OurStage(_PaneStage):
    """tmuxprim over subprocesses, with nothing told to it."""

    @override
    def __init__(self, program: Program, server: Server) -> None:
        super().__init__(program, server)
        terminal = TmuxTerminal(socket_path=server.socket, config_file="/dev/null")
        self._console = Console(terminal, Pane(self._pane))

    @override
    def type_and_wait(self, text: str, limit: float) -> Claim:
        mark = self._console.send(text)
        readiness = self._console.wait_ready(limit)
        said = [f"{name} said {verdict}" for name, verdict in readiness.verdicts]
        about = f"at the mark: prompt {mark.prompt!r}, {mark.tty}"
        return Claim(readiness.outcome.value, "\n".join((str(readiness), about, *said)))


@attrs.define
class _Looks:
    """The rules of the obvious design: a prompt's look, else a screen that stays the same."""

    quiet: float
    prompt: ClassVar = re.compile(r"[$#>%]\s*$")
    _screen: str | None = None
    _since: float = 0.0

    def judge(self, screen: str, now: float) -> str:
        """Return why the screen is ready, or nothing if it is not."""
        lines = [line for line in screen.splitlines() if line.strip()]
        if lines and self.prompt.search(lines[-1]):
            return "prompt"
        if screen != self._screen:
            self._screen, self._since = screen, now
        return "stable" if now - self._since >= self.quiet else ""


def _poll(capture: "Callable[[], str]", pause: float, looks: _Looks, limit: float) -> Claim:
    deadline = time.monotonic() + limit
    while True:
        why = looks.judge(capture(), time.monotonic())
        if why:
            return Claim(READY, why)
        if time.monotonic() >= deadline:
            return Claim(TIMEOUT)
        time.sleep(pause)


class _ObviousStage(_PaneStage):
    """What comes to mind first: one send-keys, a nap, then a look every half second."""

    @override
    def type_and_wait(self, text: str, limit: float) -> Claim:
        self._server.run("send-keys", "-t", self._pane, text, "Enter")
        time.sleep(0.3)
        # Two looks that are half a second apart and equal: any difference in time does.
        return _poll(self.screen, 0.5, _Looks(quiet=0.4), limit)


class _LibtmuxStage(_PaneStage):
    """The same rules through libtmux, with ten times as many looks.

    Two equal captures 50 ms apart would call everything ready: it keeps the half second.
    """

    @override
    def __init__(self, program: Program, server: Server) -> None:
        import libtmux  # noqa: PLC0415  # a peer may be missing

        super().__init__(program, server)
        found = libtmux.Server(socket_path=str(server.socket)).panes.get(pane_id=self._pane)
        assert found is not None
        self._peer = found

    @override
    def type_and_wait(self, text: str, limit: float) -> Claim:
        self._peer.send_keys(text)
        time.sleep(0.05)
        return _poll(self._capture, 0.05, _Looks(quiet=0.5), limit)

    def _capture(self) -> str:
        return "\n".join(self._peer.capture_pane() or ())


class _ReplwrapStage:
    """pexpect's replwrap, as it comes: it sets a prompt of its own and waits for that."""

    def __init__(self, program: Program, _: Server) -> None:
        from pexpect import replwrap  # noqa: PLC0415  # a peer may be missing

        start = getattr(replwrap, program.replwrap)
        self._repl = start(program.command[0])
        self._shown = "ready"
        self.tty = str(Path("/proc", str(self._repl.child.pid), "fd", "0").readlink())

    def type_and_wait(self, text: str, limit: float) -> Claim:
        import pexpect  # noqa: PLC0415  # a peer may be missing

        try:
            self._shown = self._repl.run_command(text, timeout=limit)
        except pexpect.TIMEOUT:
            return Claim(TIMEOUT)
        return Claim(READY, "its own prompt")

    def screen(self) -> str:
        return self._shown

    def close(self) -> None:
        self._repl.child.close(force=True)


def _is_anything(_: Program) -> bool:
    return True


def _is_known_to_replwrap(program: Program) -> bool:
    return bool(program.replwrap)


@attrs.frozen
class Design:
    """Is one way to find out that a program is ready.

    Args:
        name: How it is called in the tables.
        stage: Starts a program for it.
        needs: The package that it needs; none if empty.
        drives: Says which programs it has a way to drive.
    """

    name: str
    stage: "Callable[[Program, Server], Stage]"
    needs: str = ""
    drives: "Callable[[Program], bool]" = _is_anything

    def is_missing(self) -> bool:
        """Whether what it needs is not installed."""
        return bool(self.needs) and find_spec(self.needs) is None


OURS = "tmuxprim"
DESIGNS = (
    Design(OURS, _OurStage),
    Design("obvious", _ObviousStage),
    Design("libtmux + poll", _LibtmuxStage, "libtmux"),
    Design("pexpect replwrap", _ReplwrapStage, "pexpect", _is_known_to_replwrap),
)
