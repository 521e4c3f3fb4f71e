"""The state of a shell's line editor, by what it writes for the terminal.

A line editor switches bracketed paste on when it begins to edit a line, and off when it has
accepted one: bash from 5.1 on, zsh, fish, and programs with readline, such as sqlite3 and psql.
"""

import enum
from typing import final

import attrs


class LineEditor(enum.Enum):
    """The state of a line editor since the last line was sent to it.

    Examples:
        >>> screen = Screen(size=Size(9, 1), rows=("$",), cursor=Cursor(0, 2))
        >>> print(LineEditorStrategy().assess(Snapshot(screen=screen, editor=LineEditor.OFF)))
        pass: the line editor is off: a command runs
    """

    OFF = enum.auto()
    """It has accepted the line, and edits no other yet: a command runs."""
    ON = enum.auto()
    """It edits a line: at a prompt, at a prompt for the rest of a command, or at a question."""
    AT_PROMPT = enum.auto()
    """It edits a line, and its shell has marked a new row for the prompt right before: zsh."""


@final
@attrs.define
class EditorFlag:
    """Follows the flag of bracketed paste that tmux keeps for a pane.

    The flag alone proves little: some programs switch it on once, and keep it on while they work.

    Args:
        was_on: Whether it was on before the line was sent.

    Examples:
        >>> from tmuxprim._values.line_editor import EditorFlag
        >>> flag = EditorFlag(was_on=True)
        >>> flag.note(is_on=True), flag.note(is_on=False), flag.note(is_on=True)
        (None, <LineEditor.OFF: 1>, <LineEditor.ON: 2>)
    """

    was_on: bool
    _was_off: bool = attrs.field(default=False, init=False)

    def note(self, *, is_on: bool) -> LineEditor | None:
        """Take the flag of the next snapshot; return the state, None if it is not determined."""
        if not is_on:
            # A shell that never switches it on says nothing by leaving it off.
            self._was_off = self.was_on
            return LineEditor.OFF if self.was_on else None
        return LineEditor.ON if self._was_off else None
