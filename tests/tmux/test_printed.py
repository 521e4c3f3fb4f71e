"""A shell prints the same evidence as the files of the kernel give, for programs of all kinds."""

import subprocess
import time
from collections.abc import Sequence
from typing import NoReturn

import attrs
import pytest
from typing_extensions import override

from tests.tmux_server import Server
from tmuxprim import KeySequence, Pane, TtyState
from tmuxprim._kernel.files import LocalFiles
from tmuxprim._kernel.printed import PROBE, PrintedFiles
from tmuxprim._kernel.probe import probe_tty
from tmuxprim._kernel.procfs import Procfs

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash", "dash", "grep", "stty")]

SHELLS = {"dash": ("dash",), "BusyBox": ("busybox", "sh"), "bash": ("bash", "--posix")}
PROGRAMS = {
    "bash": ("PS1='ready> ' exec bash --norc", "ready>"),
    "a question": ("bash -c 'read -p name? x'", "name?"),
    "a password": ("bash -c 'read -s -p secret? x'", "secret?"),
    "a shell that waits": ("bash -c 'echo waits; sleep 1000; true'", "waits"),
    "python": ("python3 -q", ">>>"),
    "python sleeps": ("python3 -c 'import time; print(1, flush=True); time.sleep(1000)'", "1"),
    "getpass": ("python3 -c 'import getpass; getpass.getpass()'", "Password:"),
    "threads": (
        "python3 -qic 'from threading import *; Thread(target=Event().wait, daemon=True).start()'",
        ">>>",
    ),
    "cat": ("bash -c 'echo hi; exec cat'", "hi"),
    "dash": ("PS1='ready> ' exec dash", "ready>"),
    "vim": ("vim -u NONE -N", "~"),
    "less": ("less /etc/passwd", "root"),
    "a pipeline": ("bash -c 'yes | less'", "y"),
    "sqlite3": ("sqlite3", "sqlite>"),
    "gdb": ("gdb -q -nx", "(gdb)"),
    "sockets": ("python3 -qic 'import socket; pair = socket.socketpair()'", ">>>"),
    "a connection": ("python3 -qic 'import socket; connection = socket.socket()'", ">>>"),
}


class ClosedMemory(LocalFiles):
    """The files of a machine that lets nobody read the memory of a program."""

    @override
    def memory(self, path: str, address: int, length: int) -> NoReturn:
        raise PermissionError(path, address, length)


def settled(path: str, pane_pid: int) -> TtyState:
    """Return the state as the files give it, once it has been the same for a moment."""
    deadline = time.monotonic() + 20
    last = None
    while time.monotonic() < deadline:
        state = probe_tty(path, pane_pid, Procfs(ClosedMemory()))
        if state is not None and state == last:
            return state
        last = state
        time.sleep(0.2)
    raise AssertionError(f"the program does not rest: {last}")


def printed(shell: Sequence[str], path: str, pane_pid: int) -> TtyState | None:
    """Return the state by what a shell prints."""
    argv = (*shell, "-c", PROBE, "tmuxprim", str(pane_pid), path)
    done = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""
    assert done.stdout.isascii()
    return probe_tty(path, pane_pid, Procfs(PrintedFiles(done.stdout)))


def wait_for(server: Server, pane: Pane, text: str) -> None:
    """Wait until a pane shows a text."""
    deadline = time.monotonic() + 60
    while text not in (shown := server.terminal.observe(pane).text):
        assert time.monotonic() < deadline, shown
        time.sleep(0.05)


def compare(server: Server, pane: Pane, shell: str) -> TtyState:
    """Compare both; return the state."""
    screen = server.terminal.observe(pane)
    state = settled(screen.tty, screen.pane_pid)
    found = printed(SHELLS[shell], screen.tty, screen.pane_pid)
    assert found is not None
    assert attrs.evolve(found, unread=state.unread) == state
    assert (found.unread, found.level) == (None, state.level)
    assert (found.limit, found.may_work) == (state.limit, state.may_work)
    return state


def compare_program(server: Server, program: str, shell: str = "dash") -> None:
    """Compare both for a program, once it shows its text."""
    command, text = PROGRAMS[program]
    pane = server.terminal.open(command)
    wait_for(server, pane, text)
    compare(server, pane, shell)


@pytest.mark.needs("busybox")
@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("program", ["bash", "a question", "python sleeps", "vim"])
def test_every_shell_prints_the_evidence(server: Server, shell: str, program: str) -> None:
    """Small and large ones, as containers have them."""
    compare_program(server, program, shell)


@pytest.mark.needs("vim", "less", "sqlite3", "gdb")
@pytest.mark.parametrize("program", sorted(PROGRAMS))
def test_a_program_is_known_as_by_its_files(server: Server, program: str) -> None:
    """It reads, asks for a secret, works, or has several threads."""
    compare_program(server, program)


def test_a_stopped_job_is_no_reader(server: Server) -> None:
    """The shell reads, and not the program that C-z has stopped."""
    command, text = PROGRAMS["bash"]
    pane = server.terminal.open(command)
    wait_for(server, pane, text)
    server.terminal.send(pane, KeySequence.text("cat") + KeySequence.keys("Enter"))
    wait_for(server, pane, "cat")
    while server.terminal.observe(pane).command != "cat":
        time.sleep(0.05)
    server.terminal.send(pane, KeySequence.keys("C-z"))
    wait_for(server, pane, "Stopped")
    state = compare(server, pane, "dash")
    assert (state.reading, state.foreground_is_pane) == (True, True)


def test_a_program_that_has_ended_prints_nothing() -> None:
    """It has no files."""
    argv = ("sh", "-c", PROBE, "tmuxprim", "999999999", "/dev/null")
    assert subprocess.run(argv, capture_output=True, check=False).stdout == b""
    assert probe_tty("/dev/null", 999999999, Procfs(PrintedFiles(""))) is None
