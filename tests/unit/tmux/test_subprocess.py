"""The transport that starts a client for each command, on clients made of shell script."""

import errno
import math
import os
import pickle
import re
import signal
import stat
import subprocess
import sys
import time
import traceback
from collections import UserDict
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typing_extensions import override

from tmuxprim import (
    AsyncTmuxTerminal,
    FakeTerminal,
    KeySequence,
    Pane,
    PaneBusyError,
    PaneNotFoundError,
    Size,
    TmuxCommandError,
    TmuxNotFoundError,
    TmuxprimError,
    TmuxServerError,
    TmuxTerminal,
    TmuxTimeoutError,
)
from tmuxprim._tmux.choice import TransportName
from tmuxprim._tmux.client import ControlClient
from tmuxprim._tmux.commands import call
from tmuxprim._tmux.launch import Prefix
from tmuxprim._tmux.operations import Operations
from tmuxprim._tmux.subprocess import SubprocessTransport, environment
from tmuxprim.errors import InvalidScreenError

# What prints a list of one pane.
LISTS = r"printf '%%1 1.2\twork\t0\tbash\t0\t1\t1\t80\t24\t0\tbash\t\n'"


def client(directory: Path, script: str, *, timeout: float = 5.0) -> TmuxTerminal:
    """Return a terminal whose tmux is a shell script."""
    program = directory / "tmux"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return TmuxTerminal(
        socket_name="x", executable=str(program), timeout=timeout, history_limit=None
    )


def test_a_missing_tmux_says_what_to_do(tmp_path: Path) -> None:
    """Without tmux the message tells how to get it, or to do without."""
    terminal = TmuxTerminal(executable=str(tmp_path / "none"))
    with pytest.raises(TmuxNotFoundError) as caught:
        terminal.panes()
    assert str(caught.value) == (
        f"cannot run {str(tmp_path / 'none')!r} (No such file or directory): install tmux "
        "(Debian: apt install tmux, macOS: brew install tmux); in a test, use FakeTerminal"
    )
    assert isinstance(caught.value.__cause__, FileNotFoundError)


def test_a_missing_launcher_is_not_tmux(tmp_path: Path) -> None:
    """To install tmux would not help."""
    terminal = TmuxTerminal(launcher=(str(tmp_path / "doas"),))
    with pytest.raises(TmuxNotFoundError, match=r"doas' .*: install it, or give another launcher"):
        terminal.panes()


@pytest.mark.parametrize("make", [TmuxTerminal, AsyncTmuxTerminal, FakeTerminal])
@pytest.mark.parametrize("timeout", [0.0, -1.0, math.nan, math.inf])
def test_tmux_is_given_time_to_answer(make: Callable[..., object], timeout: float) -> None:
    """Without any each call would fail, and with all there is one could wait for ever."""
    with pytest.raises(
        ValueError, match=f"a timeout of tmux is more than 0 seconds, got {timeout}"
    ):
        make(timeout=timeout)


def test_a_tmux_that_may_not_run_is_missing(tmp_path: Path) -> None:
    """A file without the right to execute it is no tmux."""
    (tmp_path / "tmux").write_text("")
    with pytest.raises(TmuxNotFoundError, match="Permission denied"):
        TmuxTerminal(executable=str(tmp_path / "tmux")).panes()


def test_what_is_no_program_is_missing(tmp_path: Path) -> None:
    """Neither is what no kernel runs, nor what lies behind a file."""
    (tmp_path / "tmux").write_bytes(b"\x7fELF")
    (tmp_path / "tmux").chmod(0o755)
    with pytest.raises(TmuxNotFoundError, match="Exec format error"):
        TmuxTerminal(executable=str(tmp_path / "tmux")).panes()
    with pytest.raises(TmuxNotFoundError, match="Not a directory"):
        TmuxTerminal(launcher=(str(tmp_path / "tmux" / "ssh"),)).panes()


