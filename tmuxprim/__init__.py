"""Typed primitives that drive a real terminal through tmux, and a fake to test with.

A `Console` sends text and keys to one pane of a `Terminal`, reads its screen, and waits until
it is ready for more, saying why. The terminal is a real tmux (`TmuxTerminal`) or one in memory
with virtual time (`FakeTerminal`).
"""

from typing import TYPE_CHECKING

from tmuxprim import _public

if TYPE_CHECKING:
    from tmuxprim._ansi import AnsiStripper, strip_ansi
    from tmuxprim._async_console import AsyncConsole
    from tmuxprim._async_fake import AsyncFakeTerminal
    from tmuxprim._async_terminal import AsyncBell, AsyncClock, AsyncTerminal
    from tmuxprim._clock import Clock
    from tmuxprim._console import Console
    from tmuxprim._errors import (
        InvalidKeyError,
        InvalidPaneError,
        InvalidPatternError,
        InvalidRecordingError,
        InvalidScreenError,
        InvalidStrategyError,
        InvalidTextError,
        PaneBusyError,
        PaneDeadError,
        PaneNotFoundError,
        ReplayMismatchError,
        TmuxCommandError,
        TmuxNotFoundError,
        TmuxprimError,
        TmuxServerError,
        TmuxTimeoutError,
    )
    from tmuxprim._fake._terminal import FakeTerminal
    from tmuxprim._keys import Key
    from tmuxprim._mark import Mark, Prompt
    from tmuxprim._new_text import NewText
    from tmuxprim._output import CommandResult
    from tmuxprim._pane import Pane
    from tmuxprim._program_errors import (
        InvalidProfileError,
        ProgramEndedError,
        ProgramStartError,
        ProgramStaysError,
        SessionError,
    )
    from tmuxprim._readiness._continuation import ContinuationStrategy
    from tmuxprim._readiness._default import default_chain
    from tmuxprim._readiness._input import (
        AwaitingInputStrategy,
        FullscreenStrategy,
        SecretStrategy,
        StabilityStrategy,
    )
    from tmuxprim._readiness._look import Look
    from tmuxprim._readiness._match import MatchStrategy
    from tmuxprim._readiness._prompt import PromptStrategy
    from tmuxprim._readiness._result import Readiness
    from tmuxprim._readiness._state import (
        ConsumedStrategy,
        ExitStrategy,
        ForegroundStrategy,
        ModeStrategy,
    )
    from tmuxprim._readiness._strategy import (
        Both,
        Chain,
        ReadinessStrategy,
        Strategy,
        TimeoutStrategy,
    )
    from tmuxprim._readiness._verdict import Busy, Outcome, Pass, Ready, Verdict
    from tmuxprim._screen import Cursor, Screen
    from tmuxprim._sequence import KeySequence, Paste
    from tmuxprim._size import Size
    from tmuxprim._terminal import Bell, Terminal
    from tmuxprim._tmux._async_terminal import AsyncTmuxTerminal
    from tmuxprim._tmux._terminal import TmuxTerminal
    from tmuxprim._tty import TtyState
    from tmuxprim._wrap import Layout
else:  # type checkers would take a misspelt name for one that comes from here

    def __getattr__(name: str) -> object:
        """Import what *name* needs, when somebody asks for it for the first time."""
        value = globals()[name] = _public.find(name)
        return value


__version__ = "0.1.0"

__all__ = [
    "AnsiStripper",
    "AsyncBell",
    "AsyncClock",
    "AsyncConsole",
    "AsyncFakeTerminal",
    "AsyncTerminal",
    "AsyncTmuxTerminal",
    "AwaitingInputStrategy",
    "Bell",
    "Both",
    "Busy",
    "Chain",
    "Clock",
    "CommandResult",
    "Console",
    "ConsumedStrategy",
    "ContinuationStrategy",
    "Cursor",
    "ExitStrategy",
    "FakeTerminal",
    "ForegroundStrategy",
    "FullscreenStrategy",
    "InvalidKeyError",
    "InvalidPaneError",
    "InvalidPatternError",
    "InvalidProfileError",
    "InvalidRecordingError",
    "InvalidScreenError",
    "InvalidStrategyError",
    "InvalidTextError",
    "Key",
    "KeySequence",
    "Layout",
    "Look",
    "Mark",
    "MatchStrategy",
    "ModeStrategy",
    "NewText",
    "Outcome",
    "Pane",
    "PaneBusyError",
    "PaneDeadError",
    "PaneNotFoundError",
    "Pass",
    "Paste",
    "ProgramEndedError",
    "ProgramStartError",
    "ProgramStaysError",
    "Prompt",
    "PromptStrategy",
    "Readiness",
    "ReadinessStrategy",
    "Ready",
    "ReplayMismatchError",
    "Screen",
    "SecretStrategy",
    "SessionError",
    "Size",
    "StabilityStrategy",
    "Strategy",
    "Terminal",
    "TimeoutStrategy",
    "TmuxCommandError",
    "TmuxNotFoundError",
    "TmuxServerError",
    "TmuxTerminal",
    "TmuxTimeoutError",
    "TmuxprimError",
    "TtyState",
    "Verdict",
    "default_chain",
    "strip_ansi",
]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
