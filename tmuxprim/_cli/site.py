"""`Site`: the tmux server that a command line names, and what the commands ask of it."""

from contextlib import AbstractAsyncContextManager, AbstractContextManager
from typing import Protocol

from tmuxprim._cli.options import Options
from tmuxprim._terminal import AsyncTerminal, Terminal
from tmuxprim._tmux.commands import call
from tmuxprim._tmux.launch import make_prefix
from tmuxprim._tmux.subprocess import SubprocessTransport
from tmuxprim._tmux.terminal import TmuxTerminal


class Site(Protocol):
    """The place where commands work; tests have one in memory."""

    @property
    def terminal(self) -> Terminal:
        """The terminal, which is the same each time."""
        ...

    @property
    def is_local(self) -> bool:
        """Whether tmux runs on this machine."""
        ...

    def ask(self, *words: str) -> str:
        """Return what one tmux command prints that no terminal knows of."""
        ...

    def trial(self) -> AbstractContextManager[Terminal]:
        """Give a terminal on a server of its own, where things can be tried."""
        ...

    def serving(self) -> AbstractAsyncContextManager[AsyncTerminal]:
        """Give a terminal for asyncio on that server; panes stay."""
        ...

    def close(self) -> None:
        """Give back what it holds; panes stay."""
        ...


class TmuxSite:
    """The tmux server that the options name.

    Args:
        options: The command line.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self._terminal: TmuxTerminal | None = None

    @property
    def terminal(self) -> TmuxTerminal:
        """The terminal on that server."""
        if self._terminal is None:
            options = self._options
            self._terminal = TmuxTerminal(
                socket_name=options.socket_name,
                socket_path=options.socket_path,
                config_file=options.config_file,
                timeout=options.tmux_timeout,
                launcher=options.launcher,
                transport=options.transport or "subprocess",
            )
        return self._terminal

    @property
    def is_local(self) -> bool:
        """Whether tmux runs on this machine."""
        return not self._options.launcher

    def ask(self, *words: str) -> str:
        """Return what one tmux command prints; errors as of `SubprocessTransport.run`."""
        options = self._options
        server = options.socket_name, options.socket_path, options.config_file
        prefix = make_prefix(*server, "tmux", options.launcher)
        return SubprocessTransport(prefix, options.tmux_timeout).run(call(words))

    def trial(self) -> AbstractContextManager[TmuxTerminal]:
        """Give a terminal in control mode on a private server, which is gone afterwards."""
        return TmuxTerminal.private(transport="control", timeout=self._options.tmux_timeout)

    def serving(self) -> AbstractAsyncContextManager[AsyncTerminal]:
        """Give a terminal for asyncio on that server; what it holds is given back."""
        from tmuxprim._tmux.async_terminal import AsyncTmuxTerminal

        options = self._options
        return AsyncTmuxTerminal(
            socket_name=options.socket_name,
            socket_path=options.socket_path,
            config_file=options.config_file,
            timeout=options.tmux_timeout,
            launcher=options.launcher,
            transport=options.transport or "auto",
        )

    def close(self) -> None:
        """End the client in control mode, if there is one."""
        if self._terminal is not None:
            self._terminal.disconnect()
