"""`TtyState`, the kernel's evidence about a terminal."""

from typing import Literal, NamedTuple, TypeAlias

import attrs

from tmuxprim._values.short_repr import short_repr

Level: TypeAlias = Literal["syscall", "wchan", "stat", "termios"]


class Activity(NamedTuple):
    """The scheduler's counters of a thread (proc(5), ``schedstat``); times are in nanoseconds.

    Args:
        wakeups: How often it got a processor.
        ran: How long it has run.
        waited: How long it was ready to run while other threads had the processors.
    """

    wakeups: int
    ran: int
    waited: int = 0


@attrs.frozen(kw_only=True)
class TtyState:
    """The kernel's evidence about a pane's terminal at one moment: its modes and its reader.

    Start with `canonical`, `echo` and `reading`: they decide most waits. A field is None if it
    cannot be determined on this machine; None never means "no".

    Args:
        canonical: ICANON: the kernel collects whole lines, as it does while a command runs.
            False is raw mode: a line editor or a full-screen program reads key by key.
        echo: ECHO: the kernel shows typed text.
        signals: ISIG: C-c interrupts. A program that switches it off passes every key on,
            perhaps to another machine, as ssh does.
        edits: Whether the terminal has the modes that line editors set: raw, without echo, and
            Enter stays a carriage return. For a program that only reads single keys, the kernel
            still turns Enter into a line feed (ICRNL).
        foreground_pid: Leader of the terminal's foreground process group.
        foreground_is_pane: Whether that is the program that the pane was opened with.
        reading: Whether a process of the foreground group sleeps until the terminal has input.
        only_reading: Whether the reader waits for nothing but the terminal. False when it also
            waits for a socket or a pipe, and so may go on by itself.
        passes_on: Whether the reader passes on the screen of another program, as ssh and script do:
            it also waits for a network connection, or for a terminal that it has made itself.
        may_work: Whether the reader may go on without a key: its wait has a time limit, or another
            of its threads works, or a process that it has started. It is also True if only this
            fact cannot be determined. It is ignored when states are compared.
        reader_pid: The process that reads.
        limit: Seconds after which the reader goes on by itself if nothing is typed, as a poll or a
            read with a time limit does; 0 if there is a limit that the kernel does not report. None
            if nothing but a key ends its wait, or if it waits for more than the terminal.
        wakeups: How often the reader has got a processor so far. If it waits only for the terminal,
            and this number has grown since a key was sent, then the reader took the key, did its
            work and sleeps again.
        stack: The address at which the stack of the reader's program begins. It differs in each
            process, and changes when a process becomes another program (exec).
        depth: How many bytes of its stack the reader uses where it sleeps. A shell reads each
            command at the same depth, in all its processes, and the input of its ``read`` at
            another depth.
        program: Name of the program in the foreground, by the file that it was started with:
            ``gemini`` for ``node /usr/bin/gemini``. It is read for programs that may work while
            they read. It is empty for code that an interpreter was given, which has no name.
        children: The processes that the program has started and that still run; read for the same
            programs.
        status: The state that the program reports in a file: ``"busy"``, ``"waiting"`` (it asks),
            ``"idle"``, or ``"shell"`` (idle, while a command of it still runs). Claude Code has it.
        unread: Typed bytes that no process has read yet. In canonical mode only whole lines count.
        line_limit: Bytes of a line that the kernel keeps in canonical mode; it drops the rest.
        ignores_stop: Whether the reader ignores SIGTSTP or SIGTERM. A shell that takes commands
            does, and a shell that carries out a script does not.
        pass_through_count: Number of pass-through programs on this machine between the pane and
            the reader, such as script and socat. All fields describe the innermost terminal.
        command: Name of the command in the foreground, if tmux cannot report it; else None. tmux
            sees only the first of several pass-through programs, and only the leader of a group,
            while another process may read: fzf in ``seq 5 | fzf``, or a program that a key of a
            shell starts.
        activity: The counters of the leader's first thread. They are read while no process sleeps
            in a read, in raw mode, or if its reads do not block (O_NONBLOCK). They are ignored when
            states are compared.
        level: The kind of evidence. ``"syscall"``: the system call in which each program sleeps,
            which needs the right to attach to it (ptrace). ``"wchan"``: the kernel function in
            which it sleeps, and its open files, which the kernel shows for your own programs.
            ``"stat"``: only whether it sleeps, as for another user's programs. ``"termios"``: only
            the modes of the terminal, as on macOS. It is ignored when states are compared.

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
    passes_on: bool | None = None
    may_work: bool | None = attrs.field(default=None, eq=False)
    reader_pid: int | None = None
    limit: float | None = attrs.field(default=None, eq=False)
    wakeups: int | None = None
    stack: int | None = None
    depth: int | None = None
    program: str | None = None
    children: frozenset[int] | None = None
    status: str | None = None
    unread: int | None = None
    line_limit: int | None = None
    ignores_stop: bool | None = None
    pass_through_count: int = 0
    command: str | None = None
    activity: Activity | None = attrs.field(default=None, eq=False)
    level: Level | None = attrs.field(default=None, eq=False)

    def __repr__(self) -> str:
        return short_repr(self, "canonical", "echo", "reading", "foreground_pid", "level")

    @property
    def is_raw(self) -> bool:
        """Whether the program reads key by key: a line editor, a TUI, ``read -n1``."""
        return not self.canonical

    @property
    def hides_input(self) -> bool:
        """Whether the program reads a line without echo, as it does for a password."""
        return self.canonical and not self.echo

    @property
    def read_site(self) -> tuple[int, int] | None:
        """The place in its program where the reader sleeps: stack and depth, if both are known."""
        return None if self.stack is None or self.depth is None else (self.stack, self.depth)
