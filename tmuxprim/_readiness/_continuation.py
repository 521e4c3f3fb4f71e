"""`ContinuationStrategy`: does the shell want the rest of what was begun?"""

import re
from typing import Final

import attrs
from typing_extensions import override

from tmuxprim._mark import Mark
from tmuxprim._readiness._look import Look
from tmuxprim._readiness._more import (
    is_indent,
    is_the_same_program,
    line_right_above,
    wants_more,
)
from tmuxprim._readiness._prompt import to_pattern
from tmuxprim._readiness._settle import once_settled, patience_for_text
from tmuxprim._readiness._shell import is_fullscreen, shell_reads
from tmuxprim._readiness._strategy import Strategy
from tmuxprim._readiness._verdict import Outcome, Pass, Verdict
from tmuxprim._readiness._words import DEFAULT_PROMPT, MORE, what_follows

# What bash shows for more, and others for other reasons.
_OF_MANY: Final = "> "
# So much longer a text has to stand of which nothing but the command line tells what it is.
_ONLY_BY_THE_LINE: Final = 20


def _to_pattern_or_none(pattern: str | re.Pattern[str] | None) -> re.Pattern[str] | None:
    return None if pattern is None else to_pattern(pattern)


@attrs.frozen
class ContinuationStrategy(Strategy):
    """Finds the prompt for the rest of what was begun, as in an open quote.

    The look of ``> `` does not decide: it is bash's continuation, and Node's prompt. What
    decides is that the program that showed a prompt before the last Enter now shows another
    text: a REPL one that follows on that prompt, a shell any, right below a command line that may
    go on. So there has to be a mark. (bash(1), PS2.)

    Args:
        pattern: Regular expression of the continuation prompt, searched in the text left of the
            cursor; None is what the known REPLs show, and what a shell shows below such a line.
        settled: Seconds without change that stand in for evidence.

    Raises:
        InvalidPatternError: If *pattern* is not a regular expression.

    Examples:
        >>> before = Screen(size=Size(9, 2), rows=("$ echo '", ""), cursor=Cursor(0, 8))
        >>> after = Screen(size=Size(9, 2), rows=("$ echo '", ">"), cursor=Cursor(1, 2))
        >>> mark = Mark(screen=before, prompt=Prompt("$ "))
        >>> look = Look(screen=after, mark=mark, unchanged_for=0.2)
        >>> print(ContinuationStrategy().assess(look))
        pass: '>' asks for the rest, not settled yet
    """

    pattern: re.Pattern[str] | None = attrs.field(default=None, converter=_to_pattern_or_none)
    settled: float = 0.1

    @override
    def assess(self, look: Look) -> Verdict:
        """Say CONTINUATION if the program of the prompt asks for more."""
        text, mark = look.screen.line_before_cursor, look.mark
        if mark is None or mark.prompt is None or not mark.prompt.text.strip():
            return Pass("no prompt is known that could be continued")
        if is_fullscreen(look) or not is_the_same_program(look, mark):
            return Pass("the program is not the one that showed the prompt")
        if is_indent(look, mark):
            reason = "the line editor has moved to a new line"
            return once_settled(look, self.settled, Outcome.CONTINUATION, reason)
        pattern = self.pattern or what_follows(mark.prompt.text)
        if self.pattern is not None or not wants_more(look):
            obstacle = _obstacle(pattern, look, mark, mark.prompt.text)
            if obstacle:
                return Pass(obstacle)
        # What "> " is behind a relay, nobody knows: a program may have asked that.
        is_known = pattern != MORE or not look.is_relayed
        patience = patience_for_text(look, self.settled, known=is_known)
        if not (shell_reads(look) or re.search(pattern, text) or DEFAULT_PROMPT.search(text)):
            patience = self.settled * _ONLY_BY_THE_LINE
        shown = look.screen.before_cursor.strip()
        return once_settled(look, patience, Outcome.CONTINUATION, f"{shown!r} asks for the rest")


def _obstacle(pattern: re.Pattern[str] | str, look: Look, mark: Mark, prompt: str) -> str:
    """Say why the look of the text does not ask for the rest; empty if it does."""
    text = look.screen.line_before_cursor
    if text == prompt or not re.search(pattern, text):
        return f"{text!r} continues nothing"
    if text == _OF_MANY and shell_reads(look):
        return f"{text!r} is shown below a command line that is whole"
    if pattern == MORE and line_right_above(look, mark) is None:
        return f"{text!r} stands below what a program has printed"
    return ""
