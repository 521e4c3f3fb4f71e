"""Which programs are shells, and which of them edit their lines."""

from typing import Final

from tmuxprim._readiness.look import Look

# They edit lines themselves, and give what they run a terminal that does not look like it.
_SHELLS: Final = frozenset(("bash", "zsh", "fish", "sh", "ksh", "mksh", "busybox", "ash", "tcsh"))
# Shells of whose line editors nothing is known, or that have none.
_PLAIN: Final = {
    *("csh", "dash", "elvish", "es", "loksh", "nu", "oksh", "osh", "pwsh", "rbash", "rc"),
    *("xonsh", "yash", "ysh"),
}
# What a shell calls the exit status of the last command (sh(1), "Special Parameters"; csh(1)).
_STATUSES: Final = {
    **dict.fromkeys((*_SHELLS, "dash", "loksh", "oksh", "osh", "rbash", "yash"), "$?"),
    **dict.fromkeys(("csh", "fish", "tcsh"), "$status"),
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
        and tty.reader_pid in (None, tty.foreground_pid)
        and look.screen.command.removeprefix("-") in _SHELLS
    )


def shell_reads(look: Look) -> bool:
    """Whether a shell itself reads, be it with a line editor or without one."""
    tty = look.tty
    if tty is None or not tty.reading or tty.reader_pid != tty.foreground_pid:
        return is_shell_that_edits(look)
    return has_shell(look) is True


def reads_commands(look: Look) -> bool | None:
    """Whether a shell reads at the place where it reads commands; None if that is not known.

    There it uses as much of its stack each time, in each of its processes. It uses more, or less,
    where it reads what ``read`` asks, and most shells do where they read the rest of a command.
    """
    tty, mark = look.tty, look.mark
    if tty is None or mark is None or mark.prompt is None or not shell_reads(look):
        return None
    prompt, is_same_command = mark.prompt, mark.screen.command == look.screen.command
    is_same_process = prompt.pid == tty.foreground_pid is not None
    has_begun = is_same_process and bool(mark.screen.command) and not is_same_command  # by exec
    if prompt.place is not None and tty.place is not None:
        (stack, depth), (known_stack, known_depth) = tty.place, prompt.place
        if is_same_process and stack == known_stack:
            return depth == known_depth
        if is_same_command and depth == known_depth:
            return True
        has_begun = is_same_process
    return True if has_begun and tty.edits else None


def is_fullscreen(look: Look) -> bool:
    """Whether a program shows itself on the whole screen.

    One that was killed leaves the alternate screen on, and a shell on it, which never uses it.
    """
    if not look.screen.alternate:
        return False
    if look.tty is not None and look.tty.reading is not None:
        reads_lines = bool(look.tty.edits) or look.tty.canonical  # and not single keys
        return not (reads_lines and shell_reads(look))
    prompt = look.mark.prompt.text if look.mark and look.mark.prompt else ""
    is_prompt = bool(prompt.strip()) and look.screen.line_before_cursor == prompt
    return not (is_prompt and has_shell(look))


def has_shell(look: Look) -> bool | None:
    """Whether a shell has the terminal; None if nobody knows what has it."""
    command = _bare(look.screen.command)
    if _is_shell(command):
        return True
    return None if not command or command in _BEFORE_OTHERS or look.is_relayed else False


def status_line(look: Look) -> str:
    """Return the line at which the shell here prints an exit status; empty if it is not known.

    It begins with a blank: such lines are kept out of many a shell's history.
    """
    status = _STATUSES.get(_bare(look.screen.command))
    return f" echo {status}" if status else ""


def _bare(name: str) -> str:
    """Return a program's name without the dash of a login shell, and without its version."""
    return name.removeprefix("-").rstrip("0123456789.-")


def _is_shell(name: str) -> bool:
    return name in _SHELLS or name in _PLAIN
