"""`Exec` and `AsyncExec`: your function that reaches tmux elsewhere."""

from collections.abc import Awaitable, Sequence
from typing import Protocol, TypeAlias

ExecResult: TypeAlias = tuple[int, str | bytes | None, str | bytes | None]
"""Exit status, standard output and standard error of a command; None is no output."""


class Exec(Protocol):
    """Runs a command in a container, a sandbox or on another machine, and returns how it ended.

    Examples:
        >>> def in_box(argv, stdin):
        ...     command = ["docker", "exec", "-i", "box", *argv]
        ...     done = subprocess.run(command, input=stdin or b"", capture_output=True)
        ...     return done.returncode, done.stdout, done.stderr
        >>> TmuxTerminal(exec=in_box)
        TmuxTerminal(exec: tmux -u -L default)
    """

    def __call__(self, argv: Sequence[str], stdin: bytes | None, /) -> ExecResult:
        """Run a command.

        It is called in a thread of its own, and by several at once if several use the terminal.

        Args:
            argv: The program ``sh`` and its arguments, each to be passed on as it is. For a shell,
                `shlex.join` makes a text of them.
            stdin: The whole standard input; None is none at all.

        Returns:
            Exit status, output and errors. Errors may be among the output.
        """
        ...


class AsyncExec(Protocol):
    """An `Exec` for asyncio: the same, awaitable.

    Examples:
        >>> async def in_sandbox(argv, stdin):
        ...     done = await sandbox.exec(list(argv), input=stdin)
        ...     return done.returncode, done.stdout, done.stderr
        >>> AsyncTmuxTerminal(exec=in_sandbox)
        AsyncTmuxTerminal(exec: tmux -u -L default)
    """

    def __call__(self, argv: Sequence[str], stdin: bytes | None, /) -> Awaitable[ExecResult]:
        """Run a command; see `Exec`. It is cancelled when it takes too long."""
        ...
