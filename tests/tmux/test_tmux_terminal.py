"""`TmuxTerminal` on real tmux, where it does more than the contract asks."""

import os
import pty
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.control import eventually
from tests.tmux_server import Server
from tmuxprim import (
    Console,
    Key,
    KeySequence,
    Outcome,
    Pane,
    PaneDeadError,
    PaneNotFoundError,
    Size,
    TmuxTerminal,
    TmuxTimeoutError,
)

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash")]

BASH = ("bash", "--norc", "--noprofile")


def bash(terminal: TmuxTerminal, **more: str) -> Console:
    """Return a console on bash at its prompt."""
    console = Console(terminal, terminal.open(BASH, env={"PS1": "$ "}, **more))  # type: ignore[arg-type]  # only str options are used here
    assert console.wait_ready().outcome is Outcome.PROMPT
    return console


def output(terminal: TmuxTerminal, command: str, **more: str) -> str:
    """Return what a command prints in a fresh bash."""
    console = bash(terminal, **more)
    console.send(command)
    assert console.wait_ready().outcome is Outcome.PROMPT
    return "\n".join(console.read().splitlines()[1:-1])


def test_a_stopped_server_is_a_timeout(server: Server) -> None:
    """A server that does not answer is an error within the time limit, and no hang."""
    pane = server.terminal.open(BASH)
    hasty = TmuxTerminal(socket_path=server.socket, timeout=0.3)
    with server.stopped(), pytest.raises(TmuxTimeoutError):
        hasty.observe(pane)
    assert server.terminal.observe(pane).pane_pid


def test_a_killed_server_is_an_error(server: Server) -> None:
    """Its panes are gone, as any pane that is."""
    pane = server.terminal.open(BASH)
    server.stop()
    with pytest.raises(PaneNotFoundError):
        server.terminal.observe(pane)
    assert server.terminal.panes() == ()


def test_a_server_that_goes_while_we_wait_is_an_exit(server: Server, tmp_path: Path) -> None:
    """Waiting for a pane whose server dies ends, with the last screen."""
    console = bash(server.terminal, cwd=str(tmp_path))
    console.send("echo last words; until [ -e sent ]; do sleep 0.01; done; kill -9 $PPID")
    (tmp_path / "sent").touch()  # tmux has answered
    assert console.wait_ready().outcome is Outcome.EXITED


