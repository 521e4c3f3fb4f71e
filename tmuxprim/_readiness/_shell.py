"""Which programs are shells, and which of them edit their lines."""

from collections.abc import Iterable
from pathlib import PurePath
from typing import Final

from tmuxprim._readiness._look import Look

# They edit lines themselves, and give what they run a terminal that does not look like it.
_SHELLS: Final = frozenset(("bash", "zsh", "fish", "sh", "ksh", "mksh", "busybox", "ash", "tcsh"))
# Shells of whose line editors nothing is known, or that have none.
_PLAIN: Final = {
    *("csh", "dash", "elvish", "es", "loksh", "nu", "oksh", "osh", "pwsh", "rbash", "rc"),
    *("xonsh", "yash", "ysh"),
}
# Behind them is another program, be it far away, and it may be a shell.
_BEFORE_OTHERS: Final = {
    *("adb", "docker", "doas", "kubectl", "lxc", "machinectl", "mosh-client", "nsenter", "podman"),
    *("screen", "script", "ssh", "su", "sudo", "telnet", "tmux", "toolbox", "unshare", "vagrant"),
}


def is_shell_that_edits(look: Look) -> bool:
    """Whether the line editor of a shell has the terminal: nothing that it runs has."""
    tty = look.tty
    return (
        tty is not None
        and bool(tty.edits)
        and tty.reading is not False
        and look.screen.command.removeprefix("-") in _SHELLS
    )


def has_shell(look: Look) -> bool | None:
    """Whether a shell has the terminal; None if nobody knows what has it."""
    command = _bare(look.screen.command)
    if _is_shell(command):
        return True
    return None if not command or command in _BEFORE_OTHERS or look.is_relayed else False


def may_start_shell(words: Iterable[str]) -> bool:
    """Whether a command's words name a shell, or what may have one behind it."""
    names = {_bare(PurePath(word).name) for word in words}
    return any(_is_shell(name) or name in _BEFORE_OTHERS for name in names)


def _bare(name: str) -> str:
    """Return a program's name without the dash of a login shell, and without its version."""
    return name.removeprefix("-").rstrip("0123456789.-")


def _is_shell(name: str) -> bool:
    return name in _SHELLS or name in _PLAIN
