"""`ContinuationStrategy`: does the shell want the rest of what was begun?"""

import re
from typing import Final

import attrs
from typing_extensions import override

from tmuxprim._mark import Mark
from tmuxprim._readiness._look import Look
from tmuxprim._readiness._prompt import to_pattern
from tmuxprim._readiness._settle import once_settled, patience_for_text
from tmuxprim._readiness._strategy import Strategy
from tmuxprim._readiness._verdict import Outcome, Pass, Verdict
from tmuxprim._since import find_row

_ZSH: Final = (
    "always|array|bquote|braceparam|case|cmdand|cmdor|cmdsubst|cond|cursh|do|dquote|elif|elif-then"
    "|else|errpipe|for|foreach|function|heredocd?|if|mathsubst|pipe|quote|repeat|select|subsh|then"
    "|until|while"
)
# What a program's prompt looks like, and what it shows where it wants more. "> " is bash's
# continuation and Node's prompt, so what follows a prompt depends on the prompt.
_FOLLOWS: Final = (
    (r"^>>> ", r"^\.\.\. "),  # Python
    (r"^In \[\d+\]: ", r"^ *\.\.\.: "),  # IPython
    (r"^> ", r"^(?:\.\.\.|\|) "),  # Node
    (r"^(?:sqlite|mysql|MariaDB .*)> ", r"^[ (;\"'`x\d/*.-]{3,}> $"),
    (r"=[*!?]?[#>] ", r"[-*'\"($;^][*!?]?[#>] $"),  # psql
    (r"^\((?:gdb|lldb)\) ", r"^ *>"),
    (r"^ *DB<+\d+>+ ", r"^ *cont: "),  # perl's debugger
)
# Shells, whose prompts look like anything, and which print nothing in between.
_OF_SHELLS: Final = rf"^> $|^(?:(?:{_ZSH}) ?)+> $"
_INDENT: Final = re.compile(r"^ +$")


def _to_pattern_or_none(pattern: str | re.Pattern[str] | None) -> re.Pattern[str] | None:
    return None if pattern is None else to_pattern(pattern)


@attrs.frozen
class ContinuationStrategy(Strategy):
    """Finds the prompt for the rest of what was begun, as in an open quote.

    The look of ``> `` does not decide: it is bash's continuation, and Node's prompt. What
    decides is that the program that showed a prompt before the last Enter now shows another
    text, one that follows on that prompt. So there has to be a mark. (bash(1), PS2.)

    Args:
        pattern: Regular expression of the continuation prompt, searched in the text left of the
            cursor; None is what the known shells and REPLs show.
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
        if look.screen.alternate or not _is_the_same_program(look, mark):
            return Pass("the program is not the one that showed the prompt")
        if _is_indent_of_a_line_editor(look, mark):
            reason = "the line editor has moved to a new line"
            return once_settled(look, self.settled, Outcome.CONTINUATION, reason)
        pattern = self.pattern or _what_follows(mark.prompt.text)
        if text == mark.prompt.text or not re.search(pattern, text):
            return Pass(f"{text!r} continues nothing")
        if pattern == _OF_SHELLS and not _stands_right_below(look, mark):
            return Pass(f"{text!r} stands below what a program has printed")
        # What "> " is behind a relay, nobody knows: a program may have asked that.
        is_known = pattern != _OF_SHELLS or not look.is_relayed
        patience = patience_for_text(look, self.settled, known=is_known)
        return once_settled(
            look, patience, Outcome.CONTINUATION, f"{text.strip()!r} asks for the rest"
        )


def _what_follows(prompt: str) -> str:
    return next((follows for shown, follows in _FOLLOWS if re.search(shown, prompt)), _OF_SHELLS)


def _is_the_same_program(look: Look, mark: Mark) -> bool:
    """Whether the program in the foreground is the one that showed the prompt."""
    pid = look.tty and look.tty.foreground_pid
    known = mark.prompt and mark.prompt.pid
    if pid is not None and known is not None and pid != known:
        return False
    if look.tty and look.tty.hides_input:
        return False
    if look.tty and mark.tty and look.tty.canonical != mark.tty.canonical:
        return False  # a question that a command asks, as bash's read does
    return look.screen.command == mark.screen.command  # exec keeps the process


def _stands_right_below(look: Look, mark: Mark) -> bool:
    """Whether the cursor went from the command line to the row below it, and nothing between."""
    place = find_row(mark.screen, look.screen)
    return place is not None and place == look.screen.cursor.row - 1


def _is_indent_of_a_line_editor(look: Look, mark: Mark) -> bool:
    """Whether the cursor went to an indented place below the command line: fish shows no more."""
    screen = look.screen
    return (
        look.tty is not None
        and look.tty.is_raw
        and bool(look.tty.reading)
        and _INDENT.match(screen.before_cursor) is not None
        and screen.cursor.row > 0
        # It has dropped its suggestion, and perhaps its right-hand prompt.
        and screen.rows[screen.cursor.row - 1]
        .casefold()
        .startswith(mark.screen.before_cursor.rstrip(" ").casefold())
    )
