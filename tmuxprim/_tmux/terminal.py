"""`TmuxTerminal`: the `Terminal` protocol over a real tmux server."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Self, TypeVar, Unpack

from tmuxprim._engine.plan import carry_out
from tmuxprim._terminal import (
    KEPT_ROWS,
    OpenOptions,
    OpenRequest,
    OutputWatch,
    SendOptions,
    StrPath,
    Tap,
)
from tmuxprim._tmux.change_watch import RemoteChangeWatch
from tmuxprim._tmux.choice import TransportName, make_transport
from tmuxprim._tmux.commands import TmuxCall
from tmuxprim._tmux.elsewhere import ServerOptions, by_docker, by_ssh
from tmuxprim._tmux.exec import Exec
from tmuxprim._tmux.launch import make_prefix
from tmuxprim._tmux.operations import Operations, Steps
from tmuxprim._tmux.output_watch import InotifyOutputHub, PollingWatch, Queues
from tmuxprim._values.checks import Command
from tmuxprim._values.evidence import TtyState
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.pane import Pane, PaneInfo, SizeLike
from tmuxprim._values.screen import Screen

T = TypeVar("T")


class MonotonicClock:
    """The monotonic clock of this machine, as a `Clock`."""

    def now(self) -> float:
        """Return the seconds since some moment in the past."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait for that many seconds."""
        time.sleep(max(seconds, 0.0))


