"""Where the pane of a play is: on this machine, in a container without our package, behind ssh."""

import os
import shlex
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final

import attrs

from tests.execs import AsyncLocalExec, LocalExec
from tests.tmux.remote import Far
from tests.tmux_server import Server
from tmuxprim import AsyncTmuxTerminal, ExecResult, TmuxTerminal

ROOT: Final = Path(__file__).parents[2]
BASH: Final = ("bash", "--norc", "--noprofile")
# Long enough for a call that waits there, on a busy machine.
_LONG: Final = 60.0
_HAS_NONE_OF_US: Final = "import importlib.util as u, sys; sys.exit(bool(u.find_spec('tmuxprim')))"
_CLEAN: Final = ("env", "-i", "PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8")
_LATE: Final = ("sh", "-c", 'sleep 0.05; exec "$@"', "sh")


@attrs.frozen
class Place:
    """A tmux server, as a program on this machine reaches it.

    Args:
        terminal: The server's terminal.
        async_terminal: The same for asyncio.
        reaching: Returns the command of this machine that carries out a command in the place.
    """

    terminal: TmuxTerminal
    async_terminal: AsyncTmuxTerminal
    reaching: Callable[[Sequence[str]], Sequence[str]]

    def reaching_in(self, directory: str, sockets: str, argv: Sequence[str]) -> Sequence[str]:
        """Return the same, at home in a directory and with one for the sockets of tmux."""
        enter = 'cd "$1" && export HOME="$1" TMUX_TMPDIR="$2" && unset TMUX && shift 2 && "$@"'
        return self.reaching(("sh", "-c", enter, "sh", directory, sockets, *argv))


@contextmanager
def on_this_machine() -> Iterator[Place]:
    """Give a server of this machine."""
    with tempfile.TemporaryDirectory(prefix="tmuxprim-") as directory:
        server = Server(directory)
        try:
            yield Place(server.terminal, server.async_terminal, tuple)
        finally:
            server.stop()


@attrs.frozen
class Inside:
    """The way into a container.

    Args:
        process: The first process of the container.
        home: The home directory inside.
    """

    process: str
    home: str

    def reaching(self, argv: Sequence[str]) -> Sequence[str]:
        """Return the command that carries a command out inside, and takes a bit longer."""
        enter = (*_LATE, "nsenter", "-t", self.process, "-m", "-p")
        return (*enter, *_CLEAN, f"HOME={self.home}", *argv)

    def __call__(self, argv: Sequence[str], stdin: bytes | None) -> ExecResult:
        """Run a command inside."""
        return LocalExec()(self.reaching(argv), stdin)


@contextmanager
def in_a_container() -> Iterator[Place]:
    """Give a server in a container with processes of its own, in which our files are not."""
    hide = f'mount -t tmpfs none "{ROOT}" && echo ready && exec sleep infinity'
    user = () if os.getuid() == 0 else ("--user", "--map-root-user")
    words = ("unshare", *user, "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
    with (
        tempfile.TemporaryDirectory(prefix="tmuxprim-") as directory,
        subprocess.Popen([*words, "sh", "-c", hide], stdout=subprocess.PIPE, text=True) as outside,
    ):
        try:
            assert outside.stdout is not None
            assert outside.stdout.readline() == "ready\n"
            first = Path(f"/proc/{outside.pid}/task/{outside.pid}/children").read_text().strip()
            inside = Inside(first, directory)
            assert inside(["python3", "-c", _HAS_NONE_OF_US], None)[0] == 0
            socket, by_loop = Path(directory, "s"), AsyncLocalExec(inside)
            yield Place(
                TmuxTerminal(exec=inside, socket_path=socket, timeout=_LONG),
                AsyncTmuxTerminal(exec=by_loop, socket_path=socket, timeout=_LONG),
                inside.reaching,
            )
        finally:
            outside.kill()


@contextmanager
def behind_ssh() -> Iterator[Place]:
    """Give a server to which an sshd of the play's own connects us."""
    with tempfile.TemporaryDirectory(prefix="tp-") as directory:
        far, server = Far.prepare(Path(directory)), Server(directory)
        try:
            yield Place(
                TmuxTerminal(
                    launcher=far.shared,
                    socket_path=server.socket,
                    config_file="/dev/null",
                    timeout=_LONG,
                ),
                AsyncTmuxTerminal(
                    launcher=far.shared,
                    socket_path=server.socket,
                    config_file="/dev/null",
                    timeout=_LONG,
                ),
                lambda argv: (*far.shared, shlex.join(argv)),
            )
        finally:
            server.stop()
            far.end_shared()


PLACES: Final[dict[str, Callable[[], AbstractContextManager[Place]]]] = {
    "local": on_this_machine,
    "container": in_a_container,
    "ssh": behind_ssh,
}
