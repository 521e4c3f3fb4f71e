"""`TmuxTerminal`: the `Terminal` protocol over a real tmux server."""

import itertools
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from tmuxprim._errors import (
    PaneNotFoundError,
    TmuxprimError,
    TmuxServerError,
)
from tmuxprim._pane import Pane
from tmuxprim._refusals import (
    UNDELIVERED,
    check_command,
    check_history,
    check_words,
    partly,
    refuse_if_deaf,
)
from tmuxprim._screen import Screen
from tmuxprim._sequence import KeySequence
from tmuxprim._size import Size
from tmuxprim._terminal import DEFAULT_SIZE, Bell
from tmuxprim._tmux._bell import DeafBell, listen_to
from tmuxprim._tmux._command import (
    Action,
    Buffer,
    Words,
    batches,
    chain,
    guarded,
    open_session,
    typing_actions,
)
from tmuxprim._tmux._format import (
    PANES_FORMAT,
    look_commands,
    parse_look,
    parse_version,
    pick_pane,
)
from tmuxprim._tmux._monotonic import MonotonicClock
from tmuxprim._tmux._probe import probe_tty
from tmuxprim._tmux._subprocess import SubprocessTransport, was_leaving
from tmuxprim._tty import TtyState


class TmuxTerminal:
    """Drives panes of a tmux server, with one short-lived client for each operation.

    Without a socket it is the user's own server, the one that ``tmux attach`` finds; ``TMUX``
    in the environment is never looked at.

    Args:
        socket_name: Name of the server's socket, as in ``tmux -L``.
        socket_path: Path of the server's socket, as in ``tmux -S``.
        config_file: What a new server reads in place of the user's files; ``/dev/null`` for
            nothing.
        executable: The tmux program.
        timeout: Longest time for one call of tmux, in seconds.
        launcher: Words to put before every call, such as ``("ssh", "host")``.

    Raises:
        ValueError: If both *socket_name* and *socket_path* are given.

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
        socket_path: str | Path | None = None,
        config_file: str | Path | None = None,
        executable: str = "tmux",
        timeout: float = 5.0,
        launcher: Sequence[str] = (),
    ) -> None:
        if socket_name is not None and socket_path is not None:
            raise ValueError("give socket_name or socket_path, not both")
        socket = (
            ("-L", socket_name or "default") if socket_path is None else ("-S", str(socket_path))
        )
        config = () if config_file is None else ("-f", str(config_file))
        prefix = (*launcher, executable, "-u", *socket, *config)
        self._transport = SubprocessTransport(prefix, timeout)
        self._is_local = not launcher
        self._clock = MonotonicClock()
        self._ttys: dict[Pane, tuple[str, int]] = {}
        self._buffer_names = (f"tmuxprim-{os.getpid()}-{id(self):x}-{n}" for n in itertools.count())

    def __repr__(self) -> str:
        return f"TmuxTerminal({' '.join(self._transport.prefix)})"

    @property
    def clock(self) -> MonotonicClock:
        """The machine's monotonic clock."""
        return self._clock

    def open(
        self,
        command: str | Sequence[str] | None = None,
        *,
        size: Size = DEFAULT_SIZE,
        cwd: str | Path | None = None,
        env: Mapping[str, str] | None = None,
        name: str | None = None,
    ) -> Pane:
        """Open a pane in a new session, starting the server if need be; see `Terminal.open`.

        Raises:
            InvalidPaneError: If *name* is no session name.
            InvalidTextError: If *command* names no program, or a word of it, the folder or a
                variable holds a NUL or a lone surrogate.
            TmuxCommandError: If tmux refuses, for example because the name is taken.
        """
        check_command(command)
        folder = None if cwd is None else str(cwd)
        words = open_session(command, size=size, cwd=folder, env=env, name=name)
        check_words(words)
        try:
            answer = self._run(words)
        except TmuxServerError as error:
            if not was_leaving(error):
                raise
            # The old server, with no pane left, was just going when we called. It has not taken
            # the command: a server leaves only when it has no client any more. Now it is gone.
            answer = self._run(words)
        target, columns, rows = answer.split()
        pane = Pane(target)
        if Size(int(columns), int(rows)) != size:
            # 3.2a ignores -x and -y, and 3.3a does while another client is attached.
            self.resize(pane, size)
        return pane

    def close(self, pane: Pane) -> None:
        """Kill the pane; see `Terminal.close`."""
        with suppress(PaneNotFoundError, TmuxServerError):
            pane = self.resolve(pane)
            self._ttys.pop(pane, None)
            self._run(("kill-pane", "-t", pane.target))

    def panes(self) -> tuple[Pane, ...]:
        """Return the ids of all panes of the server; see `Terminal.panes`."""
        try:
            answer = self._run(("list-panes", "-a", "-F", "#{pane_id}"))
        except TmuxServerError:
            return ()
        # A window that is linked into several sessions is listed once for each.
        return tuple(Pane(line) for line in dict.fromkeys(answer.splitlines()))

    def resolve(self, pane: Pane) -> Pane:
        """Return the pane by its id; an id is returned as it is, unchecked."""
        if pane.is_id:
            return pane
        return pick_pane(self._run(("list-panes", "-a", "-F", PANES_FORMAT)), pane)

    def observe(self, pane: Pane, *, history: int = 0) -> Screen:
        """Return the screen and its state, of one turn of the server; see `Terminal.observe`."""
        check_history(history)
        pane = self.resolve(pane)
        answer = self._run(*look_commands(pane, history))
        return self._noticed(pane, parse_look(answer, pane, history))

    def send(self, pane: Pane, keys: KeySequence, *, leave_mode: bool = False) -> Screen:
        """Type *keys* if the pane takes input; see `Terminal.send`.

        State, screen and delivery are one turn of the server. A sequence of more than some
        thousand keys takes several, and a text of more than 4,000 bytes a paste buffer.
        """
        pane = self.resolve(pane)
        actions = typing_actions(pane, keys, self._buffer_names)
        loaded: list[str] = []
        try:
            commands = [self._loaded(pane, action, loaded) for action in actions]
            groups = batches(commands)
            for number, batch in enumerate(groups):
                try:
                    screen = self._send_guarded(pane, batch, leave_mode=leave_mode)
                    refuse_if_deaf(pane, screen, leave_mode=leave_mode)
                except UNDELIVERED as error:
                    if number:
                        sent = f"{number} of {len(groups)} parts of the keys have been sent"
                        raise partly(error, sent) from error
                    raise
        except TmuxprimError:
            self._drop(loaded)
            raise
        return screen

    def probe(self, pane: Pane) -> TtyState | None:
        """Ask the kernel about the pane's terminal; see `Terminal.probe`.

        The terminal's path is known from the last look; without one, this takes a look.
        """
        if not self._is_local:
            return None
        return probe_tty(*self._tty_of(self.resolve(pane)))

    def listen(self, pane: Pane) -> Bell:
        """Return a bell for the pane; see `Terminal.listen`."""
        if not self._is_local:
            return DeafBell()
        return listen_to(self._tty_of(self.resolve(pane))[0])

    def resize(self, pane: Pane, size: Size) -> None:
        """Change the size of the pane, or of its window if it is alone in it."""
        target = self.resolve(pane).target
        cells = ("-t", target, "-x", str(size.columns), "-y", str(size.rows))
        alone = "#{==:#{window_panes},1}"
        whole, part = (" ".join((command, *cells)) for command in ("resize-window", "resize-pane"))
        self._run(("if-shell", "-F", "-t", target, alone, whole, part))

    def _run(self, *commands: Words, stdin: bytes = b"") -> str:
        return self._transport.run(chain(*commands), stdin=stdin)

    def _tty_of(self, pane: Pane) -> tuple[str, int]:
        """Return the pane's terminal device and the program that it was opened with."""
        if pane not in self._ttys:
            self.observe(pane)
        return self._ttys[pane]

    def _noticed(self, pane: Pane, screen: Screen) -> Screen:
        self._ttys[pane] = screen.tty, screen.pane_pid
        return screen

    def _loaded(self, pane: Pane, action: Action, loaded: list[str]) -> Words:
        """Return the command that carries out *action*, with its buffer loaded."""
        if not isinstance(action, Buffer):
            return action
        loaded.append(action.name)
        version = self._run(
            ("load-buffer", "-b", action.name, "-"),
            ("display-message", "-p", "-t", pane.target, "#{version}"),
            stdin=action.text.encode(),
        )
        return action.paste(pane, raw_flag=parse_version(version) >= (3, 7))

    def _send_guarded(self, pane: Pane, commands: Sequence[Words], *, leave_mode: bool) -> Screen:
        delivery = (guarded(pane, commands, leave_mode=leave_mode),) if commands else ()
        answer = self._run(*look_commands(pane, 0), *delivery)
        return self._noticed(pane, parse_look(answer, pane, 0))

    def _drop(self, buffers: Sequence[str]) -> None:
        for name in buffers:
            # A batch that went through has deleted its own.
            with suppress(TmuxprimError):
                self._run(("delete-buffer", "-b", name))
