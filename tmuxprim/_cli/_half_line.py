"""What `run` must not make one command of: a line that somebody has begun to type.

A console that has seen the prompt before knows what is typed behind it. A command line is a new
process and has seen nothing, so it judges by the look of the line, and refuses when in doubt.
"""

from tmuxprim._errors import PaneBusyError
from tmuxprim._readiness._result import Readiness
from tmuxprim._readiness._verdict import Outcome
from tmuxprim._readiness._words import DEFAULT_PROMPT
from tmuxprim._refusals import NOTHING


def refuse_half_line(readiness: Readiness, *, is_prompt_told: bool) -> None:
    """Refuse a pane where half a line may stand at the prompt.

    Args:
        readiness: What was found before a command is typed.
        is_prompt_told: Whether the user has said what the prompt looks like.

    Raises:
        PaneBusyError: If so; nothing was sent.
    """
    line = readiness.screen.line_before_cursor
    typed = "" if is_prompt_told else typed_behind_prompt(line)
    if readiness.outcome is Outcome.PROMPT and typed:
        raise PaneBusyError(
            f"{NOTHING}: {typed!r} seems to stand at the prompt already; 'tmuxprim keys PANE C-u' "
            "takes it away, and if it is part of the prompt, --pattern says so"
        )
    is_edited = readiness.tty is not None and readiness.tty.is_raw
    asks = readiness.outcome is Outcome.AWAITING_INPUT and is_edited
    if asks or readiness.outcome is Outcome.STABLE:
        raise PaneBusyError(
            f"{NOTHING}: {line!r} is not known to be a shell's prompt; if it is, --pattern says "
            "so, and if it is a question, 'tmuxprim send' answers it"
        )


def typed_behind_prompt(line: str) -> str:
    """Return what stands in a line behind what looks like a prompt; empty for a prompt alone.

    Examples:
        >>> from tmuxprim._cli._half_line import typed_behind_prompt
        >>> typed_behind_prompt("user@host:~$ rm -rf"), typed_behind_prompt("my prompt ")
        ('rm -rf', '')
    """
    if DEFAULT_PROMPT.search(line):
        return ""
    for place, char in enumerate(line, start=1):
        if char == " " and DEFAULT_PROMPT.search(line[:place]):
            return line[place:].strip()
    return ""
