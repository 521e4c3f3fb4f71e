"""Which programs are shells that edit their lines."""

from typing import Final

from tmuxprim._readiness._look import Look

# They edit lines themselves, and give what they run a terminal that does not look like it.
_SHELLS: Final = frozenset(("bash", "zsh", "fish", "sh", "ksh", "mksh", "busybox", "ash", "tcsh"))


def is_shell_that_edits(look: Look) -> bool:
    """Whether the line editor of a shell has the terminal: nothing that it runs has."""
    tty = look.tty
    return (
        tty is not None
        and bool(tty.edits)
        and tty.reading is not False
        and look.screen.command.removeprefix("-") in _SHELLS
    )
