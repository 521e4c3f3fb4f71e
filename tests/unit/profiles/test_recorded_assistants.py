"""Talks with real assistants, as they were recorded: the profiles cut out the same answers."""

from pathlib import Path

import pytest

from tests.assistants.real import open_console
from tests.recordings.assistant_sessions import RECORDED, SEEN, recording_of, talk
from tmuxprim.testing import ReplayTerminal


@pytest.mark.parametrize("name", RECORDED)
def test_an_assistant_answers(name: str, tmp_path: Path) -> None:
    """Half a minute of a real session, in no time and without the program."""
    replay = ReplayTerminal(recording_of(name))
    make, version = RECORDED[name]
    setup = make("http://127.0.0.1", version)
    assert talk(open_console(replay, setup, tmp_path / "home"), setup.profile) == SEEN
    assert replay.clock.now() > 10.0
    replay.assert_finished()
