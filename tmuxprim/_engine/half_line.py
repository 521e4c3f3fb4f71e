"""What somebody has begun to type at a prompt: no command is made of it and another one.

It is known in three ways. The line begins with a prompt that was seen before, and goes on. Or it
begins with what looks like a prompt. Or text stands right at the cursor of a line editor, where
nothing else can stand: the cursor was moved back. Where a prompt looks like none, and nobody has
seen it before, nothing is known.
"""

import enum
import re
from typing import Final

import attrs
from typing_extensions import override

from tmuxprim._readiness.chain import Strategy
from tmuxprim._readiness.look import Busy, Look, Outcome, Ready, Verdict, once_settled
from tmuxprim._readiness.shell import has_shell, is_shell_that_edits
from tmuxprim._readiness.words import (
    DEFAULT_PROMPT,
    is_same_prompt,
    typed_behind,
    typed_behind_prompt,
)
from tmuxprim._values.evidence import Prompt
from tmuxprim._values.keys import Key, KeySequence
from tmuxprim._values.lines import Layout, text_columns
from tmuxprim._values.screen import Screen

_ENDS_LINE: Final = ("Enter", "C-m", "C-j", "C-c", "C-d", "\n", "\r")
# They have no line editor: who reads a whole line is the shell itself, or its `read`.
_PLAIN_SHELLS: Final = ("dash", "sh")
# What stands further away from the cursor is a right-hand prompt.
_GAP: Final = re.compile(" {2,}")


class Left(enum.Enum):
    """Tells what the keys that were sent last leave in the line of the cursor."""

    NOTHING = enum.auto()
    """None were sent since a prompt was found."""
    TEXT = enum.auto()
    EMPTY_LINE = enum.auto()
    NEW_LINE = enum.auto()


def left_by(keys: KeySequence) -> Left:
    """Return what keys leave in the line of the cursor, once they have been taken."""
    last = keys.parts[-1]
    name = last.name if isinstance(last, Key) else str(last)[-1]
    if name == "C-u":
        return Left.EMPTY_LINE
    return Left.NEW_LINE if name in _ENDS_LINE else Left.TEXT


def typed_at_prompt(
    look: Look, known: Prompt | None, *, is_alone: bool, by_words: bool = True
) -> str:
    """Return what stands at the prompt; empty if nothing is known to.

    Args:
        look: What the pane shows.
        known: The prompt that was found last.
        is_alone: Whether it is certain that nothing stood behind it then.
        by_words: Whether what looks like a prompt is one.
    """
    text, prompt = look.screen.line_before_cursor, _text_of(known, look)
    is_prompt = bool(prompt) and (text.endswith(prompt) or is_same_prompt(text, prompt))
    if is_prompt and is_alone:
        return _right_of_cursor(look)
    line = text
    if not DEFAULT_PROMPT.search(text):
        line = _with_whole_lines(look.screen).line_before_cursor
    if is_alone and typed_behind_prompt(prompt):
        by_words = False  # they would split the prompt itself
    typed = typed_behind_prompt(line) if by_words else ""
    typed = typed or typed_behind(prompt, line).strip()
    return typed or (_right_of_cursor(look) if by_words or is_prompt else "")


def is_at_shell(look: Look) -> bool:
    """Whether a shell reads a line, as far as its name and the kernel tell."""
    tty = look.tty
    if tty is None:
        return has_shell(look) is True
    is_plain = tty.canonical and look.screen.command.removeprefix("-") in _PLAIN_SHELLS
    return is_shell_that_edits(look) or (is_plain and bool(tty.foreground_is_pane))


def takes_line(look: Look) -> bool:
    """Whether a line is read that is seen while it is typed."""
    tty = look.tty
    if tty is not None and (tty.reading is False or tty.hides_input):
        return False
    return is_at_shell(look) or not look.screen.alternate


@attrs.frozen
class ShownStrategy(Strategy):
    """Finds that a line editor shows all that was typed; who has none is not waited for."""

    @override
    def assess(self, look: Look) -> Verdict:
        """Say STABLE once it reads again."""
        tty = look.tty
        if tty is not None and tty.edits and (tty.unread or tty.reading is False):
            return Busy("the line editor has not taken all that was typed")
        reason = "nothing more was typed"
        if not takes_line(look):
            return Ready(Outcome.STABLE, reason)
        return once_settled(look, 0.0, Outcome.STABLE, reason)


def line_number(screen: Screen) -> int:
    """Return the row in which the line of the cursor begins, counted as `Screen` does."""
    above = len(screen.history)
    start = _with_whole_lines(screen).layout.line_start(above + screen.cursor.row)
    return screen.history_size - above + start


def _text_of(known: Prompt | None, look: Look) -> str:
    """Return the prompt, if the program that showed it has the terminal; else nothing."""
    if known is None or known.pid != (look.tty and look.tty.foreground_pid):
        return ""
    return known.text if known.text.strip() else ""


def _right_of_cursor(look: Look) -> str:
    """Return the text that begins at the cursor of a line editor which suggests nothing there.

    A shell's line stands on the alternate screen where a program that was killed has left that,
    and with it a text of its own.
    """
    tty, screen = look.tty, look.screen
    if tty is None or not tty.edits or not (tty.signals or is_shell_that_edits(look)):
        return ""
    if screen.alternate:
        return ""
    right = screen.cursor_line[len(screen.before_cursor) :]
    return "" if right.startswith(" ") else _GAP.split(right)[0]


def _with_whole_lines(screen: Screen) -> Screen:
    """Join rows that are full: an editor such as zsh's begins each row of its line itself."""
    layout = screen.layout
    joined = tuple(
        True in layout.wrapped[number : number + 1]
        or text_columns(row) + sum(layout.blanks[number : number + 1]) >= screen.size.columns
        for number, row in enumerate(screen.history + screen.rows)
    )
    return attrs.evolve(screen, layout=Layout(joined, layout.blanks))
