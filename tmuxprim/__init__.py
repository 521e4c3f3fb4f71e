"""Typed primitives that drive a real terminal through tmux, and a fake to test with.

A `Terminal` is a tmux server, and a `Console` is a handle on one of its panes. The console sends
text and keys to the pane, reads its screen, and waits until it is ready for more, with the reason.
The server is a real one (`TmuxTerminal`) or a fake in memory with virtual time (`FakeTerminal`).

Strategies are in `tmuxprim.readiness`, tools for tests and for other backends in
`tmuxprim.testing`, sessions with programs in `tmuxprim.profiles`, the tool for language models in
`tmuxprim.tool`, and all errors in `tmuxprim.errors`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from tmuxprim._public import show_as

if TYPE_CHECKING:
    from tmuxprim._async_console import AsyncConsole
    from tmuxprim._console import Console
    from tmuxprim._engine.events import Event, EventKind
    from tmuxprim._engine.output import CommandResult
    from tmuxprim._fake.fake_terminal import FakeTerminal
    from tmuxprim._readiness.chain import ReadinessStrategy, TimeoutStrategy
    from tmuxprim._readiness.default import default_chain
    from tmuxprim._readiness.input import StabilityStrategy
    from tmuxprim._readiness.pane_state import PaneState, State
    from tmuxprim._readiness.prompt import PromptStrategy
    from tmuxprim._readiness.snapshot import Outcome, Readiness
    from tmuxprim._readiness.state_change import StateChange
    from tmuxprim._states import (
        AsyncStateWatch,
        StateWatch,
        async_pane_states,
        async_watch_states,
        pane_states,
        watch_states,
    )
    from tmuxprim._terminal import AsyncTerminal, Terminal
    from tmuxprim._tmux.async_terminal import AsyncTmuxTerminal
    from tmuxprim._tmux.exec import AsyncExec, Exec, ExecResult
    from tmuxprim._tmux.terminal import TmuxTerminal
    from tmuxprim._values.ansi import AnsiStripper, strip_ansi
    from tmuxprim._values.evidence import Mark, TtyState
    from tmuxprim._values.keys import Key, KeySequence
    from tmuxprim._values.new_text import NewText
    from tmuxprim._values.pane import Pane, PaneInfo, Size
    from tmuxprim._values.receipt import Receipt
    from tmuxprim._values.screen import Cursor, Screen
    from tmuxprim.errors import (
        CommandError,
        InvalidKeyError,
        InvalidPaneError,
        InvalidPatternError,
        InvalidTextError,
        PaneBusyError,
        PaneDeadError,
        PaneNotFoundError,
        TmuxCommandError,
        TmuxNotFoundError,
        TmuxprimError,
        TmuxServerError,
        TmuxTimeoutError,
    )
else:  # a type checker that sees __getattr__ accepts every misspelt name
    # Imported together at the first use of any, so that the command line starts without them.
    _TOGETHER = {
        "tmuxprim._async_console": "AsyncConsole",
        "tmuxprim._console": "Console",
        "tmuxprim._engine.events": "Event EventKind",
        "tmuxprim._engine.output": "CommandResult",
        "tmuxprim._readiness.chain": "ReadinessStrategy TimeoutStrategy",
        "tmuxprim._readiness.default": "default_chain",
        "tmuxprim._readiness.input": "StabilityStrategy",
        "tmuxprim._readiness.pane_state": "PaneState State",
        "tmuxprim._readiness.prompt": "PromptStrategy",
        "tmuxprim._readiness.snapshot": "Outcome Readiness",
        "tmuxprim._readiness.state_change": "StateChange",
        "tmuxprim._states": "AsyncStateWatch StateWatch async_pane_states async_watch_states "
        "pane_states watch_states",
        "tmuxprim._terminal": "AsyncTerminal Terminal",
        "tmuxprim._tmux.exec": "AsyncExec Exec ExecResult",
        "tmuxprim._tmux.terminal": "TmuxTerminal",
        "tmuxprim._values.ansi": "AnsiStripper strip_ansi",
        "tmuxprim._values.evidence": "Mark TtyState",
        "tmuxprim._values.keys": "Key KeySequence",
        "tmuxprim._values.new_text": "NewText",
        "tmuxprim._values.pane": "Pane PaneInfo Size",
        "tmuxprim._values.receipt": "Receipt",
        "tmuxprim._values.screen": "Cursor Screen",
        "tmuxprim.errors": "CommandError InvalidKeyError InvalidPaneError InvalidPatternError "
        "InvalidTextError PaneBusyError PaneDeadError PaneNotFoundError TmuxCommandError "
        "TmuxNotFoundError TmuxServerError TmuxTimeoutError TmuxprimError",
    }
    # Importing asyncio and the fake takes longer than the rest of the library, and a program that
    # drives tmux needs neither of them.
    _ALONE = {
        "AsyncTmuxTerminal": "tmuxprim._tmux.async_terminal",
        "FakeTerminal": "tmuxprim._fake.fake_terminal",
    }

    def __getattr__(name: str) -> object:
        """Import *name* at its first use (PEP 562)."""
        if name not in __all__ and name != "errors":
            raise AttributeError(f"module 'tmuxprim' has no attribute {name!r}")
        homes = {_ALONE[name]: name} if name in _ALONE else _TOGETHER
        found = {
            each: getattr(import_module(home), each)
            for home, names in homes.items()
            for each in names.split()
        }
        show_as("tmuxprim", found)
        globals().update(found)
        return globals()[name]


__version__ = "0.1.0"

__all__ = [
    "AnsiStripper",
    "AsyncConsole",
    "AsyncExec",
    "AsyncStateWatch",
    "AsyncTerminal",
    "AsyncTmuxTerminal",
    "CommandError",
    "CommandResult",
    "Console",
    "Cursor",
    "Event",
    "EventKind",
    "Exec",
    "ExecResult",
    "FakeTerminal",
    "InvalidKeyError",
    "InvalidPaneError",
    "InvalidPatternError",
    "InvalidTextError",
    "Key",
    "KeySequence",
    "Mark",
    "NewText",
    "Outcome",
    "Pane",
    "PaneBusyError",
    "PaneDeadError",
    "PaneInfo",
    "PaneNotFoundError",
    "PaneState",
    "PromptStrategy",
    "Readiness",
    "ReadinessStrategy",
    "Receipt",
    "Screen",
    "Size",
    "StabilityStrategy",
    "State",
    "StateChange",
    "StateWatch",
    "Terminal",
    "TimeoutStrategy",
    "TmuxCommandError",
    "TmuxNotFoundError",
    "TmuxServerError",
    "TmuxTerminal",
    "TmuxTimeoutError",
    "TmuxprimError",
    "TtyState",
    "async_pane_states",
    "async_watch_states",
    "default_chain",
    "pane_states",
    "strip_ansi",
    "watch_states",
]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
