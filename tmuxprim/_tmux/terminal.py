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
from tmuxprim._tmux.choice import TransportName, make_transport
from tmuxprim._tmux.commands import TmuxCall
from tmuxprim._tmux.launch import make_prefix
from tmuxprim._tmux.operations import Operations, Steps
from tmuxprim._tmux.output_watch import PollingWatch, Queues
from tmuxprim._values.checks import Command
from tmuxprim._values.evidence import TtyState
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.pane import Pane, PaneInfo, Size
from tmuxprim._values.screen import Screen

T = TypeVar("T")


class MonotonicClock:
    """The monotonic clock of this machine, as a `Clock`."""

    def now(self) -> float:
        """Return the seconds since some moment in the past."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Let that many seconds pass."""
        time.sleep(max(seconds, 0.0))


class TmuxTerminal:
    """A terminal on a tmux server.

    Without a socket it is the user's own server, the one that ``tmux attach`` finds; ``TMUX``
    in the environment is ignored. Several threads may use one terminal.

    Args:
        socket_name: Name of the server's socket, as in ``tmux -L``.
        socket_path: Path of the server's socket, as in ``tmux -S``.
        config_file: What a new server reads in place of the user's files; ``/dev/null`` for
            nothing.
        executable: The tmux program.
        timeout: Longest time without an answer of tmux while a call waits, in seconds.
        launcher: Words to put before every call, such as ``("ssh", "host")``.
        transport: ``"subprocess"`` starts a client for each operation and leaves no trace.
            ``"control"`` keeps one client in control mode, which is some ten times as quick and
            shows in ``list-clients``; `disconnect` ends it, and so does a ``with`` block. Without
            control mode (tmux before 3.2) it warns and starts clients. ``"auto"`` is control mode
            from tmux 3.6 on, and on servers that `open` has started; older ones may crash while a
            client attaches.
        history_limit: How many rows of what scrolls away the panes of a server keep, at least, that
            `open` starts, so that `Console.run` returns so much output. They take memory of the
            server once there are so many. None leaves it to tmux, which keeps 2,000 if it is not
            told otherwise; so does tmux before 3.2. A server that runs already is not changed.

    Raises:
        ValueError: If both *socket_name* and *socket_path* are given, or one that is empty, there
            is no such transport, *launcher* is a text, *history_limit* is negative, or *timeout*
            is not above 0.

    Examples:
        >>> terminal = TmuxTerminal(socket_name="work")  # no server is started yet
        >>> terminal
        TmuxTerminal(tmux -u -L work)
        >>> pane = terminal.open(["bash"], name="shared")  # doctest: +SKIP
        >>> Console(terminal, Pane("shared")).wait_ready()  # doctest: +SKIP
    """

    def __init__(
        self,
        *,
        socket_name: str | None = None,
        socket_path: StrPath | None = None,
        config_file: StrPath | None = None,
        executable: str = "tmux",
        timeout: float = 5.0,
        launcher: Sequence[str] = (),
        transport: TransportName = "subprocess",
        history_limit: int | None = KEPT_ROWS,
    ) -> None:
        self._prefix = make_prefix(socket_name, socket_path, config_file, executable, launcher)
        self._transport = make_transport(transport, self._prefix, timeout)
        self._operations = Operations(history_limit, is_local=self._prefix.is_local)
        self._clock = MonotonicClock()
        self._queues = Queues()

    @classmethod
    @contextmanager
    def private(
        cls, *, transport: TransportName = "subprocess", timeout: float = 5.0
    ) -> Iterator[Self]:
        """Give a terminal on a new tmux server of its own, for a ``with`` block.

        The server reads no configuration. It starts with the first pane, and is ended with all
        panes when the block ends.

        Args:
            transport: As of `TmuxTerminal`.
            timeout: As of `TmuxTerminal`.

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

        The terminal can be used afterwards: it connects anew.
        """
        self._transport.close()
        self._queues.close()

    @property
    def transport(self) -> str:
        """How calls are carried now: ``"control"`` or ``"subprocess"``."""
        return self._transport.name

    @property
    def attach_command(self) -> str:
        """The command by which a person joins the server, on the machine that it is on."""
        return self._prefix.attach

    @property
    def clock(self) -> MonotonicClock:
        """The machine's monotonic clock."""
        return self._clock

    def open(self, command: Command = None, **options: Unpack[OpenOptions]) -> Pane:
        """Open a pane in a new session, starting the server if need be; see `Terminal.open`.

        Raises:
            InvalidPaneError: If *name* is no session name.
            InvalidTextError: If *command* names no program, or a word of it, the directory or a
                variable holds a NUL or a lone surrogate or is too long, or tmux would overwrite a
                variable; or if *shell_integration* is asked for and *command* is no bash, zsh or
                fish, or is behind a launcher.
            PaneExistsError: If a session of that name is there already.
            ProgramNotFoundError: If *command* is words, and there is no such program on this
                machine. That a text names none is found out by the shell that reads it, and what
                is behind a launcher is not known; then the pane is gone at once.
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
        """Return the screen and its state, of one turn of the server; see `Terminal.observe`."""
        return self._do(self._operations.observe(pane, history, styled=styled))

    def read(self, pane: Pane, *, history: int = 0) -> str:
        """Return what the screen says; see `Terminal.read`."""
        return self._do(self._operations.read(pane, history))

    def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        """Type *keys* if the pane takes input; see `Terminal.send`.

        State, screen and delivery are one turn of the server. A sequence of more than some
        thousand keys takes several, and a text of more than 4,000 bytes a paste buffer.
        """
        return self._do(self._operations.send(pane, keys, leave_mode=leave_mode, seen=seen))

    def probe(self, pane: Pane) -> TtyState | None:
        """Ask the kernel about the pane's terminal; see `Terminal.probe`.

        The terminal's path is known from the last snapshot; without one, this takes a snapshot.
        """
        return self._do(self._operations.probe(pane))

    def watch_output(self, pane: Pane) -> OutputWatch:
        """Return a watch on the pane's output; see `Terminal.watch_output`."""
        tty = self._do(self._operations.audible(pane))
        return PollingWatch() if tty is None else self._queues.watch_tty(tty)

    def tap(self, pane: Pane, keys: KeySequence | None = None, **how: Unpack[SendOptions]) -> Tap:
        """Return what the pane's program writes from now on; see `Terminal.tap`.

        tmux's ``pipe-pane`` writes it to a file without a name, until the tap is closed or this
        process ends, or until it is 256 MB long. This waits until the shell that does so has opened
        the file, some milliseconds. *keys* are typed before, in the same turn of the server.
        """
        steps = self._operations.tap(pane, keys, **how)
        return carry_out(steps, self._run_or_pause)

    def resize(self, pane: Pane, size: Size) -> None:
        """Change the size of the pane, or of its window if it is alone in it."""
        self._do(self._operations.resize(pane, size))

    def _do(self, steps: Steps[T]) -> T:
        return carry_out(steps, self._transport.run)

    def _run_or_pause(self, step: TmuxCall | float) -> str:
        if isinstance(step, TmuxCall):
            return self._transport.run(step)
        self._clock.sleep(step)
        return ""
