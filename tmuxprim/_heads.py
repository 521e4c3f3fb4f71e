"""The upper rows of a prompt that has several lines, told apart from output.

Such a prompt shows the same rows above its last one each time, so they are found by comparing
with the prompts before.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

_TALLEST_PROMPT = 4
_NUMBER = re.compile(r"\d+")
_DIGIT = re.compile(r"\d")


def like_prompt(prompt: str, *, same_width: bool = False) -> re.Pattern[str]:
    """Return what finds a prompt whatever its numbers are: it may count, or tell the time.

    Args:
        prompt: The prompt.
        same_width: Whether each number has as many digits, so that those of a text that stands
            right before are not taken for the prompt's.
    """
    digits = _DIGIT if same_width else _NUMBER
    return re.compile(digits.sub(lambda _: digits.pattern, re.escape(prompt)))


def is_at_top(above: Sequence[str]) -> bool:
    """Whether nothing stands above a row but what the shell has wiped with spaces."""
    return all(row.isspace() for row in above)


class Heads(NamedTuple):
    """The rows above a prompt's line.

    Args:
        rows: All rows above it, of the history first; one that was wiped is of spaces.
        start: Where the output of the command before begins.
        prompt: The prompt's line.
        is_cut: Whether there were more rows above, which are not there any more.
    """

    rows: Sequence[str]
    start: int
    prompt: str
    is_cut: bool = False

    @property
    def guess(self) -> tuple[str, ...]:
        """The rows that belong to the prompt: those that stand above all others, too."""
        mine = self.rows[self.start :]
        height = min((_common_end(mine, self.rows[:row]) for row in self._earlier), default=0)
        if not height:
            return ()
        # What was printed before it without a line break stands in its first row, too.
        first = min((self.rows[row - height] for row in (*self._earlier, len(self.rows))), key=len)
        return (first, *mine[len(mine) - height + 1 :])

    @property
    def is_sure(self) -> bool:
        """Whether it can be nothing else; a prompt right below another has no upper rows."""
        earlier = self._earlier
        stands_alone = any(is_at_top(self.rows[:row]) or row - 1 in earlier for row in earlier)
        if stands_alone or self.start == len(self.rows):
            return True
        return len(earlier) > 1 and bool(self.guess) and not self.is_open

    @property
    def is_open(self) -> bool:
        """Whether the guess may be output as well.

        The same command stands at all prompts; or there is one, below a text that may end as
        this one does.
        """
        earlier, guess = self._earlier, self.guess
        if len(earlier) == 1:
            top = earlier[0] - len(guess)
            return bool(guess) and (self.is_cut or any(row.strip() for row in self.rows[:top]))
        return bool(guess) and len({self.rows[row] for row in earlier}) == 1

    @property
    def _earlier(self) -> list[int]:
        """The rows that show the same prompt."""
        bare = like_prompt(self.prompt.rstrip(" "))
        ends = (" ", "") if self.prompt.endswith(" ") else None
        matches = ((n, row, bare.match(row)) for n, row in enumerate(self.rows[: self.start]))
        return [
            n for n, row, match in matches if match and (not ends or row[match.end() :][:1] in ends)
        ]


def _common_end(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many last rows two texts have in common; the first may begin with more."""
    count = 0
    for mine, theirs in zip(reversed(one), reversed(other), strict=False):
        if count == _TALLEST_PROMPT:
            break
        if mine != theirs:
            if not (mine and theirs) and not (count and one[-count]):
                return count  # a blank row begins a prompt only above a row that is none
            return count + (mine.endswith(theirs) or theirs.endswith(mine))
        count += 1
    return count
