"""The prompts of shells and REPLs that ask for the rest of a command.

The look of such a prompt proves nothing: `PS2` may be any text, and ``> `` is also Node's prompt.
So three things count together: the program that showed the prompt, the line that was typed, and
the text right below that line.
"""

import re
from typing import Final

import attrs
from typing_extensions import override

from tmuxprim._readiness.chain import Strategy
from tmuxprim._readiness.facts import Reader
from tmuxprim._readiness.menus import searched_menu
from tmuxprim._readiness.open_lines import (
    OF_MANY,
    QUOTED,
    is_below_open_line,
    is_indented,
    may_go_on,
)
from tmuxprim._readiness.snapshot import (
    Outcome,
    Pass,
    Snapshot,
    Verdict,
    once_settled,
    patience_for_text,
)
from tmuxprim._readiness.words import (
    MORE,
    QUESTION,
    Text,
    to_pattern,
    typed_behind,
    what_follows,
)
from tmuxprim._values.evidence import Mark
from tmuxprim._values.new_text import find_row
from tmuxprim._values.screen import Cursor

_OPEN_QUOTE: Final = re.compile(r"[\"']")
_DOUBTFUL: Final = re.compile(r"[#!`\\]|<<")
_MAY_END: Final = re.compile(r"""['"`)}\]]|\b(?:fi|done|esac|end)\b|^\s*[A-Z]+\s*$""")

_WORD: Final = re.compile(r"\w")


def wants_more(snapshot: Snapshot) -> bool:
    """Whether a shell wants the rest of a command; or a REPL, where no prompt is known.

    A shell then shows a text right below the command line, since it has carried nothing out. After
    a command that only changes the prompt it looks the same. So the line has to be one that may go
    on, unless the place where the shell reads decides.
    """
    facts, mark = snapshot.facts, snapshot.mark
    if not facts.known_prompt:
        return is_below_open_line(snapshot)
    if mark is None or not (mark.ends_line and facts.may_be_shell):
        return False
    if not _may_continue(snapshot, mark):
        return False
    if facts.named.keeps_text_open:
        return is_indent(snapshot, mark)
    if _is_its_prompt(snapshot, mark):
        return False
    line = line_right_above(snapshot, mark)
    return line is not None and _goes_on(line, snapshot, mark)


def _is_surely_open(mark: Mark) -> bool:
    """Whether a quote is open in the typed line, for certain."""
    if mark.line is None:
        return False
    if mark.continues:
        return _MAY_END.search(mark.line) is None
    bare = QUOTED.sub("q", mark.line)
    return _OPEN_QUOTE.search(bare) is not None and _DOUBTFUL.search(bare) is None


def _is_its_prompt(snapshot: Snapshot, mark: Mark) -> bool:
    """Whether the text is the shell's prompt or output, and no request for the rest."""
    facts, known = snapshot.facts, snapshot.facts.known_prompt
    # bash shows an old command behind its prompt, for the user to verify (bash(1), histverify).
    has_begun = _WORD.search(typed_behind(known, snapshot.screen.before_cursor)) is not None
    is_open = facts.reader is Reader.SHELL_ELSEWHERE or (
        facts.reader is not Reader.SHELL_AT_PROMPT and _is_surely_open(mark)
    )
    if not is_open and (has_begun or facts.shows_known_prompt or facts.is_same_prompt):
        return True
    # If no shell is known to read, the text itself has to look like a request for more.
    looks_like_more = bool(facts.text.strip()) and not facts.may_be_question
    return not (facts.shell_reads or (looks_like_more and what_follows(known) == MORE))


def _goes_on(line: str, snapshot: Snapshot, mark: Mark) -> bool:
    """Whether the typed text leaves something open, or the shell has asked for more before."""
    facts, prompt = snapshot.facts, snapshot.facts.known_prompt
    # Of a line that filled its row, the shell's prompt for more is only a part.
    text = snapshot.screen.before_cursor
    is_question = QUESTION.search(text) is not None
    asks_again = line.startswith(text) or text == facts.known_more
    if mark.continues:
        return asks_again or (facts.reader is Reader.SHELL_ELSEWHERE and not is_question)
    # Output without a line break at its end is left of the prompt.
    _, is_first, shown = line.partition(prompt)
    if not is_first and (mark.line is None or (mark.continues is None and asks_again)):
        return not is_question
    return may_go_on(mark.line or "") or may_go_on(shown.rstrip())


def _may_continue(snapshot: Snapshot, mark: Mark) -> bool:
    """Whether the program that showed the prompt reads lines here still."""
    return not snapshot.facts.is_fullscreen and is_the_same_program(snapshot, mark)


def is_the_same_program(snapshot: Snapshot, mark: Mark) -> bool:
    """Whether the program in the foreground is the one that showed the prompt."""
    facts, then = snapshot.facts, mark.tty
    if facts.is_other_process or facts.hides_input:
        return False
    # A command asks a question then, as bash's `read` does. The other way round it means nothing:
    # irb lets the kernel collect lines while it draws the typed text.
    was_read = then is not None and then.is_raw and then.reading is not False
    if was_read and facts.is_canonical:
        return False
    return snapshot.command == mark.command  # exec keeps the process


def line_right_above(snapshot: Snapshot, mark: Mark) -> str | None:
    """Return the command line if the cursor is in the row right below it; else None.

    It is None for a line that has scrolled off the screen.
    """
    screen = snapshot.screen
    place, row = find_row(mark.screen, screen), len(screen.history) + screen.cursor.row
    if place is None or screen.cursor.row == 0:
        return None
    # A line that filled its row had taken the cursor to the next one already.
    has_filled = mark.screen.cursor.column == 0
    if place != row - 1 and not (has_filled and place == row):
        return None
    above = Cursor(screen.cursor.row - 1, screen.size.columns)
    line = attrs.evolve(screen, cursor=above).line_before_cursor
    behind = mark.screen.cursor_line[len(mark.screen.before_cursor) :]
    is_right_hand_prompt = behind.startswith("  ")
    return line.rstrip().removesuffix(behind.strip()) if is_right_hand_prompt else line


