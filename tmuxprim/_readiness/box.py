"""The rows that an AI assistant draws: its input box, the text in it, and its dialogs."""

import enum
import re
from typing import Final

import attrs

from tmuxprim._readiness.snapshot import Snapshot
from tmuxprim._values.screen import Screen


class AssistantState(enum.Enum):
    """The state of an AI assistant, by its own rows, its title and its status file."""

    WORKS = enum.auto()
    """It works on an answer."""
    ASKS = enum.auto()
    """It asks something in a dialog."""
    BOX = enum.auto()
    """It shows its input box, and does neither of these: it takes a prompt."""
    UNDRAWN = enum.auto()
    """It says that it asks, in its title or its status file, and its rows show no dialog yet."""
    NEITHER = enum.auto()
    """No input box, no dialog that is known, and no sign that it works."""


# An assistant shows this in its box in place of a long paste.
_PASTED: Final = re.compile(r"\[Pasted ")


@attrs.frozen
class AssistantView:
    """An assistant as one screen shows it: its state, its words, and its input box.

    Args:
        state: Its state.
        words: The words by which it says that it works, or its question.
        typed: What is typed in its input box.
        box: Its input box with all rows below it; empty if it is not there.
        input: The same without the rows in which no typed text can be.
    """

    state: AssistantState
    words: str = ""
    typed: str = ""
    box: str = ""
    input: str = ""

    def holds(self, text: str) -> bool:
        """Whether its input box holds a text in its last line, however that is wrapped.

        A short text may also be in the hints below the box, so it has to be left of the cursor. The
        empty text counts as held if there is any.
        """
        wanted = _bare(text.strip().rpartition("\n")[2])
        if len(wanted) < _LONG:
            return bool(self.typed) and wanted in _bare(self.typed)
        return wanted in _bare(self.input) or _PASTED.search(self.input) is not None


def typed_in_box(screen: Screen, first: int, last: int) -> str:
    """Return what is typed in the input box between two rows.

    Typed text is left of the cursor; hints and suggestions are right of it. The text begins at the
    sign of the box, such as ``>``, or has the frame of the box at the left of each row. Without
    either, the cursor is not in the box.
    """
    typed: list[str] = []
    if screen.cursor.row >= last and not _SIGN.match(screen.rows[last]):
        return ""  # the last row is its lower edge
    for row in range(screen.cursor.row, first - 1, -1):
        text = screen.before_cursor if row == screen.cursor.row else screen.rows[row]
        has_sign, is_framed = _SIGN.match(text), _FRAMED.match(text)
        typed.append(text.strip(BOX_FRAME))
        if has_sign or (is_framed and row == first):
            return "\n".join(reversed(typed)).strip()
        if _RULE.match(text):
            break
    return ""


def holds_last_text(shown: AssistantView, snapshot: Snapshot) -> bool:
    """Whether the text that was sent last is still in the box, so that its Enter was lost.

    Gemini CLI and Qwen Code take an Enter right behind a text for a part of the text.
    """
    typed = (snapshot.mark and snapshot.mark.typed) or ""
    return any(ends_in(row, typed) for row in shown.input.split("\n"))


def last_row(rows: str) -> str:
    """Return the last of these rows that shows more than a frame; empty if none does."""
    return next((row for row in reversed(rows.split("\n")) if row.strip(BOX_FRAME)), "")


def ends_in(row: str, typed: str) -> bool:
    """Whether a row, in whatever frame, holds the end of a text that was typed."""
    row, typed = row.strip(BOX_FRAME), typed.strip().rpartition("\n")[2]
    if not typed:
        return False
    is_wrapped = len(row) >= _LONG and typed.endswith(row)
    is_behind_another = len(typed) >= _LONG and row.endswith(typed)
    return row == typed or is_wrapped or is_behind_another


def _bare(text: str) -> str:
    """Return a text without white space, and without what boxes are drawn with."""
    return "".join(char for char in text if not char.isspace() and char not in BOX_FRAME)


BOX_FRAME: Final = " \u00a0\u200b>❯›┃│|!*"  # noqa: RUF001  # what input boxes are drawn with
_SIGN: Final = re.compile("[ │|]*[>❯›!*](?:[ \u00a0]|$)")  # noqa: RUF001  # as BOX_FRAME
_RULE: Final = re.compile(r"\s*[─━▀▄]{3}")
_FRAMED: Final = re.compile(" *[┃│|]")
_LONG: Final = 8  # a shorter text may be in another row by chance


def describe_typed(name: str, text: str) -> str:
    """Return a sentence for users: this text is in the input box of an assistant, and not sent."""
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
    what = repr(shown) if text else "what was typed"
    return (
        f"{what} is in the box of {name} and not sent: Enter sends it (Escape first if a picker is "
        "open), C-u deletes it"
    )


_SHOWN: Final = 60  # characters of the box's text in a reason
