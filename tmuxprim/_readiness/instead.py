"""The end of a wait for a pattern that does not come: at a question, or at a shell's prompt."""

from typing import Final

import attrs
from typing_extensions import override

from tmuxprim._readiness.chain import Strategy
from tmuxprim._readiness.continuation import ContinuationStrategy
from tmuxprim._readiness.input import AwaitingInputStrategy
from tmuxprim._readiness.menus import searched_menu
from tmuxprim._readiness.prompt import PromptStrategy
from tmuxprim._readiness.snapshot import ON_CHANGE, Outcome, Pass, Ready, Snapshot, Verdict
from tmuxprim._readiness.words import QUESTION, typed_behind


@attrs.frozen
class InsteadStrategy(Strategy):
    """Finds a question, or a shell's prompt, in place of the prompt that the user waits for.

    It does not judge any other program that reads. That may be the one whose prompt is awaited, at
    work: a program with an event loop reads at all times, whatever is at its cursor.
    """

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say AWAITING_INPUT, or CONTINUATION, if one of them waits for what is typed."""
        if snapshot.facts.shell_reads:
            return _at_a_shell(snapshot)
        if not (QUESTION.search(snapshot.screen.line_before_cursor) or searched_menu(snapshot)):
            return Pass("nothing is asked", again_in=ON_CHANGE)
        return _ASKS.assess(snapshot)


_ASKS: Final = AwaitingInputStrategy()
_PROMPT: Final = PromptStrategy()
_MORE: Final = ContinuationStrategy()


def _at_a_shell(snapshot: Snapshot) -> Verdict:
    """Judge a shell that reads: the rest of a command, a command, or an answer."""
    more = _MORE.assess(snapshot)
    if isinstance(more, Ready):
        return more
    prompt = _PROMPT.assess(snapshot)
    if isinstance(prompt, Ready):
        shown = snapshot.screen.line_before_cursor.strip()
        reason = f"a shell's prompt is there, and the pattern is not in {shown!r}"
        return Ready(Outcome.AWAITING_INPUT, reason)
    line, known = snapshot.screen.line_before_cursor, snapshot.mark and snapshot.mark.prompt
    # Text behind a known prompt has been typed, and only a person goes on there.
    is_asked = QUESTION.search(line) or (known and typed_behind(known.text, line))
    return _ASKS.assess(snapshot) if is_asked else prompt
