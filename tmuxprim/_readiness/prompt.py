"""Strategies that find a prompt, or the text that a user waits for.

`PromptStrategy` wants a sign that the text at the cursor is a prompt (`_Sign`), no obstacle, and a
screen that has not changed for a while. The weaker the sign, the longer that is.
"""

import enum
import re

import attrs
from typing_extensions import override

from tmuxprim._readiness.chain import Strategy
from tmuxprim._readiness.continuation import wants_more
from tmuxprim._readiness.facts import Facts, Reader
from tmuxprim._readiness.menus import searched_menu
from tmuxprim._readiness.silence import SILENCE_SECONDS
from tmuxprim._readiness.snapshot import (
    GUESS_SECONDS,
    Outcome,
    Pass,
    Ready,
    Snapshot,
    Verdict,
    once_settled,
    patience_for_text,
)
from tmuxprim._readiness.words import DEFAULT_PROMPT, QUESTION, to_pattern
from tmuxprim._values.evidence import Mark
from tmuxprim._values.lines import join_rows
from tmuxprim._values.new_text import find_row, new_text
from tmuxprim._values.screen import Screen
from tmuxprim.errors import InvalidPatternError


class _Sign(enum.Enum):
    """The sign by which the text at the cursor is taken for a prompt."""

    LOOK = enum.auto()
    """It looks like one."""
    LINE_OF_SHELL = enum.auto()
    """A shell has begun a line there."""
    BACK = enum.auto()
    """The program that has shown it before shows it again."""


