"""How many rows a prompt has, and the output that is left of it in its first row.

The marks that a shell writes give both exactly (see `raw_output`). Many programs write none: dash,
mksh, BusyBox, Python up to 3.12. Their prompts are found by comparison: an Enter at the empty
prompt shows it twice, and a command that prints nothing has its prompt right below. Where nothing
decides, the result carries a doubt. `see_prompt` does the work; `Prompts` remembers it for each
program.
"""

import re
from itertools import takewhile
from typing import Final, NamedTuple

import attrs

from tmuxprim._engine.prompt_start import PromptStart
from tmuxprim._values.lines import Layout, cut_at_column, join_rows, text_columns
from tmuxprim._values.new_text import find_row, lines_from, may_have_shifted
from tmuxprim._values.programs import program_called
from tmuxprim._values.screen import Screen

CHANGES_PROMPT: Final = re.compile(
    r"PS1|ps1|PROMPT|_prompt|activate|(?:^|[^\w\s-]\s*)(?:source|eval|exec|prompt|\.)\s"
)
"""Finds commands after which the same shell may show another prompt."""
MOVES: Final = re.compile(r"\b(?:cd|pushd|popd)\b")
"""Finds commands after which a prompt may show another directory."""
CHANGES_ROW: Final = re.compile(r"prompt_?(?:sp|cr)\b", re.IGNORECASE)
"""Finds the options of zsh by which it begins no row for its prompt."""
LEFT: Final = (
    "the text left of the prompt is output without a line break, or the prompt has changed: an "
    "Enter at the empty prompt shows it"
)
"""The doubt about where the prompt begins."""
HOOKS: Final = (
    "its last rows may come from a hook of the prompt, such as PROMPT_COMMAND: an Enter at the "
    "empty prompt shows it"
)
"""The doubt about the rows above the prompt."""

# The text is no prompt: ">" asks for the rest of a command, and a blank line is not drawn yet.
_NO_PROMPTS: Final = (">", "")
_NUMBER: Final = re.compile(r"\d+")
_DIGIT: Final = re.compile(r"\d")


@attrs.frozen
class PromptRows:
    """The known facts about a program's prompt.

    Args:
        rows: How many rows it has; None if that is not known.
        first: The text of its first row when it was seen last, or of its last row while *rows* is
            not known; None if it was never seen.
        last: The text of its last row when it was seen last.
        is_sure: Whether all of *first* belongs to the prompt, and none of it is output.
        is_given: Whether the user has given *rows* (``prompt_rows``).
        is_marked: Whether its program marks output without a line break at its end, and then begins
            a new row for the prompt, as zsh and fish do; None if that is not known.
    """

    rows: int | None = None
    first: str | None = None
    last: str = ""
    is_sure: bool = False
    is_given: bool = False
    is_marked: bool | None = None

    @property
    def height(self) -> int:
        """How many rows it has, as far as is known."""
        return self.rows or 1


class ShownPrompt(NamedTuple):
    """A prompt as it appears on a screen, and the output left of it.

    Args:
        screen: The screen.
        before: The screen of the last send or the last prompt, whichever was later.
        earlier: The screen of the last prompt.
        prompt: What is known of the prompt now.
        tail: The output left of it in its first row.
        doubt: Why *tail* may be wrong; empty if it is sure.
    """

    screen: Screen
    before: Screen | None
    earlier: Screen | None
    prompt: PromptRows
    tail: str = ""
    doubt: str = ""


class CommandLine(NamedTuple):
    """A command line that was found again on a later screen.

    Args:
        last_row: Its last row, an index into history and rows: 0 is the oldest row that was read.
        below: The first row below it.
        is_guess: Whether a blank row was skipped that may be output: some line editors leave one
            below a line that fills its row.
    """

    last_row: int
    below: int
    is_guess: bool = False


class _SplitLine(NamedTuple):
    """A line split into the output at its beginning and the prompt behind it.

    Args:
        tail: The output.
        doubt: Why that may be wrong; empty if it is sure.
        is_same: Whether the rest looks like the known prompt.
        is_sure: Whether all of the rest belongs to the prompt.
    """

    tail: str
    doubt: str = ""
    is_same: bool = True
    is_sure: bool = True


