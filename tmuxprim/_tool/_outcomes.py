"""What a wait found, in the words that a model is told, and taught in the prompt."""

from typing import Final

import attrs

from tmuxprim._output import CommandResult
from tmuxprim._readiness._result import Readiness
from tmuxprim._readiness._verdict import Outcome
from tmuxprim._tool._words import cut, shorten


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

    def first_line(self, action: str = "wait_ready", timeout: float = 10.0) -> str:
        """Return the first line of the reply to a wait of so many seconds."""
        return self.head.format(action=action, timeout=timeout)


DONE: Final = "done"
"""The first line of the reply to a command that has ended, if below it is all of its output."""
GONE: Final = "the pane is gone"
UNSURE: Final = ", but this may not be exactly the output: {doubt}"

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
        "{action} timed out after {timeout:g}s",
        "the program still works; that is no failure",
        "call `wait_ready` again with more time, or interrupt with `C-c`",
    ),
}


def tell(readiness: Readiness, timeout: float) -> str:
    """Return the reply to a wait of so many seconds."""
    return f"{_first_line(readiness, 'wait_ready', timeout)}\n{cut(readiness.screen.text)}"


def tell_run(result: CommandResult, timeout: float) -> str:
    """Return the reply to a command that may take so many seconds; its output as it is."""
    head = _first_line(result.readiness, "run", timeout)
    if result.complete:
        head = DONE
    elif result.readiness.outcome is Outcome.PROMPT:
        head += UNSURE.format(doubt=result.doubt)
    return f"{head}\n{shorten(result.output)}" if result.output else f"{head}, without output"


def _first_line(readiness: Readiness, action: str, timeout: float) -> str:
    line = WORDINGS[readiness.outcome].first_line(action, timeout)
    if readiness.outcome is Outcome.EXITED:
        was_seen = readiness.screen.dead or readiness.verdicts
        line += f": {readiness.reason if was_seen else GONE}"
    return line
