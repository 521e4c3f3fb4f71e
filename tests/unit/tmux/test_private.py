"""The directory of a private server, and its process where there is no procfs."""

import os
import signal
import tempfile
from pathlib import Path

import pytest

from tmuxprim._tmux import private
from tmuxprim._tmux.private import PrivateServer, servers_of


def test_its_socket_is_where_less_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An agent that empties the directory for temporary files does not lose its terminal."""
    monkeypatch.setattr(private, "PLACE", str(tmp_path))
    server = PrivateServer()
    server.end()
    assert server.socket.parent.parent == tmp_path


def test_where_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is among the temporary files."""
    monkeypatch.setattr(private, "PLACE", str(tmp_path / "none"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    server = PrivateServer()
    server.end()
    assert server.socket.parent.parent == tmp_path


def listing(directory: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have ``ps`` be a shell script."""
    program = directory / "ps"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(directory), prepend=":")


def test_a_server_is_found_without_procfs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MacOS has none. A server keeps the words that it was started with."""
    rows = (
        *("7 /usr/bin/tmux -u -S /x/socket -f /dev/null source-file -", "8 tmux -S /x/socket2 ls"),
        *("  9 ps -A", "10", "11 vi /x/socket"),
    )
    listing(tmp_path, "\n".join(f"echo '{row}'" for row in rows), monkeypatch)
    assert servers_of("/x/socket", str(tmp_path / "none")) == [7]


@pytest.mark.parametrize("script", ["exit 1", "exec sleep 60"])
def test_a_list_that_is_not_to_be_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    """Then no process is taken for the server."""
    monkeypatch.setattr(private, "_PATIENCE", 0.1)
    listing(tmp_path, script, monkeypatch)
    assert servers_of("/x/socket", str(tmp_path / "none")) == []


def test_procfs_is_asked_where_there_is_one(tmp_path: Path) -> None:
    """No list of processes is needed there."""
    assert servers_of("/x/socket", str(tmp_path)) == []


def test_a_server_that_does_not_take_the_command_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have been stopped; or it ends just then."""
    (tmp_path / "tmux").write_text("#!/bin/sh\necho no >&2; exit 1\n")
    (tmp_path / "tmux").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    killed: list[tuple[int, int]] = []

    def kill(process: int, number: int) -> None:
        killed.append((process, number))
        raise ProcessLookupError

    monkeypatch.setattr(os, "kill", kill)
    monkeypatch.setattr(private, "servers_of", lambda _: [7])
    PrivateServer().end()
    assert killed == [(7, signal.SIGKILL)]