def test_more_words_than_a_program_takes(tmp_path: Path) -> None:
    """The kernel refuses them before tmux can."""
    (tmp_path / "tmux").write_text("#!/bin/sh\n")
    (tmp_path / "tmux").chmod(0o755)
    transport = SubprocessTransport(Prefix((), (str(tmp_path / "tmux"),)), 1.0)
    with pytest.raises(TmuxCommandError, match="command too long"):
        transport.run(call(("display-message", "x" * 1_000_000)))


def recorder(directory: Path, script: str = "echo '%0 7.1 80 24'") -> TmuxTerminal:
    """Return a terminal whose tmux writes down what it is told."""
    said = 'echo "$*|$TMUXPRIM_STARTED_BY" >>words; cat >>input'
    return client(directory, f"cd {directory}; {said}; {script}")


def test_what_is_typed_or_given_to_a_program_stands_in_no_argument_list(tmp_path: Path) -> None:
    """Everybody may read those of all processes."""
    terminal = recorder(tmp_path)
    terminal.open(["sh", "-c", "hunter1"], env={"TOKEN": "hunter2"})
    with pytest.raises(TmuxCommandError):
        terminal.send(Pane("%0"), KeySequence.text("hunter3"))
    words = (tmp_path / "words").read_text()
    assert "hunter" not in words
    assert re.fullmatch(
        r"-u -L x start-server ; source-file -\|[0-9a-f]{16}\n-u -L x source-file -\|\n", words
    )
    assert [f"hunter{number}" in (tmp_path / "input").read_text() for number in (1, 2, 3)] == [
        True
    ] * 3


def test_each_opening_has_an_id_of_its_own(tmp_path: Path) -> None:
    """So a server that knows it was started by just this client."""
    terminal = recorder(tmp_path)
    terminal.open()
    terminal.open()
    ids = [line.rpartition("|")[2] for line in (tmp_path / "words").read_text().splitlines()]
    assert len(set(ids)) == len(ids) == 2
    asked = re.findall(r"#{==:#{TMUXPRIM_STARTED_BY},(\w+)}", (tmp_path / "input").read_text())
    assert asked == ids


def test_a_launcher_gets_the_id_in_its_words(tmp_path: Path) -> None:
    """Ssh and docker pass no variable of ours on."""
    launcher = tmp_path / "far"
    launcher.write_text(f"#!/bin/sh\necho \"$*\" >{tmp_path}/words\necho '%0 7.1 80 24'\n")
    launcher.chmod(0o755)
    TmuxTerminal(launcher=(str(launcher),)).open()
    words = (tmp_path / "words").read_text()
    assert re.fullmatch(
        r"env TMUXPRIM_STARTED_BY=\w{16} tmux -u -L default start-server ; source-file -\n", words
    )


def test_a_tmux_that_reads_no_standard_input(tmp_path: Path) -> None:
    """3.0 looks for a file of that name; so it is told in its words."""
    refusal = "*source-file*) echo '-: No such file or directory' >&2; exit 1 ;;"
    terminal = recorder(tmp_path, f"case $* in {refusal} *) echo '%0 7.1 80 24' ;; esac")
    assert terminal.open(["cat"]) == Pane("%0")
    assert "-- /usr/bin/env cat ; " in (tmp_path / "words").read_text()


def test_another_fault_of_the_machine_is_told_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not tmux that is missing."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(subprocess.Popen, "__init__", refuse)
    monkeypatch.setattr(subprocess.Popen, "__del__", lambda _: None)
    prefix = Prefix((), ("tmux",))
    with pytest.raises(OSError, match="Too many open files"):
        SubprocessTransport(prefix, 1.0).run(call(("list-panes",)))
    with pytest.raises(OSError, match="Too many open files"):
        ControlClient(prefix, ())


