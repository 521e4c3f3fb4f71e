"""A private tmux server and a quiet environment, of which nothing stays behind."""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager, suppress
from pathlib import Path

import attrs

from tests.scenarios.model import Program
from tmuxprim import Pane, TmuxTerminal

# What programs may find of the user's environment: where things are, and who it is.
_KEPT = ("PATH", "PYTHONPATH", "PYENV_ROOT", "USER", "LOGNAME", "SHELL")
_SESSION = 3  # the place of the session in /proc/PID/stat, counted from the state


@attrs.frozen
class Server:
    """A tmux server on a socket that nobody else knows.

    Args:
        socket: Its path.
        home: A directory for whatever is needed, of which nothing stays behind.
    """

    socket: Path
    home: Path

    @property
    def terminal(self) -> TmuxTerminal:
        """A terminal on this server."""
        return TmuxTerminal(socket_path=self.socket, config_file="/dev/null")

    def run(self, *words: str) -> str:
        """Run one tmux command and return what it printed."""
        argv = ("tmux", "-u", "-S", str(self.socket), "-f", "/dev/null", *words)
        done = subprocess.run(argv, capture_output=True, text=True, timeout=10.0, check=True)
        return done.stdout

    def pid(self) -> int:
        """Return the server's process."""
        return int(self.run("display-message", "-p", "#{pid}"))

    def open(
        self, program: Program, directory: Path, env: Mapping[str, str]
    ) -> tuple[Pane, str, int]:
        """Start *program* in a new pane; return the pane, its terminal and its process."""
        pane = self.terminal.open(program.command, cwd=directory, env=env)
        answer = self.run("display-message", "-p", "-t", pane.target, "#{pane_tty} #{pane_pid}")
        tty, pid = answer.split()
        return pane, tty, int(pid)

    def close(self, pane: Pane, pid: int) -> None:
        """Kill a pane and what runs in it."""
        self.terminal.close(pane)
        end_session(pid)

    def end(self) -> None:
        """End the server and wait for that, even if Ctrl-C is pressed again."""
        patient = signal.signal(signal.SIGINT, signal.SIG_IGN)
        with suppress(subprocess.SubprocessError):
            pid = self.pid()
            self.run("kill-server")
            _wait_for_end(pid)
        signal.signal(signal.SIGINT, patient)


@contextmanager
def private_server() -> Iterator[Server]:
    """Give a server in a temporary home, and an environment that names nothing else."""
    before = dict(os.environ)
    # What a program writes while it ends may come back after it was removed.
    with tempfile.TemporaryDirectory(prefix="tmuxprim-bench-", ignore_cleanup_errors=True) as home:
        _enter(home)
        server = Server(Path(home, "socket"), Path(home))
        try:
            # fish asks git about the directory it is in, which takes longer in some than in others.
            with chdir(home):
                # A pane that stays keeps the server alive between two scenarios.
                server.run("new-session", "-d", "cat")
                yield server
        finally:
            server.end()
            os.environ.clear()
            os.environ.update(before)


def end_session(leader: int) -> None:
    """Wait for the end of a session's processes, and kill those that stay.

    The end of a terminal does not end all: not what ignores its hang-up, nor the background jobs
    of a shell that does not pass it on.
    """
    _wait_for_end(leader, limit=1.0)
    for process in _session(leader):
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    _wait_for_end(leader)


def _session(leader: int) -> list[int]:
    """Return the processes of a session; its number is not given away while there are any."""
    found = []
    for directory in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            fields = (directory / "stat").read_text().rpartition(")")[2].split()
            if int(fields[_SESSION]) == leader and fields[0] != "Z":
                found.append(int(directory.name))
    return found


def _wait_for_end(pid: int, limit: float = 3.0) -> None:
    """Wait until a process that is not our child has gone."""
    deadline = time.monotonic() + limit
    while Path("/proc", str(pid)).exists() and time.monotonic() < deadline:
        time.sleep(0.005)


def _enter(home: str) -> None:
    """Make programs find no settings of the user's, and leave their histories in *home*."""
    directories = ("CONFIG_HOME", "DATA_HOME", "CACHE_HOME", "RUNTIME_DIR")
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    os.environ.clear()
    os.environ.update(kept)
    os.environ.update({f"XDG_{name}": home for name in directories})
    os.environ.update(HOME=home, ZDOTDIR=home, TMPDIR=home, LC_ALL="C.UTF-8", TERM="screen")
