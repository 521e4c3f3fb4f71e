"""A tap, with a pipe in the place of tmux."""

import os
import select
import shlex
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import attrs
import pytest

from tests.unit.builders import screen
from tmuxprim._tmux import tap as taps
from tmuxprim._tmux.tap import FileTap
from tmuxprim.errors import TapUnavailableError

FOLDER = "of %H #{pid} 'x'"


@contextmanager
def started(tap: FileTap) -> Iterator[socket.socket]:
    """Start what tmux would start, and give tmux's end of its pipe."""
    ours, its = socket.socketpair()
    with ours, its:
        shell = subprocess.Popen(["sh", "-c", tap.command], stdin=its.fileno(), stdout=its.fileno())
        its.close()
        begin(tap)
        yield ours
        tap.close()
        assert shell.wait(10) is not None


def begin(tap: FileTap) -> None:
    """Wait as a terminal does."""
    for pause in tap.starting():
        select.select([], [], [], pause)


def refused(tap: FileTap, *, is_piped: bool = True, tty: str = "/nowhere") -> tuple[str, float]:
    """Return why there is no tap, and how long the pauses were until then, in seconds."""
    tap.screen = attrs.evolve(screen(), tty=tty)
    pauses: list[float] = []
    with pytest.raises(TapUnavailableError) as caught:
        pauses.extend(pretended(tap, is_piped=is_piped))
    tap.drop()
    return str(caught.value), sum(pauses)


def pretended(tap: FileTap, *, is_piped: bool) -> Iterator[float]:
    """Yield the pauses, and say whether tmux still has the shell."""
    for pause in tap.starting():
        yield pause
        tap.is_piped = is_piped or pause < taps.LONG_PAUSE


def run(command: str) -> int:
    """Return the exit status of a shell whose input ends at once."""
    sh = ["/bin/sh", "-c", command]
    done = subprocess.run(sh, input=b"x", stderr=subprocess.DEVNULL, timeout=10, check=False)
    return done.returncode


def read_until(tap: FileTap, end: str) -> str:
    """Read until a text has come."""
    text = ""
    for _ in range(10_000):
        text += tap.read()
        if text.endswith(end):
            break
        select.select([], [], [], 0.001)
    return text


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the directory in which taps make theirs."""
    directory = tmp_path / FOLDER
    directory.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(directory))
    return directory


def test_all_is_read_once(directory: Path) -> None:
    """Also a character that comes in two parts, and what is none."""
    tap = FileTap()
    with started(tap) as tmux:
        tmux.sendall(b"one\r\n\xe6\x97")
        assert read_until(tap, "\n") == "one\r\n"
        assert not [*directory.iterdir()]  # the shell has removed the names
        tmux.sendall(b"\xa5\xff.")
        assert read_until(tap, ".") == "\u65e5\ufffd."
        assert not tap.read()
        tap.close()
        assert not tap.read()


def test_nothing_is_said_to_the_pane(directory: Path) -> None:
    """What the shell prints would be typed."""
    tap = FileTap()
    with started(tap) as tmux:
        tmux.sendall(b".")
        read_until(tap, ".")
        tap.close()
        assert not tmux.recv(1)
    assert not [*directory.iterdir()]


def test_it_is_closed_at_once(directory: Path) -> None:
    """Before its cat may have begun."""
    tap = FileTap()
    with started(tap):
        assert not [*directory.iterdir()]
    assert not [*directory.iterdir()]


def test_it_never_begins(directory: Path) -> None:
    """That is waited for while tmux has the shell; what comes later finds nothing."""
    tap = FileTap()
    error, waited = refused(tap)
    assert error.endswith("room on its disk, and the programs sh and cat")
    assert 5.0 < waited < 5.2
    assert not [*directory.iterdir()]
    assert run(tap.command)
    assert not [*directory.iterdir()]


def test_a_shell_that_has_ended_is_not_waited_for() -> None:
    """It has not begun, and tmux says that it is gone."""
    assert refused(FileTap(), is_piped=False)[1] < 0.2


def test_another_users_shell_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By who has the pane's terminal, which is who runs the tmux server."""
    tty = tmp_path / "tty"
    tty.touch()
    with suppress(PermissionError):
        os.chown(tty, 65534, -1)  # root's shell could write
    theirs = tty.stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: theirs + 1)
    error, _ = refused(FileTap(), tty=str(tty))
    assert error == (
        f"the tmux server is run by user {theirs}, who cannot write into a file of user "
        f"{theirs + 1}; run this process as user {theirs}"
    )