def is_indent(snapshot: Snapshot, mark: Mark) -> bool:
    """Whether the cursor is below the command line, indented, as fish asks for more."""
    screen = snapshot.screen
    return (
        snapshot.facts.is_raw
        and snapshot.facts.reads
        and is_indented(screen)
        # It has dropped its suggestion, and perhaps its right-hand prompt.
        and screen.rows[screen.cursor.row - 1]
        .casefold()
        .startswith(mark.screen.before_cursor.rstrip(" ").casefold())
    )


# The factor of the patience for a text that counts only because the command line may go on.
_ONLY_BY_THE_LINE: Final = 20


@attrs.frozen
class ContinuationStrategy(Strategy):
    """Finds the prompt for the rest of a command, as in an open quote.

    The look of ``>`` does not decide: it is bash's continuation prompt, and Node's prompt. The
    program that showed a prompt before the last Enter has to show another text now. For a REPL that
    is a known text that follows its prompt. For a shell it may be any text right below a command
    line that may be unfinished. Where no prompt is known, only a program's usual text counts, below
    such a line. (bash(1), PS2.)

    Args:
        pattern: Regular expression of the continuation prompt, searched in the text left of the
            cursor; None is that of the known REPLs, and any text of a shell below such a line.
        settled: Seconds without change that replace evidence.

    Raises:
        InvalidPatternError: If *pattern* is not a regular expression.

    Examples:
        >>> before = Screen(size=Size(9, 2), rows=("$ echo '", ""), cursor=Cursor(0, 8))
        >>> after = Screen(size=Size(9, 2), rows=("$ echo '", ">"), cursor=Cursor(1, 2))
        >>> mark = Mark(screen=before, prompt=Prompt("$ "))
        >>> snapshot = Snapshot(screen=after, mark=mark, unchanged_for=0.2)
        >>> print(ContinuationStrategy().assess(snapshot))
        pass: '>' asks for the rest, not settled yet
    """

    pattern: re.Pattern[str] | None = attrs.field(
        default=None, converter=attrs.converters.optional(to_pattern)
    )
    settled: float = 0.1

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say CONTINUATION if the program of the prompt asks for more."""
        facts, mark = snapshot.facts, snapshot.mark
        if mark is None or not facts.known_prompt:
            return self._assess_without_prompt(snapshot)
        if not _may_continue(snapshot, mark):
            return Pass("the program is not the one that showed the prompt")
        if is_indent(snapshot, mark):
            reason = "the line editor has moved to a new line"
            return once_settled(snapshot, self.settled, Outcome.CONTINUATION, reason)
        if searched_menu(snapshot) or (mark.continues is False and not mark.ends_line):
            return Pass("a menu is searched here, or no line was ended")
        pattern = self.pattern or what_follows(facts.known_prompt)
        if obstacle := self._obstacle(snapshot, mark, pattern):
            return Pass(obstacle)
        is_guess = self._is_guess(snapshot, pattern)
        return self._asks(snapshot, self._patience(snapshot, pattern), is_guess=is_guess)

    def _assess_without_prompt(self, snapshot: Snapshot) -> Verdict:
        """Say CONTINUATION if the lines above are a command that goes on."""
        if self.pattern is not None or not is_below_open_line(snapshot):
            return Pass("no prompt is known that could be continued")
        # Behind a pass-through program, another one may have asked with "> ".
        is_known = not snapshot.facts.is_pass_through
        return self._asks(snapshot, patience_for_text(snapshot, self.settled, known=is_known))

    def _asks(self, snapshot: Snapshot, patience: float, *, is_guess: bool = False) -> Verdict:
        """Say CONTINUATION once the screen is unchanged for so many seconds."""
        shown = snapshot.screen.before_cursor.strip()
        reason = f"{shown!r} asks for the rest" if shown else "the line goes on below"
        return once_settled(snapshot, patience, Outcome.CONTINUATION, reason, is_guess=is_guess)

    def _is_guess(self, snapshot: Snapshot, pattern: re.Pattern[str] | str) -> bool:
        """Whether the text may also be a new prompt: only its look says that a line goes on."""
        return pattern == MORE and snapshot.facts.is_doubtful and not wants_more(snapshot)

    def _patience(self, snapshot: Snapshot, pattern: re.Pattern[str] | str) -> float:
        """Return for how many seconds the screen has to be unchanged."""
        facts = snapshot.facts
        looks_like_one = facts.kind is Text.PROMPT or re.search(pattern, facts.text)
        if not (facts.shell_reads or looks_like_one):
            return self.settled * _ONLY_BY_THE_LINE
        # Behind a pass-through program, another one may have asked with "> ".
        is_known = pattern != MORE or not facts.is_pass_through
        return patience_for_text(snapshot, self.settled, known=is_known)

    def _obstacle(self, snapshot: Snapshot, mark: Mark, pattern: re.Pattern[str] | str) -> str:
        """Return why the text does not ask for the rest of a command; empty if it does."""
        text = snapshot.facts.text
        if self.pattern is None and wants_more(snapshot):
            return ""
        if text == snapshot.facts.known_prompt or not re.search(pattern, text):
            return f"{text!r} does not ask for the rest of a command"
        if text == OF_MANY and snapshot.facts.shell_reads:
            return f"{text!r} is shown below a command line that is whole"
        if pattern == MORE and line_right_above(snapshot, mark) is None:
            return f"{text!r} is below printed output"
        return ""
