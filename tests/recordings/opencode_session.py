"""What is recorded in ``opencode.jsonl`` and played back: one talk with the real OpenCode.

Record it again with ``python -m tests.recordings.opencode_session``, after ``python3 dev.py
test-opencode`` has installed it.
"""

import tempfile
from pathlib import Path
from typing import Final

from tests.assistants.model_server import model_server
from tests.assistants.real import SPEECHES, TALK, open_console, opencode
from tests.tmux_server import Server
from tmuxprim import Console, Terminal
from tmuxprim.profiles import Profile
from tmuxprim.testing import RecordingTerminal

RECORDING: Final = Path(__file__).with_name("opencode.jsonl")
VERSION: Final = "1.2.15"


def talk(console: Console, profile: Profile) -> list[str]:
    """Ask, read, leave; return what was seen."""
    with console.session(profile) as session:
        answers = [session.ask(question) for question in TALK]
    assert all(answer.complete for answer in answers)
    seen = [answer.text for answer in answers]
    return [*seen, console.wait_ready().screen.before_cursor, console.run("echo back").output]


def record() -> None:
    """Write ``opencode.jsonl`` anew."""
    with tempfile.TemporaryDirectory() as folder, model_server(SPEECHES) as model:
        server = Server(folder)
        try:
            server.terminal.open(["cat"])  # keeps the server when the shell has ended
            setup = opencode(model.url, VERSION)
            terminal: Terminal = RecordingTerminal(server.terminal, RECORDING)
            seen = talk(open_console(terminal, setup, Path(folder, "home")), setup.profile)
            assert seen[:-2] == list(TALK.values()), seen
        finally:
            server.stop()


if __name__ == "__main__":
    record()
