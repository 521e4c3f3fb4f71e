"""What a wait found, in the words that a model is told, and taught in the prompt."""

from typing import Final

import attrs

from tmuxprim._readiness._result import Readiness
from tmuxprim._readiness._verdict import Outcome
from tmuxprim._tool._words import cut


@attrs.frozen
class Wording:
    """Is how an outcome is told.

    Args:
        head: The first line of the reply.
        meaning: What it means.
        advice: What to do.
    """

    head: str
    meaning: str
    advice: str


WORDINGS: Final = {
    Outcome.PROMPT: Wording(
        "ready (prompt matched)",
        "a shell or a REPL stands at its prompt",
        "send the next command",
    ),
    Outcome.CONTINUATION: Wording(
        "waiting for the rest of the command",
        "an open quote, a heredoc, a block that is not closed",
        "send the rest, or press `C-c`",
    ),
    Outcome.AWAITING_INPUT: Wording(
        "waiting for input",
        "a program asks something",
        "read the question and answer it",
    ),
    Outcome.AWAITING_SECRET: Wording(
        "waiting for a secret",
        "a password or the like is read without being shown",
        "send it if the user gave it to you, else ask the user; the next reply will not repeat it",
    ),
    Outcome.FULLSCREEN: Wording(
        "ready (full-screen program)",
        "an editor, a pager, an AI CLI has drawn its screen and waits for keys",
        "an AI CLI that still works looks like that, too, so look at the screen, and wait again if "
        "it does; else press keys, or send a text; `q`, `Escape` or `C-c` often leaves it",
    ),
    Outcome.STABLE: Wording(
        "ready (stable)",
        "nothing changes any more, and nothing better is known",
        "look at the screen before you go on",
    ),
    Outcome.MATCHED: Wording(
        "ready (matched)",
        "the text that was waited for is there",
        "call `wait_ready` again before you type",
    ),
    Outcome.EXITED: Wording(
        "exited",
        "the program has ended, or the pane is gone",
        "do not type into it any more",
    ),
    Outcome.TIMEOUT: Wording(
        "wait_ready timed out after {timeout:g}s",
        "the program still works; that is no failure",
        "call `wait_ready` again with more time, or interrupt with `C-c`",
    ),
}


def tell(readiness: Readiness, timeout: float) -> str:
    """Return the reply to a wait of so many seconds."""
    head = WORDINGS[readiness.outcome].head.format(timeout=timeout)
    if readiness.outcome is Outcome.EXITED:
        head += f": {readiness.reason if readiness.screen.dead else 'the pane is gone'}"
    return f"{head}\n{cut(readiness.screen.text)}"
