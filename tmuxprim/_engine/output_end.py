"""The end of a command's output: where it is, by the strongest source that shows it.

The output ends where the next prompt begins. That is hard to see for two reasons: a prompt may have
several rows, of which the upper ones look like output; and output without a line break at its end
is in the same row as the prompt. `find_end` names the sources.
"""

from typing import Final, NamedTuple

from tmuxprim._engine.prompt_rows import (
    LEFT,
    CommandLine,
    ShownPrompt,
    cursor_row,
    has_one_row,
    lines_to_cursor,
)
from tmuxprim._engine.prompt_start import PromptStart
from tmuxprim._readiness.snapshot import Snapshot
from tmuxprim._values.evidence import Mark
from tmuxprim._values.lines import cut_at_column, join_rows, text_columns
from tmuxprim._values.new_text import lines_from
from tmuxprim._values.programs import program_called
from tmuxprim._values.screen import Screen
from tmuxprim._values.style import PLAIN

# A prompt ends with so many spaces at most. More of them were written to fill the row.
_SOME: Final = 2

PAINTED: Final = "something was painted above the command line"
MARKED: Final = (
    "its last row ends with the mark that a shell shows behind output without a line break, and "
    "the mark may be output"
)
UNCLEAR: Final = (
    "its last rows may come from a hook of the prompt, such as PROMPT_COMMAND: the command printed "
    "the mark by which the shell reports the end of the output"
)
_FULL: Final = "its last row is full, and the shell hides whether that line has ended"
_OVERWRITES: Final = (
    "this zsh begins its prompt where output without a line break ends, and may have overwritten "
    "that ('setopt prompt_sp' keeps it)"
)
_BEGUN: Final = (
    "blanks fill a row of it, as zsh fills the row where its prompt begins, so the rows below that "
    "may come from a hook of the prompt: an Enter at the empty prompt shows it"
)
_TALL: Final = "the prompt is higher than the screen, so output may be left of it"
_STAIRS: Final = (
    "it ends with blanks, as each row does where a program that was killed has left the terminal "
    "without line breaks ('stty sane' fixes that)"
)
_ROWS: Final = (
    "its last rows may be the prompt's: an Enter at the empty prompt shows how many rows it has, "
    "or give the number"
)
DOUBTS_OF_END: Final = (_ROWS, _FULL, UNCLEAR, LEFT, MARKED, _OVERWRITES, _TALL)
"""Doubts that leave the first line as it is."""


class OutputEnd(NamedTuple):
    """The end of the output.

    Args:
        row: The row below its last whole line, an index into history and rows.
        tail: The text behind that line, without a line break at its end.
        doubt: Why that may be wrong; empty if it is sure.
    """

    row: int
    tail: str = ""
    doubt: str = ""


class _Top(NamedTuple):
    """The row in which a prompt of some height begins.

    Args:
        row: The row, an index into history and rows.
        height: The height.
        doubt: Why that may be wrong; empty if it is sure.
    """

    row: int
    height: int
    doubt: str


def find_end(
    screen: Screen,
    first: int,
    *,
    mark: Mark,
    command: CommandLine | None,
    seen: ShownPrompt | None,
    start: PromptStart | None,
) -> OutputEnd:
    """Return where the output ends that begins in the *first* row, below the *command* line.

    The strongest source decides: the *start* of the prompt, which the shell's own marks in the raw
    output report; the mark that zsh or fish shows behind output without a line break; the height of
    the prompt that was *seen*; and without a prompt the cursor's line, in which the output goes on
    or the shell asks for the rest of the command.
    """
    if start is not None:
        return _above_start(screen, first, start)
    cursor_line = max(screen.layout.line_start(cursor_row(screen)), first)
    if seen is None:
        return OutputEnd(cursor_line)
    top = _top_of_prompt(screen, range(first, cursor_line), seen, command)
    rows = range(first, top.row)
    end = _at_line_break_mark(screen, rows) or _above_prompt(screen, rows, seen, top, mark)
    return end._replace(doubt=end.doubt or top.doubt or seen.doubt)


def _above_start(screen: Screen, first: int, start: PromptStart) -> OutputEnd:
    """Return the end right before the cell in which the prompt begins."""
    row = cursor_row(screen) - start.above
    if row < first:
        return OutputEnd(first, "", PAINTED)
    end = max(screen.layout.line_start(row), first)
    left = cut_at_column((screen.history + screen.rows)[row], start.column)
    rows = [*(screen.history + screen.rows)[end:row], left]
    tail = "".join(join_rows(rows, screen.layout.part(end, row), screen.size.columns))
    return OutputEnd(end, tail, start.doubt)


def _top_of_prompt(
    screen: Screen, rows: range, seen: ShownPrompt, command: CommandLine | None
) -> _Top:
    """Return the row in which the prompt begins, of those above its last line or that line's."""
    lines, height, doubt = lines_from(screen, rows.start, rows.stop), seen.prompt.height, ""
    if lines and seen.prompt.rows is None:
        doubt = _ROWS * (not has_one_row(screen, lines, command, seen.prompt.last))
    elif len(lines) < height - 1:
        # There are fewer rows than it had: it is another prompt. That this has one row is a guess.
        height, doubt = 1, _ROWS * bool(lines)
    row = rows.stop
    for _ in range(height - 1):
        row = max(screen.layout.line_start(row - 1), rows.start)
    return _Top(row, height, doubt)