def see_prompt(
    now: Screen,
    known: PromptRows,
    *,
    before: Screen | None = None,
    earlier: Screen | None = None,
    may_differ: bool = False,
) -> ShownPrompt:
    """Return the prompt at the cursor: how many rows it has, and the output left of it.

    Args:
        now: The screen now.
        known: What is known of this program's prompt.
        before: The screen of the last send or the last prompt, whichever was later.
        earlier: The screen of the last prompt.
        may_differ: Whether something was typed since that may change the prompt.
    """
    command, twice = _find_command(before, now), _shown_twice(earlier, now)
    # The lines in which the prompt is: those below the command line. Output may be above it.
    shown = twice or lines_to_cursor(now, command.below if command else 0)
    if command and _is_for_the_rest(shown, known):
        return ShownPrompt(now, before, earlier, known)
    # The first prompt of all: its line is all that the pane has ever shown.
    is_first = known.first is None and not (now.history_size or command or shown[1:])
    rows = (
        len(twice)
        if twice
        else _rows_below(now, command, shown, known, is_first=is_first, may_differ=may_differ)
    )
    is_alone = bool(twice) or is_first
    prompt, split = _split(now, shown, rows, known, is_alone=is_alone, may_differ=may_differ)
    return ShownPrompt(now, before, earlier, prompt, split.tail, split.doubt)


def _split(
    now: Screen,
    shown: list[str],
    rows: int | None,
    known: PromptRows,
    *,
    is_alone: bool,
    may_differ: bool,
) -> tuple[PromptRows, _SplitLine]:
    """Return the prompt in the last rows of those that are shown, and the output left of it.

    No output is left of it if the prompt *is_alone* in these lines, or if its shell has begun a new
    row for it.
    """
    height, is_marked = rows or 1, _is_marked(now, known)
    first, split = shown[-height] if height <= len(shown) else "", _SplitLine("")
    if not (is_alone or is_marked):
        split = _without_output(now, first, height, known, may_differ=may_differ)
    first = first[len(split.tail) :]
    prompt = PromptRows(
        rows,
        first=first,
        last=first if height == 1 else shown[-1],
        is_sure=split.is_sure,
        is_given=known.is_given and rows == known.rows,
        is_marked=is_marked,
    )
    return prompt, split


def _rows_below(
    now: Screen,
    command: CommandLine | None,
    shown: list[str],
    known: PromptRows,
    *,
    is_first: bool,
    may_differ: bool,
) -> int | None:
    """Return how many rows the prompt has that ends the shown lines; None if that is not known."""
    if command and _is_alone(shown, command, known, may_differ=may_differ):
        return len(shown)
    if known.is_given or (not may_differ and _is_same(shown, known, is_all=bool(command))):
        return known.rows
    *above, _ = shown
    prompt = known.last or shown[-1]
    has_one = is_first or (above and has_one_row(now, above, command, prompt))
    return 1 if has_one else None


def _without_output(
    now: Screen, first: str, height: int, known: PromptRows, *, may_differ: bool
) -> _SplitLine:
    """Split the first line of a prompt of this height, by what is known of the prompt."""
    # Nothing to compare it with: all of it is taken for the prompt.
    if known.first is None:
        return _SplitLine("", is_sure=False)
    if first == known.first and not known.is_sure and _may_be_shorter(now, first):
        return _SplitLine("", LEFT, is_sure=False)
    if height != known.height or (may_differ and first != known.first):
        return _SplitLine("", LEFT)  # a new prompt: its beginning is not known
    split = split_line(first, known.first)
    # The prompt of a REPL is always the same, so what is left of it is output.
    is_certain = bool(split.tail) and program_called(now.command).keeps_prompt
    return _SplitLine(split.tail) if is_certain else split


def rows_from(now: Screen, start: PromptStart) -> PromptRows:
    """Return the prompt at the cursor, which begins in a known cell."""
    is_below = start.column == now.size.columns
    row, column = cursor_row(now) - start.above + is_below, start.column * (not is_below)
    lines = lines_to_cursor(now, row)
    lines[0] = lines[0][len(cut_at_column(lines[0], column)) :]
    return PromptRows(len(lines), lines[0], lines[-1], is_sure=True)


