"""`Site`: the tmux server that a command line names, and what the commands ask of it."""

import os
import subprocess
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from functools import cached_property

from tmuxprim._cli.options import Options
from tmuxprim._terminal import AsyncTerminal, Terminal
from tmuxprim._tmux.commands import call
from tmuxprim._tmux.launch import Prefix, make_prefix
from tmuxprim._tmux.subprocess import SubprocessTransport
from tmuxprim._tmux.terminal import TmuxTerminal
from tmuxprim._values.pane import Pane


class Site:
    """The tmux server that the options name; tests have one in memory."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self.is_local = not options.launcher
        """Whether tmux runs on this machine."""

    @cached_property
    def terminal(self) -> Terminal:
        """The terminal on that server."""
        options = self._options
        return TmuxTerminal(
            socket_name=options.socket_name,
            socket_path=options.socket_path,
            config_file=options.config_file,
            timeout=options.tmux_timeout,
            launcher=options.launcher,
            transport=options.transport or "subprocess",
        )

    def ask(self, *words: str) -> str:
        """Return what one tmux command prints that no terminal knows of.

        Errors are those of `SubprocessTransport.run`.
        """
        return SubprocessTransport(self._prefix, self._options.tmux_timeout).run(call(words))

    def become(self, *words: str) -> None:
        """Let one tmux command take the place of this process; it knows of a tmux around us."""
        argv = self._prefix.argv(*words)
        os.execvp(argv[0], argv)  # noqa: S606  # words of ours, without a shell

    def is_inside(self) -> bool:
        """Whether this process runs in a pane of that very server."""
        socket = os.environ.get("TMUX", "").partition(",")[0]
        return (
            bool(socket) and socket == self.ask("display-message", "-p", "#{socket_path}").strip()
        )

    def show(self, pane: Pane) -> None:
        """Show a pane on this terminal until the person leaves it; see `become`."""
        word = "switch-client" if self.is_inside() else "attach-session"
        subprocess.run(self._prefix.argv(word, "-t", pane.target), check=False)  # noqa: S603  # words of ours

    @property
    def _prefix(self) -> Prefix:
        options = self._options
        server = options.socket_name, options.socket_path, options.config_file
        return make_prefix(*server, "tmux", options.launcher)

    def trial(self) -> AbstractContextManager[Terminal]:
        """Give a terminal in control mode on a private server, which is gone afterwards."""
        return TmuxTerminal.private(transport="control", timeout=self._options.tmux_timeout)

    def serving(self) -> AbstractAsyncContextManager[AsyncTerminal]:
        """Give a terminal for asyncio on that server; panes stay, and what it holds is freed."""
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
        """End the client in control mode, if there is one; panes stay."""
        if isinstance(terminal := vars(self).get("terminal"), TmuxTerminal):
            terminal.disconnect()
