"""The output of a command: the rows between its command line and the next prompt."""

import re
from collections.abc import Iterator
from itertools import dropwhile
from typing import Final, NamedTuple

import attrs

from tmuxprim._engine.prompt_rows import (
    LEFT,
    Found,
    Sighting,
    cursor_row,
    find_below,
    lines_between,
    lines_to_cursor,
)
from tmuxprim._engine.prompt_start import PromptStart
from tmuxprim._readiness.snapshot import Outcome, Readiness, Snapshot
from tmuxprim._values.evidence import Mark
from tmuxprim._values.lines import cut_at_column, join_rows, text_columns
from tmuxprim._values.new_text import find_row, may_have_shifted
from tmuxprim._values.programs import program_called
from tmuxprim._values.screen import Screen
from tmuxprim._values.style import PLAIN

# A prompt ends with so many spaces at most.
_SOME: Final = 2
_STATUS: Final = re.compile("[0-9]{1,10}")
# Where a full history is first searched for the command line.
_FEW_ROWS: Final = 2_000

GONE: Final = "its beginning is gone: cleared, painted over, or scrolled out of the history"
_RUNS: Final = "the command has not ended"
_RESIZED: Final = "the window was resized meanwhile, and its rows wrapped anew"
_PAINTED: Final = "something was painted above the command line"
_OVER: Final = "it was printed where a text stood, of which a part may be left: clear the screen"
_FULL: Final = "its last row is full, and the shell hides whether that line has ended"
MARKED: Final = (
    "its last row ends as a row does that a shell has marked because the line had no line break, "
    "and the mark cannot be told from output"
)
_OVERWRITES: Final = (
    "this zsh begins its prompt where output without a line break ends, and may have overwritten "
    "that ('setopt prompt_sp' keeps it)"
)
_BEGUN: Final = (
    "blanks fill a row of it, as zsh fills the row where its prompt begins, so the rows below that "
    "may come from a hook of the prompt: an Enter at the empty prompt tells"
)
_TALL: Final = (
    "the prompt is higher than the screen, so nothing tells whether output stands left of it"
)
_STAIRS: Final = (
    "it ends with blanks, as each row does where a program that was killed has left the terminal "
    "without line breaks ('stty sane' mends that)"
)
UNCLEAR: Final = (
    "its last rows may come from a hook of the prompt, such as PROMPT_COMMAND: the command printed "
    "the mark by which the shell reports the end of the output"
)
_FILLED: Final = "the command line fills its row, and what is blank below it may be output"
BEFORE: Final = (
    "its first rows may come from a hook before the command, such as PS0 of bash or preexec of zsh"
)
_AGAIN: Final = "the line editor has shown the command line again"
_ROWS: Final = (
    "its last rows may be the prompt's: how many rows that has is learned from an Enter at the "
    "empty prompt, or told (prompt_rows)"
)
# Doubts that leave the first line as it is.
_OF_THE_END: Final = (_ROWS, _FULL, UNCLEAR, LEFT, MARKED, _OVERWRITES, _TALL)


@attrs.frozen(kw_only=True)
class CommandResult:
    r"""The output of a command, and how the wait for its end ended.

    The text is what a terminal keeps of the output: control sequences were carried out, and tabs
    are spaces.

    Args:
        output: What was printed, in its own lines, however the screen wraps them. It ends with a
            line break if the output did.
        complete: Whether that is exactly the output. False if its beginning is gone, if the command
            has not ended, or if a part of the prompt may be in it.
        readiness: How the wait ended.
        doubt: Why it is not complete, and what helps; empty if it is complete.
        exit_status: What the command ended with, if the shell has said so: by itself (OSC 133), or
            because it was asked to (``exit_status``); else None.
        mark: From right before the Enter of its first line: ``read(since=result.mark)`` returns
            what the pane shows of it by now.

    Examples:
        >>> terminal = FakeTerminal(programs={"sh": ScriptedShell({"ls": "a.txt\nb.txt"})})
        >>> result = Console(terminal, terminal.open("sh")).run("ls")
        >>> result.output, result.complete
        ('a.txt\nb.txt\n', True)
    """

    output: str
    complete: bool
    readiness: Readiness
    doubt: str = ""
    exit_status: int | None = None
    mark: Mark | None = attrs.field(default=None, repr=False)


