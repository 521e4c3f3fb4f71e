"""`ToolResponse`, and what a model is told of what was typed; a secret is not repeated."""

from typing import Final

import attrs

from tmuxprim._conversation import Conversation
from tmuxprim._keys import Key
from tmuxprim._mark import Mark
from tmuxprim._readiness._verdict import Outcome
from tmuxprim._readiness._words import SECRET
from tmuxprim._sequence import KeySequence
from tmuxprim._tool._words import clip, quote

NOTHING: Final = "Nothing was sent."
_HIDDEN: Final = "(hidden)"
_ENTER: Final = "Enter"


@attrs.frozen
class ToolResponse:
    """What a call of the tool comes back with.

    Args:
        message: What a model is told.
        break_loop: Whether the agent is to stop; it never is.
        is_error: Whether the call could not be carried out, as Anthropic and MCP want to know.

    Examples:
        >>> TmuxTool(FakeTerminal()).execute(action="sent", text="ls").message
        "error: there is no action 'sent' (did you mean 'send'?); ... Nothing was sent."
    """

    message: str
    break_loop: bool = False
    is_error: bool = False


def refusal(message: str) -> ToolResponse:
    """Return the reply to a call that was not carried out."""
    end = "" if message.endswith((".", "?")) else "."
    return ToolResponse(f"error: {message}{end} {NOTHING}", is_error=True)


def awaits_secret(talk: Conversation) -> bool:
    """Whether the last wait found a program that asks for a secret, and nothing was sent since."""
    return talk.ready is not None and talk.ready.outcome is Outcome.AWAITING_SECRET


def tell_text(text: str, mark: Mark, *, enter: bool, hides: bool) -> str:
    """Return the reply to a text that was typed."""
    hides = hides or _is_unseen(mark, text)
    parts = [_HIDDEN if hides else quote(text)] if text else []
    return f"Sent: {' + '.join([*parts, *([_ENTER] if enter else [])])}"


def tell_keys(keys: KeySequence, mark: Mark, *, hides: bool) -> str:
    """Return the reply to keys that were pressed; of a secret, those that type nothing."""
    types = any(isinstance(key, Key) and len(key.name) == 1 for key in keys)
    hides = types and (hides or _is_unseen(mark, ""))
    return f"Sent: {_HIDDEN if hides else clip(str(keys))}"


def _is_unseen(mark: Mark, text: str) -> bool:
    """Whether a program that asks for a secret has the text, be it found out only afterwards."""
    if mark.tty is not None and mark.tty.hides_input:
        return True
    line = mark.screen.line_before_cursor
    is_shown = bool(text) and line.endswith(text)  # such as the command `echo password:`
    return SECRET.search(line) is not None and not is_shown
