"""`MatchStrategy`: is the text there that is waited for?"""

import re

import attrs
from typing_extensions import override

from tmuxprim._errors import InvalidPatternError
from tmuxprim._new_text import new_text
from tmuxprim._readiness._look import Look
from tmuxprim._readiness._prompt import to_pattern
from tmuxprim._readiness._strategy import Strategy
from tmuxprim._readiness._verdict import Outcome, Pass, Ready, Verdict

# The kernel does not tell that a program has printed something, so the screen is read again and
# again: often at first, then after a share of the time waited so far.
_SHORTEST = 0.02
_LONGEST = 0.25
_SHARE = 0.05


def _to_search(pattern: str | re.Pattern[str]) -> re.Pattern[str]:
    if not pattern:
        raise InvalidPatternError(f"a text to wait for is not empty, got {pattern!r}")
    return to_pattern(re.escape(pattern) if isinstance(pattern, str) else pattern)


@attrs.frozen
class MatchStrategy(Strategy):
    """Finds a text, or what a regular expression describes, that is new since the mark.

    Text that was on the screen before, or that was typed, does not count, unless it was seen to be
    gone and is drawn again. Rows that wrapped are searched as one line. It says nothing of whether
    the program takes input.

    Args:
        pattern: A text that has to be there literally, or a compiled regular expression.

    Raises:
        InvalidPatternError: If it is empty, or no pattern of text.

    Examples:
        >>> terminal = FakeTerminal(programs={"sh": ScriptedShell({"make": "built in 3 s"})})
        >>> console = Console(terminal, terminal.open("sh"))
        >>> _ = console.send("make")
        >>> print(console.wait_ready(strategy=MatchStrategy(re.compile("in [0-9]+ s"))).reason)
        'in 3 s' is on the screen
    """

    pattern: re.Pattern[str] = attrs.field(converter=_to_search)

    @override
    def assess(self, look: Look) -> Verdict:
        """Say MATCHED once the text is there."""
        if look.respawned:
            return Pass("another program was started in the pane")
        typed = look.mark.typed if look.mark else ""
        found = self.pattern.search(new_text(look.standing, look.screen, typed))
        if found is None:
            again_in = min(max(_SHORTEST, look.elapsed * _SHARE), _LONGEST)
            return Pass(f"nothing new matches {self.pattern.pattern!r}", again_in)
        return Ready(Outcome.MATCHED, f"{found[0]!r} is on the screen")
