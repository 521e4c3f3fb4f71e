"""What a command has printed: the rows between the command line and the prompt that follows."""

from collections.abc import Sequence

import attrs

from tmuxprim._mark import Mark
from tmuxprim._readiness._result import Readiness
from tmuxprim._readiness._verdict import Outcome
from tmuxprim._screen import Screen
from tmuxprim._since import find_row
from tmuxprim._width import text_columns
from tmuxprim._wrap import join_rows

# What shells print behind output that ends without a line break; they fill the row after it.
_NO_LINE_BREAK = {"zsh": ("%", "#"), "fish": ("⏎", "¶")}
_TALLEST_PROMPT = 4


@attrs.frozen(kw_only=True)
class CommandResult:
    r"""Is what a command has printed, and how the wait for its end ended.

    The text is what a terminal keeps of it: control functions have been carried out, a tab is
    as many spaces as it was wide.

    Args:
        output: What was printed, in lines as long as they were. It ends with a line break if
            the output did.
        complete: Whether that is all of it. False if its beginning is gone, cleared or scrolled
            out of the history, and false if the command has not ended.
        readiness: How the wait ended.

    Examples:
        >>> terminal = FakeTerminal(programs={"sh": ScriptedShell({"ls": "a.txt\nb.txt"})})
        >>> result = Console(terminal, terminal.open("sh")).run("ls")
        >>> result.output, result.complete
        ('a.txt\nb.txt\n', True)
    """

    output: str
    complete: bool
    readiness: Readiness


@attrs.frozen
class Printed:
    """Is what one line that was typed has printed.

    Args:
        text: The output.
        complete: Whether its beginning was found, and its end.
        prompt_rows: What the prompt shows above its last line; None if that is not sure.
    """

    text: str
    complete: bool
    prompt_rows: tuple[str, ...] | None = None


def needs_history(mark: Mark, screen: Screen, prompt_rows: tuple[str, ...] | None) -> bool:
    """Whether the visible screen is not enough to tell what was printed."""
    if screen.alternate or not screen.history_size:
        return False
    return prompt_rows is None or find_row(mark.screen, screen) is None


def read_output(
    mark: Mark,
    screen: Screen,
    outcome: Outcome,
    *,
    typed: str,
    prompt_rows: tuple[str, ...] | None = None,
) -> Printed:
    """Return what was printed since the mark.

    Args:
        mark: From right before Enter.
        screen: The screen after that, with the history that is needed.
        outcome: What the cursor stands at.
        typed: The line that was typed.
        prompt_rows: What the prompt has shown above its last line, if that is known.
    """
    if screen.alternate:
        return Printed(screen.text, complete=False, prompt_rows=prompt_rows)
    place = find_row(mark.screen, screen)
    start = 0 if place is None else _row_below(place, mark, screen)
    last = len(screen.history) + screen.cursor.row
    if outcome not in {Outcome.PROMPT, Outcome.CONTINUATION}:
        text = "\n".join(_lines(screen, start, last + 1)).rstrip("\n")
        ends_line = text and not screen.before_cursor
        return Printed(text + "\n" * bool(ends_line), complete=False, prompt_rows=prompt_rows)
    end = max(screen.layout.line_start(last), start)
    tail, prompt = _split_at_prompt(screen.line_before_cursor, mark, typed)
    if not tail and outcome is Outcome.PROMPT:
        rows = (screen.history + screen.rows)[:end]
        heads = _Heads(rows, start, prompt)
        head = heads.guess if prompt_rows is None else prompt_rows
        upper = rows[start:][-len(head) :] if head else ()
        end -= len(upper)
        if upper and head[0] and upper[0].endswith(head[0]):
            tail = upper[0].removesuffix(head[0])
        elif upper:
            head = upper  # it shows another folder now, or the like
        prompt_rows = head if prompt_rows is not None or heads.is_sure else None
    lines = _lines(screen, start, end)
    if lines and True in screen.layout.wrapped[end - 1 : end]:
        tail = lines.pop() + tail
    elif lines and not tail and _has_mark_of_no_line_break(screen, end - 1):
        tail = lines.pop().rstrip(" ")[:-1]
    text = "".join(f"{line}\n" for line in lines) + tail
    return Printed(text, complete=place is not None, prompt_rows=prompt_rows)


def _row_below(place: int, mark: Mark, screen: Screen) -> int:
    """Return where the output begins, below the command line."""
    if mark.screen.before_cursor or not (screen.history + screen.rows)[place]:
        return place + 1
    return place  # the command line filled its row, and the shell did not begin another (fish)


def _lines(screen: Screen, start: int, end: int) -> list[str]:
    rows = (screen.history + screen.rows)[start:end]
    return join_rows(rows, screen.layout.part(start, end), screen.size.columns)


def _split_at_prompt(line: str, mark: Mark, typed: str) -> tuple[str, str]:
    """Return what the command printed, without a line break, before the prompt, and the prompt."""
    before = mark.screen.line_before_cursor
    there = before.removesuffix(typed) if before.endswith(typed) else ""
    for prompt in (there, mark.prompt.text if mark.prompt else ""):
        if prompt.strip() and line.endswith(prompt):
            return line.removesuffix(prompt), prompt
    return "", line  # another prompt than before


def _has_mark_of_no_line_break(screen: Screen, row: int) -> bool:
    """Whether the shell says that the output ended within this row.

    zsh and fish then print a mark and as many spaces as the row takes.
    """
    text = (screen.history + screen.rows)[row]
    blanks = (*screen.layout.blanks, *[0] * (row + 1))[row]
    is_full = text_columns(text) + blanks == screen.size.columns
    return blanks > 0 and is_full and text.endswith(_NO_LINE_BREAK.get(screen.command, ()))


@attrs.frozen
class _Heads:
    """The rows above a prompt's line, among which its own upper rows have to be found.

    A prompt of several lines shows the same rows above its last one each time.

    Args:
        rows: All rows above the prompt's line.
        start: Where the output begins.
        prompt: The prompt's line.
    """

    rows: Sequence[str]
    start: int
    prompt: str

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
        stands_alone = any(not row or row - 1 in earlier for row in earlier)
        return (
            stands_alone or self.start == len(self.rows) or (len(earlier) > 1 and bool(self.guess))
        )

    @property
    def _earlier(self) -> list[int]:
        """The rows that show the same prompt."""
        bare = self.prompt.rstrip(" ")
        rows = enumerate(self.rows[: self.start])
        return [n for n, row in rows if row == bare or row.startswith(self.prompt)]


def _common_end(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many last rows two texts have in common; the first may begin with more."""
    count = 0
    for mine, theirs in zip(reversed(one), reversed(other), strict=False):
        if count == _TALLEST_PROMPT or not mine or not theirs:
            break
        if mine != theirs:
            return count + (mine.endswith(theirs) or theirs.endswith(mine))
        count += 1
    return count
