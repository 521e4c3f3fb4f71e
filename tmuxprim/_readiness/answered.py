"""`AnsweredStrategy`: a person, or another program, answers a question in the pane."""

import attrs
from typing_extensions import override

from tmuxprim._readiness.chain import ReadinessStrategy, Strategy, wants_signals
from tmuxprim._readiness.snapshot import Pass, Ready, Snapshot, Verdict
from tmuxprim._values.screen import Screen


@attrs.frozen
class AnsweredStrategy(Strategy):
    """Waits until a question has been answered, and the program is ready again.

    It waits while the same question is there: half an answer is none, and a password that was wrong
    is asked for again.

    Args:
        asks: The verdict that has found the question.
        screen: The screen with the question.
        strategy: Decides when the program is ready.
    """

    asks: Ready
    screen: Screen
    strategy: ReadinessStrategy

    @property
    def hears_signals(self) -> bool:
        """Whether the other is to be given `Snapshot.signals`."""
        return wants_signals(self.strategy)

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Return the verdict of *strategy*, unless it is the same question."""
        verdict = self.strategy.assess(snapshot)
        if isinstance(verdict, Ready) and self._is_same(verdict, snapshot.screen):
            return Pass(f"the same is still asked: {verdict.reason}")
        return verdict

    def _is_same(self, verdict: Ready, screen: Screen) -> bool:
        """Whether the question is still there, or half an answer is behind it."""
        line = self.screen.line_before_cursor
        is_begun = bool(line.strip()) and screen.line_before_cursor.startswith(line)
        same_reason = verdict.reason == self.asks.reason
        return verdict.outcome is self.asks.outcome and (same_reason or is_begun)
