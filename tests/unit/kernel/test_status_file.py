"""The state that Claude Code tells of itself in a file."""

import json
import os
from pathlib import Path

import pytest

from tests.unit.kernel.kernel import Kernel
from tmuxprim._kernel.files import LocalFiles
from tmuxprim._kernel.status_file import StatusFiles

IDLE = {"status": "idle", "procStart": "0"}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Give the home of a program, 10."""
    kernel = Kernel(tmp_path / "proc")
    kernel.process(10)
    (tmp_path / "proc" / "10" / "environ").write_bytes(f"A=1\0HOME={tmp_path}\0".encode())
    (tmp_path / ".claude" / "sessions").mkdir(parents=True)
    return tmp_path


def told(home: Path, program: str | None = "claude", process: int = 10) -> str | None:
    """Return what is told of a program."""
    return StatusFiles(LocalFiles(str(home / "proc"))).status(process, program)


def write(home: Path, text: str, directory: str = ".claude") -> None:
    """Write a status file."""
    path = home / directory / "sessions" / "10.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.mark.parametrize("status", ["busy", "shell", "idle", "waiting"])
def test_a_status(home: Path, status: str) -> None:
    """It is told in the words of the file."""
    write(home, json.dumps({**IDLE, "status": status}))
    assert told(home) == status


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({**IDLE, "procStart": "1"}),  # of an earlier process with this number
        json.dumps({"status": "idle"}),
        json.dumps({**IDLE, "status": "new"}),
        json.dumps({**IDLE, "status": ["idle"]}),
        *("", '{"status": "id', "[]", "\0"),
    ],
)
def test_what_tells_no_status(home: Path, text: str) -> None:
    """A file of another process, or one that is just being written, says nothing."""
    write(home, text)
    assert told(home) is None


def test_no_file(home: Path) -> None:
    """Nor does one that is not there, nor a pipe, which is not waited for."""
    assert told(home) is None
    os.mkfifo(home / ".claude" / "sessions" / "10.json")
    assert told(home) is None


def test_of_other_programs_nothing_is_read(home: Path) -> None:
    """Nor of a process that is gone, or of which no environment is told."""
    write(home, json.dumps(IDLE))
    assert told(home, "node") is None
    assert told(home, None) is None
    assert told(home, process=11) is None
    (home / "proc" / "10" / "environ").unlink()
    assert told(home) is None


def test_a_folder_of_its_own(home: Path) -> None:
    """A variable names it; where it is is asked once for each start."""
    environ = home / "proc" / "10" / "environ"
    environ.write_bytes(f"CLAUDE_CONFIG_DIR={home}/else\0".encode())
    write(home, json.dumps(IDLE), "else")
    files = StatusFiles(LocalFiles(str(home / "proc")))
    assert files.status(10, "claude") == "idle"
    environ.unlink()
    assert files.status(10, "claude") == "idle"