def _at_line_break_mark(screen: Screen, rows: range) -> OutputEnd | None:
    """Return the end before the mark behind output without a line break; None if there is none.

    zsh and fish print the mark in a style of its own, and as many spaces as the row takes, so that
    the prompt begins a row (zshoptions(1), PROMPT_SP).
    """
    marks, below = program_called(screen.command).line_break_marks, rows.stop
    # The mark is in the row above the prompt. On a dumb terminal it is in the prompt's first row,
    # in front of it.
    for row in (*[below] * screen.layout.goes_on(below), *rows[-1:]):
        text, styled = (screen.history + screen.rows)[row], _style_of_end(screen, row)
        # Output may end with the same character. Then it is plain, or more of it is styled.
        if _is_filled(screen, row) and text.endswith(marks) and styled in (None, text[-1]):
            start = max(screen.layout.line_start(row), rows.start)
            tail = lines_from(screen, start, row + 1)[0].rstrip(" ")[:-1]
            # No shell writes a mark behind blanks only, unless line feeds leave the column as it is
            # (termios(3), ONLCR is off).
            doubt = _STAIRS if tail.isspace() else MARKED * (styled is None)
            return OutputEnd(start, tail, doubt)
    return None


def _above_prompt(
    screen: Screen, rows: range, seen: ShownPrompt, top: _Top, mark: Mark
) -> OutputEnd:
    """Return the end above a prompt of this height; the shell shows no line-break mark there."""
    tail, doubt = _left_of_prompt(screen, seen, top)
    if not program_called(screen.command).line_break_marks:
        hidden = MARKED * _may_be_marked(screen, mark, rows)
    else:
        hidden = "" if tail else _doubt_of_missing_mark(screen, rows, seen, mark.screen, top.height)
    return OutputEnd(top.row, tail, hidden or top.doubt or doubt)


def _left_of_prompt(screen: Screen, seen: ShownPrompt, top: _Top) -> tuple[str, str]:
    """Return the output left of the prompt in its first row, and a doubt about it."""
    above_screen = len(screen.history)
    if top.row >= above_screen or seen.prompt.is_marked:
        return seen.tail, ""
    # The prompt was seen on the screen only, and its first row begins above that: what is left of
    # it was not seen.
    if top.row < screen.layout.line_start(above_screen):
        return seen.tail, _TALL
    first = lines_to_cursor(screen, top.row)[0]
    tail = first[: len(first) - len(seen.prompt.first or "")]
    return tail, LEFT * (bool(tail) and not seen.tail)


def _may_be_marked(screen: Screen, mark: Mark, rows: range) -> bool:
    """Whether the last line may end with the mark of a shell that is not known to write one."""
    if not (rows and _is_filled(screen, rows[-1])):
        return False
    facts = Snapshot(screen=screen, tty=mark.tty).facts
    if not facts.may_be_shell:
        return False
    return not facts.is_shell or _style_of_end(screen, rows[-1]) != ""


def _doubt_of_missing_mark(
    screen: Screen, rows: range, seen: ShownPrompt, before: Screen, height: int
) -> str:
    """Return why output above a prompt of zsh or fish may lack its line break, without their mark.

    These shells wipe the row of their mark if the line has ended. If the last line of the output
    fills its row, nothing is left that shows whether it ended there.
    """
    if seen.prompt.is_marked is False and seen.prompt.first:
        return _OVERWRITES
    is_wiped = not _is_filled(screen, rows.stop)
    always_marks = program_called(screen.command).always_marks
    if is_wiped and not always_marks and _is_any_filled(screen, rows):
        return _BEGUN
    hides_end = bool(rows) and _columns(screen, rows[-1]) == screen.size.columns
    return _FULL * (hides_end or _is_dumb(screen, rows.stop, before, height))


def _is_dumb(screen: Screen, top: int, before: Screen, height: int) -> bool:
    """Whether the prompt begins as on a dumb terminal, by the blanks behind its first row.

    There zsh prints one space too few and does not wipe the row: output of one letter is
    overwritten, and longer output is joined with the prompt. Nor is the row wiped if a hook prints
    it, as it did *before*.
    """
    is_filled, is_joined = _is_filled(screen, top), screen.layout.goes_on(top)
    if height > 1 and is_filled:
        top_before = cursor_row(before) - height + 1
        return is_joined or top_before < 0 or not _is_filled(before, top_before)
    blanks = screen.layout.blanks_behind(top + is_joined)
    return blanks > _SOME and (is_joined or is_filled)


def _is_any_filled(screen: Screen, rows: range) -> bool:
    """Whether spaces were written behind the text of some row, up to its end or nearly so."""
    texts = (screen.history + screen.rows)[rows.start : rows.stop]
    marks = program_called(screen.command).line_break_marks
    return any(
        screen.layout.blanks_behind(row)
        and _columns(screen, row) >= screen.size.columns - 1
        and (not screen.layout.goes_on(row) or text.endswith(marks))
        for row, text in zip(rows, texts, strict=True)
    )


def _style_of_end(screen: Screen, row: int) -> str | None:
    """Return the styled text at the end of a row, such as a mark; None without known styles."""
    place = row - len(screen.history)
    if screen.styles is None or place < 0:
        return None
    part = screen.styles[place][-1:]
    return "".join(text.text for text in part if text.style != PLAIN)


def _is_filled(screen: Screen, row: int) -> bool:
    """Whether spaces were written behind a row's text, up to its end."""
    columns = screen.size.columns
    return screen.layout.blanks_behind(row) > 0 and _columns(screen, row) == columns


def _columns(screen: Screen, row: int) -> int:
    """Return how many columns of a row were written."""
    text = (screen.history + screen.rows)[row]
    return text_columns(text) + screen.layout.blanks_behind(row)
