"""What is recorded in ``opencode.jsonl`` and its neighbours: one talk with each real assistant.

Record one again with ``python -m tests.recordings.assistant_sessions opencode``, after ``python3
dev.py test-assistants`` has installed it.
"""

import re
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, TypeAlias

from tests.assistants.model_server import Speech, model_server
from tests.assistants.real import (
    HARD,
    LIES,
    SPEECHES,
    TALK,
    Setup,
    aider,
    claude,
    codex,
    end_what_is_left,
    gemini,
    llm,
    open_console,
    opencode,
    qwen,
)
from tests.tmux_server import Server
from tmuxprim import Console, Terminal
from tmuxprim.profiles import Profile
from tmuxprim.testing import RecordingTerminal

Talk: TypeAlias = Mapping[str, str]
"""What is asked, and what the answer is; nothing where the model's server refuses."""

LONG: Final[Talk] = {
    "a quick one": TALK["a quick one"],
    "liar please": f"{LIES}\n\n{HARD['liar please']}",
    "refused one": "",
}
# A pause of 3 s is not its end.
HALVES: Final = Speech(("First half.\n\n", "Second half."), thinks=1.0, pause=3.0)
SHORT: Final[Talk] = {"halves please": "".join(HALVES.pieces)}

# Each with its version, and with what it is asked.
RECORDED: Final[Mapping[str, tuple[Callable[[str, str], Setup], str, Talk]]] = {
    "opencode": (opencode, "1.2.15", LONG),
    "claude": (claude, "latest", LONG),
    "codex": (codex, "latest", LONG),
    "gemini": (gemini, "latest", SHORT),
    "qwen": (qwen, "latest", SHORT),
    "aider": (aider, "latest", SHORT),
    "llm": (llm, "latest", SHORT),
}


def recording_of(name: str) -> Path:
    """Return where the talk with an assistant is."""
    return Path(__file__).with_name(f"{name}.jsonl")


def play(console: Console, profile: Profile, talk: Talk) -> None:
    """Ask, leave, and check that each answer is all that was said, and nothing else."""
    with console.session(profile) as session:
        answers = [session.ask(question) for question in talk]
    for answer, said in zip(answers, talk.values(), strict=True):
        assert answer.complete is bool(said), answer
        assert bool(answer.failure) is not answer.complete, answer
        if said:
            unwrapped = re.sub(r"(?<!\n)\n(?!\n)", " ", answer.text)
            assert unwrapped == said, answer
    assert console.run("echo back").output == "back\n"


def record(name: str) -> None:
    """Write a recording anew."""
    make, version, talk = RECORDED[name]
    speeches = {**SPEECHES, "halves": HALVES}
    with tempfile.TemporaryDirectory() as directory, model_server(speeches) as model:
        server, home = Server(directory), Path(directory, "home")
        try:
            server.terminal.open(["cat"])  # keeps the server when the shell has ended
            setup = make(model.url, version)
            terminal: Terminal = RecordingTerminal(server.terminal, recording_of(name))
            play(open_console(terminal, setup, home), setup.profile, talk)
        finally:
            server.stop()
            end_what_is_left(home)


if __name__ == "__main__":
    record(sys.argv[1])
