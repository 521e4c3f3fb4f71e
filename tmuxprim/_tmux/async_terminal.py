"""`AsyncTmuxTerminal`: the `AsyncTerminal` protocol over a real tmux server."""

import asyncio
import time
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from itertools import repeat
from typing import Self, TypeVar, Unpack

from tmuxprim._engine.plan import carry_out_async
from tmuxprim._terminal import (
    KEPT_ROWS,
    AsyncOutputWatch,
    OpenOptions,
    OpenRequest,
    SendOptions,
    StrPath,
    Tap,
)
from tmuxprim._tmux.async_connection import AsyncTransport, make_async_transport
from tmuxprim._tmux.async_output_watch import AsyncInotifyOutputHub, AsyncPollingWatch, InotifyHub
from tmuxprim._tmux.change_watch import RemoteChangeWatch
from tmuxprim._tmux.choice import TransportName
from tmuxprim._tmux.commands import Buffer, TmuxCall, typing_actions
from tmuxprim._tmux.elsewhere import ServerOptions, by_docker, by_ssh
from tmuxprim._tmux.exec import AsyncExec
from tmuxprim._tmux.launch import make_prefix
from tmuxprim._tmux.operations import Operations, Steps
from tmuxprim._values.checks import Command, OneLoop
from tmuxprim._values.evidence import TtyState
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.pane import Pane, PaneInfo, SizeLike
from tmuxprim._values.screen import Screen

T = TypeVar("T")


class AsyncMonotonicClock:
    """An `AsyncClock` of real time, the same as `MonotonicClock`."""

    def now(self) -> float:
        """Return the seconds since some moment in the past."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait for that many seconds, while other tasks run."""
        await asyncio.sleep(seconds)