class Printed(NamedTuple):
    """The output of one line that was typed."""

    text: str
    doubt: str = ""
    """Why that may not be exactly the output; empty if it is."""


def status_in(printed: Printed) -> int | None:
    """Return the number that is all that was printed; None if something else was."""
    number, _, rest = printed.text.partition("\n")
    is_alone = printed.doubt in _OF_THE_END if printed.doubt else not rest
    return int(number) if is_alone and _STATUS.fullmatch(number) else None


def histories_to_try(mark: Mark, screen: Screen) -> tuple[int, ...]:
    """Return how many rows of the history to read for the output: one number after the other.

    There is none if the screen shows the command line. Where tmux has thrown rows away, nobody
    knows how many were printed, so a few rows are tried first.
    """
    if screen.alternate or find_row(mark.screen, screen) is not None:
        return ()
    if may_have_shifted(mark.screen, screen):
        few, all_of_it = min(_FEW_ROWS, screen.history_size), screen.history_size
        return (few,) if few == all_of_it else (few, all_of_it)
    printed = max(screen.history_size - mark.screen.cursor_line_number, 0)
    return (min(printed + mark.screen.size.rows, screen.history_size),)


class _Cut(NamedTuple):
    """The end of the output.

    Args:
        end: The row behind its last whole line.
        tail: Its last text without a line break.
        doubt: Why that may be wrong; empty if it is sure.
    """

    end: int
    tail: str = ""
    doubt: str = ""


def read_output(
    mark: Mark,
    screen: Screen,
    outcome: Outcome,
    *,
    seen: Sighting | None = None,
    start: PromptStart | None = None,
    typed: str = "",
    ground: Screen | None = None,
    above: tuple[str, ...] | None = (),
) -> Printed:
    """Return what was printed since the mark, which is from right before Enter.

    *ground* is the screen from before the line was *typed*, *seen* the prompt at the cursor, and
    *start* where it begins, if its program has told that. Hooks have printed the rows *above* the
    output; None if they may have, and that is not certain.
    """
    if screen.alternate and not (mark.screen.alternate and seen):
        return Printed(screen.text, _RUNS)
    found = find_below(mark.screen, screen)
    first = found.start if found else 0
    last = cursor_row(screen)
    if seen is None and outcome is not Outcome.CONTINUATION:
        text = "\n".join(lines_between(screen, first, last + 1)).rstrip("\n")
        return Printed(text + "\n" * bool(text and not screen.before_cursor), _RUNS)
    doubts = [] if found and first <= last else [GONE]
    if found is not None:
        ground = ground or mark.screen
        head = cut_at_column(ground.before_cursor + typed, screen.size.columns).rstrip(" ")
        rows = (screen.history + screen.rows)[first:last]
        # The output may follow in the same row, where the window was resized at that moment.
        begins = head if ground.before_cursor.strip() else f"{head}\n"
        is_again = bool(typed) and any(f"{row}\n".startswith(begins) for row in rows)
        # A full-screen program that was killed leaves its text, and not all shells wipe it.
        is_over = any(ground.rows[ground.cursor.row + 1 :])
        doubts += [_OVER] * is_over + [_AGAIN] * is_again
        doubts += _doubts_of_place(mark.screen, screen, found, seen)
        is_above = above is not None and tuple(rows[: len(above)]) == above
        doubts += [] if is_above else [BEFORE]
        first += len(above or ()) if is_above else 0
    cut = _Cut(max(screen.layout.line_start(last), first))
    if start is not None:
        cut = _cut_at(start, screen, first)
    elif seen is not None:
        cut = _without_prompt(screen, seen, mark, found, range(first, cut.end))
    lines = lines_between(screen, first, cut.end)
    if found is None:
        lines = [*dropwhile(str.isspace, lines)]  # zsh wipes a row, which tmux keeps at a `clear`
    if found is not None and found.place == first and lines and lines[0].endswith(" "):
        # The line editor wrote one there, to begin the row.
        lines[0], doubts = lines[0].rstrip(" "), [*doubts, _FILLED]
    text = "".join(f"{line}\n" for line in lines) + cut.tail
    return Printed(text, next(filter(None, (*doubts, cut.doubt)), ""))


