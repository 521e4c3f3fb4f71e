"""Readiness: the snapshots that strategies judge, their verdicts, and all built-in strategies.

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
from tmuxprim._readiness.input import (
    AwaitingInputStrategy,
    FullscreenStrategy,
    SecretStrategy,
    StabilityStrategy,
)
from tmuxprim._readiness.kernel import (
    ConsumedStrategy,
    ExitStrategy,
    ForegroundStrategy,
    ModeStrategy,
)
from tmuxprim._readiness.prompt import MatchStrategy, PromptStrategy
from tmuxprim._readiness.signal_strategies import BellStrategy, SignalStrategy
from tmuxprim._readiness.silence import AssistantStrategy, SilenceStrategy, TitleStrategy
from tmuxprim._readiness.snapshot import Busy, Outcome, Pass, Readiness, Ready, Snapshot, Verdict
from tmuxprim._values.evidence import Prompt
from tmuxprim._values.line_editor import LineEditor
from tmuxprim._values.signals import Signals

__all__ = [
    "AllOf",
    "AssistantStrategy",
    "AwaitingInputStrategy",
    "BellStrategy",
    "Busy",
    "Chain",
    "ConsumedStrategy",
    "ContinuationStrategy",
    "ExitStrategy",
    "ForegroundStrategy",
    "FullscreenStrategy",
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
    "SecretStrategy",
    "SignalStrategy",
    "Signals",
    "SilenceStrategy",
    "Snapshot",
    "StabilityStrategy",
    "Strategy",
    "TimeoutStrategy",
    "TitleStrategy",
    "Verdict",
    "default_chain",
]

show_as(__name__, globals())
