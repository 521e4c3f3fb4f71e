"""Talks with real assistants, as they were recorded: the profiles cut out the same answers."""

from pathlib import Path

import pytest

from tests.assistants.real import open_console
from tests.recordings.assistant_sessions import RECORDED, play, recording_of
from tmuxprim.testing import ReplayTerminal


@pytest.mark.parametrize("name", RECORDED)
def test_an_assistant_answers(name: str, tmp_path: Path) -> None:
    """Many seconds of a real session, in no time and without the program."""
    replay = ReplayTerminal(recording_of(name))
    make, version, talk = RECORDED[name]
    setup = make("http://127.0.0.1", version)
    play(open_console(replay, setup, tmp_path / "home"), setup.profile, talk)
    assert replay.clock.now() > 4.0
    replay.assert_finished()
