"""A tmux server of a test's own."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tmuxprim import AsyncTmuxTerminal, TmuxTerminal
from tmuxprim._tmux.versions import HAS_CONTROL_FLAGS, Version, parse_version, written


class Server:
    """A tmux server of a test's own, on a socket in a directory of its own."""

    def __init__(self, directory: str) -> None:
        self.socket = Path(directory, "s")
        self.terminal = TmuxTerminal(socket_path=self.socket, config_file="/dev/null")

    @property
    def frugal(self) -> TmuxTerminal:
        """A terminal whose panes keep no more history than tmux is configured to."""
        return TmuxTerminal(socket_path=self.socket, config_file="/dev/null", history_limit=None)

    @property
    def async_terminal(self) -> AsyncTmuxTerminal:
        """A terminal for asyncio."""
        return AsyncTmuxTerminal(socket_path=self.socket, config_file="/dev/null")

    def tmux(self, *words: str) -> str:
        """Run a tmux command on it, by hand."""
        argv = ["tmux", "-u", "-S", str(self.socket), *words]
        done = subprocess.run(argv, capture_output=True, text=True, timeout=10, check=True)
        return done.stdout.strip()

    def pid(self) -> int | None:
        """Return the server's process id, if it runs."""
        with suppress(subprocess.CalledProcessError):
            return int(self.tmux("display-message", "-p", "#{pid}"))
        return None

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Stop the server's process for a while, so that it hangs."""
        pid = self.pid()
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(pid, signal.SIGCONT)

    def stop(self) -> None:
        """End the server and wait until its process is gone."""
        with suppress(subprocess.CalledProcessError):  # no server
            # It would come between, and fail or print, where the server's process is asked for.
            self.tmux("set-hook", "-gu", "after-display-message")
        pid = self.pid()
        if pid is None:
            return
        with suppress(subprocess.CalledProcessError):  # it may be leaving already
            self.tmux("kill-server")
        # tmux 3.3a may wait for ever for a client whose connection was cut off (seen once).
        patience, deadline = time.monotonic() + 10, time.monotonic() + 60
        while is_alive(pid):
            if time.monotonic() > patience:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            assert time.monotonic() < deadline, f"tmux server {pid} does not end"


def tmux_version() -> Version:
    """Return the version of the tmux that tests run."""
    done = subprocess.run(["tmux", "-V"], capture_output=True, text=True, timeout=10, check=True)
    return parse_version(done.stdout)


def needs_control_mode() -> None:
    """Skip a test of control mode on a tmux that has it not as we want it."""
    if tmux_version() < HAS_CONTROL_FLAGS:
        pytest.skip(f"control mode wants tmux {written(HAS_CONTROL_FLAGS)}")


def is_alive(pid: int) -> bool:
    """Whether a process still does something."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with suppress(FileNotFoundError, ProcessLookupError):  # it has just gone
        # A dead child of init that init has not buried yet still has its number.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return True
