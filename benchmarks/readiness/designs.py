"""The designs that are compared: each types into a program and says when it is ready.

All see the same panes: opened by the same server, each for one trial, brought to the turn that
is measured by the same hand, and quiet before the clock starts. pexpect has no panes, and gets
the same program on a pty of its own.
"""

import os
import re
import time
from collections.abc import Callable
from contextlib import chdir
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar, TypeAlias
from unittest.mock import patch

import attrs
from typing_extensions import override

from benchmarks.readiness.server import end_session
from benchmarks.readiness.stage import READY, TIMEOUT, Claim, PaneStage, Place, Stage
from tests.scenarios.model import MORE, PROMPT, Program, Scenario, Turn
from tests.scenarios.refusals import REMOTE, STAT, SYSCALL, TERMIOS, WCHAN, refusing
from tmuxprim import Outcome


class _OurStage(PaneStage):
    """tmuxprim over subprocesses, with nothing told to it."""

    evidence: ClassVar = SYSCALL

    @override
    def rehearse(self, turn: Turn | None) -> None:
        with refusing(self.evidence):
            super().rehearse(turn)

    @override
    def act(self, turn: Turn) -> None:
        with refusing(self.evidence):
            self.type(turn)

    @override
    def wait(self, limit: float) -> Claim:
        with refusing(self.evidence):
            readiness = self.console.wait_ready(limit)
        said = [f"{name} said {verdict}" for name, verdict in readiness.verdicts]
        return Claim(
            readiness.outcome.value, "\n".join((str(readiness), str(readiness.tty), *said))
        )


class _WchanStage(_OurStage):
    evidence: ClassVar = WCHAN


class _StatStage(_OurStage):
    evidence: ClassVar = STAT


class _TermiosStage(_OurStage):
    evidence: ClassVar = TERMIOS


class _RemoteStage(_OurStage):
    evidence: ClassVar = REMOTE


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


def _poll(capture: Callable[[], str], pause: float, looks: _Looks, limit: float) -> Claim:
    deadline = time.monotonic() + limit
    while True:
        why = looks.judge(capture(), time.monotonic())
        if why:
            return Claim(READY, why)
        if time.monotonic() >= deadline:
            return Claim(TIMEOUT)
        time.sleep(pause)


class _ObviousStage(PaneStage):
    """What comes to mind first: one send-keys, a nap, then a snapshot every half second."""

    @override
    def act(self, turn: Turn) -> None:
        typed = turn.keys if turn.text is None else (turn.text, "Enter")
        self.server.run("send-keys", "-t", self.pane.target, *typed)

    @override
    def wait(self, limit: float) -> Claim:
        time.sleep(0.3)
        # Two looks that are half a second apart and equal: any difference in time does.
        return _poll(self._capture, 0.5, _Looks(quiet=0.4), limit)

    def _capture(self) -> str:
        return self.server.run("capture-pane", "-p", "-t", self.pane.target)


class _LibtmuxStage(PaneStage):
    """The same rules through libtmux, with ten times as many snapshots.

    Two equal captures 50 ms apart would call everything ready: it keeps the half second.
    """

    @override
    def __init__(self, program: Program, place: Place) -> None:
        import libtmux  # noqa: PLC0415  # a peer may be missing

        super().__init__(program, place)
        socket, pane = str(place.server.socket), self.pane.target
        found = libtmux.Server(socket_path=socket).panes.get(pane_id=pane)
        assert found is not None
        self._peer = found

    @override
    def act(self, turn: Turn) -> None:
        if turn.text is None:
            for key in turn.keys:
                self._peer.send_keys(key, enter=False)
        else:
            self._peer.send_keys(turn.text)

    @override
    def wait(self, limit: float) -> Claim:
        time.sleep(0.05)
        return _poll(self._capture, 0.05, _Looks(quiet=0.5), limit)

    def _capture(self) -> str:
        return "\n".join(self._peer.capture_pane() or ())


class _ReplwrapStage:
    """pexpect's replwrap, as it comes: it sets a prompt of its own and waits for that."""

    def __init__(self, program: Program, place: Place) -> None:
        from pexpect import replwrap  # noqa: PLC0415  # a peer may be missing

        start = getattr(replwrap, program.replwrap)
        # It has no way to name a directory and an environment, and waits for a $ before it sets a
        # prompt of its own, which zsh does not show to root.
        with chdir(place.directory), patch.dict(os.environ, {**place.env, "PS1": "$ "}):
            self._repl = start(program.command[0])
        self._text = ""
        self._shown: str | None = ""
        self.tty = str(Path("/proc", str(self._repl.child.pid), "fd", "0").readlink())

    def rehearse(self, turn: Turn | None) -> None:
        if turn is not None:
            self.act(turn)
            self.wait(turn.timeout)

    def act(self, turn: Turn) -> None:
        # It types and waits in one go.
        self._text = turn.text or ""

    def wait(self, limit: float) -> Claim:
        import pexpect  # noqa: PLC0415  # a peer may be missing

        try:
            output = self._repl.run_command(self._text, timeout=limit)
        except pexpect.TIMEOUT:
            return Claim(TIMEOUT)
        except pexpect.EOF:
            self._shown = None
            return Claim(Outcome.EXITED.value)
        self._shown = "\n".join(output.splitlines())
        return Claim(READY, "its own prompt")

    def screen(self) -> str | None:
        return self._shown

    def close(self) -> None:
        self._repl.child.close(force=True)
        end_session(self._repl.child.pid)


def _drives_anything(_: Scenario) -> bool:
    return True


def _is_for_replwrap(scenario: Scenario) -> bool:
    """Whether replwrap has a way: no keys, no half commands, and a prompt between two turns."""
    typed = all(turn.text and MORE not in turn.outcomes for turn in scenario.turns)
    back = all(PROMPT in turn.outcomes for turn in scenario.turns[:-1])
    return bool(scenario.program.replwrap) and typed and back


StageMaker: TypeAlias = Callable[[Program, Place], Stage]


@attrs.frozen
class Design:
    """One way to find out that a program is ready.

    Args:
        name: How it is called in the tables.
        stage: Starts a program for it.
        needs: The package that it needs; none if empty.
        drives: Says which scenarios it has a way to play.
        may_guess: Whether it may say STABLE, after two seconds, where it cannot be determined.
    """

    name: str
    stage: StageMaker
    needs: str = ""
    drives: Callable[[Scenario], bool] = _drives_anything
    may_guess: bool = False

    def is_missing(self) -> bool:
        """Whether what it needs is not installed."""
        return bool(self.needs) and find_spec(self.needs) is None


OURS = "tmuxprim"
DESIGNS = (
    Design(OURS, _OurStage),
    Design("obvious", _ObviousStage),
    Design("libtmux + poll", _LibtmuxStage, "libtmux"),
    Design("pexpect replwrap", _ReplwrapStage, "pexpect", _is_for_replwrap),
)
# Ours, where the machine tells less (`tests.scenarios.refusals`).
WITH_LESS = {
    WCHAN: Design("wchan", _WchanStage),
    STAT: Design("stat", _StatStage, may_guess=True),
    TERMIOS: Design("termios", _TermiosStage, may_guess=True),
    REMOTE: Design("remote", _RemoteStage, may_guess=True),
}
