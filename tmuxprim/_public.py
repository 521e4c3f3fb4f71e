"""Where public names are, and where they say that they come from."""

import sys
from collections.abc import Iterable, Mapping
from importlib import import_module
from types import FunctionType
from typing import Final

# Of `tmuxprim`, which imports them when somebody asks for one: who drives a terminal pays neither
# for the fake nor for asyncio, and the command line's help for nothing at all.
HOMES: Final = {
    "tmuxprim._ansi": ("AnsiStripper", "strip_ansi"),
    "tmuxprim._async_console": ("AsyncConsole",),
    "tmuxprim._async_fake": ("AsyncFakeTerminal",),
    "tmuxprim._async_terminal": ("AsyncBell", "AsyncClock", "AsyncTerminal"),
    "tmuxprim._clock": ("Clock",),
    "tmuxprim._console": ("Console",),
    "tmuxprim._errors": (
        "InvalidKeyError",
        "InvalidPaneError",
        "InvalidPatternError",
        "InvalidRecordingError",
        "InvalidScreenError",
        "InvalidStrategyError",
        "InvalidTextError",
        "PaneBusyError",
        "PaneDeadError",
        "PaneNotFoundError",
        "ReplayMismatchError",
        "TmuxCommandError",
        "TmuxNotFoundError",
        "TmuxServerError",
        "TmuxTimeoutError",
        "TmuxprimError",
    ),
    "tmuxprim._fake._terminal": ("FakeTerminal",),
    "tmuxprim._keys": ("Key",),
    "tmuxprim._mark": ("Mark", "Prompt"),
    "tmuxprim._new_text": ("NewText",),
    "tmuxprim._output": ("CommandResult",),
    "tmuxprim._pane": ("Pane",),
    "tmuxprim._program_errors": (
        "InvalidProfileError",
        "ProgramEndedError",
        "ProgramStartError",
        "ProgramStaysError",
        "SessionError",
    ),
    "tmuxprim._readiness._continuation": ("ContinuationStrategy",),
    "tmuxprim._readiness._default": ("default_chain",),
    "tmuxprim._readiness._input": (
        "AwaitingInputStrategy",
        "FullscreenStrategy",
        "SecretStrategy",
        "StabilityStrategy",
    ),
    "tmuxprim._readiness._look": ("Look",),
    "tmuxprim._readiness._match": ("MatchStrategy",),
    "tmuxprim._readiness._prompt": ("PromptStrategy",),
    "tmuxprim._readiness._result": ("Readiness",),
    "tmuxprim._readiness._state": (
        "ConsumedStrategy",
        "ExitStrategy",
        "ForegroundStrategy",
        "ModeStrategy",
    ),
    "tmuxprim._readiness._strategy": (
        "Both",
        "Chain",
        "ReadinessStrategy",
        "Strategy",
        "TimeoutStrategy",
    ),
    "tmuxprim._readiness._verdict": ("Busy", "Outcome", "Pass", "Ready", "Verdict"),
    "tmuxprim._screen": ("Cursor", "Screen"),
    "tmuxprim._sequence": ("KeySequence", "Paste"),
    "tmuxprim._size": ("Size",),
    "tmuxprim._terminal": ("Bell", "Terminal"),
    "tmuxprim._tmux._async_terminal": ("AsyncTmuxTerminal",),
    "tmuxprim._tmux._terminal": ("TmuxTerminal",),
    "tmuxprim._tty": ("TtyState",),
    "tmuxprim._wrap": ("Layout",),
}


def find(name: str) -> object:
    """Return what `tmuxprim` has by that name.

    Raises:
        AttributeError: If that is nothing.
    """
    home = next((home for home, names in HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module 'tmuxprim' has no attribute {name!r}")
    value: object = getattr(import_module(home), name)
    _show_homes()
    return value


def show_as(module: str, names: Mapping[str, object]) -> None:
    """Let everything of this package in *names* say that it comes from *module*.

    ``tmuxprim.PaneNotFoundError`` in a traceback tells what to import;
    ``tmuxprim._errors.PaneNotFoundError`` would lead people into private modules.
    What `tmuxprim` has as well comes from there.
    """
    _show_homes()
    _show(module, names.values())


def _show_homes() -> None:
    """Do so for all of `tmuxprim` that has been imported: an error may be raised by any of it."""
    for home, names in HOMES.items():
        module = sys.modules.get(home)
        found = vars(module) if module else {}  # only in part if another thread imports it now
        _show("tmuxprim", [found[name] for name in names if name in found])


def _show(module: str, values: Iterable[object]) -> None:
    for value in values:
        if isinstance(value, (type, FunctionType)) and value.__module__.startswith("tmuxprim._"):
            value.__module__ = module