def test_the_environment_names_no_server(
    terminal: TmuxTerminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Inside another tmux, and with a poor locale, all is as outside."""
    monkeypatch.setenv("TMUX", "/nonexistent,1,0")
    monkeypatch.setenv("TMUX_PANE", "%99")
    monkeypatch.setenv("LC_ALL", "C")
    console = bash(terminal)
    console.send("printf '\\033]2;日本\\033\\\\é日\\n'")
    assert console.wait_ready().screen.title == "日本"
    assert "é日" in console.read().splitlines()


def test_a_folder_is_taken_literally(terminal: TmuxTerminal, tmp_path: Path) -> None:
    """A directory with a format, a flag or a time in its name is just a directory."""
    directory = tmp_path / "a #{pid} %H ; -x"
    directory.mkdir()
    assert output(terminal, "pwd", cwd=str(directory)).replace("\n", "") == str(directory)


def test_a_variable_is_taken_literally(terminal: TmuxTerminal) -> None:
    """A variable's value arrives byte for byte."""
    value = "a #{pid} %H 'q' \"d\" $HOME ~ ;"
    pane = terminal.open(BASH, env={"PS1": "$ ", "VALUE": value})
    console = Console(terminal, pane)
    console.wait_ready()
    console.send('echo "$VALUE"')
    console.wait_ready()
    assert console.read().splitlines()[1] == value


def test_a_whole_environment_is_passed_on(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """All 200 KB of it arrive, and stand in no argument list; tmux's own variables are tmux's."""
    monkeypatch.setenv("TERM", "vt100")
    long = {f"LONG_{number}": f"{number}~$x;\n" * 2_500 for number in range(10)}
    env = {**os.environ, "PS1": "$ ", "PASSWORD": "hunter2", **long}
    assert sum(map(len, env.values())) > 150_000
    console = Console(server.terminal, server.terminal.open(BASH, env=env))
    console.wait_ready()
    assert console.run('echo "$PASSWORD"').output == "hunter2\n"
    assert console.run('printf %s "$LONG_7"').output == long["LONG_7"]
    assert console.run('echo "$TERM"').output != "vt100\n"
    words = Path(f"/proc/{server.pid()}/cmdline").read_text()
    assert "tmux" in words
    assert "hunter2" not in words


def test_words_are_a_program_and_its_arguments(terminal: TmuxTerminal) -> None:
    """Words are not looked at by any shell; a text is."""
    # The program stays: of one that ends at once, tmux 3.3a may lose the output.
    script = "printf '%s|' \"$@\"; exec cat"
    words = terminal.open(["sh", "-c", script, "sh", "a b", "$HOME", ";", "x;"])
    text = terminal.open("printf '%s|' a b $((1+1)); exec cat")
    for pane, shown in ((words, "a b|$HOME|;|x;|"), (text, "a|b|2|")):
        readiness = Console(terminal, pane).wait_ready()
        assert readiness.outcome is Outcome.AWAITING_INPUT
        assert readiness.screen.rows[0] == shown


def test_a_console_stays_with_its_pane(server: Server) -> None:
    """A name is looked up once: renaming the session later changes nothing."""
    pane = server.terminal.open(BASH, name="shared")
    console = Console(server.terminal, Pane("shared"))
    assert console.pane == pane
    server.tmux("rename-session", "-t", "=shared:", "other")
    server.terminal.open(BASH, name="shared")
    console.send("echo mine")
    assert "mine" in console.wait_ready().screen.text
    assert console.pane == pane


def test_a_pane_in_a_split_window_is_resized_itself(server: Server) -> None:
    """Resizing one of two panes leaves the window as it is."""
    pane = server.terminal.open(BASH, size=Size(100, 40))
    server.tmux("split-window", "-d", "-t", pane.target)
    server.terminal.resize(pane, Size(100, 10))
    assert server.terminal.observe(pane).size == Size(100, 10)
    assert server.tmux("display-message", "-p", "-t", pane.target, "#{window_height}") == "40"


@contextmanager
def person(server: Server, columns: int, rows: int) -> Iterator[None]:
    """Let a person attach with a terminal of that size."""
    ours, theirs = pty.openpty()
    subprocess.run(["stty", "cols", str(columns), "rows", str(rows)], stdin=theirs, check=True)
    argv = ["tmux", "-S", str(server.socket), "attach-session"]
    environment = {**os.environ, "TERM": "xterm-256color"}
    child = subprocess.Popen(argv, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.read(ours, 1)  # something was drawn: the client is attached
    try:
        yield
    finally:
        child.terminate()
        child.wait()
        os.close(ours)
        os.close(theirs)


def test_the_size_is_right_beside_a_person(server: Server) -> None:
    """With a client attached tmux 3.3a ignores the size of a new session; we do not."""
    server.terminal.open(BASH)
    with person(server, 140, 45):
        pane = server.terminal.open(BASH, size=Size(100, 30))
        assert server.terminal.observe(pane).size == Size(100, 30)


def test_a_pane_that_was_never_seen_can_be_probed(server: Server) -> None:
    """Asking the kernel finds out by itself where the pane's terminal is."""
    pane = server.terminal.open(BASH)
    assert Console(server.terminal, pane).wait_ready(30.0)  # before, it may not have its terminal
    assert TmuxTerminal(socket_path=server.socket).probe(pane) is not None


def test_a_remote_server_brings_its_evidence(server: Server) -> None:
    """Behind a launcher the shell there tells what the kernel there knows."""
    pane = server.terminal.open(BASH)
    assert Console(server.terminal, pane).wait_ready().outcome is Outcome.PROMPT
    remote = TmuxTerminal(socket_path=server.socket, launcher=("env", "A=b"))
    here, there = server.terminal.probe(pane), remote.probe(pane)
    assert here is not None
    assert there is not None
    assert (there.foreground_pid, there.reading) == (here.foreground_pid, True)


def test_a_remote_server_that_hangs_is_a_timeout(server: Server) -> None:
    """Its shell lives, and is no reason to ask again."""
    pane = server.terminal.open(BASH)
    remote = TmuxTerminal(socket_path=server.socket, launcher=("env", "A=b"), timeout=1.0)
    assert remote.observe(pane).pane_pid
    with server.stopped(), pytest.raises(TmuxTimeoutError):
        remote.observe(pane)


def test_a_long_text_leaves_no_buffer(server: Server) -> None:
    """The paste buffer of a long text is gone afterwards, whether it was taken or refused."""
    console = bash(server.terminal)
    console.send(f": {'x' * 100_000}")
    assert console.wait_ready().outcome is Outcome.PROMPT
    assert server.tmux("list-buffers") == ""
    server.tmux("set-option", "-g", "remain-on-exit", "on")
    console.send("exit")
    assert console.wait_ready().outcome is Outcome.EXITED
    with pytest.raises(PaneDeadError):
        console.send("x" * 100_000)
    assert server.tmux("list-buffers") == ""


def test_many_keys_arrive_in_order(server: Server, tmp_path: Path) -> None:
    """A sequence too long for one call is sent in several, in order."""
    sink = tmp_path / "sink"
    console = bash(server.terminal)
    console.send(f"stty raw -echo; head -c 4000 > {sink}; stty sane")
    pane = console.pane
    keys = KeySequence.keys("C-a", "b") * 2000
    server.terminal.send(pane, keys)
    assert console.wait_ready().outcome is Outcome.PROMPT
    assert sink.read_bytes() == b"\x01b" * 2000


def test_keys_cannot_run_commands(server: Server) -> None:
    """No list of keys ends the user's server."""
    console = bash(server.terminal)
    with pytest.raises(ValueError, match="unknown or non-portable key name"):
        console.keys("y", ";", "kill-server")
    console.keys(KeySequence((Key("y"), Key(";"))), ";")
    console.send(" ; kill-server", enter=False)
    eventually(lambda: console.read() == "$ y;; ; kill-server")
