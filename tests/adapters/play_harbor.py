"""The recipe for harbor: its session, in an environment in each place."""

import asyncio
import os
import re
import shutil
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
from tests.adapters.script import GUESSED, KEYSTROKES

RECIPE = recipe("Harbor")


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

    async def _copy(self, source_path: Path, target_path: Path) -> None:
        shutil.copy(source_path, target_path)

    start = stop = _validate_definition = upload_dir = download_dir = _not_used
    upload_file = download_file = _copy


@pytest.fixture
def environment(empty_place: Place, workspace: Path, sockets: str) -> PlaceEnvironment:
    """An environment in each place in turn."""
    return PlaceEnvironment(empty_place, workspace, sockets)


@pytest.fixture
def session(environment: PlaceEnvironment, workspace: Path) -> TmuxSession:
    """The session of the recipe there."""
    return RECIPE.TmuxprimSession("agent", environment, workspace / "pane.log", None, None)


async def work(session: TmuxSession) -> float:
    """Type all, and return how long that took."""
    await session.start()
    began = time.monotonic()
    for keys, seen in KEYSTROKES:
        await session.send_keys(keys, min_timeout_sec=GUESSED)
        screen = (await session.capture_pane()).rstrip("\n")
        assert re.search(seen, screen, re.MULTILINE), f"{keys!r}: {screen}"
    assert await session.is_session_alive()
    return time.monotonic() - began


def test_a_model_sees_the_end_of_what_it_typed(session: TmuxSession) -> None:
    """In less time than it has guessed."""
    assert asyncio.run(work(session)) < GUESSED * len(KEYSTROKES)


@pytest.mark.usefixtures("on_path")
@pytest.mark.parametrize("empty_place", ["local"], indirect=True)
def test_a_recording_goes_on(environment: PlaceEnvironment, workspace: Path) -> None:
    """The agent's shell runs inside asciinema then."""
    casts = workspace / "theirs.cast", workspace / "ours.cast"
    session = RECIPE.TmuxprimSession("agent", environment, workspace / "pane.log", *casts)

    async def record() -> None:
        await work(session)
        await session.stop()

    asyncio.run(record())
    assert "done-42" in casts[0].read_text(encoding="utf-8")


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