def test_a_client_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call that takes too long is an error, and its process is killed and reaped."""
    clients: list[subprocess.Popen[bytes]] = []
    kill = subprocess.Popen.kill

    def note(client: subprocess.Popen[bytes]) -> None:
        clients.append(client)
        kill(client)

    monkeypatch.setattr(subprocess.Popen, "kill", note)
    terminal = client(tmp_path, "exec sleep 60", timeout=0.1)
    with pytest.raises(TmuxTimeoutError, match=r"tmux did not answer within 0\.1 s"):
        terminal.panes()
    assert [client.returncode for client in clients] == [-signal.SIGKILL]
    with pytest.raises(ProcessLookupError):
        os.kill(clients[0].pid, 0)


def test_a_client_that_has_said_all_and_hangs_is_ended(tmp_path: Path) -> None:
    """The time limit holds after the end of the output, too, and only once."""
    terminal = client(tmp_path, "exec sleep 60 >&- 2>&-", timeout=1.0)
    began = time.monotonic()
    with pytest.raises(TmuxTimeoutError):
        terminal.panes()
    assert 1.0 <= time.monotonic() - began < 2.0


def test_one_of_another_user_is_left_to_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel does not let us kill sudo; the call ends in time for all that, as what it is."""
    clients: list[subprocess.Popen[bytes]] = []

    def refuse(client: subprocess.Popen[bytes]) -> None:
        clients.append(client)
        raise PermissionError

    terminal = client(tmp_path, "exec sleep 60", timeout=0.1)
    with monkeypatch.context() as patch:
        patch.setattr(subprocess.Popen, "kill", refuse)
        with pytest.raises(TmuxTimeoutError):
            terminal.panes()
    clients[0].kill()
    clients[0].wait()


def test_one_that_does_not_die_is_not_waited_for_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may sleep in the kernel, where a signal does not wake it."""
    clients: list[subprocess.Popen[bytes]] = []

    def stay(client: subprocess.Popen[bytes]) -> None:
        clients.append(client)

    terminal = client(tmp_path, "exec sleep 60", timeout=0.1)
    with monkeypatch.context() as patch:
        patch.setattr("tmuxprim._tmux.subprocess._DYING", 0.1)
        patch.setattr(subprocess.Popen, "kill", stay)
        with pytest.raises(TmuxTimeoutError):
            terminal.panes()
    assert clients[0].poll() is None
    clients[0].kill()
    clients[0].wait()


@pytest.mark.parametrize(("launcher", "alone"), [("ssh", "True\n"), ("sudo", "False\n")])
def test_ssh_asks_nothing_on_our_terminal(tmp_path: Path, launcher: str, alone: str) -> None:
    """It has none, in a session of its own; sudo knows a user by the terminal."""
    program = tmp_path / launcher
    program.write_text(f"#!{sys.executable} -SE\nimport os; print(os.getsid(0) == os.getpid())\n")
    program.chmod(0o755)
    prefix = Prefix((str(program), "host"), ("tmux",))
    assert SubprocessTransport(prefix, 10.0).run(call(("list-panes",))) == alone
    control = ControlClient(prefix, ("-C",))
    assert control.wait_for_output(10.0)
    assert control.read() == alone.encode()
    control.close()


def test_a_kernel_that_wakes_nobody_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An old kernel or a sandbox refuses pidfd_open(2); the client has done what it should."""

    def refuse(*_: object) -> int:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    monkeypatch.setattr(os, "pidfd_open", refuse, raising=False)
    assert client(tmp_path, LISTS).panes() == (Pane("%1"),)
    terminal = client(tmp_path, "exec sleep 60 >&- 2>&-", timeout=0.1)
    with pytest.raises(TmuxTimeoutError):
        terminal.panes()


def test_a_client_is_told_its_socket_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TMUX and TMUX_PANE, which would name another server, do not reach the client."""
    monkeypatch.setenv("TMUX", "/other,1,0")
    monkeypatch.setenv("TMUX_PANE", "%7")
    terminal = client(tmp_path, f'echo "$TMUX$TMUX_PANE|$*" > {tmp_path}/said')
    terminal.panes()
    said = (tmp_path / "said").read_text()
    assert said.startswith("|-u -L x list-panes -a -F ")


class _Changing(UserDict[str, str]):
    """Variables, one of which another thread removes while they are read."""

    @override
    def __iter__(self) -> Iterator[str]:
        names = list(super().__iter__())
        del self["GONE"]
        return iter(names)


def test_a_variable_that_another_thread_removes(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not passed on, and is no error."""
    monkeypatch.setattr(os, "environ", _Changing(TMUX="/other,1,0", GONE="1", PATH="/bin"))
    assert environment() == {"PATH": "/bin"}


