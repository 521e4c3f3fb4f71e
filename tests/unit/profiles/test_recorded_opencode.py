"""A talk with the real OpenCode, as it was recorded: the profile cuts out the same answers."""

from pathlib import Path

from tests.assistants.real import TALK, open_console, opencode
from tests.recordings.opencode_session import RECORDING, VERSION, talk
from tmuxprim.testing import ReplayTerminal


def test_opencode_answers(tmp_path: Path) -> None:
    """Half a minute of a real session, in no time and without OpenCode."""
    replay = ReplayTerminal(RECORDING)
    setup = opencode("http://127.0.0.1", VERSION)
    seen = talk(open_console(replay, setup, tmp_path / "home"), setup.profile)
    assert seen == [*TALK.values(), "$ ", "back\n"]
    assert replay.clock.now() > 10.0
    replay.assert_finished()
