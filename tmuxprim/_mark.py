"""`Mark`: what a pane was like the moment before something was sent.

An old prompt must never count as the answer to a new command. So each send takes a mark, in
the same turn of the tmux server in which the last key is delivered, and readiness is judged
against it.
"""

import attrs

from tmuxprim._pane import Pane
from tmuxprim._screen import Screen
from tmuxprim._tty import TtyState


@attrs.frozen
class Prompt:
    """A prompt that has been seen, of whatever look.

    Args:
        text: What stood left of the cursor.
        pid: The process that showed it; None if the kernel did not tell.
        place: Where in its program it read the line (`TtyState.place`); None if it is not known for
            sure that it reads its commands there.
        more: What it showed last where it wanted the rest of a command; None if it has not yet.

    Examples:
        >>> terminal = FakeTerminal()
        >>> console = Console(terminal, terminal.open())
        >>> readiness = console.wait_ready()
        >>> Prompt.seen(readiness.screen, readiness.tty)
        Prompt(text='$ ', pid=1000, place=None, more=None)
    """

    text: str
    pid: int | None = None
    place: tuple[int, int] | None = None
    more: str | None = None

    @classmethod
    def seen(cls, screen: Screen, tty: TtyState | None) -> "Prompt":
        """Return what stands left of the cursor, as the prompt of who is in the foreground."""
        return cls(screen.line_before_cursor, None if tty is None else tty.foreground_pid)


@attrs.frozen(kw_only=True)
class Mark:
    """What a pane was like right before its last key was sent, or at `Console.mark`.

    Args:
        screen: The screen, with the text that was typed before the key already on it.
        tty: The kernel's evidence, or None where there is none.
        prompt: The prompt that was found last, or else what stood left of the cursor before the
            text was typed.
        pane: Whose mark it is, None if nobody said; it does not count when marks are compared.
        typed: The text that was typed before the key, which the screen may not show yet. It does
            not count either, and is not shown, since it may be a secret.
        ends_line: Whether what was sent may have ended a line, as Enter and C-c do.
        line: The line that was typed, as far as it was; None if keys such as Up changed it. It is
            treated as *typed* is.
        goes_on: Whether the rest of a command was asked for; None if nobody had waited to see.

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
    pane: Pane | None = attrs.field(default=None, eq=False)
    typed: str = attrs.field(default="", eq=False, repr=False)
    ends_line: bool = True
    line: str | None = attrs.field(default=None, eq=False, repr=False)
    goes_on: bool | None = None
