"""What the kernel would tell of a fake program, by what it waits for."""

from typing import Final

from tmuxprim._fake._requests import ReadLine, Request, Sleep
from tmuxprim._tty import RELAYS, TtyState

# What Linux keeps of a line besides its end (N_TTY_BUF_SIZE).
_LINE_LIMIT: Final = 4095


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
    """Return the state of a fake terminal.

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
