"""A real session, played back without tmux: the same results, in no time."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.recordings.bash_session import PASSWORD, open_bash, talk
from tests.tmux_server import Server
from tmuxprim import Console, Outcome, Screen, Size, Terminal, TmuxTerminal
from tmuxprim._recording.recorded_events import read_recording
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
    seen = session(RecordingTerminal(terminal, path))
    replay = ReplayTerminal(path)
    assert session(replay) == seen
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


def play(recording: Path, player: Server, size: Size) -> Screen:
    """Print a cast of *recording* in a real pane, as a player would, and return what it shows."""
    cast, output = recording.with_suffix(".cast"), recording.with_suffix(".output")
    export_asciicast(recording, cast)
    events = [json.loads(line) for line in cast.read_text().splitlines()[1:]]
    output.write_text("".join(data for _, code, data in events if code == "o"))
    pane = player.terminal.open(["cat", str(output), "-"], size=size)
    return Console(player.terminal, pane).wait_ready().screen


def last_screen(recording: Path) -> Screen:
    """Return what was seen last."""
    return [e.answer for e in read_recording(recording).events if isinstance(e.answer, Screen)][-1]


def test_a_cast_shows_in_a_real_pane_what_was_seen(server: Server, tmp_path: Path) -> None:
    """What a player would print, printed by cat, is the last screen of the recording."""
    path = tmp_path / "session.jsonl"
    scroll(RecordingTerminal(server.terminal, path))
    shown, seen = play(path, server, Size(60, 12)), last_screen(path)
    assert shown.rows == seen.rows
    assert shown.cursor == seen.cursor


def test_a_row_that_is_too_wide_for_a_player_scrolls_nothing(
    server: Server, tmp_path: Path
) -> None:
    """As one with an emoji may be; here the player has a column less."""
    path = tmp_path / "session.jsonl"
    terminal = RecordingTerminal(server.terminal, path)
    argv = ["sh", "-c", "seq -s '' 500 | head -c 1380; cat"]
    Console(terminal, terminal.open(argv, size=Size(60, 12))).wait_ready()
    seen = last_screen(path)
    assert {len(row) for row in seen.rows} == {60}
    assert play(path, server, Size(59, 12)).rows == tuple(row[:58] + row[-1] for row in seen.rows)
