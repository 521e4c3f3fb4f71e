"""A tap, with a pipe in the place of tmux."""

import select
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tmuxprim._tmux import tap as taps
from tmuxprim._tmux.tap import FileTap

FOLDER = "of %H #{pid} 'x'"


@contextmanager
def started(tap: FileTap) -> Iterator[socket.socket]:
    """Start what tmux would start, and give tmux's end of its pipe."""
    ours, its = socket.socketpair()
    with ours, its:
        shell = subprocess.Popen(["sh", "-c", tap.command], stdin=its.fileno(), stdout=its.fileno())
        its.close()
        yield ours
        tap.close()
        assert shell.wait(10) is not None


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
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the folder in which taps make theirs."""
    folder = tmp_path / FOLDER
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_all_is_read_once(folder: Path) -> None:
    """Also a character that comes in two parts, and what is none."""
    tap = FileTap()
    with started(tap) as tmux:
        tmux.sendall(b"one\r\n\xe6\x97")
        assert read_until(tap, "\n") == "one\r\n"
        assert not [*folder.iterdir()]  # the shell has removed the names
        tmux.sendall(b"\xa5\xff.")
        assert read_until(tap, ".") == "\u65e5\ufffd."
        assert not tap.read()
        tap.close()
        assert not tap.read()


def test_nothing_is_said_to_the_pane(folder: Path) -> None:
    """What the shell prints would be typed."""
    tap = FileTap()
    with started(tap) as tmux:
        tmux.sendall(b".")
        read_until(tap, ".")
        tap.close()
        assert not tmux.recv(1)
    assert not [*folder.iterdir()]


def test_it_is_closed_before_it_has_begun(folder: Path) -> None:
    """Who closes it waits until it has."""
    tap = FileTap()
    with started(tap):
        pass
    assert not [*folder.iterdir()]


def test_it_never_begins(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That is not waited for for ever, and what comes later finds nothing."""
    monkeypatch.setattr(taps, "_PATIENCE", 0.01)
    tap = FileTap()
    tap.close()
    assert not [*folder.iterdir()]
    done = subprocess.run(
        ["sh", "-c", tap.command], input=b"x", stderr=subprocess.DEVNULL, timeout=10, check=False
    )
    assert done.returncode


def test_it_ends_when_it_is_too_long(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that writes for ever does not fill the disk."""
    monkeypatch.setattr(taps, "_MOST", 1024)
    tap = FileTap()
    with started(tap) as tmux:
        with pytest.raises(BrokenPipeError):
            tmux.sendall(b"x" * (1 << 24))
        assert tap.read() == "x" * 1023
    assert not [*folder.iterdir()]


def test_it_is_dropped_without_a_trace(folder: Path) -> None:
    """As when tmux has refused it."""
    before = len([*Path("/dev/fd").iterdir()])
    tap = FileTap()
    tap.drop()
    assert not [*folder.iterdir()]
    assert len([*Path("/dev/fd").iterdir()]) == before
