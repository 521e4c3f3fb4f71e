"""What is recorded in ``opencode.jsonl`` and its neighbours: one talk with each real assistant.

Record one again with ``python -m tests.recordings.assistant_sessions opencode``, after ``python3
dev.py test-assistants`` has installed it.
"""

import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from tests.assistants.model_server import model_server
from tests.assistants.real import (
    SPEECHES,
    TALK,
    Setup,
    claude,
    codex,
    end_what_is_left,
    open_console,
    opencode,
)
from tests.tmux_server import Server
from tmuxprim import Console, Terminal
from tmuxprim.profiles import Profile
from tmuxprim.testing import RecordingTerminal

# Each with its version.
RECORDED: Final[Mapping[str, tuple[Callable[[str, str], Setup], str]]] = {
    "opencode": (opencode, "1.2.15"),
    "claude": (claude, "latest"),
    "codex": (codex, "latest"),
}
ASKED: Final = ("a quick one", "liar please", "refused one")
SEEN: Final = [
    (TALK["a quick one"], True),
    ("So it said.", True),
    ("", False),
    ("back\n", True),
]


def recording_of(name: str) -> Path:
    """Return where the talk with an assistant is."""
    return Path(__file__).with_name(f"{name}.jsonl")


def talk(console: Console, profile: Profile) -> list[tuple[str, bool]]:
    """Ask, read, leave; return what was seen, and whether it was complete."""
    with console.session(profile) as session:
        answers = [session.ask(question) for question in ASKED]
    quick, lies, failed = answers
    assert failed.failure
    back = console.run("echo back")
    return [
        (quick.text, quick.complete),
        (lies.text.rpartition("\n")[2], lies.complete),
        ("", failed.complete),
        (back.output, back.complete),
    ]


def record(name: str) -> None:
    """Write a recording anew."""
    make, version = RECORDED[name]
    with tempfile.TemporaryDirectory() as folder, model_server(SPEECHES) as model:
        server, home = Server(folder), Path(folder, "home")
        try:
            server.terminal.open(["cat"])  # keeps the server when the shell has ended
            setup = make(model.url, version)
            terminal: Terminal = RecordingTerminal(server.terminal, recording_of(name))
            seen = talk(open_console(terminal, setup, home), setup.profile)
            assert seen == SEEN, seen
        finally:
            server.stop()
            end_what_is_left(home)


if __name__ == "__main__":
    record(sys.argv[1])
