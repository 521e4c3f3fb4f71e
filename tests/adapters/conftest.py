"""What the plays of all frameworks share: a directory to work in, and tmux servers of their own.

They run in the environment of their framework, which has neither this project nor its tests' needs.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.adapters.places import BASH, PLACES, ROOT, Place
from tests.adapters.script import BY_SHELL, BY_TOOL, TEST, WRONG, Script
from tmuxprim import Console
from tmuxprim.adapters import Shell


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with an installer that asks, and a test that fails.

    It is the home on this machine, since the startup files of a shell may take long.
    """
    monkeypatch.setenv("HOME", str(tmp_path))
    shutil.copy(ROOT / "tests" / "installer_project" / "install.sh", tmp_path)
    (tmp_path / "calc.py").write_text(WRONG, encoding="utf-8")
    (tmp_path / "test_calc.py").write_text(TEST, encoding="utf-8")
    return tmp_path


@pytest.fixture(params=PLACES)
def empty_place(request: pytest.FixtureRequest) -> Iterator[Place]:
    """Each place in turn, without a pane."""
    with PLACES[request.param]() as place:
        yield place


@pytest.fixture
def place(empty_place: Place, workspace: Path) -> Place:
    """Each place in turn, with a pane ``shared``: bash in the directory."""
    env = {"PS1": "$ ", "HISTFILE": ""}
    empty_place.terminal.open(BASH, name="shared", cwd=workspace, env=env)
    return empty_place


@pytest.fixture
def sockets() -> Iterator[str]:
    """A directory for the sockets of tmux; the servers have ended afterwards."""
    with tempfile.TemporaryDirectory(prefix="tmuxprim-") as directory:
        yield directory
        for socket in Path(directory).glob("*/*"):
            subprocess.run(["tmux", "-S", socket, "kill-server"], check=False)


@pytest.fixture
def on_path(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The programs of the framework's environment are on the PATH, also of a login shell."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    monkeypatch.setenv("PATH", path)
    (workspace / ".bash_profile").write_text(f"export PATH='{path}'\n", encoding="utf-8")


@pytest.fixture
def shell(place: Place) -> Shell:
    """A shell in the pane."""
    return Shell(Console(place.terminal, "shared"))


@pytest.fixture
def by_tool() -> Iterator[Script]:
    """A scripted model that has the tool; in the end, no reply to it was early."""
    script = Script(BY_TOOL)
    yield script
    script.check()


@pytest.fixture
def by_shell() -> Iterator[Script]:
    """A scripted model that has a shell; in the end, no reply to it was early."""
    script = Script(BY_SHELL)
    yield script
    script.check()
