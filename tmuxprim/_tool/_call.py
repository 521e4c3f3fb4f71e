"""`Call`: what a model asks for, checked."""

import re
from typing import Final

import attrs

from tmuxprim._pane import Pane
from tmuxprim._sequence import KeySequence
from tmuxprim._tool._read import (
    read_command,
    read_enter,
    read_keys,
    read_lines,
    read_pane,
    read_pattern,
    read_text,
    read_timeout,
)

SHARED: Final = Pane("shared")


@attrs.frozen(kw_only=True)
class Call:
    """One call of the tool; the defaults here are the ones that a model is told of.

    Args:
        action: What to do.
        text: What `send` types.
        enter: Whether `send` presses Enter after it.
        keys: What `keys` presses.
        command: What `run` runs.
        pane: Where.
        lines: How many rows of the history `read` adds.
        timeout: How long `wait_ready` and `run` wait, in seconds.
        prompt_pattern: The prompt that `wait_ready` waits for.
    """

    action: str
    text: str = attrs.field(default="", converter=read_text)
    enter: bool = attrs.field(default=True, converter=read_enter)
    keys: KeySequence = attrs.field(default=KeySequence(()), converter=read_keys)
    command: str = attrs.field(default="", converter=read_command)
    pane: Pane = attrs.field(default=SHARED, converter=read_pane)
    lines: int = attrs.field(default=100, converter=read_lines)
    timeout: float = attrs.field(default=10, converter=read_timeout)
    prompt_pattern: re.Pattern[str] | None = attrs.field(default=None, converter=read_pattern)
