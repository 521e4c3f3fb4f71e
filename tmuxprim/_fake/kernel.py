"""What the Linux kernel does for a fake terminal: how it collects a line, and what it tells."""

import re
from collections.abc import Callable
from typing import Final

from tmuxprim._fake.output import INTERRUPT, typed
from tmuxprim._fake.requests import Interrupted, Killed, ReadLine, Request, Sleep
from tmuxprim._values.evidence import RELAYS, TtyState

_ERASE, _ERASE_WORD, _KILL, _QUIT = typed("BSpace", "C-w", "C-u", "C-\\")
_SIGQUIT: Final = 3
# What Linux keeps of a line besides its end (N_TTY_BUF_SIZE).
_LINE_LIMIT: Final = 4095
_LAST_WORD: Final = re.compile(r"[\w\x80-\U0010ffff]*[^\w\x80-\U0010ffff]*\Z")

SIGNALS: Final[dict[str, tuple[str, Callable[[], Exception]]]] = {
    INTERRUPT: ("^C", Interrupted),
    _QUIT: ("^\\", lambda: Killed(_SIGQUIT)),
}
"""Keys that send a signal: what the kernel shows, and what the program gets (ISIG)."""


def collect(line: str, character: str) -> tuple[str, str]:
    """Let the kernel take a character of a line, in canonical mode.

    The kernel counts one column for each character, be it wide or none at all.

    Args:
        line: What it has of the line.
        character: What is typed.

    Returns:
        The line, and what is echoed; controls are shown as ``^X`` (ECHOCTL).
    """
    erased = {_ERASE: line[-1:], _ERASE_WORD: _LAST_WORD.findall(line)[0], _KILL: line}
    if character not in erased:
        return line + character, _echo(character)
    gone = erased[character]
    return line.removesuffix(gone), "\b \b" * sum(len(_echo(one)) for one in gone)


def _echo(character: str) -> str:
    is_text = character >= " " or character == "\t"
    return character if is_text else f"^{chr(ord(character) ^ 0x40)}"


def evidence(
    request: Request,
    *,
    awake: bool,
    command: str,
    pid: int,
    pane_pid: int,
    wakeups: int,
    unread: int,
) -> TtyState:
    """Return what the kernel tells of a fake program, by what it waits for.

    A program named as one that passes another one's terminal on, such as ssh, is seen to wait for
    the other side, too, once it reads key by key.

    Args:
        request: What the program in the foreground waits for.
        awake: Whether it has been woken, and does not wait any more.
        command: Its name.
        pid: Its process.
        pane_pid: The process that the pane was opened with.
        wakeups: How often it was woken so far.
        unread: Bytes that it has not read yet.
    """
    reads = not isinstance(request, Sleep) and not awake
    relays = request.raw and command in RELAYS
    return TtyState(
        canonical=not request.raw,
        echo=not request.raw and (not isinstance(request, ReadLine) or request.echo),
        signals=not relays,
        edits=request.raw and (isinstance(request, ReadLine) or relays),
        foreground_pid=pid,
        foreground_is_pane=pid == pane_pid,
        reading=reads,
        only_reading=reads and not relays,
        relays=reads and relays,
        reader_pid=pid if reads else None,
        wakeups=wakeups if reads else None,
        unread=unread,
        line_limit=_LINE_LIMIT,
    )