@attrs.frozen
class PromptStrategy(Strategy):
    """Finds a prompt left of the cursor, the only place where a prompt can be.

    Output that looks like a prompt does not count: after it the cursor is elsewhere, or no program
    reads. A prompt may have any look in three cases: a shell reads at the place where it reads
    commands; a shell edits a line, and the text is no question; or the same program has shown the
    same text before the last command.

    Args:
        pattern: Regular expression that is searched in the text left of the cursor.
        last_line: Also search the lowest row that is not empty, for programs that draw their prompt
            elsewhere. Any program may have drawn it.
        settled: Seconds without change that replace evidence: where the kernel does not report the
            reader, or nothing has changed since the last key.
        guess: Seconds without change where it cannot be determined that it is a prompt. A *pattern*
            of your own decides that.

    Raises:
        InvalidPatternError: If *pattern* is not a regular expression.

    Examples:
        >>> PromptStrategy("ready> $").pattern.pattern
        'ready> $'
    """

    pattern: re.Pattern[str] = attrs.field(default=DEFAULT_PROMPT, converter=to_pattern)
    last_line: bool = attrs.field(default=False, kw_only=True)
    settled: float = attrs.field(default=0.1, kw_only=True)
    guess: float = attrs.field(default=GUESS_SECONDS, kw_only=True)

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say PROMPT if a prompt is at the cursor and its program reads."""
        if self.last_line:
            return self._assess_last_line(snapshot)
        facts, text = snapshot.facts, snapshot.facts.text
        if facts.is_fullscreen:
            return Pass("a full-screen program has no prompt at its cursor")
        if facts.hides_input:
            return Pass("typed text is not shown, so this is no prompt")
        sign = self._sign(snapshot)
        if sign is None:
            return Pass(f"no prompt in {text!r}")
        if obstacle := self._obstacle(snapshot) or _other_request(snapshot):
            return Pass(f"{text!r} {obstacle}")
        is_guess = self._is_guess(facts, sign)
        shown = snapshot.screen.before_cursor.strip() or text.strip()
        reason = f"prompt {shown!r} at the cursor"
        patience = self._patience(snapshot, sign, is_guess=is_guess)
        return once_settled(snapshot, patience, Outcome.PROMPT, reason, is_guess=is_guess)

    def _sign(self, snapshot: Snapshot) -> _Sign | None:
        """Return the sign that the text is a prompt; None without any."""
        if self.pattern.search(snapshot.facts.text):
            return _Sign.LOOK
        if _is_line_of_a_shell(snapshot):
            return _Sign.LINE_OF_SHELL
        return _Sign.BACK if _is_back(snapshot.facts) else None

    def _is_guess(self, facts: Facts, sign: _Sign) -> bool:
        """Whether it is a guess that this is a prompt."""
        # A pattern of the user's own is no guess: the user knows the prompt.
        if self.pattern == DEFAULT_PROMPT and facts.is_guess:
            return True
        # A program that the shell runs may have drawn its line, and the kernel would not say so.
        is_sure = facts.is_reported or facts.is_same_process or _is_known(facts)
        return sign is _Sign.LINE_OF_SHELL and not is_sure

    def _patience(self, snapshot: Snapshot, sign: _Sign, *, is_guess: bool) -> float:
        """Return for how many seconds the screen has to be unchanged."""
        facts = snapshot.facts
        patience = patience_for_text(snapshot, self.settled, known=_is_known(facts))
        if is_guess:
            # A prompt that shows a clock never stays unchanged for so long. If nothing was typed,
            # the time since the wait began counts instead.
            waited = snapshot.elapsed if snapshot.mark is None else 0.0
            patience = max(patience, facts.still_for(self.guess) - waited)
        if sign is _Sign.LINE_OF_SHELL and not facts.is_canonical:
            # The shell may still be drawing its prompt. The time has to be shorter than that of
            # `AwaitingInputStrategy`, which would take the prompt for a question.
            patience = max(patience, self.settled / 2)
        return patience

    def _obstacle(self, snapshot: Snapshot) -> str:
        """Return why a text that looks like a prompt is none; empty if it may be one.

        With a *pattern* of the user's own it always may be.
        """
        facts = snapshot.facts
        if self.pattern != DEFAULT_PROMPT:
            return ""
        if facts.is_guess and (facts.has_time_limit or not (facts.is_reported or facts.may_prompt)):
            return f"is shown by {facts.command}, which is not known to read"
        if facts.never_prompts:
            return f"is no prompt: {facts.command} shows none"
        return "is where a menu is searched" if searched_menu(snapshot) else ""

    def _assess_last_line(self, snapshot: Snapshot) -> Verdict:
        """Judge by the lowest row that is not empty, and the line of the cursor."""
        screen = snapshot.screen
        text = next((text for text in _last_lines(screen) if self.pattern.search(text)), None)
        if text is None:
            return Pass(f"the pattern is not in {screen.last_line!r}")
        patience = patience_for_text(snapshot, self.settled, known=True)
        if snapshot.mark is not None and text in _last_lines(snapshot.mark.screen):
            # A full-screen program may leave such a row alone while it works, and repaint it
            # later; on the main screen it is just the command line that was typed.
            if not (screen.alternate or snapshot.facts.reads):
                return Pass(f"{text!r} was already there")
            patience = self.settled * 10
        # A program with an event loop may show its prompt while it works.
        if snapshot.facts.draws_itself and snapshot.at_rest_for < SILENCE_SECONDS:
            again_in = SILENCE_SECONDS - snapshot.at_rest_for
            return Pass(f"the pattern is in {text!r}, but its program may still work", again_in)
        reason = f"the pattern is in {text!r}"
        return once_settled(snapshot, patience, Outcome.PROMPT, reason)


def _last_lines(screen: Screen) -> tuple[str, str]:
    """Return the lowest row that is not empty, and the line up to the cursor.

    A prompt may end in a blank, which a row has only up to the cursor.
    """
    return screen.last_line, screen.line_before_cursor


def _other_request(snapshot: Snapshot) -> str:
    """Return why a shell with such a text at the cursor takes no command; empty if it may."""
    if _asks_within_a_command(snapshot.facts):
        return "is asked by a program that the shell runs"
    return "asks for the rest of a command" if wants_more(snapshot) else ""


def _is_known(facts: Facts) -> bool:
    """Whether the text has been seen as a prompt, or no prompt was seen here yet.

    Behind a pass-through program, such as ssh, another shell may show the same prompt as the shell
    of this machine.
    """
    tty, prompt = facts.tty, facts.prompt
    if prompt is None:
        return True
    is_its = not facts.is_pass_through or tty is None or prompt.pid == tty.foreground_pid
    return is_its and facts.is_same_prompt


def _is_back(facts: Facts) -> bool:
    """Whether the program that showed this text before the command shows it again."""
    known = facts.known_prompt
    if not (facts.is_same_process and facts.shows_known_prompt):
        return False
    if facts.has_line_editor or facts.reader is Reader.SHELL_AT_PROMPT:
        return True
    # The known prompt may be a question, which the program asks again. A shell asks nothing unless
    # the line has a ``read``.
    is_shell = facts.reader is Reader.SHELL
    is_no_question = not QUESTION.search(known) or (is_shell and not facts.may_ask)
    return bool(known) and is_no_question and (facts.is_raw or is_shell)


def _is_line_of_a_shell(snapshot: Snapshot) -> bool:
    """Whether a shell has begun a new line, whatever its prompt looks like.

    A question of its ``read -e`` looks the same. Only the place where the shell reads differs.
    """
    facts, mark = snapshot.facts, snapshot.mark
    if mark is None:
        # fish is in raw mode while it works out its prompt, so no text at all needs a reader.
        return facts.has_line_editor and (bool(facts.text.strip()) or facts.reads)
    # Text behind a known prompt was typed there: that line has begun before.
    if facts.typed or not _has_begun_below(snapshot, mark):
        return False
    match facts.reader:
        case Reader.SHELL_AT_PROMPT:
            return True
        case Reader.SHELL:
            return facts.has_line_editor and not facts.may_be_question
        case _:
            return False


def _has_begun_below(snapshot: Snapshot, mark: Mark) -> bool:
    """Whether the cursor's line shows something and has begun below the command line."""
    if not (mark.ends_line and snapshot.facts.text.strip()):
        return False
    command_row, screen = find_row(mark.screen, snapshot.screen), snapshot.screen
    cursor_row = len(screen.history) + screen.cursor.row
    return command_row is None or screen.layout.line_start(cursor_row) > command_row