@pytest.mark.parametrize(
    "said",
    [
        "no server running on /tmp/x",
        "error connecting to /tmp/x (No such file or directory)",
        "lost server",
        "no current target",
    ],
)
def test_a_pane_is_gone_with_its_server(tmp_path: Path, said: str) -> None:
    """Whatever the client says when no server answers."""
    terminal = client(tmp_path, f"echo '{said}' >&2; exit 1")
    with pytest.raises(PaneNotFoundError) as caught:
        terminal.observe(Pane("%1"))
    assert str(caught.value) == (
        f"there is no tmux server with a pane ({said}; if one does run, the tmux client may be too "
        "old for it); Terminal.open() starts one"
    )
    assert isinstance(caught.value.__cause__, TmuxCommandError)


def test_a_socket_of_somebody_else_is_not_no_server(tmp_path: Path) -> None:
    """There may be panes, so nobody is told that there are none."""
    said = "error connecting to /tmp/x (Permission denied)"
    terminal = client(tmp_path, f"echo '{said}' >&2; exit 1")
    with pytest.raises(TmuxCommandError, match="Permission denied"):
        terminal.panes()


def test_no_pane_is_an_error_of_its_own(tmp_path: Path) -> None:
    """A target that is not there is told apart from other refusals."""
    terminal = client(tmp_path, 'echo "can\'t find pane: %1" >&2; exit 1')
    with pytest.raises(PaneNotFoundError) as caught:
        terminal.observe(Pane("%1"))
    assert str(caught.value) == ("tmux: can't find pane: %1; Terminal.panes() lists all panes")


def test_any_other_refusal_tells_the_command(tmp_path: Path) -> None:
    """What tmux said, its exit status and the command are all there."""
    terminal = client(tmp_path, "echo 'invalid option' >&2; exit 3")
    with pytest.raises(TmuxCommandError) as caught:
        terminal.resize(Pane("%1"), Size(1, 1))
    assert (caught.value.exit_status, caught.value.stderr) == (3, "invalid option\n")
    assert str(caught.value).startswith("tmux exited with 3 and said 'invalid option'; the command")


def test_a_silent_refusal_is_told_as_such(tmp_path: Path) -> None:
    """A client that says nothing is quoted with nothing."""
    with pytest.raises(TmuxCommandError, match="and said 'nothing'"):
        client(tmp_path, "exit 1").observe(Pane("%1"))


def test_open_calls_again_when_the_old_server_was_leaving(tmp_path: Path) -> None:
    """A server without panes that goes just when it is called has not taken the command."""
    terminal = client(
        tmp_path,
        f"mkdir {tmp_path}/called 2>/dev/null || {{ echo '%0 1.2 80 24'; exit; }}\n"
        "echo 'server exited unexpectedly' >&2; exit 1",
    )
    assert terminal.open() == Pane("%0")


def test_open_does_not_call_again_for_other_reasons(tmp_path: Path) -> None:
    """A socket that cannot be reached is no server that leaves."""
    terminal = client(
        tmp_path, f"mkdir {tmp_path}/called || exit 9; echo 'error connecting to x' >&2; exit 1"
    )
    with pytest.raises(TmuxServerError):
        terminal.open()


FIELDS = "%5 9 1 0 0 1 0 2000 0 {mode} 0 3.3a 1 2 42 /dev/tty 1     sh x"


def test_a_refusal_in_the_middle_tells_what_was_sent(tmp_path: Path) -> None:
    """A person who begins to scroll between two calls cannot make the message a lie."""
    for name, mode in (("first", ""), ("second", "copy-mode")):
        fields = FIELDS.format(mode=mode).replace(" ", "\t")
        (tmp_path / name).write_text(f"{fields}\n\n\n")
    terminal = client(
        tmp_path,
        f"cd {tmp_path}; if mkdir called 2>/dev/null; then cat first; else cat second; fi",
    )
    with pytest.raises(PaneBusyError) as caught:
        terminal.send(Pane("%5"), KeySequence.keys("Up") * 5000)
    assert str(caught.value).startswith("1 of 3 parts of the keys have been sent: pane %5")


