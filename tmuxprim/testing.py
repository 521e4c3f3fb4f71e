"""Test your terminal code without a terminal: the fake, its programs, and the contract."""

from tmuxprim._contract._shell import CONTRACT_RC, CONTRACT_SHELL
from tmuxprim._contract._terminal import TerminalContract
from tmuxprim._fake._clock import FakeClock
from tmuxprim._fake._programs import (
    After,
    ScriptedShell,
    after,
    pager,
    password,
    question,
    repl,
)
from tmuxprim._fake._terminal import FakeTerminal, Sent
from tmuxprim._fake._tty import (
    FakeTty,
    Interrupted,
    Program,
    ReadKey,
    ReadLine,
    Request,
    Run,
    Sleep,
)
from tmuxprim._public import show_as

__all__ = [
    "CONTRACT_RC",
    "CONTRACT_SHELL",
    "After",
    "FakeClock",
    "FakeTerminal",
    "FakeTty",
    "Interrupted",
    "Program",
    "ReadKey",
    "ReadLine",
    "Request",
    "Run",
    "ScriptedShell",
    "Sent",
    "Sleep",
    "TerminalContract",
    "after",
    "pager",
    "password",
    "question",
    "repl",
]

show_as(__name__, globals())