def _asks_within_a_command(facts: Facts) -> bool:
    """Whether the shell's own process reads an answer, for a command such as ``read``."""
    before = facts.mark.tty if facts.mark else None
    if facts.reader is Reader.SHELL_ELSEWHERE:
        return True
    if before is None or facts.tty is None or facts.tty.is_raw:
        return False
    if facts.tty.foreground_pid != before.foreground_pid:
        return False
    return before.is_raw or (facts.reader is not Reader.SHELL_AT_PROMPT and _asks_again(facts))


def _asks_again(facts: Facts) -> bool:
    """Whether the last key answered a question of the shell, and its prompt is not back."""
    pid = facts.tty.foreground_pid if facts.tty else None
    if not facts.is_shell or facts.mark is None or facts.prompt is None or facts.prompt.pid != pid:
        return False
    was_asked = not facts.mark.screen.line_before_cursor.startswith(facts.prompt.text)
    is_back = facts.is_same_prompt or facts.text.endswith(facts.prompt.text)
    return was_asked and not is_back


def _soon(snapshot: Snapshot) -> float:
    """Return when to look again for a text: often at first, then after a share of the wait so far.

    The kernel does not report that a program has printed something.
    """
    return min(max(0.02, snapshot.elapsed * 0.05), 0.25)


def _to_search(pattern: str | re.Pattern[str]) -> re.Pattern[str]:
    """Return the pattern for a text that has to be there literally, or for a given pattern."""
    if not pattern:
        raise InvalidPatternError(f"a text to wait for is not empty, got {pattern!r}")
    compiled = to_pattern(re.escape(pattern) if isinstance(pattern, str) else pattern)
    if compiled.search(""):
        raise InvalidPatternError(
            f"a pattern that matches the empty text matches at once, got {pattern!r}"
        )
    return compiled