class TmuxTerminal:
    """A terminal on a tmux server.

    Without a socket it is the user's own server, the one that ``tmux attach`` finds; ``TMUX``
    in the environment is ignored. Several threads may use one terminal.

    Every call, also one of a `Console`, may raise `TmuxNotFoundError` if there is no tmux program,
    `TmuxServerError` if the server cannot be reached, `TmuxTimeoutError` if it does not answer in
    time, and `TmuxCommandError` if it refuses a command for a reason that has no error of its own.

    Args:
        socket_name: Name of the server's socket, as in ``tmux -L``.
        socket_path: Path of the server's socket, as in ``tmux -S``.
        config_file: The configuration file of a new server, in place of the user's files;
            ``/dev/null`` for none.
        executable: The tmux program.
        timeout: Longest time without an answer of tmux while a call waits, in seconds.
        launcher: Words to put before every call, such as ``("ssh", "host")``.
        exec: A function that runs a command in a container or a sandbox; it carries out every call,
            see `Exec`. A launcher is put before the command there.
        exec_stdin: Whether *exec* passes standard input on. Otherwise typed text is among the
            arguments, which other users there can see, and a long text takes several calls.
        transport: ``"subprocess"`` starts a client for each operation and leaves no trace.
            ``"control"`` keeps one client in control mode, which is some ten times as fast, and is
            listed by ``list-clients``; `disconnect` or the end of a ``with`` block ends it. Without
            control mode (tmux before 3.2) it warns and starts clients. ``"auto"`` is control mode
            from tmux 3.6 on, and on servers that `open` has started; older ones may crash while a
            client attaches.
        history_limit: Least number of rows of history that panes keep, on a server that `open`
            starts, so that `Console.run` returns that much output. A row takes memory of the server
            once it is filled. None leaves the number to tmux, whose default is 2,000. It has no
            effect before tmux 3.2, and on a server that already runs.

    Raises:
        ValueError: If both *socket_name* and *socket_path* are given, one of them is empty, or
            *socket_name* is a path; if there is no such transport, *transport* is ``"control"`` and
            there is an *exec*, *launcher* is a text, *history_limit* is negative, or *timeout* is
            not above 0.

    Examples:
        >>> terminal = TmuxTerminal(socket_name="work")  # no server is started yet
        >>> terminal
        TmuxTerminal(tmux -u -L work)
        >>> pane = terminal.open(["bash"], name="shared")  # doctest: +SKIP
        >>> Console(terminal, Pane("shared")).wait_ready()  # doctest: +SKIP
    """

    def __init__(  # noqa: PLR0913  # options, each by its name
        self,
        *,
        socket_name: str | None = None,
        socket_path: StrPath | None = None,
        config_file: StrPath | None = None,
        executable: str = "tmux",
        timeout: float = 5.0,
        launcher: Sequence[str] = (),
        exec: Exec | None = None,  # noqa: A002  # the word of those who have one
        exec_stdin: bool = True,
        transport: TransportName = "subprocess",
        history_limit: int | None = KEPT_ROWS,
    ) -> None:
        self._prefix = make_prefix(
            *(socket_name, socket_path, config_file, executable, launcher), by_exec=exec is not None
        )
        self._transport = make_transport(
            transport, self._prefix, timeout, exec_=exec, has_stdin=exec_stdin
        )
        self._operations = Operations(
            history_limit,
            is_local=self._prefix.is_local,
            has_stdin=exec is None or exec_stdin,
            has_shell=not self._prefix.is_local and self._transport.name != "control",
            waits_there=not self._prefix.is_local and self._transport.name != "control",
        )
        self._timeout = timeout
        self._clock = MonotonicClock()
        self._queues = Queues()

    @classmethod
    def ssh(cls, host: str, **options: Unpack[ServerOptions]) -> Self:
        """Return a terminal on the tmux server of another machine, reached by ssh.

        ssh must log in without a prompt: it gets no terminal to ask on. Each call connects anew,
        unless *transport* is ``"control"`` or ssh itself is configured to share a connection.

        Args:
            host: As for ssh: ``"host"``, ``"user@host"``, or a name of its configuration.
            options: As for `TmuxTerminal`. Other options of ssh need a *launcher* there.

        Raises:
            ValueError: If *host* is empty or begins with ``-``; or as for `TmuxTerminal`.

        Examples:
            >>> TmuxTerminal.ssh("build.example.org", transport="control", timeout=20.0)
            TmuxTerminal(ssh build.example.org tmux -u -L default)
        """
        return cls(launcher=by_ssh(host), **options)

    @classmethod
    def docker(cls, container: str, **options: Unpack[ServerOptions]) -> Self:
        """Return a terminal on the tmux server inside a running container.

        Args:
            container: The name or the id of the container.
            options: As for `TmuxTerminal`. Other options of docker need a *launcher* there.

        Raises:
            ValueError: If *container* is empty or begins with ``-``; or as for `TmuxTerminal`.

        Examples:
            >>> TmuxTerminal.docker("box")
            TmuxTerminal(docker exec -i box tmux -u -L default)
        """
        return cls(launcher=by_docker(container), **options)

    @classmethod
    @contextmanager
    def private(
        cls, *, transport: TransportName = "subprocess", timeout: float = 5.0
    ) -> Iterator[Self]:
        """Start a private tmux server for a ``with`` block, and end it with all its panes.

        The server reads no configuration. It starts with the first pane.

        Args:
            transport: As for `TmuxTerminal`.
            timeout: As for `TmuxTerminal`.

        Returns:
            The terminal, for the block.

        Examples:
            >>> with TmuxTerminal.private() as terminal:  # doctest: +SKIP
            ...     print(Console(terminal, terminal.open(["bash"])).run("echo hi").output)
            hi
        """
        from tmuxprim._tmux.private import NO_FILE, PrivateServer  # noqa: PLC0415  # few have one

        server = PrivateServer()
        try:
            socket = server.socket
            with cls(
                socket_path=socket, config_file=NO_FILE, transport=transport, timeout=timeout
            ) as terminal:
                yield terminal
        finally:
            server.end()

    def __repr__(self) -> str:
        return f"TmuxTerminal({self._prefix})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.disconnect()

    def disconnect(self) -> None:
        """End the client and close the queues that this terminal keeps; panes stay.

        The terminal can be used afterwards: it connects again.
        """
        self._transport.close()
        self._queues.close()

    @property
    def transport(self) -> str:
        """How calls are carried now: ``"control"``, ``"subprocess"`` or ``"exec"``."""
        return self._transport.name

    @property
    def attach_command(self) -> str:
        """The command that attaches a person to the server, on the machine that it is on."""
        return self._prefix.attach

    @property
    def clock(self) -> MonotonicClock:
        """The machine's monotonic clock."""
        return self._clock

    def open(self, command: Command = None, **options: Unpack[OpenOptions]) -> Pane:
        """Open a pane in a new session, starting the server if need be; see `Terminal.open`.

        Raises:
            InvalidPaneError: If *name* cannot be the name of a session.
            InvalidTextError: If *command* names no program, or a word of it, the directory or a
                variable holds a NUL or a lone surrogate or is too long, or tmux would overwrite a
                variable; or if *shell_integration* is given and *command* is not bash, zsh or fish,
                or is behind a launcher.
            PaneExistsError: If a session of that name already exists.
            ProgramNotFoundError: If *command* is words, and there is no such program on this
                machine. A text, and a program behind a launcher, cannot be checked in advance: if
                there is no such program, the pane closes at once.
            TmuxCommandError: If tmux refuses for another reason.
        """
        return self._do(self._operations.open(OpenRequest(command, **options)))

    def close(self, pane: Pane) -> None:
        """Kill the pane; see `Terminal.close`."""
        self._do(self._operations.close(pane))

    def panes(self) -> tuple[PaneInfo, ...]:
        """Return all panes of the server; see `Terminal.panes`."""
        return self._do(self._operations.panes())

    def resolve(self, pane: Pane) -> Pane:
        """Return the pane by its id; see `Terminal.resolve`."""
        return self._do(self._operations.resolve(pane))

    def observe(self, pane: Pane, *, history: int = 0, styled: bool = False) -> Screen:
        """Return the screen and its state, both read in one step; see `Terminal.observe`."""
        return self._do(self._operations.observe(pane, history, styled=styled))

    def read(self, pane: Pane, *, history: int = 0) -> str:
        """Return the text of the screen; see `Terminal.read`."""
        return self._do(self._operations.read(pane, history))

    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        """Type *keys* if the pane takes input; see `Terminal.send`.

        The server reads the state and the screen and delivers the keys in one step. A sequence of
        more than some thousand keys takes several steps, and a text of more than 4,000 bytes goes
        through a paste buffer.
        """
        return self._do(self._operations.send(pane, keys, leave_mode=leave_mode, seen=seen))

    def probe(self, pane: Pane) -> TtyState | None:
        """Ask the kernel about the pane's terminal; see `Terminal.probe`.

        The terminal's path is known from the last snapshot; without one, this takes a snapshot.
        """
        return self._do(self._operations.probe(pane))

    def interrupt_group(self, pane: Pane, group: int) -> None:
        """Send SIGINT to the programs in the foreground of a pane, on this machine.

        Args:
            pane: The pane.
            group: Their process group (`TtyState.foreground_pid`), as the caller has seen it.

        Raises:
            PaneBusyError: If another group is in the foreground by now, or it is another user's, or
                the pane is on another machine. No signal was sent.
            PaneNotFoundError: If the pane is gone.
            TmuxTimeoutError: If tmux hangs.
        """
        self._do(self._operations.interrupt_group(pane, group))

    def watch_output(self, pane: Pane) -> OutputWatch:
        """Return a watch on the pane's output; see `Terminal.watch_output`."""
        tty = self._do(self._operations.watchable_tty(pane))
        return PollingWatch() if tty is None else self._queues.watch_tty(tty)

    def watch_changes(self, pane: Pane) -> RemoteChangeWatch[tuple[Screen, float]] | None:
        """Return a watch that waits on the pane's machine; None if that is this one.

        Args:
            pane: The pane, by its id.

        Returns:
            The watch; None for a pane of this machine, and where only this machine can wait.
        """
        if not self._operations.waits_there:
            return None
        return RemoteChangeWatch(
            self._operations,
            pane,
            self._timeout,
            lambda steps: carry_out(steps, self._run_or_pause),
        )

    def watch_outputs(self) -> InotifyOutputHub:
        """Return a watch on the output of many panes; see `OutputHub`."""
        return InotifyOutputHub(
            lambda pane: self._do(self._operations.watchable_tty(pane)), self._queues
        )

    def tap(self, pane: Pane, keys: KeySequence | None = None, **how: Unpack[SendOptions]) -> Tap:
        """Return a tap on the output of the pane's program; see `Terminal.tap`.

        tmux's ``pipe-pane`` writes it to a file without a name, until the tap is closed or this
        process ends, or until it is 256 MB long. The call waits some milliseconds until the shell
        behind it has opened the file. *keys* are typed before, in the same step of the server.
        """
        steps = self._operations.tap(pane, keys, **how)
        return carry_out(steps, self._run_or_pause)

    def resize(self, pane: Pane, size: SizeLike) -> None:
        """Change the size of the pane, or of its window if alone in it; see `Terminal.resize`."""
        self._do(self._operations.resize(pane, size))

    def _do(self, steps: Steps[T]) -> T:
        return carry_out(steps, self._transport.run)

    def _run_or_pause(self, step: TmuxCall | float) -> str:
        if isinstance(step, TmuxCall):
            return self._transport.run(step)
        self._clock.sleep(step)
        return ""