def first_prompt(now: Screen, start: PromptStart) -> int | None:
    """Return the last row of the first prompt that looks like that at the cursor.

    It is None if the screen does not have all of its history.
    """
    if may_have_shifted(now, now) or len(now.history) < now.history_size:
        return None
    last = rows_from(now, start).last
    looks = like_prompt(last)
    rows = enumerate(now.history + now.rows)
    return next((n for n, row in rows if last.strip() and looks.match(row)), None)


def has_one_row(screen: Screen, lines: list[str], command: CommandLine | None, prompt: str) -> bool:
    """Whether a prompt has one row: the line above it is not above all of its earlier prompts.

    Only the prompt of a REPL stays the same for long enough to compare.
    """
    if command is None or not (program_called(screen.command).keeps_prompt and lines[-1]):
        return False
    looks, rows = like_prompt(prompt), screen.history + screen.rows
    shown = (place for place in range(command.last_row, -1, -1) if looks.match(rows[place]))
    # Further up than a line that may have changed the prompt, it was another one.
    its = takewhile(lambda place: not CHANGES_PROMPT.search(rows[place]), shown)
    is_whole = len(screen.history) == screen.history_size
    return any(not _ends_alike(rows[place - 1], lines[-1]) if place else is_whole for place in its)


def _ends_alike(one: str, other: str) -> bool:
    """Whether two rows may be the same row of a prompt, with output left of one of them."""
    short, long = sorted((one, other), key=len)
    return re.search(rf"{like_prompt(short).pattern}\Z", long) is not None


def find_below(before: Screen, now: Screen) -> CommandLine | None:
    """Find the command line again, behind which the cursor was *before*, on a later screen."""
    place = find_row(before, now) if before.alternate == now.alternate else None
    if place is None:
        return None
    row, column = before.cursor.row, before.cursor.column
    # The line filled its row, so that the cursor was in the next one. Some line editors then leave
    # a row empty.
    is_in_next_row = column == 0 and row > 0
    goes_on = is_in_next_row and text_columns(before.rows[row - 1]) == before.size.columns
    start = place if goes_on else place + 1
    is_full = goes_on or column == before.size.columns
    if is_full and start < cursor_row(now) and not (now.history + now.rows)[start]:
        return CommandLine(place, start + 1, is_guess=True)
    return CommandLine(place, start)


def cursor_row(screen: Screen) -> int:
    """Return the cursor's row as an index into history and rows."""
    return len(screen.history) + screen.cursor.row


def lines_to_cursor(screen: Screen, start: int) -> list[str]:
    """Return the lines from a row on, the last of them up to the cursor.

    The cursor's line begins in that row at the earliest: tmux joins it with a command line above
    that fills its row to the last cell.
    """
    last = cursor_row(screen)
    end = max(screen.layout.line_start(last), start)
    rows = [*(screen.history + screen.rows)[end:last], screen.before_cursor]
    line = "".join(join_rows(rows, Layout(screen.layout.wrapped[end:last]), screen.size.columns))
    return [*lines_from(screen, start, end), line]


def like_prompt(prompt: str, *, same_width: bool = False) -> re.Pattern[str]:
    """Return a pattern of a prompt whose numbers may change: it may count, or show the time.

    If each number keeps its width, digits of output right before it are not taken for the prompt's.
    """
    digits = _DIGIT if same_width else _NUMBER
    return re.compile(digits.sub(lambda _: digits.pattern, re.escape(prompt)))


def common_start(one: str, other: str) -> str:
    """Return what both texts begin with."""
    pairs = zip(one, other, strict=False)
    return one[: sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))]


def split_line(row: str, known: str) -> _SplitLine:
    """Split the first row of a prompt, up to the cursor, into output and prompt."""
    if row == known or like_prompt(known, same_width=True).fullmatch(row):
        return _SplitLine("")
    # The known prompt is at the end of the row: what is left of it is output.
    for same_width in (True, False):
        found = re.search(rf"{like_prompt(known, same_width=same_width).pattern}\Z", row)
        if found is not None:
            is_alone = found.start() == 0 and not row[0].isdigit()
            return _SplitLine(row[: found.start()], "" if is_alone else LEFT)
    # The row begins as the prompt does, and shows another directory or the like: no output is
    # there.
    same = common_start(row, known)
    if same.strip() and row.find(same, 1) < 0:
        return _SplitLine("")
    end = common_start(row[::-1], known[::-1])
    return _SplitLine("", LEFT if len(end) < len(row) else "", is_same=bool(end.strip()))


