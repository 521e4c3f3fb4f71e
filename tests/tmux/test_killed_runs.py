"""Nothing is left of a run with a tap whose process, server or pane is killed in the middle."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.command_line import ROOT
from tests.tmux_server import Server, needs_control_mode

pytestmark = [
    pytest.mark.tmux,
    pytest.mark.needs("bash"),
    pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="asks Linux"),
]

RUN = """
import sys
from tmuxprim import Console, TmuxTerminal, TmuxprimError
socket, transport, directory = sys.argv[1:]
bash = ["bash", "--norc", "--noprofile"]
with TmuxTerminal(socket_path=socket, config_file="/dev/null", transport=transport) as terminal:
    console = Console(terminal, terminal.open(bash, cwd=directory, name="run"))
    try:
        result = console.run("echo >begun; sleep 600", timeout=600, all_output=True)
        print(result.readiness.outcome.value, flush=True)
    except TmuxprimError as error:
        print(type(error).__name__, flush=True)
    sys.stdin.read()
"""


def until(condition: Callable[[], bool]) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture(params=["subprocess", "control"])
def run(
    server: Server, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator["subprocess.Popen[bytes]"]:
    """Give a process in which a command runs with a tap, in a server that has another pane."""
    if request.param == "control":
        needs_control_mode()
    server.terminal.open(["cat"])
    (tmp_path / "taps").mkdir()
    argv = (sys.executable, "-c", RUN, str(server.socket), request.param, str(tmp_path))
    environment = os.environ | {"TMPDIR": str(tmp_path / "taps")}
    pipe = subprocess.PIPE
    process = subprocess.Popen(argv, cwd=ROOT, env=environment, stdin=pipe, stdout=pipe)
    with process, ended(process):
        until((tmp_path / "begun").exists)
        yield process


@contextmanager
def ended(process: "subprocess.Popen[bytes]") -> Iterator[None]:
    """End a process, whatever happens."""
    try:
        yield
    finally:
        process.kill()


def taps(directory: Path) -> set[str]:
    """Return the ids of the processes that have a tap's file or command, and the files' names."""
    named = str(directory / "taps" / "tmuxprim-tap-")
    found = {path.name for path in Path(named).parent.iterdir()}
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended, or is another user's
            opened = [str(one.readlink()) for one in (process / "fd").iterdir()]
            command = (process / "cmdline").read_bytes().decode(errors="replace")
            if any(named in text for text in (*opened, command)):
                found.add(process.name)
    return found


def clients(server: Server, pid: int | None) -> set[str]:
    """Return the ids of the processes that were started for a server, and are not the server."""
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # as above
            command = (process / "cmdline").read_bytes().decode(errors="replace")
            if str(server.socket) in command and int(process.name) != pid:
                found.add(process.name)
    return found


def said(process: "subprocess.Popen[bytes]") -> str:
    """Return how the run has ended."""
    assert process.stdout is not None
    return process.stdout.readline().decode().strip()


def test_our_process_is_killed(
    server: Server, run: "subprocess.Popen[bytes]", tmp_path: Path
) -> None:
    """The command goes on, without a pipe, a file, or a client of tmux."""
    assert len(taps(tmp_path)) > 1  # of the process, and of what tmux has started
    run.kill()
    run.wait()
    until(lambda: not taps(tmp_path))
    until(lambda: server.tmux("list-panes", "-a", "-F", "#{pane_pipe}") == "0\n0")
    pid = server.pid()
    until(lambda: not clients(server, pid))


def test_the_server_is_killed(
    server: Server, run: "subprocess.Popen[bytes]", tmp_path: Path
) -> None:
    """The run ends, with an error or as its pane has, and the process keeps nothing of the tap."""
    pid = server.pid()
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    assert said(run)
    until(lambda: not taps(tmp_path))
    until(lambda: clients(server, pid) == {str(run.pid)})


def test_the_program_of_the_pane_is_killed(
    server: Server, run: "subprocess.Popen[bytes]", tmp_path: Path
) -> None:
    """The run ends as its pane has."""
    shell = server.tmux("display-message", "-p", "-t", "=run:", "#{pane_pid}")
    os.kill(int(shell), signal.SIGKILL)
    assert said(run) == "exited"
    until(lambda: not taps(tmp_path))
    assert server.tmux("list-panes", "-a", "-F", "#{pane_pipe}") == "0"
