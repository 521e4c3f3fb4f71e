"""What a command has printed: the rows between the command line and the prompt that follows."""

from itertools import takewhile
from typing import NamedTuple

import attrs

from tmuxprim._heads import PS2, Heads, is_at_top, like_prompt
from tmuxprim._mark import Mark
from tmuxprim._readiness._look import Look
from tmuxprim._readiness._result import Readiness
from tmuxprim._readiness._shell import has_shell
from tmuxprim._readiness._verdict import Outcome
from tmuxprim._screen import Screen
from tmuxprim._since import find_row, may_have_shifted
from tmuxprim._width import text_columns
from tmuxprim._wrap import Layout, join_rows

# What shells print behind output that ends without a line break; they fill the row after it.
_NO_LINE_BREAK = {"zsh": ("%", "#"), "fish": ("⏎", "¶")}
# Rows of the history among which there are other prompts, as a rule.
_TO_COMPARE = 2_000


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


class Printed(NamedTuple):
    """Is what one line that was typed has printed.

    Args:
        text: The output.
        complete: Whether its beginning was found, and its end.
        prompt_rows: What the prompt shows above its last line; None if that is not sure.
    """

    text: str
    complete: bool
    prompt_rows: tuple[str, ...] | None = None


def histories_to_try(
    mark: Mark, screen: Screen, prompt_rows: tuple[str, ...] | None
) -> tuple[int, ...]:
    """Return how many rows of the history may be enough to tell what was printed.

    None if the visible screen is. Where tmux has thrown rows away nobody knows how many rows were
    printed, so there are a few to be tried first.
    """
    if screen.alternate or (prompt_rows is not None and find_row(mark.screen, screen) is not None):
        return ()
    above = _TO_COMPARE if prompt_rows is None else mark.screen.size.rows
    if may_have_shifted(mark.screen, screen):
        few, all_of_it = min(_TO_COMPARE, screen.history_size), screen.history_size
        return (few,) if few == all_of_it else (few, all_of_it)
    printed = max(screen.history_size - mark.screen.cursor_line_number, 0)
    return (min(printed + above, screen.history_size),)


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
    if prompt_rows is None and _is_at_top(mark.screen):
        prompt_rows = ()
    place = find_row(mark.screen, screen)
    start = _wiped_rows(screen) if place is None else _row_below(place, mark, screen)
    last = len(screen.history) + screen.cursor.row
    if outcome not in {Outcome.PROMPT, Outcome.CONTINUATION}:
        text = "\n".join(_lines(screen, start, last + 1)).rstrip("\n")
        ends_line = text and not screen.before_cursor
        return Printed(text + "\n" * bool(ends_line), complete=False, prompt_rows=prompt_rows)
    end = max(screen.layout.line_start(last), start)
    tail, prompt = _split_at_prompt(_line_to_cursor(screen, end), mark, typed)
    lines, bottom = _lines(screen, start, end), end
    is_open = False
    if not tail and outcome is Outcome.PROMPT:
        is_cut = len(screen.history) < screen.history_size or may_have_shifted(mark.screen, screen)
        above = _lines(screen, 0, start)
        is_shell = has_shell(Look(screen=screen, tty=mark.tty))
        heads = Heads((*above, *lines), len(above), prompt, is_cut, blank_only=is_shell is False)
        upper, tail = _upper_rows(heads, prompt_rows)
        del lines[len(lines) - len(upper) :]
        for _ in upper:
            bottom = screen.layout.line_start(bottom - 1)
        is_open = prompt_rows is None and heads.is_open
        prompt_rows = _learned(heads, prompt_rows, upper, tail)
    if lines and start == place:
        lines[0] = lines[0].rstrip(" ")  # the line editor wrote one there, to begin the row
    if lines and not tail and screen.command in _NO_LINE_BREAK:
        if _has_mark_of_no_line_break(screen, bottom - 1):
            tail = lines.pop().rstrip(" ")[:-1]
        else:  # these shells wipe what would tell whether the output ended there
            is_open = is_open or _is_full(screen, bottom - 1)
    has_same_width = screen.size.columns == mark.screen.size.columns  # else rows wrapped anew
    return Printed(
        "".join(f"{line}\n" for line in lines) + tail,
        complete=place is not None and has_same_width and not is_open,
        prompt_rows=prompt_rows,
    )


