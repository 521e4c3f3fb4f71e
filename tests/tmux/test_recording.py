"""A real session, played back without tmux: the same results, in no time."""

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.recordings.bash_session import PASSWORD, open_bash, talk
from tests.tmux_server import Server
from tmuxprim import Console, Outcome, Screen, Size, Terminal, TmuxTerminal
from tmuxprim._recording._lines import read_recording
from tmuxprim.testing import RecordingTerminal, ReplayTerminal, export_asciicast

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash")]


def edit(terminal: Terminal) -> list[str]:
    """Write a line in vim and leave; return what was seen."""
    console = open_bash(terminal)
    console.wait_ready()
    console.send("vim -u NONE -i NONE")
    seen = [str(console.wait_ready().outcome)]
    console.keys("i")
    console.wait_ready()
    console.send("hello", enter=False)
    seen.append(console.wait_ready().screen.rows[0])
    console.keys("Escape")
    console.wait_ready()
    console.send(":q!")
    seen.append(console.wait_ready().reason)
    return [*seen, console.run("echo $?").output]


def scroll(terminal: Terminal) -> list[str]:
    """Let much scroll by, with pauses; return what was seen."""
    console = open_bash(terminal)
    seen = []
    for number in range(3):
        console.send("for i in $(seq 60); do echo row $i; done; sleep 0.2; echo end")
        seen.append(console.wait_for("end").reason)
        seen.append(console.wait_ready().reason)
        seen.append(console.run(f"seq {number * 50}").output)
    return [*seen, console.read(lines=150)]


SESSIONS = [talk, pytest.param(edit, marks=pytest.mark.needs("vim")), scroll]


@pytest.mark.parametrize("session", SESSIONS)
def test_the_same_code_sees_the_same(
    terminal: TmuxTerminal, session: Callable[[Terminal], list[str]], tmp_path: Path
) -> None:
    """Run, questions, a password, waits in vain, full-screen programs, long outputs."""
    path = tmp_path / "session.jsonl"
    terminal.open(["cat"])  # keeps the server when bash has exited
    began = time.monotonic()
    seen = session(RecordingTerminal(terminal, path))
    took = time.monotonic() - began
    replay = ReplayTerminal(path)
    began = time.process_time()
    assert session(replay) == seen
    assert time.process_time() - began < took / 2
    replay.assert_finished()
    assert PASSWORD not in path.read_text()
    assert path.stat().st_size < 200_000


def test_an_hour_is_no_time(terminal: TmuxTerminal, tmp_path: Path) -> None:
    """A wait in vain for long is one for short, to a replay."""
    path = tmp_path / "session.jsonl"

    def wait(terminal: Terminal, timeout: float) -> Outcome:
        console = open_bash(terminal)
        console.wait_ready()
        console.send("sleep 100000")
        return console.wait_ready(timeout=timeout).outcome

    assert wait(RecordingTerminal(terminal, path), 0.2) is Outcome.TIMEOUT
    replay = ReplayTerminal(path)
    assert wait(replay, 3600.0) is Outcome.TIMEOUT
    assert replay.clock.now() > 3600.0


def test_a_cast_shows_in_a_real_pane_what_was_seen(server: Server, tmp_path: Path) -> None:
    """What a player would print, printed by cat, is the last screen of the recording."""
    path, cast, output = (tmp_path / name for name in ("session.jsonl", "cast", "output"))
    scroll(RecordingTerminal(server.terminal, path))
    export_asciicast(path, cast)
    screens = [e.answer for e in read_recording(path).events if isinstance(e.answer, Screen)]
    events = [json.loads(line) for line in cast.read_text().splitlines()[1:]]
    output.write_text("".join(data for _, code, data in events if code == "o"))
    pane = server.terminal.open(["cat", str(output), "-"], size=Size(60, 12))
    shown = Console(server.terminal, pane).wait_ready().screen
    assert shown.rows == screens[-1].rows
    assert shown.cursor == screens[-1].cursor