def _doubts_of_place(
    before: Screen, now: Screen, found: Found, seen: Sighting | None
) -> Iterator[str]:
    """Yield why the rows below the command line may not be the output."""
    if now.size != before.size:
        yield _RESIZED
        return
    height = min(found.place, before.cursor.row)
    # The upper rows of a prompt may show since when the command runs.
    above = max(height - (seen.prompt.height if seen else 1) + 1, 0)
    top, old_top = found.place - height, before.cursor.row - height
    rows = now.history + now.rows
    if rows[top : top + above] != before.rows[old_top : old_top + above]:
        yield _PAINTED
    if found.is_guess:
        yield _FILLED


def _cut_at(start: PromptStart, screen: Screen, first: int) -> _Cut:
    """Split the rows from the *first* on where the prompt begins."""
    row = cursor_row(screen) - start.above
    if row < first:
        return _Cut(first, "", _PAINTED)
    end = max(screen.layout.line_start(row), first)
    left = cut_at_column((screen.history + screen.rows)[row], start.column)
    rows = [*(screen.history + screen.rows)[end:row], left]
    tail = "".join(join_rows(rows, screen.layout.part(end, row), screen.size.columns))
    return _Cut(end, tail, start.doubt)


def _without_prompt(
    screen: Screen, seen: Sighting, mark: Mark, found: Found | None, rows: range
) -> _Cut:
    """Split the rows between command line and cursor into the output and the prompt below it."""
    lines, height, end = lines_between(screen, rows.start, rows.stop), seen.prompt.height, rows.stop
    program, doubt, tail = program_called(screen.command), "", seen.tail
    is_repl = program.keeps_prompt
    if lines and seen.prompt.rows is None:
        above = lines_between(screen, 0, found.place)[-1:] if found else [""]
        doubt = _ROWS * (not is_repl or "" in (lines[-1], *above))
    elif len(lines) < height - 1:
        height, doubt = 1, _ROWS * bool(lines)
    for _ in range(height - 1):
        end = max(screen.layout.line_start(end - 1), rows.start)
    above_prompt = range(rows.start, end)
    cut = _without_mark(screen, above_prompt)
    if cut is not None:
        return cut._replace(doubt=cut.doubt or doubt or seen.doubt)
    if end < len(screen.history) and not seen.prompt.is_marked:
        # The prompt's first line begins above the screen on which it was seen.
        upper, last = lines_to_cursor(screen, end)
        first = [*upper, last][0]
        if end < screen.layout.line_start(len(screen.history)):
            doubt = doubt or _TALL
        else:
            tail = first[: len(first) - len(seen.prompt.first or "")]
            doubt = doubt or LEFT * (bool(tail) and not seen.tail)
    if not program.line_break_marks:
        doubt = MARKED * _may_be_marked(screen, mark, above_prompt) or doubt
    elif not tail:
        doubt = _doubt_of_end(screen, seen, above_prompt, mark.screen, height) or doubt
    return _Cut(end, tail, doubt or seen.doubt)


