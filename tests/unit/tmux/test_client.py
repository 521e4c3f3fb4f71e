"""The process of a client in control mode, and its pipes."""

import fcntl
import os
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.tmux_server import is_alive
from tests.unit.tmux.clients import client
from tmuxprim import TmuxNotFoundError
from tmuxprim._tmux.client import ControlClient
from tmuxprim._tmux.launch import Prefix


def pid_of(said: bytes | None) -> int:
    """Return the process id that a client told."""
    assert said is not None
    return int(said)


def test_a_missing_program_is_told(tmp_path: Path) -> None:
    """It is the error of every transport."""
    with pytest.raises(TmuxNotFoundError, match="No such file"):
        ControlClient(Prefix((), (str(tmp_path / "none"),)), ())


def test_what_it_says_is_read_and_what_it_takes_is_written() -> None:
    """Nothing is said first, then an answer, then the end."""
    cat = client("exec cat")
    assert not cat.wait_for_output(0.0)
    assert cat.read() is None
    assert cat.write(b"x\n", 5.0) == b""
    assert cat.wait_for_output(30.0)
    assert cat.read() == b"x\n"
    cat.close()


@pytest.mark.skipif(not hasattr(fcntl, "F_SETSIG"), reason="the kernel of Linux does it")
def test_it_does_not_outlive_a_process_that_was_killed() -> None:
    """Also if it does not care that nobody reads it, as tmux does not while it has output left."""
    owner = (
        "import os; from tests.unit.tmux.clients import client\n"
        "it = client('echo $$; exec sleep 1000')\n"
        "it.wait_for_output(60.0)\n"
        "os.write(1, it.read()), os.kill(os.getpid(), 9)"
    )
    argv = [sys.executable, "-c", owner]
    said = subprocess.run(argv, stdout=subprocess.PIPE, timeout=120, check=False).stdout
    deadline = time.monotonic() + 60
    while is_alive(pid_of(said)):
        assert time.monotonic() < deadline
        select.select([], [], [], 0.01)


def test_the_end_is_read_as_nothing() -> None:
    """An empty text tells that it has ended."""
    ended = client("exit")
    assert ended.wait_for_output(30.0)
    assert ended.read() == b""
    ended.close()


def test_a_full_pipe_takes_a_part_and_then_nothing() -> None:
    """What was not taken is given back, after the time that one was ready to wait."""
    unavailable = client("echo $$; exec sleep 60")
    rest = unavailable.write(b"x" * 1_000_000, 5.0)
    assert 0 < len(rest) < 1_000_000
    assert unavailable.write(rest, 0.05) == rest
    assert unavailable.wait_for_output(30.0)
    os.kill(pid_of(unavailable.read()), 9)
    unavailable.close()


def test_no_room_for_a_whole_line_is_no_error() -> None:
    """A pipe may have room, and refuse what it would have to tear (pipe(7), PIPE_BUF)."""
    unavailable = client("echo $$; exec sleep 60")
    line = b"x" * (select.PIPE_BUF - 100)
    while not (rest := unavailable.write(line, 0.0)):
        pass
    assert rest == line
    assert unavailable.wait_for_output(30.0)
    os.kill(pid_of(unavailable.read()), 9)
    unavailable.close()


@pytest.mark.usefixtures("impatient")
def test_one_that_reads_no_more_is_a_broken_pipe() -> None:
    """The other end of its input is gone."""
    unavailable = client("exec <&-; echo closed; exec sleep 60")
    assert unavailable.wait_for_output(30.0)
    with pytest.raises(BrokenPipeError):
        unavailable.write(b"x", 5.0)
    unavailable.close()


def test_one_that_was_closed_has_no_pipes() -> None:
    """Their numbers may be those of the next client's, which another thread has begun."""
    closed = client("exec cat")
    watching_output, talking = os.pipe()
    closed.close()
    for number, theirs in ((closed.stdin, talking), (closed.stdout, watching_output)):
        os.dup2(theirs, number)
    with pytest.raises(BrokenPipeError):
        closed.write(b"ours", 5.0)
    os.write(talking, b"theirs")
    assert closed.read() == b""
    assert os.read(watching_output, 100) == b"theirs"
    for number in {watching_output, talking, closed.stdin, closed.stdout}:
        os.close(number)


def test_its_last_words_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that it writes to its standard error; for one that stays, only a while."""
    complaining = client("exec >&-; sleep 0.1; echo old >&2")
    assert complaining.wait_for_output(30.0)
    assert complaining.last_words() == "old"
    complaining.close()
    monkeypatch.setattr("tmuxprim._tmux.client._PATIENCE", 0.05)
    staying = client("exec sleep 60")
    assert staying.last_words() == ""
    staying.close()


def test_one_that_leaves_is_heard_out(tmp_path: Path) -> None:
    """A real tmux does not let a client go that has not been read to the end."""
    talking = client(f"cat; head -c 1000000 /dev/zero; echo left > {tmp_path}/left")
    talking.close()
    assert (tmp_path / "left").read_text() == "left\n"


@pytest.mark.parametrize("stubborn", ["exec sleep 60", "while :; do echo y; done"])
def test_one_that_stays_is_killed(stubborn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it is silent or never ends talking, it is killed and reaped, after a while."""
    monkeypatch.setattr("tmuxprim._tmux.client._PATIENCE", 0.05)
    staying = client(f"echo $$; exec sh -c '{stubborn}'")
    assert staying.wait_for_output(30.0)
    pid = pid_of((staying.read() or b"").partition(b"\n")[0])
    began = time.monotonic()
    staying.close()
    assert time.monotonic() - began < 30.0
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_it_ends_with_its_object() -> None:
    """Nobody has to remember to close it."""
    leaving = client("echo $$; cat; exit")
    assert leaving.wait_for_output(30.0)
    pid = pid_of(leaving.read())
    del leaving
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_in_a_forked_process_its_words_are_its_parents(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what is the fork's own is given back; nothing is read away from the parent."""
    talking = client("echo hello; exec cat")
    assert talking.wait_for_output(30.0)
    ours = os.dup(talking.stdout)
    monkeypatch.setattr(os, "getpid", os.getppid)
    talking.close()
    assert os.read(ours, 100) == b"hello\n"
    os.close(ours)
