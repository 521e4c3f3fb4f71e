"""`TtyState`: what the kernel knows about the terminal behind a pane.

A screen cannot tell a prompt from output that looks like one. The kernel can: a line editor
switches the line discipline to raw mode, a password prompt switches echo off, a program that
wants a line sleeps in ``read`` on the terminal, and a command that runs does none of this.
(termios(3), "Canonical and noncanonical mode"; tcgetpgrp(3); proc_pid_stat(5).)
"""

from typing import Final

import attrs

RELAYS: Final = ("ssh", "docker", "podman", "kubectl")
"""Programs that pass on what another one shows.

What they wait for besides the terminal may be a pipe or a local socket, as that of a program which
passes nothing on.
"""


@attrs.frozen
class TtyState:
    """One look at a pane's line discipline and at who reads from it.

    A field is None where this machine cannot tell; None never means "no".

    Args:
        canonical: ICANON: the kernel collects whole lines, as it does while a command runs.
            False is raw mode: a line editor or a full-screen program reads key by key.
        echo: ECHO: the kernel shows what is typed.
        signals: ISIG: C-c interrupts. A program that switches it off passes every key on,
            perhaps to another machine, as ssh does.
        edits: Whether the line discipline is as a line editor leaves it: raw, no echo, and Enter is
            not made a line feed, as it still is for a program that only reads single keys.
        foreground_pid: Leader of the terminal's foreground process group.
        foreground_is_pane: Whether that is the program that the pane was opened with.
        reading: Whether a process of the foreground group sleeps until the terminal has input.
        only_reading: Whether it waits for nothing but the terminal. False when it also waits for a
            socket or a pipe, and so may go on by itself.
        relays: Whether the reader passes on what another program shows, as ssh and script do: it
            also waits for a network connection, or for a terminal that it has made itself.
        reader_pid: The process that reads.
        wakeups: How often the reader has been given a processor so far. Grown since a key was sent,
            while it waits for nothing else: the reader took the key, did its work and sleeps again.
        stack: Where the stack of the reader's program begins: elsewhere in each process, and again
            when a process becomes another program (exec).
        depth: How many bytes of its stack the reader uses where it sleeps. A shell reads each
            command at the same depth, in all its processes; what ``read`` asks, at another.
        unread: Bytes typed that nobody has read yet. In canonical mode only whole lines count.
        line_limit: Bytes of a line that the kernel keeps in canonical mode; it drops the rest.

    Examples:
        >>> TtyState(canonical=False, echo=False).is_raw
        True
    """

    canonical: bool
    echo: bool
    signals: bool = True
    edits: bool | None = None
    foreground_pid: int | None = None
    foreground_is_pane: bool | None = None
    reading: bool | None = None
    only_reading: bool | None = None
    relays: bool | None = None
    reader_pid: int | None = None
    wakeups: int | None = None
    stack: int | None = None
    depth: int | None = None
    unread: int | None = None
    line_limit: int | None = None

    @property
    def is_raw(self) -> bool:
        """Whether the program reads key by key: a line editor, a TUI, ``read -n1``."""
        return not self.canonical

    @property
    def hides_input(self) -> bool:
        """Whether a line is read without echo, as a password is."""
        return self.canonical and not self.echo

    @property
    def place(self) -> tuple[int, int] | None:
        """Where in its program the reader sleeps: its stack and its depth, if both are known."""
        return None if self.stack is None or self.depth is None else (self.stack, self.depth)