def _is_at_top(screen: Screen) -> bool:
    """Whether nothing stands above the prompt: then it has one line, and will have."""
    start = screen.layout.line_start(screen.cursor.row)
    return not screen.history_size and is_at_top(_rows_with_blank_ones(screen)[:start])


def _upper_rows(heads: Heads, known: tuple[str, ...] | None) -> tuple[tuple[str, ...], str]:
    """Return the prompt's upper rows, and what was printed before them without a line break."""
    rows = tuple(heads.lines[heads.start :])
    if known is None or (len(rows) < len(known) and heads.prompt != PS2):
        known = heads.guess  # nothing is known, or another prompt has fewer rows
    upper = rows[-len(known) :] if known else ()
    if upper and upper[0].endswith(known[0]):
        return upper, upper[0].removesuffix(known[0])
    return upper, ""  # it shows another folder now, or the like


def _learned(
    heads: Heads, known: tuple[str, ...] | None, upper: tuple[str, ...], tail: str
) -> tuple[str, ...] | None:
    """Return what the prompt shows above its last line, once that is sure."""
    if known is None and not heads.is_sure:
        return None
    if not upper:
        return known if known and heads.prompt == PS2 else ()
    return (upper[0].removeprefix(tail), *upper[1:])


def _row_below(place: int, mark: Mark, screen: Screen) -> int:
    """Return where the output begins, below the command line."""
    if mark.screen.before_cursor or not (screen.history + screen.rows)[place]:
        return place + 1
    return place  # the command line filled its row, and the shell did not begin another (fish)


def _rows_with_blank_ones(screen: Screen) -> list[str]:
    """Return the rows, those with nothing but written spaces as they were written.

    zsh wipes a row so before it draws its prompt; that is no blank row of a prompt.
    """
    rows = screen.history + screen.rows
    blanks = (*screen.layout.blanks, *[0] * len(rows))
    return [row or " " * blanks[number] for number, row in enumerate(rows)]


def _wiped_rows(screen: Screen) -> int:
    """Return how many of the first rows are what zsh wiped, and tmux kept, at a ``clear``."""
    rows = zip(screen.history + screen.rows, screen.layout.blanks, strict=False)
    wiped = takewhile(lambda row: not row[0] and row[1] == screen.size.columns, rows)
    return sum(1 for _ in wiped)


def _lines(screen: Screen, start: int, end: int) -> list[str]:
    rows = (screen.history + screen.rows)[start:end]
    return join_rows(rows, screen.layout.part(start, end), screen.size.columns)


def _line_to_cursor(screen: Screen, start: int) -> str:
    """Return the cursor's line up to the cursor, as far as it stands below a row.

    A command line that fills its row to the last cell goes on in the prompt's row, for tmux.
    """
    last = len(screen.history) + screen.cursor.row
    rows = [*(screen.history + screen.rows)[start:last], screen.before_cursor]
    return "".join(join_rows(rows, Layout(screen.layout.wrapped[start:last]), screen.size.columns))


def _split_at_prompt(line: str, mark: Mark, typed: str) -> tuple[str, str]:
    """Return what the command printed, without a line break, before the prompt, and the prompt."""
    before = mark.screen.line_before_cursor
    there = before.removesuffix(typed) if before.endswith(typed) else ""
    known = mark.prompt.text if mark.prompt else ""
    prompts = [prompt for prompt in (there, known) if prompt.strip()]
    if known and there.endswith(known) and not there.removesuffix(known).endswith(" "):
        prompts.reverse()  # the rest is what the command before has printed
    for prompt in prompts:
        for same_width in (True, False):
            looks = [*like_prompt(prompt, same_width=same_width).finditer(line)]
            if looks and looks[-1].end() == len(line):
                return line[: looks[-1].start()], line[looks[-1].start() :]
    return "", line  # another prompt than before


def _has_mark_of_no_line_break(screen: Screen, row: int) -> bool:
    """Whether the shell says that the output ended within this row.

    zsh and fish then print a mark and as many spaces as the row takes.
    """
    text, blanks = _row_and_blanks(screen, row)
    return blanks > 0 and _is_full(screen, row) and text.endswith(_NO_LINE_BREAK[screen.command])


def _is_full(screen: Screen, row: int) -> bool:
    text, blanks = _row_and_blanks(screen, row)
    return text_columns(text) + blanks == screen.size.columns


def _row_and_blanks(screen: Screen, row: int) -> tuple[str, int]:
    return (screen.history + screen.rows)[row], (*screen.layout.blanks, *[0] * (row + 1))[row]
