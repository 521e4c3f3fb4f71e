"""What the kernel tells of a terminal, and what a send leaves behind."""

from typing import Literal, NamedTuple, TypeAlias

import attrs

from tmuxprim._values.pane import Pane
from tmuxprim._values.screen import Screen

Level: TypeAlias = Literal["syscall", "wchan", "stat", "termios"]


class Activity(NamedTuple):
    """What a thread has done so far, by its scheduler's counters; times are in nanoseconds.

    Args:
        wakeups: How often it has been given a processor.
        ran: For how long it has run.
        waited: For how long it could have run, and other threads had the processors.
    """

    wakeups: int
    ran: int
    waited: int = 0


@attrs.frozen(kw_only=True)
class TtyState:
    """What the kernel says of a pane's terminal at one moment: its modes, and who reads.

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
        passes_on: Whether the reader passes on what another program shows, as ssh and script do: it
            also waits for a network connection, or for a terminal that it has made itself.
        may_work: Whether the reader may go on without a key: its wait has a time limit, another of
            its threads works, or a process that it has started. True as well where only that is not
            told. It does not count when states are compared.
        reader_pid: The process that reads.
        limit: Seconds after which the reader goes on by itself if nothing is typed, as a poll or a
            read with a time limit does; 0 if it may, and the kernel does not tell when. None if
            nothing but a key ends its wait, or it waits for more than the terminal.
        wakeups: How often the reader has been given a processor so far. Grown since a key was sent,
            while it waits for nothing else: the reader took the key, did its work and sleeps again.
        stack: Where the stack of the reader's program begins: elsewhere in each process, and again
            when a process becomes another program (exec).
        depth: How many bytes of its stack the reader uses where it sleeps. A shell reads each
            command at the same depth, in all its processes; what ``read`` asks, at another.
        program: Name of the program in the foreground, by what it was started with: ``gemini`` for
            ``node /usr/bin/gemini``. Told of those that may work while they read; empty for code
            that an interpreter was given, which has no name.
        children: The processes that it has started and that still run; told of the same.
        status: The state that it tells of itself in a file: ``"busy"``, ``"waiting"`` (it asks),
            ``"idle"``, or ``"shell"`` (idle, while a command of it runs on). Told of Claude Code.
        unread: Bytes typed that nobody has read yet. In canonical mode only whole lines count.
        line_limit: Bytes of a line that the kernel keeps in canonical mode; it drops the rest.
        ignores_stop: Whether the reader ignores SIGTSTP or SIGTERM, as a shell does that takes
            commands, and none that carries out a script.
        pass_through_count: How many programs of this machine stand before it and pass on what it
            shows, as script and socat do: all of this is told of the innermost terminal.
        command: Name of the command in the foreground where tmux cannot tell: behind those programs
            it sees the first only, and of a group the leader, as of ``seq 5 | fzf`` or of what a
            key of a shell starts, where another process reads. None where it can.
        activity: What the leader's first thread has done so far (wakeups, and nanoseconds for which
            it ran and for which it waited for a processor), told while nobody sleeps in a read, in
            raw mode, or where its reads do not block (O_NONBLOCK). It does not count when states
            are compared.
        level: By what this is known. ``"syscall"``: the system call that each program sleeps in,
            which takes the right to attach to it (ptrace). ``"wchan"``: the kernel function that it
            sleeps in, and its open files, which a machine tells of one's own programs. ``"stat"``:
            only whether it sleeps, as of another user's. ``"termios"``: no program, as on macOS. It
            does not count when states are compared.

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

    @property
    def is_raw(self) -> bool:
        """Whether the program reads key by key: a line editor, a TUI, ``read -n1``."""
        return not self.canonical

    @property
    def hides_input(self) -> bool:
        """Whether a line is read without echo, as a password is."""
        return self.canonical and not self.echo

    @property
    def read_site(self) -> tuple[int, int] | None:
        """Where in its program the reader sleeps: its stack and its depth, if both are known."""
        return None if self.stack is None or self.depth is None else (self.stack, self.depth)


@attrs.frozen
class Prompt:
    """A prompt that has been seen, of whatever look.

    Args:
        text: What stood left of the cursor.
        pid: The process that showed it; None if the kernel did not tell.
        read_site: Where in its program it read the line (`TtyState.read_site`); None if it is not
            known for sure that it reads its commands there.
        more: What it showed last where it wanted the rest of a command; None if it has not yet.

    Examples:
        >>> terminal = FakeTerminal()
        >>> console = Console(terminal, terminal.open())
        >>> readiness = console.wait_ready()
        >>> Prompt.seen(readiness.screen, readiness.tty)
        Prompt(text='$ ', pid=1000, read_site=None, more=None)
    """

    text: str
    pid: int | None = None
    read_site: tuple[int, int] | None = None
    more: str | None = attrs.field(default=None, kw_only=True)

    @classmethod
    def seen(cls, screen: Screen, tty: TtyState | None) -> "Prompt":
        """Return what stands left of the cursor, as the prompt of who is in the foreground."""
        return cls(screen.line_before_cursor, None if tty is None else tty.foreground_pid)


def command_of(screen: Screen, tty: TtyState | None) -> str:
    """Return the name of the command that reads: tmux names the leader of its group."""
    return (tty and tty.command) or screen.command


def program_of(screen: Screen, tty: TtyState | None) -> str:
    """Return the name of the program in front, by what it was started with where that is told."""
    return (tty and tty.program) or command_of(screen, tty)


@attrs.frozen(kw_only=True)
class Mark:
    """What a pane was like right before its last key was sent, or at `Console.mark`.

    Args:
        screen: The screen, with the text that was typed before the key already on it.
        tty: The kernel's evidence, or None where there is none.
        prompt: The prompt that was found last, or else what stood left of the cursor before the
            text was typed.
        pane: Whose mark it is, None if nobody said; it does not count when marks are compared.
        typed: The text that was typed before the key, which the screen may not show yet. What the
            key itself types is none of it: its echo cannot be told from an answer. It does not
            count either, and is not shown, since it may be a secret.
        ends_line: Whether what was sent may have ended a line, as Enter and C-c do.
        line: The line that was typed, as far as it was; None if keys such as Up changed it. It is
            treated as *typed* is.
        goes_on: Whether the rest of a command was asked for; None if nobody had waited to see.
        stopped: Programs whose line editors read when C-z was pressed, and that were sent nothing
            since. It does not count either.
        left_title: The title that another program has left, as long as no other was seen.

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
    stopped: frozenset[int] = attrs.field(default=frozenset(), eq=False)
    left_title: str = attrs.field(default="", eq=False)

    @property
    def command(self) -> str:
        """Name of the command that was in the foreground, also behind a pass-through program."""
        return command_of(self.screen, self.tty)
