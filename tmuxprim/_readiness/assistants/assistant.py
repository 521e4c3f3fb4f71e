"""`Assistant`: all that is known of one AI assistant."""

from collections.abc import Mapping
from typing import Final

import attrs

from tmuxprim._readiness.silence import AssistantStrategy
from tmuxprim._values.keys import KeySequence

ENTER: Final = KeySequence.keys("Enter")
C_C: Final = KeySequence.keys("C-c")
# One key clears the typed text, one announces the end, one ends: for some within 0.8 s.
C_C_AT_ONCE: Final = C_C * 3
# Of a text of several lines each deletes one.
CLEAR_LINES: Final = KeySequence.keys("C-u") * 9
_NO_KEYS: Final = KeySequence(())


@attrs.frozen(kw_only=True)
class Assistant:
    """How one AI assistant shows its state, and how a session starts, asks and leaves it.

    Its `Profile` is made of it once somebody asks for one, since its patterns take time to compile.

    Args:
        state: Finds whether it waits, works or asks.
        command: The words that start it.
        env: Environment variables to set for it.
        asked: Pattern of the row of a question, whose group is the question. This one and the next
            three are those of `AnswerRows`.
        skip: Pattern of the rows that are no answer.
        margin: Pattern of the signs in front of an answer's rows.
        failed: Pattern of the message that takes the place of an answer.
        page_up: Keys that scroll up in an answer that is not in the terminal's history.
        page_end: Keys that scroll back to its end.
        clear: Keys that delete the text in its input box.
        leave: Keys and text that leave it, step by step.
        end: Keys that end it if it does not leave, step by step. What interrupts it comes first.
        max_columns: Columns of the widest pane in which its screen is as described here.
        tried: Versions that it was tried with, with blanks between them.
    """

    state: AssistantStrategy
    command: tuple[str, ...]
    env: Mapping[str, str] = attrs.Factory(dict)
    asked: str
    skip: str = "(?!)"  # matches nothing
    margin: str
    failed: str
    page_up: KeySequence = _NO_KEYS
    page_end: KeySequence = _NO_KEYS
    clear: KeySequence = CLEAR_LINES
    leave: tuple[KeySequence, ...]
    end: tuple[KeySequence, ...]
    max_columns: int | None = None
    tried: str
