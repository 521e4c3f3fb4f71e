"""Control mode by hand: what a library that asks tmux can hardly undercut.

It writes ready-made bytes to a ``tmux -C`` of its own and counts the answers. It checks no answer
and no pane, finds no line of output by what it belongs to, and takes a prompt that it knows
beforehand for the end of a command, even if a program prints it.
"""

import os
import select
import subprocess
from typing import ClassVar, Final

from typing_extensions import override

from benchmarks.operations.designs import (
    COMMANDS,
    KEY,
    KEY_WITHOUT_EFFECT,
    LINE,
    LOOK,
    READ,
    RUN,
    SHELL,
    Design,
    Operation,
    Stage,
)
from tmuxprim import Console

_PROMPT: Final = "$ "
_ANSWER: Final = b"\n%end "
_DEADLINE: Final = 10.0
_MOST_BYTES: Final = 1 << 16


class BareControl(Design):
    """Bytes to and from ``tmux -C``."""

    name = "bare bytes, control"
    how: ClassVar = {
        LOOK: "display-message -p … and capture-pane -p",
        READ: "capture-pane -p",
        KEY: "send-keys",
        LINE: "send-keys -l, then send-keys Enter, in one turn",
        RUN: "the same, reads until the prompt was printed, then capture-pane -p",
    }

    @override
    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        terminal = stage.server.terminal
        self._pane = terminal.open(SHELL, env={"PS1": _PROMPT})
        assert Console(terminal, self._pane).wait_ready()
        socket = str(stage.server.socket)
        words = ("attach-session", "-E", "-f", "ignore-size", "-t", self._pane.target)
        self._client = subprocess.Popen(
            ("tmux", "-u", "-C", "-S", socket, *words),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
        )
        assert self._client.stdin is not None
        assert self._client.stdout is not None
        self._into, self._from = self._client.stdin.fileno(), self._client.stdout.fileno()
        self._arrives = select.poll()
        self._arrives.register(self._from, select.POLLIN)
        self._heard = b""
        self._read_until(_ANSWER)

    @override
    def operations(self) -> dict[str, Operation]:
        page, pane = self._stage.page.target, self._pane.target
        fields = "#{cursor_x} #{cursor_y} #{pane_dead} #{pane_mode} #{alternate_on}"
        display = f"display-message -p -t {page} '{fields}'"
        runs = {run: lambda text=text: self._run(text) for run, text in COMMANDS.items()}
        return {
            LOOK: lambda: self._ask(display, f"capture-pane -p -t {page}"),
            READ: lambda: self._ask(f"capture-pane -p -t {page}"),
            KEY: lambda: self._ask(f"send-keys -t {pane} {KEY_WITHOUT_EFFECT}"),
            LINE: lambda: self._type("true"),
            **runs,
        }

    @override
    def settle(self, operation: str) -> None:
        if operation == LINE:
            self._await_prompt()

    @override
    def close(self) -> None:
        self._client.communicate(timeout=_DEADLINE)
        self._stage.server.terminal.close(self._pane)

    def _run(self, command: str) -> bytes:
        self._type(command)
        self._await_prompt()
        return self._ask(f"capture-pane -p -t {self._pane.target}")

    def _type(self, line: str) -> None:
        target = self._pane.target
        self._heard = self._ask(
            f"send-keys -t {target} -l -- {line}", f"send-keys -t {target} Enter"
        )

    def _await_prompt(self) -> None:
        if _PROMPT.encode() not in self._heard:
            self._read_until(_PROMPT.encode())

    def _ask(self, *commands: str) -> bytes:
        os.write(self._into, "".join(f"{command}\n" for command in commands).encode())
        return self._read_until(_ANSWER, len(commands))

    def _read_until(self, mark: bytes, times: int = 1) -> bytes:
        read = b""
        while read.count(mark) < times:
            assert self._arrives.poll(_DEADLINE * 1000), read
            read += os.read(self._from, _MOST_BYTES)
        return read
