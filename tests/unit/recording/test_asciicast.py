"""A cast plays what was recorded."""

import json
from pathlib import Path
from typing import Any

import attrs
import pytest

from tests.recordings.bash_session import RECORDING
from tests.unit.builders import screen
from tmuxprim import Console, Cursor, FakeTerminal, KeySequence, Pane, Screen, Size
from tmuxprim._fake.display import Display
from tmuxprim._recording.asciicast import paint
from tmuxprim._recording.recorded_events import read_recording
from tmuxprim.errors import InvalidRecordingError
from tmuxprim.testing import RecordingTerminal, export_asciicast


@pytest.fixture
def cast(tmp_path: Path) -> Path:
    """Give a path for a cast."""
    return tmp_path / "session.cast"


def lines(cast: Path) -> tuple[dict[str, Any], list[list[Any]]]:
    """Return the header and the events of a cast."""
    header, *events = map(json.loads, cast.read_text().splitlines())
    return header, events


def test_it_is_an_asciicast(cast: Path) -> None:
    """Version 2: a header of what the player needs, then time, code and data of each event."""
    export_asciicast(RECORDING, cast, title="bash at work")
    header, events = lines(cast)
    assert header == {
        "version": 2,
        "width": 60,
        "height": 12,
        "timestamp": read_recording(RECORDING).timestamp,
        "title": "bash at work",
    }
    assert {code for _, code, _ in events} == {"o"}
    times = [time for time, _, _ in events]
    assert times == sorted(times)


def test_it_shows_what_was_seen(cast: Path) -> None:
    """At the time of each recorded screen a player shows its rows and its cursor."""
    export_asciicast(RECORDING, cast)
    display, remaining = Display(Size(60, 12), 0), lines(cast)[1]
    for event in read_recording(RECORDING).events:
        if isinstance(screen := event.answer, Screen):
            while remaining and remaining[0][0] <= event.at:
                display.write(remaining.pop(0)[2])
            assert (display.grid.rows, display.cursor) == (screen.rows, screen.cursor)
    assert remaining == []


def test_a_new_size(tmp_path: Path, cast: Path) -> None:
    """It is told, and the whole screen is painted anew."""
    path = tmp_path / "session.jsonl"
    terminal = RecordingTerminal(FakeTerminal(), path)
    pane = terminal.open(size=Size(30, 5))
    Console(terminal, pane).wait_ready()
    terminal.resize(pane, Size(20, 4))
    terminal.observe(pane)
    export_asciicast(path, cast)
    codes = [(code, data) for _, code, data in lines(cast)[1]]
    assert ("r", "20x4") in codes
    assert codes[-1][1].startswith("\x1b[2J")


def test_one_of_several_panes(tmp_path: Path, cast: Path) -> None:
    """The first that was looked at, or the one that is named."""
    path = tmp_path / "session.jsonl"
    terminal = RecordingTerminal(FakeTerminal(), path)
    panes = [terminal.open(size=Size(columns, 5)) for columns in (20, 30)]
    for pane in panes:
        terminal.observe(pane)
    export_asciicast(path, cast)
    assert lines(cast)[0]["width"] == 20
    export_asciicast(path, cast, pane=panes[1])
    assert lines(cast)[0]["width"] == 30


def test_no_row_wraps_in_a_player() -> None:
    """Which may take a character for wider than tmux does, and would scroll a full screen."""
    first = screen("heart \u2764\ufe0f 7\nab", size=Size(9, 2))
    later = attrs.evolve(first, rows=(first.rows[0], "12345678e\u0301"), cursor=Cursor(1, 9))
    rows = "\x1b[?7l\x1b[1;1H\x1b[2Kheart \u2764\ufe0f 7\x1b[2;1H\x1b[2Kab\x1b[?7h"
    assert paint(None, first) == f"\x1b[2J{rows}\x1b[?25h\x1b[2;3H"
    # Nothing but writing moves a cursor behind a full row.
    last = "\x1b[2;9H"
    assert paint(first, later) == f"\x1b[?7l\x1b[2;1H\x1b[2K{later.rows[1]}\x1b[?7h{last}"
    moved = attrs.evolve(later, cursor=Cursor(1, 0))
    assert paint(later, moved) == "\x1b[2;1H"


@pytest.mark.parametrize(("pane", "told"), [(None, "'any'"), (Pane("%7"), "'%7'")])
def test_nothing_to_show(tmp_path: Path, cast: Path, pane: Pane | None, told: str) -> None:
    """A pane that nobody looked at makes no cast."""
    path = tmp_path / "session.jsonl"
    RecordingTerminal(FakeTerminal(), path).open()
    with pytest.raises(InvalidRecordingError) as raised:
        export_asciicast(path, cast, pane=pane)
    assert str(raised.value) == (
        f"a cast needs screens of a pane, got none of {told} in {path}; "
        "name a pane whose screen was recorded"
    )
    assert not cast.exists()


def test_a_repeated_screen_is_no_event(tmp_path: Path, cast: Path) -> None:
    """Keys that change nothing are no output."""
    path = tmp_path / "session.jsonl"
    terminal = RecordingTerminal(FakeTerminal(), path)
    pane = terminal.open()
    terminal.send(pane, KeySequence(()))
    terminal.send(pane, KeySequence(()))
    export_asciicast(path, cast)
    assert len(lines(cast)[1]) == 1
