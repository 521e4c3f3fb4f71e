"""The recipe for harbor: its session, in an environment in each place."""

import asyncio
import os
import re
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from harbor.agents.terminus_2.tmux_session import TmuxSession
from harbor.environments.base import BaseEnvironment, ExecResult
from typing_extensions import override

from tests.adapters.places import Place
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


class PlaceEnvironment(BaseEnvironment):
    """An environment whose commands run in a place, without input."""

    def __init__(self, place: Place, directory: Path, sockets: str) -> None:
        self.session_id = "place"
        self._place = place
        self._directory = directory
        self._sockets = sockets

    @override
    async def exec(self, command: str, *_: Any, **__: Any) -> ExecResult:
        words = ("sh", "-c", command)
        done = await asyncio.create_subprocess_exec(
            *self._place.reaching_in(os.fspath(self._directory), self._sockets, words),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        out, err = await done.communicate()
        return ExecResult(stdout=out.decode(), stderr=err.decode(), return_code=done.returncode)

    @staticmethod
    @override
    def type() -> str:
        return "place"

    def _not_used(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    start = stop = _validate_definition = _not_used
    upload_file = upload_dir = download_file = download_dir = _not_used


@pytest.fixture
def environment(empty_place: Place, workspace: Path, sockets: str) -> PlaceEnvironment:
    """An environment in each place in turn."""
    return PlaceEnvironment(empty_place, workspace, sockets)


@pytest.fixture
def session(environment: PlaceEnvironment, workspace: Path) -> TmuxSession:
    """The session of the recipe there."""
    return RECIPE.TmuxprimSession("agent", environment, workspace / "pane.log", None, None)


def test_a_model_sees_the_end_of_what_it_typed(session: TmuxSession) -> None:
    """In less time than it has guessed."""

    async def work() -> float:
        await session.start()
        began = time.monotonic()
        for keys, seconds, seen in KEYSTROKES:
            await session.send_keys(keys, min_timeout_sec=seconds)
            screen = (await session.capture_pane()).rstrip("\n")
            assert re.search(seen, screen, re.MULTILINE), f"{keys!r}: {screen}"
        assert await session.is_session_alive()
        return time.monotonic() - began

    took, guessed = asyncio.run(work()), sum(seconds for _, seconds, _ in KEYSTROKES)
    assert took < guessed


def test_a_blocking_command_types_no_sentinel(session: TmuxSession) -> None:
    """Its end is known, and so is that it has not ended in time."""

    async def work() -> str:
        await session.start()
        await session.send_keys("sleep 1; echo over-$((40+2))\n", block=True, max_timeout_sec=60.0)
        screen = await session.capture_pane()
        with pytest.raises(TimeoutError, match="timed out after 2"):
            await session.send_keys(["sleep 600", "Enter"], block=True, max_timeout_sec=2)
        return str(screen)

    screen = asyncio.run(work())
    assert "over-42" in screen
    assert "tmux wait" not in screen
