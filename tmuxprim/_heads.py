"""The upper lines of a prompt that has several, told apart from output.

Such a prompt shows the same lines above its last one each time, so they are found by comparing
with the prompts before.
"""

import re
from collections.abc import Sequence
from itertools import dropwhile
from typing import NamedTuple

import attrs

from tmuxprim._lazy import Lazy

# A shell that says this wants the rest of a command, and shows no upper lines.
PS2 = "> "
_TALLEST_PROMPT = 4
_FEW = 2
_MANY = 5
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


class _Height(NamedTuple):
    """How many lines stand above all prompts, and how many may: a blank one can be output."""

    certain: int
    possible: int


@attrs.frozen(slots=False)  # so that it keeps what it has found
class Heads:
    """The lines above a prompt's last one.

    Args:
        lines: All lines above it, of the history first; one that was wiped is of spaces. What
            wrapped is one line, or a row of the output would be taken for one of the prompt.
        start: Where the output of the command before begins.
        prompt: The prompt's last line.
        is_cut: Whether there were more lines above, which are not there any more.
        blank_only: Whether the prompt can have none but blank lines above its last one, as that of
            IPython has. It is only shells that show more; node ends its answers with
            ``undefined``, which stands above all its prompts and is no part of them.
    """

    lines: Sequence[str]
    start: int
    prompt: str
    is_cut: bool = False
    blank_only: bool = False

    @property
    def guess(self) -> tuple[str, ...]:
        """The lines that belong to the prompt: those that stand above all others, too."""
        height = self._height.certain
        if not height:
            return ()
        # What was printed before it without a line break stands in its first line, too.
        first = min((self.lines[end - height] for end in self._ends(self._earlier)), key=len)
        return (first, *self.lines[len(self.lines) - height + 1 :])

    @property
    def is_sure(self) -> bool:
        """Whether it can be nothing else.

        A prompt right below a command has no upper lines. Only the line above the output is
        known to be a command: what looks like another may be output.
        """
        command = self.start - 1
        if command in self._alike:
            is_first = not self.is_cut and is_at_top(self.lines[:command])
            if self.start == len(self.lines) or is_first or self._is_below_another(command):
                return self.prompt != PS2  # which is shown alone, whatever the prompt has
        return len(self._earlier) > 1 and bool(self.guess) and not self.is_open

    @property
    def is_open(self) -> bool:
        """Whether the guess may be wrong.

        The same command stands at all prompts, or there is one, below a text that may end as
        this one does; a blank line may be the output's or the prompt's, in a few prompts even if
        it stands above all; or what stands above the last prompt stands above nearly all.
        """
        earlier, height = self._earlier, self._height
        if height.possible > height.certain:
            return True
        if not height.certain:
            heights = [self._height_of([row]).certain for row in earlier]
            return any(heights[-1:]) and heights.count(0) <= _FEW
        top = self.lines[: earlier[0] - height.certain]
        if not self.is_cut and not any(line.strip() for line in top):
            return False
        if len(earlier) <= _FEW and not any(self.guess):
            return True  # all that was printed so far may have ended with a blank line
        return len({self.lines[row] for row in earlier}) == 1

    def _is_below_another(self, command: int) -> bool:
        """Whether a command stands right below another one.

        That may also be output without a line break, and behind it what ends this output, too.
        """
        typed, last = self._alike.get(command - 1), self.lines[-1]
        return typed is not None and not (last.endswith(typed) if typed else not last)

    @Lazy
    def _alike(self) -> dict[int, str]:
        """The lines that look as the prompt does, and what stands behind it."""
        bare = like_prompt(self.prompt.rstrip(" "))
        ends = (" ", "") if self.prompt.endswith(" ") else None
        looks = ((n, line, bare.match(line)) for n, line in enumerate(self.lines[: self.start]))
        return {
            n: line[look.end() :].strip()
            for n, line, look in looks
            if look and (not ends or line[look.end() :][:1] in ends)
        }

    @Lazy
    def _earlier(self) -> list[int]:
        """The lines that show the same prompt, as far as they do not look like output."""
        # Of the first ones in what is left of the history, what stood above them is missing.
        first, last = _TALLEST_PROMPT if self.is_cut else 0, self.start - 1
        rows = [n for n, typed in self._alike.items() if n == last or (typed and n >= first)]
        if self.prompt != PS2:
            return rows
        # What was typed in several lines has such a line, too, with nothing above it.
        rows = [row for row in rows if row - 1 not in self._alike]
        return [*dropwhile(lambda row: not self._height_of([row]).possible, rows)]

    @Lazy
    def _height(self) -> _Height:
        return self._height_of(self._earlier)

    def _ends(self, earlier: Sequence[int]) -> list[int]:
        return [*earlier, len(self.lines)]

    def _height_of(self, earlier: Sequence[int]) -> _Height:
        """Compare what stands above this prompt with what stands above earlier ones."""
        tallest = min(_TALLEST_PROMPT, len(self.lines) - self.start, min(earlier, default=0))
        for height in range(1, tallest + 1):
            lines = {self.lines[end - height] for end in self._ends(earlier)}
            if any(line.isspace() for line in lines) or (self.blank_only and all(lines)):
                return _Height(height - 1, height - 1)
            if "" in lines and len(lines) > 1:
                return self._height_with_blank(earlier, height)
            if len(lines) > 1:
                # The output before the prompt had no line break, here or there.
                more = all(line.endswith(min(lines, key=len)) for line in lines)
                return _Height(height - 1 + more, height - 1 + more)
        return _Height(tallest, tallest)

    def _height_with_blank(self, earlier: Sequence[int], height: int) -> _Height:
        """Tell whose the blank lines are that stand above some of the prompts.

        The prompt's, and the others are output that had no line break; or they are output.
        """
        rows = [end - height for end in self._ends(earlier)]
        if self.prompt != PS2 and any(row in self._alike and self.lines[row] for row in rows):
            return _Height(height - 1, height - 1)  # a command ends with a line break, PS2 does not
        with_blank = {self.lines[row] for row in earlier if not self.lines[row - height]}
        others = {self.lines[row] for row in earlier if self.lines[row - height]}
        if height > 1:
            is_prompt = len(with_blank) > max(len(others), _MANY)
            return _Height(height - 1 + is_prompt, height)
        # A prompt of a blank line and another is rare: it takes more to believe in it.
        is_new = len(with_blank) <= (_FEW if self.lines[-1] else 0)
        is_output = is_new or len(others) > max(len(with_blank), _FEW)
        return _Height(0, int(not is_output))