def _shows(pattern: re.Pattern[str]) -> str:
    """Return the condition of a row in words: it shows a text, or matches a pattern."""
    text = re.sub(r"\\(.)", r"\1", pattern.pattern, flags=re.DOTALL)
    is_literal = re.escape(text) == pattern.pattern
    return f"shows {text!r}" if is_literal else f"matches {pattern.pattern!r}"


@attrs.frozen
class MatchStrategy(Strategy):
    r"""Finds a text, or what a regular expression describes, that is new since the mark.

    Text that was on the screen before, or that was typed, does not count, unless it was seen to be
    gone and is drawn again. Rows that wrapped are searched as one line. It says nothing of whether
    the program takes input.

    Args:
        pattern: A text that has to be there literally, or a compiled regular expression.
        title: Whether to search the pane's title instead; a title from before also counts.

    Raises:
        InvalidPatternError: If it is empty, or no pattern of text.

    Examples:
        >>> shell = ScriptedShell({"make": "\x1b]2;make: done\x07built in 3 s"})
        >>> terminal = FakeTerminal(programs={"sh": shell})
        >>> console = Console(terminal, terminal.open("sh"))
        >>> _ = console.send("make")
        >>> print(console.wait_ready(strategy=MatchStrategy(re.compile("in [0-9]+ s"))).reason)
        'in 3 s' is on the screen
        >>> print(console.wait_ready(strategy=MatchStrategy("done", title=True)).reason)
        'done' is in the title
    """

    pattern: re.Pattern[str] = attrs.field(converter=_to_search)
    title: bool = attrs.field(default=False, kw_only=True)

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say MATCHED once the text is there."""
        if snapshot.respawned:
            return Pass("another program was started in the pane")
        if self.title:
            text, where, what = snapshot.screen.title, "in the title", "no title"
        else:
            typed = snapshot.mark.typed if snapshot.mark else ""
            text, where = new_text(snapshot.standing, snapshot.screen, typed), "on the screen"
            what = "no new row" if snapshot.standing else "no row"
        found = self.pattern.search(text)
        if found is None:
            return Pass(f"{what} {_shows(self.pattern)}", _soon(snapshot))
        return Ready(Outcome.MATCHED, f"{found[0]!r} is {where}")


# A program may wipe its screen to draw it anew. Within so many seconds the text is there again.
_REDRAWN = 0.05


@attrs.frozen
class GoneStrategy(Strategy):
    """Finds that a text, or what a regular expression describes, is not on the screen.

    That also holds for a text that has not come yet. The screen has to be unchanged for a moment,
    since a program may wipe it to draw it anew. Rows that wrapped are searched as one line.

    Args:
        pattern: A text that has to be there literally, or a compiled regular expression.

    Raises:
        InvalidPatternError: If it is empty, or no pattern of text.

    Examples:
        >>> terminal = FakeTerminal(programs={"sh": ScriptedShell({"think": spinner(9.0, "hm")})})
        >>> console = Console(terminal, terminal.open("sh"))
        >>> _ = console.send("think"), console.wait_for("| hm")
        >>> print(console.wait_for(re.compile(". hm"), gone=True).reason)
        no row matches '. hm'
    """

    pattern: re.Pattern[str] = attrs.field(converter=_to_search)

    @override
    def assess(self, snapshot: Snapshot) -> Verdict:
        """Say MATCHED once the text is gone."""
        if snapshot.respawned:
            return Pass("another program was started in the pane")
        screen = snapshot.screen
        rows = join_rows(screen.rows, screen.layout.part(len(screen.history)), screen.size.columns)
        found = self.pattern.search("\n".join(rows))
        if found is not None:
            return Pass(f"{found[0]!r} is on the screen", _soon(snapshot))
        reason = f"no row {_shows(self.pattern)}"
        return once_settled(snapshot, _REDRAWN, Outcome.MATCHED, reason)
