"""Whether the shell that showed a prompt wants more of the command that was begun there."""

import re
from typing import Final

import attrs

from tmuxprim._mark import Mark, Prompt
from tmuxprim._readiness._command_line import may_go_on
from tmuxprim._readiness._look import Look
from tmuxprim._readiness._shell import has_shell, is_fullscreen, reads_commands, shell_reads
from tmuxprim._readiness._words import MORE, QUESTION, is_same_prompt, what_follows
from tmuxprim._screen import Cursor
from tmuxprim._since import find_row

_EDITS_IN_PLACE: Final = "fish"
_INDENT: Final = re.compile(r"^ +$")


def wants_more(look: Look) -> bool:
    """Whether a shell wants the rest of a command.

    It then shows a text right below the command line, since it has carried nothing out. It does
    the same if the command has changed its prompt, and prints nothing. So the line has to be one
    that may go on, unless the place where the shell reads tells the two apart.
    """
    mark = look.mark
    if mark is None or not mark.ends_line or mark.prompt is None or not mark.prompt.text.strip():
        return False
    if is_fullscreen(look) or has_shell(look) is False or not is_the_same_program(look, mark):
        return False
    if look.screen.command.removeprefix("-") == _EDITS_IN_PLACE:
        return is_indent(look, mark)
    line = line_right_above(look, mark)
    if line is None or _is_its_prompt(look, mark.prompt):
        return False
    return _goes_on(line, look, mark, mark.prompt)


def _is_its_prompt(look: Look, prompt: Prompt) -> bool:
    """Whether the shell must be taken to stand at its prompt, or to work."""
    text = look.screen.line_before_cursor
    is_known = text.endswith(prompt.text) or is_same_prompt(text, prompt.text)
    if is_known and reads_commands(look) is not False:
        return True
    # If nobody knows that a shell reads, it must not look like something else.
    looks_like_it = text.strip() and not QUESTION.search(text) and what_follows(prompt.text) == MORE
    return not (shell_reads(look) or looks_like_it)


def _goes_on(line: str, look: Look, mark: Mark, prompt: Prompt) -> bool:
    """Whether what was typed leaves something open, or the shell has asked for more before."""
    text = look.screen.before_cursor  # of a line that filled its row, the shell's is a part
    # Output without a line break may stand left of the prompt.
    is_first = line.startswith(prompt.text) or (not mark.goes_on and prompt.text in line)
    is_question = QUESTION.search(text) is not None
    asks_again = text == prompt.more or line.startswith(text)
    if mark.goes_on:
        return asks_again or (reads_commands(look) is False and not is_question)
    if mark.goes_on is None and not is_first and asks_again:
        return not is_question
    shown = line.partition(prompt.text)[2].rstrip() if is_first else None
    lines = [one for one in (mark.line, shown) if one is not None]
    return any(map(may_go_on, lines)) if lines else not is_question


def is_the_same_program(look: Look, mark: Mark) -> bool:
    """Whether the program in the foreground is the one that showed the prompt."""
    pid = look.tty and look.tty.foreground_pid
    known = mark.prompt and mark.prompt.pid
    if pid is not None and known is not None and pid != known:
        return False
    if look.tty and look.tty.hides_input:
        return False
    then = mark.tty if mark.tty and mark.tty.reading is not False else None
    if look.tty and then and look.tty.canonical != then.canonical:
        return False  # a question that a command asks, as bash's read does
    return look.screen.command == mark.screen.command  # exec keeps the process


def line_right_above(look: Look, mark: Mark) -> str | None:
    """Return the command line, if the cursor went from it to the row below and nothing between."""
    screen = look.screen
    place, row = find_row(mark.screen, screen), len(screen.history) + screen.cursor.row
    # A line that filled its row had taken the cursor to the next one already.
    has_filled = screen.cursor.row > 0 == mark.screen.cursor.column
    if place is None or not (place == row - 1 or (has_filled and place == row)):
        return None
    above = Cursor(screen.cursor.row - 1, screen.size.columns)
    line = attrs.evolve(screen, cursor=above).line_before_cursor
    behind = mark.screen.cursor_line[len(mark.screen.before_cursor) :]
    is_right_hand_prompt = behind.startswith("  ")
    return line.rstrip().removesuffix(behind.strip()) if is_right_hand_prompt else line


def is_indent(look: Look, mark: Mark) -> bool:
    """Whether the cursor went to an indented place below the command line: fish shows no more."""
    screen = look.screen
    return (
        look.tty is not None
        and look.tty.is_raw
        and bool(look.tty.reading)
        and _INDENT.match(screen.before_cursor) is not None
        and screen.cursor.row > 0
        # It has dropped its suggestion, and perhaps its right-hand prompt.
        and screen.rows[screen.cursor.row - 1]
        .casefold()
        .startswith(mark.screen.before_cursor.rstrip(" ").casefold())
    )
