"""`Mark`: what a pane was like the moment before something was sent.

An old prompt must never count as the answer to a new command. So each send takes a mark, in
the same turn of the tmux server in which the last key is delivered, and readiness is judged
against it.
"""

import attrs

from tmuxprim._screen import Screen
from tmuxprim._tty import TtyState


@attrs.frozen(kw_only=True)
class Mark:
    """Is what a pane was like right before its last key was sent.

    Args:
        screen: The screen, with the text that was typed before the key already on it.
        tty: The kernel's evidence, or None where there is none.
        prompt: What stood left of the cursor before the text was typed.
    """

    screen: Screen
    tty: TtyState | None = None
    prompt: str = ""