class AsyncTmuxTerminal:
    """A terminal on a tmux server for asyncio; see `TmuxTerminal`.

    No call blocks the event loop. In control mode the loop reads the connection itself; a worker
    thread waits for a client that is started for one call. A wait for a pane takes no thread, so a
    thousand panes can be waited for at once. A terminal belongs to the first event loop that uses
    it, and raises `EventLoopError` in any other: make one for each event loop.

    Args:
        socket_name: Name of the server's socket, as in ``tmux -L``.
        socket_path: Path of the server's socket, as in ``tmux -S``.
        config_file: The configuration file of a new server, in place of the user's files.
        executable: The tmux program.
        timeout: Longest time without an answer of tmux while a call waits, in seconds.
        launcher: Words to put before every call, such as ``("ssh", "host")``.
        exec: A coroutine function that carries out every call; see `AsyncExec`.
        exec_stdin: Whether *exec* passes standard input on; see `TmuxTerminal`.
        transport: ``"subprocess"``, ``"control"`` or ``"auto"``; see `TmuxTerminal`.
        history_limit: Least number of rows of history that panes keep, on a server that `open`
            starts; None leaves it to tmux.

    Raises:
        ValueError: If both *socket_name* and *socket_path* are given, one of them is empty, or
            *socket_name* is a path; if there is no such transport, *transport* is ``"control"`` and
            there is an *exec*, *launcher* is a text, *history_limit* is negative, or *timeout* is
            not above 0.

    Examples:
        >>> AsyncTmuxTerminal(socket_name="work")  # no server is started yet
        AsyncTmuxTerminal(tmux -u -L work)
        >>> async def build() -> str:
        ...     async with AsyncTmuxTerminal(transport="control") as terminal:
        ...         console = AsyncConsole(terminal, await terminal.open(["bash"]))
        ...         return (await console.run("make")).output
        >>> asyncio.run(build())  # doctest: +SKIP
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
        exec: AsyncExec | None = None,  # noqa: A002  # the word of those who have one
        exec_stdin: bool = True,
        transport: TransportName = "subprocess",
        history_limit: int | None = KEPT_ROWS,
    ) -> None:
        self._prefix = make_prefix(
            *(socket_name, socket_path, config_file, executable, launcher), by_exec=exec is not None
        )
        self._transport = make_async_transport(
            transport, self._prefix, timeout, exec_=exec, has_stdin=exec_stdin
        )
        self._hub = InotifyHub()
        self._loop = OneLoop("AsyncTmuxTerminal")
        self._operations = Operations(
            history_limit,
            is_local=self._prefix.is_local,
            has_stdin=exec is None or exec_stdin,
            has_shell=not self._prefix.is_local and self._transport.name != "control",
            # Of a launcher, each wait would take one of the few threads that carry calls.
            waits_there=exec is not None,
        )
        self._timeout = timeout
        self._clock = AsyncMonotonicClock()

    @classmethod
    def ssh(cls, host: str, **options: Unpack[ServerOptions]) -> Self:
        """Return a terminal on another machine, reached by ssh; see `TmuxTerminal.ssh`.

        Args:
            host: As for ssh: ``"host"``, ``"user@host"``, or a name of its configuration.
            options: As for `TmuxTerminal`. Other options of ssh need a *launcher* there.

        Raises:
            ValueError: If *host* is empty or begins with ``-``; or as for `TmuxTerminal`.
        """
        return cls(launcher=by_ssh(host), **options)

    @classmethod
    def docker(cls, container: str, **options: Unpack[ServerOptions]) -> Self:
        """Return a terminal inside a running container; see `TmuxTerminal.docker`.

        Args:
            container: The name or the id of the container.
            options: As for `TmuxTerminal`. Other options of docker need a *launcher* there.

        Raises:
            ValueError: If *container* is empty or begins with ``-``; or as for `TmuxTerminal`.
        """
        return cls(launcher=by_docker(container), **options)

    @classmethod
    @asynccontextmanager
    async def private(
        cls,
        *,
        transport: TransportName = "subprocess",
        timeout: float = 5.0,  # noqa: ASYNC109  # of each call
    ) -> AsyncIterator[Self]:
        """Give a terminal on a new tmux server, for ``async with``; see `TmuxTerminal.private`.

        Args:
            transport: As for `TmuxTerminal`.
            timeout: As for `TmuxTerminal`.

        Returns:
            The terminal, for the block.
        """
        from tmuxprim._tmux.private import NO_FILE, PrivateServer  # noqa: PLC0415  # few have one

        server = PrivateServer()
        try:
            socket = server.socket
            async with cls(
                socket_path=socket, config_file=NO_FILE, transport=transport, timeout=timeout
            ) as terminal:
                yield terminal
        finally:
            await asyncio.to_thread(server.end)

    def __repr__(self) -> str:
        return f"AsyncTmuxTerminal({self._prefix})"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.disconnect()

    async def disconnect(self) -> None:
        """End the clients; panes stay.

        The terminal can be used afterwards: it connects anew.
        """
        transport = self._carrier()
        close_queue = self._hub.stop()
        await transport.close()
        await asyncio.to_thread(close_queue)

    @property
    def transport(self) -> str:
        """How calls are carried now: ``"control"``, ``"subprocess"`` or ``"exec"``."""
        return self._transport.name

    @property
    def attach_command(self) -> str:
        """The command that attaches a person to the server, on the machine that it is on."""
        return self._prefix.attach

    @property
    def clock(self) -> AsyncMonotonicClock:
        """The machine's monotonic clock."""
        return self._clock

    async def open(self, command: Command = None, **options: Unpack[OpenOptions]) -> Pane:
        """Open a pane in a new session, starting the server if need be; see `TmuxTerminal.open`."""
        steps = self._operations.open(OpenRequest(command, **options))
        return await self._do(steps)

    async def close(self, pane: Pane) -> None:
        """Kill the pane; see `Terminal.close`."""
        await self._do(self._operations.close(pane))

    async def panes(self) -> tuple[PaneInfo, ...]:
        """Return all panes of the server; see `Terminal.panes`."""
        return await self._do(self._operations.panes())

    async def resolve(self, pane: Pane) -> Pane:
        """Return the pane by its id; see `Terminal.resolve`."""
        return await self._do(self._operations.resolve(pane))

    async def observe(self, pane: Pane, *, history: int = 0, styled: bool = False) -> Screen:
        """Return the screen and its state, of one turn of the server; see `Terminal.observe`."""
        return await self._do(self._operations.observe(pane, history, styled=styled))

    async def read(self, pane: Pane, *, history: int = 0) -> str:
        """Return the text of the screen; see `Terminal.read`."""
        return await self._do(self._operations.read(pane, history))

    async def send(
        self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False, seen: Screen | None = None
    ) -> Screen:
        """Type *keys* if the pane takes input; see `TmuxTerminal.send`.

        If a send through a paste buffer is cancelled, it is still completed.
        """
        steps = self._operations.send(pane, keys, leave_mode=leave_mode, seen=seen)
        # The buffer of a paste or of a long text would be left behind.
        if any(isinstance(part, Buffer) for part in typing_actions(pane, keys, repeat(""))):
            return await self._carrier().finish(steps)
        return await self._do(steps)

    async def probe(self, pane: Pane) -> TtyState | None:
        """Ask the kernel about the pane's terminal; see `TmuxTerminal.probe`."""
        return await self._do(self._operations.probe(pane))

    async def interrupt_group(self, pane: Pane, group: int) -> None:
        """Send SIGINT to the programs in front; see `TmuxTerminal.interrupt_group`.

        Raises:
            PaneBusyError: If no signal was sent, which the message explains.
            PaneNotFoundError: If the pane is gone.
            TmuxTimeoutError: If tmux hangs.
        """
        await self._do(self._operations.interrupt_group(pane, group))

    async def watch_output(self, pane: Pane) -> AsyncOutputWatch:
        """Return a watch on the pane's output; see `Terminal.watch_output`."""
        tty = await self._do(self._operations.watchable_tty(pane))
        return AsyncPollingWatch() if tty is None else self._hub.watch_tty(tty)

    def watch_changes(
        self, pane: Pane
    ) -> RemoteChangeWatch[Coroutine[None, None, tuple[Screen, float]]] | None:
        """Return a watch that waits on the pane's machine; see `TmuxTerminal.watch_changes`.

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
            lambda steps: carry_out_async(steps, self._run_or_pause),
        )

    def watch_outputs(self) -> AsyncInotifyOutputHub:
        """Return a watch on the output of many panes; see `OutputHub`."""
        return AsyncInotifyOutputHub(
            lambda pane: self._do(self._operations.watchable_tty(pane)), self._hub
        )

    async def tap(
        self, pane: Pane, keys: KeySequence | None = None, **how: Unpack[SendOptions]
    ) -> Tap:
        """Return a tap on the pane's program; see `TmuxTerminal.tap`."""
        steps = self._operations.tap(pane, keys, **how)
        return await carry_out_async(steps, self._run_or_pause)

    async def resize(self, pane: Pane, size: SizeLike) -> None:
        """Change the size of the pane, or of its window if alone in it; see `Terminal.resize`."""
        await self._do(self._operations.resize(pane, size))

    def _carrier(self) -> AsyncTransport:
        """Return what carries calls, to the event loop that this belongs to."""
        self._loop.claim(asyncio.get_running_loop())
        return self._transport

    async def _do(self, steps: Steps[T]) -> T:
        return await carry_out_async(steps, self._carrier().run)

    async def _run_or_pause(self, step: TmuxCall | float) -> str:
        if isinstance(step, TmuxCall):
            return await self._carrier().run(step)
        await self._clock.sleep(step)
        return ""
