"""Typing a command line and Enter in one delivery, where a shell's line editor waits for it.

Full-screen programs take a text and a carriage return that arrive together for a paste. The line
editors of shells do not: they read key by key. So a shell at its prompt, of which the kernel tells
that nobody has typed since, is spared one of two turns; for all others see `submit`.
"""

import attrs

from tmuxprim._mark import Mark, Prompt
from tmuxprim._pane import Pane
from tmuxprim._plan import Plan, Send, SendAsSeen
from tmuxprim._readiness._look import Look
from tmuxprim._readiness._result import Readiness
from tmuxprim._readiness._shell import is_shell_that_edits
from tmuxprim._readiness._verdict import Outcome
from tmuxprim._screen import Cursor, Screen
from tmuxprim._sequence import KeySequence
from tmuxprim._typewrite import ENTER
from tmuxprim._width import text_columns


def takes_line_at_once(ready: Readiness, prompt: Prompt | None, line: str) -> bool:
    """Whether a shell waits at nothing but its prompt, and shows the line as it is in one row.

    Args:
        ready: How the last wait ended; nothing has been typed since.
        prompt: The shell's prompt.
        line: What is to be typed.
    """
    screen, tty = ready.screen, ready.tty
    return (
        ready.outcome is Outcome.PROMPT
        and prompt is not None
        and tty is not None
        and tty.reading is True
        and not tty.relays
        and prompt.pid == tty.foreground_pid
        and is_shell_that_edits(Look(screen=screen, tty=tty))
        and bool(prompt.text.strip())
        and screen.line_before_cursor == prompt.text
        and line.isprintable()
        and 0 < text_columns(line) < screen.size.columns - screen.cursor.column
    )


def submit_at_once(
    pane: Pane, line: str, ready: Readiness, prompt: Prompt, *, leave_mode: bool
) -> Plan[Mark]:
    """Type a line and Enter in one turn of the server; return the mark from before both.

    Nobody has typed since the last look. What others have written meanwhile has moved the cursor
    or the history, and then the screen is read again.
    """
    keys, screen = KeySequence.text(line) + ENTER, ready.screen
    typed: bool = yield SendAsSeen(pane, keys, screen)
    if not typed:
        screen = yield Send(pane, keys, leave_mode)
    return Mark(screen=screen, tty=ready.tty, prompt=prompt, pane=pane, line=line)


def as_typed(mark: Mark, line: str) -> Mark:
    """Return the mark as it would have been taken between the line and its Enter."""
    screen = mark.screen
    row, column = screen.cursor.row, screen.cursor.column
    rows = list(screen.rows)
    rows[row] = (screen.before_cursor + line).rstrip(" ")
    cursor = Cursor(row, min(column + text_columns(line), screen.size.columns))
    return attrs.evolve(mark, screen=attrs.evolve(screen, rows=rows, cursor=cursor))


def at_its_line(mark: Mark, before: Screen, line: str) -> Mark:
    """Return the mark with the cursor behind the line that was typed, wherever it just was.

    A line editor that shows below the line what it would give, as that of node does, takes the
    cursor there and back again, and may have been seen half-way.

    Args:
        mark: From right before Enter.
        before: The screen from before the line was typed.
        line: What was typed.
    """
    screen = mark.screen
    typed = before.before_cursor + line
    row = before.cursor_line_number - screen.history_size
    if not 0 <= row < screen.cursor.row or screen.rows[row] != typed.rstrip(" "):
        return mark
    cursor = Cursor(row, text_columns(typed))
    return attrs.evolve(mark, screen=attrs.evolve(screen, cursor=cursor))
