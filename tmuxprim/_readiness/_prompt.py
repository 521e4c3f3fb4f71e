"""`PromptStrategy`: is that a prompt, at the cursor?"""

import re
from typing import Final

import attrs
from typing_extensions import override

from tmuxprim._errors import InvalidPatternError
from tmuxprim._readiness._look import Look
from tmuxprim._readiness._strategy import Strategy
from tmuxprim._readiness._verdict import Outcome, Pass, Ready, Verdict

DEFAULT_PROMPT: Final = re.compile(
    r"(?:[$#%>❯›»➜λ⟩▶\ue0b0\ue0b4]"  # noqa: RUF001  # shells, REPLs, sqlite3, node, powerline
    r"|^\([\w .-]+\)"  # (gdb), (Pdb)
    r"|^In \[\d+\]:"  # IPython
    r")\s*$"
)

# A question is asked again when its answer was no good, and is no prompt for that.
QUESTION: Final = re.compile(r"(?:[?:]|\[[^\]]+\]|\([^)]+\))\s*$")


def to_pattern(pattern: str | re.Pattern[str]) -> re.Pattern[str]:
    """Compile a prompt pattern.

    Raises:
        InvalidPatternError: If it is not a regular expression.
    """
    try:
        return re.compile(pattern)
    except (re.error, TypeError) as error:
        raise InvalidPatternError(
            f"a prompt pattern is a regular expression, got {pattern!r}: {error}; "
            "re.escape() makes one from literal text"
        ) from error


@attrs.frozen
class PromptStrategy(Strategy):
    """Finds a prompt left of the cursor, the only place where a prompt can be.

    Output that looks like a prompt does not count: after it the cursor stands elsewhere, or no
    program reads. A prompt of any look counts when the same line editor has shown it before the
    last command, too.

    Args:
        pattern: Regular expression that is searched in the text left of the cursor.
        last_line: Search the lowest row that is not empty instead, wherever the cursor is, for
            programs that draw their prompt elsewhere.
        settled: Seconds without change that stand in for evidence: when the kernel does not
            tell who reads, or nothing moved since the last key.

    Raises:
        InvalidPatternError: If *pattern* is not a regular expression.

    Examples:
        >>> PromptStrategy("ready> $").pattern.pattern
        'ready> $'
    """

    pattern: re.Pattern[str] = attrs.field(default=DEFAULT_PROMPT, converter=to_pattern)
    last_line: bool = False
    settled: float = 0.1

    @override
    def assess(self, look: Look) -> Verdict:
        """Say PROMPT if a prompt stands at the cursor and its program reads."""
        text = look.screen.last_line if self.last_line else look.screen.before_cursor
        if look.screen.alternate and not self.last_line:
            return Pass("a full-screen program has no prompt at its cursor")
        if not self.pattern.search(text) and not _is_back(text, look):
            return Pass(f"no prompt in {text!r}")
        if not self.last_line and _asks_within_a_command(look):
            return Pass(f"{text!r} is asked by what the shell runs, not by the shell")
        if not look.steady:
            return Pass("the screen was read while the program worked", again_in=0.0)
        wait = self._settling_time(text, look)
        if look.unchanged_for < wait:
            return Pass(f"prompt {text!r}, not settled yet", again_in=wait - look.unchanged_for)
        return Ready(Outcome.PROMPT, f"prompt {text.strip()!r} at the cursor")

    def _settling_time(self, text: str, look: Look) -> float:
        """Return how long the screen must have stood still, in seconds."""
        if look.tty is None:
            # Text without a line break at its end may look like a prompt; the prompt that
            # stood there before is the better evidence.
            known = look.mark is None or text == look.mark.prompt
            return self.settled * (3 if known else 10)
        if look.tty.reading is None or not look.changed:
            return self.settled
        return 0.0


def _is_back(text: str, look: Look) -> bool:
    """Whether the same line editor shows the same text again as before the last command."""
    tty, mark = look.tty, look.mark
    return (
        tty is not None
        and tty.is_raw
        and tty.reader_pid is not None
        and mark is not None
        and mark.tty is not None
        and mark.tty.is_raw
        and tty.reader_pid == mark.tty.reader_pid
        and text == mark.prompt
        and bool(text.strip())
        and not QUESTION.search(text)
    )


def _asks_within_a_command(look: Look) -> bool:
    """Whether a shell that edits lines in raw mode now reads a whole line, as ``read`` does."""
    tty, mark = look.tty, look.mark
    return (
        tty is not None
        and tty.canonical
        and mark is not None
        and mark.tty is not None
        and mark.tty.is_raw
        and tty.foreground_pid == mark.tty.foreground_pid
    )
