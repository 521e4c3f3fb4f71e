"""A private tmux server and a quiet environment, of which nothing stays behind."""

import os
import signal
import subprocess
import tempfile
import time
from contextlib import chdir, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.readiness.scenarios import Program


@attrs.frozen
class Server:
    """Is a tmux server on a socket that nobody else knows."""

    socket: Path

    def run(self, *words: str) -> str:
        """Run one tmux command and return what it printed."""
        argv = ("tmux", "-u", "-S", str(self.socket), "-f", "/dev/null", *words)
        done = subprocess.run(argv, capture_output=True, text=True, timeout=10.0, check=True)
        return done.stdout

    def open(self, program: "Program") -> tuple[str, str, int]:
        """Start *program* in a new pane; return the pane's id, its terminal and its process."""
        env = [word for name, value in program.env.items() for word in ("-e", f"{name}={value}")]
        answer = "#{pane_id} #{pane_tty} #{pane_pid}"
        words = ("new-session", "-d", "-x", "80", "-y", "24", *env, "-P", "-F", answer)
        pane, tty, pid = self.run(*words, *program.command).split()
        return pane, tty, int(pid)

    def close(self, pane: str, pid: int) -> None:
        """Kill a pane and wait for its end: a shell that is about to go still takes time."""
        with suppress(subprocess.SubprocessError):
            self.run("kill-pane", "-t", pane)
        wait_for_end(pid)

    def end(self) -> None:
        """End the server and wait for that, even if Ctrl-C is pressed again."""
        patient = signal.signal(signal.SIGINT, signal.SIG_IGN)
        with suppress(subprocess.SubprocessError):
            pid = int(self.run("display-message", "-p", "#{pid}"))
            self.run("kill-server")
            wait_for_end(pid)
        signal.signal(signal.SIGINT, patient)


@contextmanager
def private_server() -> "Iterator[Server]":
    """Give a server in a temporary home, and an environment that names nothing else."""
    before = dict(os.environ)
    with tempfile.TemporaryDirectory(prefix="tmuxprim-bench-") as home:
        _enter(home)
        server = Server(Path(home, "socket"))
        try:
            # fish asks git about the folder it is in, which takes longer in some than in others.
            with chdir(home):
                # A pane that stays keeps the server alive between two scenarios.
                server.run("new-session", "-d", "cat")
                yield server
        finally:
            server.end()
            os.environ.clear()
            os.environ.update(before)


def wait_for_end(pid: int, limit: float = 3.0) -> None:
    """Wait until a process that is not our child has gone."""
    deadline = time.monotonic() + limit
    while Path("/proc", str(pid)).exists() and time.monotonic() < deadline:
        time.sleep(0.005)


def _enter(home: str) -> None:
    """Make programs find no settings of the user's, and leave their histories in *home*."""
    folders = ("CONFIG_HOME", "DATA_HOME", "CACHE_HOME", "RUNTIME_DIR")
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    os.environ.clear()
    os.environ.update(kept)
    os.environ.update({f"XDG_{name}": home for name in folders})
    # replwrap waits for a $, which zsh does not show to root.
    os.environ["PS1"] = "$ "
    os.environ.update(HOME=home, ZDOTDIR=home, TMPDIR=home, LC_ALL="C.UTF-8", TERM="screen")