def _without_mark(screen: Screen, rows: range) -> _Cut | None:
    """Split off the mark that the shell shows behind output without a line break, if there is one.

    zsh and fish print the mark in a style of its own, and as many spaces as the row takes, so that
    the prompt begins a row.
    """
    marks, end = program_called(screen.command).line_break_marks, rows.stop
    is_joined = True in screen.layout.wrapped[end : end + 1]
    for row in range(end if is_joined else end - 1, max(end - 2, rows.start - 1), -1):
        text, styled = (screen.history + screen.rows)[row], _style_of_end(screen, row)
        if _is_filled(screen, row) and text.endswith(marks) and styled in (None, text[-1]):
            start = max(screen.layout.line_start(row), rows.start)
            tail = lines_between(screen, start, row + 1)[0].rstrip(" ")[:-1]
            return _Cut(start, tail, _STAIRS if tail.isspace() else MARKED * (styled is None))
    return None


def _may_be_marked(screen: Screen, mark: Mark, rows: range) -> bool:
    """Whether a shell of which that is not known may have marked the last line."""
    facts = Snapshot(screen=screen, tty=mark.tty).facts
    if not (facts.may_be_shell and rows and _is_filled(screen, rows[-1])):
        return False
    return not facts.is_shell or _style_of_end(screen, rows[-1]) != ""


def _doubt_of_end(screen: Screen, seen: Sighting, rows: range, before: Screen, height: int) -> str:
    """Return why the output may have ended otherwise than above a prompt of zsh or fish.

    On a dumb terminal zsh prints one space too few and does not wipe the row: output of one letter
    is overwritten, and longer output is joined with the prompt. Nor is the row wiped if a hook
    prints it, as it did *before*.
    """
    end, columns = rows.stop, screen.size.columns
    if seen.prompt.is_marked is False and seen.prompt.first:
        return _OVERWRITES
    is_filled, is_joined = _is_filled(screen, end), True in screen.layout.wrapped[end : end + 1]
    always_marks = program_called(screen.command).always_marks
    if not always_marks and not is_filled and _is_any_filled(screen, rows):
        return _BEGUN
    first = cursor_row(before) - height + 1
    if height > 1 and is_filled:
        is_dumb = is_joined or first < 0 or not _is_filled(before, first)
    else:
        is_dumb = _blanks(screen, end + is_joined) > _SOME and (is_joined or is_filled)
    # These shells wipe what would show whether the line ended there.
    hides_end = bool(rows) and _columns(screen, end - 1) == columns
    return _FULL * (hides_end or is_dumb)


def _is_any_filled(screen: Screen, rows: range) -> bool:
    """Whether spaces were written behind the text of some row, up to its end or nearly so."""
    texts = (screen.history + screen.rows)[rows.start : rows.stop]
    part = screen.layout.part(rows.start, rows.stop)
    marks = program_called(screen.command).line_break_marks
    wrapped = (*part.wrapped, *[False] * len(texts))
    return any(
        blanks
        and text_columns(text) + blanks >= screen.size.columns - 1
        and (not goes_on or text.endswith(marks))
        for text, goes_on, blanks in zip(texts, wrapped, part.blanks, strict=False)
    )


def _style_of_end(screen: Screen, row: int) -> str | None:
    """Return the end of a row's text that is styled, without blanks; None if that is not known."""
    place = row - len(screen.history)
    if screen.styles is None or place < 0:
        return None
    part = screen.styles[place][-1:]
    return "".join(text.text for text in part if text.style != PLAIN)


def _is_filled(screen: Screen, row: int) -> bool:
    """Whether spaces were written behind a row's text, up to its end."""
    return _blanks(screen, row) > 0 and _columns(screen, row) == screen.size.columns


def _columns(screen: Screen, row: int) -> int:
    """Return how many columns of a row were written."""
    return text_columns((screen.history + screen.rows)[row]) + _blanks(screen, row)


def _blanks(screen: Screen, row: int) -> int:
    return sum(screen.layout.blanks[row : row + 1])