@pytest.mark.parametrize("script", ["exec sleep 60", "echo no >&2; exit 1"])
def test_no_error_repeats_what_was_typed(tmp_path: Path, script: str) -> None:
    """It may be a password; nor does a traceback, with all that the error came from."""
    terminal, secret = client(tmp_path, script, timeout=0.1), "hunter2"
    with pytest.raises(TmuxprimError) as sent:
        terminal.send(Pane("%0"), KeySequence.text(secret))
    with pytest.raises(TmuxprimError) as opened:
        terminal.open(["sh"], env={"TOKEN": secret})
    for caught in (sent, opened):
        assert secret not in "".join(traceback.format_exception(caught.value, chain=True))
        assert secret.encode() not in pickle.dumps(caught.value)


def test_a_server_that_opens_no_pane(tmp_path: Path) -> None:
    """The client of one that is ended just then says nothing, and that all went well."""
    with pytest.raises(TmuxServerError, match="tmux opened no pane and does not say why"):
        client(tmp_path, "exit 0").open(["sh"])


@pytest.mark.parametrize("limit", [-1, 2**31])
def test_a_history_has_a_limit(limit: int) -> None:
    """What tmux cannot be told is refused."""
    with pytest.raises(InvalidScreenError, match=f"keeps 0 to 2,147,483,647 rows, got {limit}"):
        TmuxTerminal(history_limit=limit)


@pytest.fixture
def _nobody_asks_for_children() -> Iterator[None]:
    """Have the kernel bury children at once, and their status with them."""
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGCHLD, before)


@pytest.mark.usefixtures("_nobody_asks_for_children")
@pytest.mark.parametrize("transport", ["subprocess", "control"])
def test_a_program_that_ignores_its_children(tmp_path: Path, transport: TransportName) -> None:
    """Errors are still told."""
    (tmp_path / "tmux").write_text("#!/bin/sh\necho no such thing >&2; exit 1\n")
    (tmp_path / "tmux").chmod(0o755)
    with TmuxTerminal(executable=str(tmp_path / "tmux"), transport=transport) as terminal:
        for _ in range(20):
            with pytest.raises(TmuxCommandError, match="no such thing"):
                terminal.resolve(Pane("name"))


@pytest.mark.usefixtures("_nobody_asks_for_children")
def test_a_launcher_may_complain_and_do_all(tmp_path: Path) -> None:
    """Ssh tells of a key that it has not seen before; to type again would be to type twice."""
    (tmp_path / "ssh").write_text("#!/bin/sh\necho Warning: a new key >&2\n" + LISTS)
    (tmp_path / "ssh").chmod(0o755)
    terminal = TmuxTerminal(launcher=(str(tmp_path / "ssh"), "host"))
    assert terminal.panes() == (Pane("%1"),)


def test_keys_that_were_sent_in_part_as_the_server_ended(tmp_path: Path) -> None:
    """The pane is gone, and the error says how much has been sent before."""
    fields = FIELDS.format(mode="").replace(" ", "\t")
    (tmp_path / "first").write_text(f"{fields}\n\n\n")
    terminal = client(
        tmp_path,
        f"cd {tmp_path}; if mkdir called 2>/dev/null; then cat first; "
        "else echo 'server exited unexpectedly' >&2; exit 1; fi",
    )
    with pytest.raises(PaneNotFoundError) as caught:
        terminal.send(Pane("%5"), KeySequence.keys("Up") * 5000)
    assert str(caught.value).startswith(
        "1 of 3 parts of the keys have been sent: there is no tmux server"
    )


def test_a_server_of_which_nobody_knows_is_not_a_pane_that_is_gone() -> None:
    """A connection has ended before tmux answered; the pane may still be there."""
    steps = Operations().observe(Pane("%1"), 0)
    next(steps)
    unsure = TmuxServerError("look before you do it again")
    with pytest.raises(TmuxServerError) as caught:
        steps.throw(unsure)
    assert caught.value is unsure
