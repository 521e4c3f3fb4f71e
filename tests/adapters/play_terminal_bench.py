"""The recipe for terminal-bench: its session, in a container in each place."""

import os
import re
import subprocess
import time
from pathlib import Path
from typing import Any

import attrs
import pytest
from docker.models.containers import ExecResult
from terminal_bench.terminal.docker_compose_manager import DockerComposeManager
from terminal_bench.terminal.tmux_session import TmuxSession

from tests.adapters.places import Place
from tests.adapters.recipes import recipe
from tests.adapters.script import GUESSED, KEYSTROKES

RECIPE = recipe("terminal-bench")


@attrs.frozen
class PlaceContainer:
    """A container whose commands run in a place."""

    place: Place
    directory: Path
    sockets: str

    def exec_run(self, cmd: list[str], **_: Any) -> ExecResult:
        """Run one; errors are among the output."""
        words = self.place.reaching_in(os.fspath(self.directory), self.sockets, cmd)
        done = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        return ExecResult(done.returncode, done.stdout)

    def put_archive(self, *_: Any) -> bool:
        """Do nothing: the one file that is put there is not used."""
        return True


@pytest.fixture
def container(
    empty_place: Place, workspace: Path, sockets: str, monkeypatch: pytest.MonkeyPatch
) -> PlaceContainer:
    """A container in each place in turn."""
    logs = os.fspath(workspace)
    monkeypatch.setattr(DockerComposeManager, "CONTAINER_SESSION_LOGS_PATH", logs)
    return PlaceContainer(empty_place, workspace, sockets)


def work(session: TmuxSession) -> float:
    """Type all, and return how long that took."""
    session.start()
    began = time.monotonic()
    for keys, seen in KEYSTROKES:
        session.send_keys(keys, min_timeout_sec=GUESSED)
        screen = session.capture_pane().rstrip("\n")
        assert re.search(seen, screen, re.MULTILINE), f"{keys!r}: {screen}"
    assert session.is_session_alive()
    return time.monotonic() - began


def test_a_model_sees_the_end_of_what_it_typed(container: PlaceContainer) -> None:
    """In less time than it has guessed."""
    session = RECIPE.TmuxprimSession("agent", container, disable_recording=True)
    assert work(session) < GUESSED * len(KEYSTROKES)


@pytest.mark.usefixtures("on_path")
@pytest.mark.parametrize("empty_place", ["local"], indirect=True)
def test_a_recording_goes_on(container: PlaceContainer, workspace: Path) -> None:
    """The agent's shell runs inside asciinema then."""
    session = RECIPE.TmuxprimSession("agent", container)
    work(session)
    session.stop()
    assert "done-42" in (workspace / "agent.cast").read_text(encoding="utf-8")


def test_a_blocking_command_types_no_sentinel(container: PlaceContainer) -> None:
    """Its end is known, and so is that it has not ended in time."""
    session = RECIPE.TmuxprimSession("agent", container, disable_recording=True)
    session.start()
    session.send_keys("sleep 1; echo over-$((40+2))\n", block=True, max_timeout_sec=60.0)
    screen = session.capture_pane()
    with pytest.raises(TimeoutError, match="timed out after 2"):
        session.send_keys(["sleep 600", "Enter"], block=True, max_timeout_sec=2)
    assert "over-42" in screen
    assert "tmux wait" not in screen
