"""What is recorded in ``bash.jsonl`` and played back: one talk with bash, and what came of it.

Record it again, after a change, with ``python -m tests.recordings.bash_session``.
"""

import tempfile
from pathlib import Path

from tests.tmux_server import Server
from tmuxprim import Console, Size, Terminal
from tmuxprim.testing import RecordingTerminal

RECORDING = Path(__file__).with_name("bash.jsonl")
ARGV = ("bash", "--norc", "--noprofile")
PASSWORD = "correct horse"  # noqa: S105  # the recording must not hold it


def open_bash(terminal: Terminal) -> Console:
    """Return a console on a bash without anybody's settings."""
    env = {"PS1": "$ ", "HISTFILE": "/dev/null"}
    return Console(terminal, terminal.open(ARGV, size=Size(60, 12), env=env))


def talk(terminal: Terminal, *, password: str = PASSWORD) -> list[str]:
    """Run commands, answer questions, wait in vain; return what was seen."""
    console = open_bash(terminal)
    seen = [str(console.wait_ready().outcome)]
    seen += [console.run(command).output for command in ("echo hi", "seq 40", "true", "clear")]
    console.send("read -p 'Sure? ' answer")
    seen.append(console.wait_ready().reason)
    console.send("yes")
    console.wait_ready()
    console.send("read -s -p 'Password: ' secret")
    seen.append(console.wait_ready().reason)
    console.send(password)
    console.wait_ready()
    seen.append(console.run("echo ${#secret} letters for $answer").output)
    mark = console.send("sleep 0.4; echo done; cat")
    seen.append(console.wait_ready(timeout=0.1).reason)
    seen.append(console.wait_for("done").reason)
    seen.append(f"{mark.screen.before_cursor}|{mark.prompt}")
    console.keys("C-c")
    seen.append(console.wait_ready().reason)
    seen.append(console.read())
    console.send("exit")
    return [*seen, str(console.wait_ready().outcome)]


def record() -> None:
    """Write ``bash.jsonl`` anew."""
    with tempfile.TemporaryDirectory() as directory:
        server = Server(directory)
        try:
            server.terminal.open(["cat"])  # keeps the server when bash has exited
            talk(RecordingTerminal(server.terminal, RECORDING))
        finally:
            server.stop()


if __name__ == "__main__":
    record()
