"""Readiness: the snapshots that strategies judge, their verdicts, and strategies for your chain.

Examples:
    A strategy of your own judges one snapshot, and returns ready, busy, or neither:

    >>> class Menu(Strategy):
    ...     def assess(self, snapshot: Snapshot) -> Verdict:
    ...         if "Your choice:" in snapshot.screen.before_cursor:
    ...             return Ready(Outcome.AWAITING_INPUT, "the menu is there")
    ...         return Pass("there is no menu")
    >>> chain = Menu() | default_chain()
"""

from tmuxprim._public import show_as
from tmuxprim._readiness.chain import (
    AllOf,
    Chain,
    ReadinessStrategy,
    Strategy,
    TimeoutStrategy,
)
from tmuxprim._readiness.continuation import ContinuationStrategy
from tmuxprim._readiness.default import default_chain
from tmuxprim._readiness.editor_strategy import LineEditorStrategy
from tmuxprim._readiness.input import StabilityStrategy
from tmuxprim._readiness.kernel import ExitStrategy, ForegroundStrategy, ModeStrategy
from tmuxprim._readiness.prompt import MatchStrategy, PromptStrategy
from tmuxprim._readiness.signal_strategies import BellStrategy, SignalStrategy
from tmuxprim._readiness.silence import AssistantStrategy
from tmuxprim._readiness.snapshot import Busy, Outcome, Pass, Readiness, Ready, Snapshot, Verdict
from tmuxprim._values.evidence import Prompt
from tmuxprim._values.line_editor import LineEditor
from tmuxprim._values.signals import Signals

__all__ = [
    "AllOf",
    "AssistantStrategy",
    "BellStrategy",
    "Busy",
    "Chain",
    "ContinuationStrategy",
    "ExitStrategy",
    "ForegroundStrategy",
    "LineEditor",
    "LineEditorStrategy",
    "MatchStrategy",
    "ModeStrategy",
    "Outcome",
    "Pass",
    "Prompt",
    "PromptStrategy",
    "Readiness",
    "ReadinessStrategy",
    "Ready",
    "SignalStrategy",
    "Signals",
    "Snapshot",
    "StabilityStrategy",
    "Strategy",
    "TimeoutStrategy",
    "Verdict",
    "default_chain",
]

show_as(__name__, globals())