def _is_marked(now: Screen, known: PromptRows) -> bool | None:
    """Whether the program marks output without a line break; None if that cannot be determined.

    zsh does unless its options say otherwise. If the output has a line break it wipes the mark's
    row again. At the top of the screen tmux keeps that blank row in the history, which shows it.
    """
    program = program_called(now.command)
    if program.always_marks:
        return True
    if not program.line_break_marks:
        return None
    is_first = known.first is None and now.cursor.row + 1 < now.size.rows
    if known.is_marked is not None or not is_first or now.history_size > 1:
        return known.is_marked
    row = lines_from(now, cursor_row(now), cursor_row(now) + 1)[0]
    # On a dumb terminal zsh does not wipe the row.
    is_unmarked = now.cursor.row == 0 and len(row) < now.size.columns - 1
    return True if now.history_size else False if is_unmarked else None


def _is_same(shown: list[str], known: PromptRows, *, is_all: bool) -> bool:
    """Whether the last of some lines looks like that of the known prompt, whose rows fit in.

    They may be too few if they are all lines below the command line (*is_all*).
    """
    if known.rows is None or (is_all and len(shown) < known.rows):
        return False
    split = split_line(shown[-1], known.last)
    return split.is_same and (known.rows == 1 or not split.tail)


def _is_alone(shown: list[str], found: CommandLine, known: PromptRows, *, may_differ: bool) -> bool:
    """Whether the one line below a command line is a prompt: the command has printed nothing."""
    if len(shown) > 1 or found.is_guess or shown[0].strip() in _NO_PROMPTS:
        return False
    return known.first is None or may_differ or split_line(shown[0], known.last).is_same


def _is_for_the_rest(shown: list[str], known: PromptRows) -> bool:
    """Whether a line alone below a command line asks for the rest of it."""
    *above, last = shown
    if above or known.first is None or (known.rows == 1 and known.last == last):
        return False
    return last.strip() in _NO_PROMPTS


def _find_command(before: Screen | None, now: Screen) -> CommandLine | None:
    """Find a command line again, above the cursor."""
    found = find_below(before, now) if before and before.size == now.size else None
    return None if found and found.below > cursor_row(now) else found


def _shown_twice(seen: Screen | None, now: Screen) -> list[str] | None:
    """Return the lines of the prompt, if only Enter was pressed since it was seen last.

    Then it is shown twice, and all lines below the first one are the second.
    """
    found = _find_command(seen, now)
    if seen is None or found is None:
        return None
    if (now.history + now.rows)[found.last_row] != seen.cursor_line:
        return None  # something was typed
    shown = lines_to_cursor(now, found.below)
    start = now.layout.line_start(found.last_row)
    earlier = [*lines_from(now, 0, start), seen.line_before_cursor][-len(shown) :]
    return shown if _is_one_prompt(shown) and _is_as_earlier(shown, earlier) else None


def _is_one_prompt(lines: list[str]) -> bool:
    """Whether some lines may be one prompt: not several, and not a screen that is half drawn."""
    *above, last = lines
    if last.strip():
        return not any(like_prompt(last).match(line) for line in above)
    return all(above) and any(line.strip() for line in above)


def _is_as_earlier(lines: list[str], earlier: list[str]) -> bool:
    """Whether a prompt looks like an earlier one, left of which there may have been output."""
    if len(earlier) < len(lines):
        return False
    first, *rest = (like_prompt(line) for line in lines)
    if not re.search(rf"{first.pattern}\Z", earlier[0]):
        return False
    pairs = zip(rest, earlier[1:], strict=True)
    return all(pattern.fullmatch(line) for pattern, line in pairs)


def _may_be_shorter(now: Screen, first: str) -> bool:
    """Whether a line above begins with the end of the text that is taken for the first row.

    Then that end may be the whole prompt, and there was output left of it, now and before.
    """
    parts = tuple(first[n:] for n in range(1, len(first)) if first[n:].strip())
    return any(line.startswith(parts) for line in lines_to_cursor(now, 0))