@pytest.mark.parametrize(
    "broken", ["PATH=", "ulimit -f 0", "rm {directory}/*/*"], ids=["no cat", "no room", "no files"]
)
def test_a_shell_that_cannot_write_ends(directory: Path, broken: str) -> None:
    """Whatever keeps it from that, it does not say that it has begun."""
    tap = FileTap()
    assert run(f"{broken.format(directory=shlex.quote(str(directory)))}; {tap.command}")
    refused(tap, is_piped=False)


def test_it_ends_when_it_is_too_long(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that writes for ever does not fill the disk."""
    monkeypatch.setattr(taps, "_MOST", 1024)
    tap = FileTap()
    with started(tap) as tmux:
        with pytest.raises(BrokenPipeError):
            tmux.sendall(b"x" * (1 << 24))
        assert tap.read() == "x" * 1023
    assert not [*directory.iterdir()]


def test_much_is_read_in_parts(directory: Path) -> None:
    """So that nothing else has to wait until a file of 256 MB is read."""
    tap = FileTap()
    with started(tap) as tmux:
        tmux.sendall(b"x" * (3 << 20) + b".")
        parts: list[str] = []
        while not parts or parts[-1][-1:] != ".":
            select.select([], [], [], 0.001)
            parts.append(tap.read())
        assert max(map(len, parts)) <= 1 << 20
        assert "".join(parts) == "x" * (3 << 20) + "."
    assert not [*directory.iterdir()]


def test_a_shell_that_comes_after_the_death_of_its_owner_ends(directory: Path) -> None:
    """A process that was killed as a tap began holds the pipe no more; the shell removes names."""
    owner = "import os, sys; from tmuxprim._tmux.tap import FileTap; print(FileTap().command)"
    command = subprocess.run(
        [sys.executable, "-c", f"{owner}; sys.stdout.flush(); os.kill(os.getpid(), 9)"],
        env={**os.environ, "TMPDIR": str(directory)},
        stdout=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    ).stdout
    assert len([*directory.iterdir()]) == 1
    run(command)
    assert not [*directory.iterdir()]


def test_a_poll_that_tells_no_error_unasked(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On macOS a poll without events reports nothing, so its time is not waited for in one."""
    polls: list[float] = []

    class Poll:
        """Polls as macOS does."""

        def __init__(self) -> None:
            self._real, self._events = poll(), 0

        def register(self, number: int, events: int) -> None:
            """Note what is asked for."""
            self._real.register(number, events)
            self._events = events

        def poll(self, milliseconds: float) -> list[tuple[int, int]]:
            """Wait the whole time if nothing is asked for."""
            polls.append(milliseconds)
            if self._events:
                return self._real.poll(milliseconds)
            select.select([], [], [], milliseconds / 1000)
            return []

    tap = FileTap()
    with started(tap) as tmux:
        tmux.sendall(b".")
        read_until(tap, ".")
        poll = select.poll
        monkeypatch.setattr(select, "poll", Poll)
        tap.close()
    assert max(polls) < 100
    assert not [*directory.iterdir()]


def test_a_shell_that_does_not_end(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was told to; the tap waits for a second at most, and then gives back what it has."""
    monkeypatch.setattr(taps, "_ENDING", (0.001, 0.001))
    tap = FileTap()
    (alive,) = directory.glob("*/alive")
    shell = os.open(alive, os.O_RDONLY | os.O_NONBLOCK)
    tap.close()
    assert tap.read() == ""
    assert not any(directory.iterdir())
    # The end of the pipe, behind the line, says the same to a shell that begins to read only now.
    assert [os.read(shell, 10), os.read(shell, 10)] == [b"\n", b""]
    os.close(shell)


def test_threads_may_close_and_read_at_the_same_time(directory: Path) -> None:
    """A descriptor that one has closed may be another file by then; no other one uses it."""
    for _ in range(20):
        tap = FileTap()
        with started(tap):
            threads = [
                threading.Thread(target=call) for call in (tap.close, tap.read, tap.close, tap.drop)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    assert not [*directory.iterdir()]


def test_it_is_dropped_without_a_trace(directory: Path) -> None:
    """As when tmux has refused it."""
    before = len([*Path("/dev/fd").iterdir()])
    tap = FileTap()
    tap.drop()
    assert not [*directory.iterdir()]
    assert len([*Path("/dev/fd").iterdir()]) == before
