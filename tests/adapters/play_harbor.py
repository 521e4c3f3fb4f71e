"""The recipe for harbor: its session, in an environment that is a directory on this machine."""

import asyncio
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from harbor.agents.terminus_2.tmux_session import TmuxSession
from harbor.environments.base import ExecResult

from tests.adapters.recipes import recipe

RECIPE = recipe("Harbor")
# What a model types, the seconds that it guesses, and what it must see then.
KEYSTROKES: Any = (
    ("PS1='$ '; clear\n", 10.0, r"^\$ ?$"),
    ("sleep 2; echo done-$((6*7))\n", 10.0, r"^done-42$"),
    ("bash install.sh\n", 10.0, r"licence\? \[y/N\] ?$"),
    ("y\n", 10.0, r"Install path \[/opt/tool\]: ?$"),
    ("/srv/tool\n", 10.0, r"Password"),
    ("correct horse\n", 10.0, r"Components"),
    ("2\n", 10.0, r"^Installed in /srv/tool$"),
    ("python3 -q\n", 10.0, r"^>>> ?$"),
    ("import calc; calc.double(5)\n", 10.0, r"^7$"),
    ("exit()\n", 10.0, r"^\$ ?$"),
    ("vim -Nu NONE -i NONE -n calc.py\n", 10.0, r"\+ 2$"),
    ("Escape", 10.0, r"\+ 2$"),
    (":q!\n", 10.0, r"^\$ ?$"),
    (["cat", "Enter"], 10.0, r"^\$ cat$"),
    ("C-c", 10.0, r"^\^C$"),
)


class Here:
    """An environment whose commands run in a directory of this machine, without input."""

    session_id = "here"

    def __init__(self, directory: Path, sockets: str) -> None:
        self.directory = directory
        self.env = {**os.environ, "TMUX_TMPDIR": sockets, "HOME": str(directory)}
        self.env.pop("TMUX", None)

    async def exec(self, command: str, **_: Any) -> ExecResult:
        """Run one."""
        done = await asyncio.create_subprocess_shell(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.directory,
            env=self.env,
        )
        out, err = await done.communicate()
        return ExecResult(stdout=out.decode(), stderr=err.decode(), return_code=done.returncode)


@pytest.fixture
def here(workspace: Path) -> Iterator[Here]:
    """That environment; its tmux server has ended afterwards."""
    with tempfile.TemporaryDirectory(prefix="tmuxprim-") as sockets:
        here = Here(workspace, sockets)
        yield here
        subprocess.run(["tmux", "kill-server"], env=here.env, check=False)


def session(kind: type[TmuxSession], here: Here, workspace: Path) -> TmuxSession:
    """Return a session of harbor's or ours."""
    return kind("agent", here, workspace / "pane.log", None, None)


def test_a_model_sees_the_end_of_what_it_typed(here: Here, workspace: Path) -> None:
    """In less time than it has guessed."""

    async def work() -> float:
        ours = session(RECIPE.TmuxprimSession, here, workspace)
        await ours.start()
        began = time.monotonic()
        for keys, seconds, seen in KEYSTROKES:
            await ours.send_keys(keys, min_timeout_sec=seconds)
            screen = (await ours.capture_pane()).rstrip("\n")
            assert re.search(seen, screen, re.MULTILINE), f"{keys!r}: {screen}"
        assert await ours.is_session_alive()
        return time.monotonic() - began

    took, guessed = asyncio.run(work()), sum(seconds for _, seconds, _ in KEYSTROKES)
    assert took < guessed


def test_a_blocking_command_types_no_sentinel(here: Here, workspace: Path) -> None:
    """Its end is known, and so is that it has not ended in time."""

    async def work() -> str:
        ours = session(RECIPE.TmuxprimSession, here, workspace)
        await ours.start()
        await ours.send_keys("sleep 1; echo over-$((40+2))\n", block=True, max_timeout_sec=60.0)
        screen = await ours.capture_pane()
        with pytest.raises(TimeoutError, match="timed out after 2"):
            await ours.send_keys(["sleep 600", "Enter"], block=True, max_timeout_sec=2)
        return str(screen)

    screen = asyncio.run(work())
    assert "over-42" in screen
    assert "tmux wait" not in screen
