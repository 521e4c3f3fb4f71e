"""`Mark`: what a pane was like the moment before something was sent.

An old prompt must never count as the answer to a new command. So each send takes a mark, in
the same turn of the tmux server in which the last key is delivered, and readiness is judged
against it.
"""

import attrs

from tmuxprim._screen import Screen
from tmuxprim._tty import TtyState


@attrs.frozen
class Prompt:
    """Is a prompt that has been seen, of whatever look.

    Args:
        text: What stood left of the cursor.
        pid: The process that showed it; None if the kernel did not tell.

    Examples:
        >>> terminal = FakeTerminal()
        >>> console = Console(terminal, terminal.open())
        >>> readiness = console.wait_ready()
        >>> Prompt.seen(readiness.screen, readiness.tty)
        Prompt(text='$ ', pid=1000)
    """

    text: str
    pid: int | None = None

    @classmethod
    def seen(cls, screen: Screen, tty: TtyState | None) -> "Prompt":
        """Return what stands left of the cursor, as the prompt of who is in the foreground."""
        return cls(screen.line_before_cursor, None if tty is None else tty.foreground_pid)


@attrs.frozen(kw_only=True)
class Mark:
    """Is what a pane was like right before its last key was sent.

    Args:
        screen: The screen, with the text that was typed before the key already on it.
        tty: The kernel's evidence, or None where there is none.
        prompt: The prompt that was found last, or else what stood left of the cursor before the
            text was typed.

    Examples:
        >>> terminal = FakeTerminal()
        >>> console = Console(terminal, terminal.open())
        >>> _ = console.wait_ready()
        >>> mark = console.send("ls")
        >>> mark.screen.before_cursor, mark.prompt.text
        ('$ ls', '$ ')
    """

    screen: Screen
    tty: TtyState | None = None
    prompt: Prompt | None = None
