"""The file: written line by line, and read as long as it can be trusted."""

from pathlib import Path

import pytest

from tests.unit.builders import AT_PROMPT, PANE, screen
from tmuxprim import InvalidRecordingError
from tmuxprim._recording._event import Event, require
from tmuxprim._recording._lines import LineWriter, read_recording

EVENTS = (
    Event(0.5, "panes", {}, (PANE,)),
    Event(1.0, "observe", {"pane": "%7", "history": 0}, screen("$ λ \ud800")),
    Event(1.5, "probe", {"pane": "%7"}, AT_PROMPT),
    Event(2.0, "probe", {"pane": "%7"}, None),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Give a file with some events."""
    path = tmp_path / "session.jsonl"
    writer = LineWriter(path)
    for event in EVENTS:
        writer.write(event)
    return path


def test_what_is_written_is_read(path: Path) -> None:
    """All of it, and when."""
    recording = read_recording(path)
    assert recording.events == EVENTS
    assert recording.timestamp > 1_700_000_000


def test_it_can_be_read_by_a_person(path: Path) -> None:
    """A prompt's character is itself, and a line is an event."""
    text = path.read_bytes().decode(errors="replace")
    assert "λ" in text
    assert text.count("\n") == 1 + len(EVENTS)


@pytest.mark.parametrize("cut", [1, 2, 30, 60])
def test_a_crash_cuts_the_last_line_off(path: Path, cut: int) -> None:
    """All that was written before is there; a missing line end alone is no loss."""
    path.write_bytes(path.read_bytes()[:-cut])
    expected = EVENTS if cut == 1 else EVENTS[:-1]
    assert read_recording(path).events == expected


def test_it_is_cut_off_after_its_header(path: Path) -> None:
    """Nothing was recorded, and that is all."""
    path.write_bytes(path.read_bytes().partition(b"\n")[0])
    assert read_recording(path).events == ()


@pytest.mark.parametrize("first", [b"", b"hello\n", b"[]\n", b'{"format": "x"}\n', b"\xff\xfe"])
def test_no_recording(path: Path, first: bytes) -> None:
    """Another file is told from one, an empty one, too."""
    path.write_bytes(first)
    with pytest.raises(InvalidRecordingError, match="the first line of a recording says") as raised:
        read_recording(path)
    assert str(path) in str(raised.value)
    assert "give a file that RecordingTerminal has written" in str(raised.value)


@pytest.mark.parametrize("version", ["2", "null", '"1"'])
def test_another_version(path: Path, version: str) -> None:
    """What this version cannot read it does not guess at."""
    path.write_text(f'{{"format": "tmuxprim recording", "version": {version}}}\n')
    with pytest.raises(InvalidRecordingError, match="reads recordings of version 1, got"):
        read_recording(path)


@pytest.mark.parametrize("timestamp", ["null", '"abc"', "NaN"])
def test_no_time_when_it_was_recorded(path: Path, timestamp: str) -> None:
    """A cast would tell it to the player."""
    header = f'{{"format": "tmuxprim recording", "version": 1, "timestamp": {timestamp}}}'
    path.write_text(header + "\n")
    with pytest.raises(InvalidRecordingError, match="timestamp is a whole number, got"):
        read_recording(path)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "not JSON",
        "[]",
        "{}",
        '{"at": 1, "call": "dance", "args": {}, "answer": null}',
        '{"at": "x", "call": "probe", "args": {}, "answer": null}',
        '{"at": 1, "call": "probe", "args": {}}',
        '{"at": NaN, "call": "probe", "args": {}, "answer": null}',
        f'{{"at": {10**400}, "call": "probe", "args": {{}}, "answer": null}}',
        f'{{"at": 1, "call": "probe", "args": {{}}, "answer": {"[" * 100_000}}}',
        '{"at": 1, "call": "observe", "args": {}, "old_until": Infinity, "answer": null}',
        '{"at": 1, "call": "send", "args": {"keys": NaN}, "answer": null}',
        '{"at": 1, "call": "send", "args": {"keys": "ls"}, "answer": null}',
        '{"at": 1, "call": "send", "args": {"keys": [5]}, "answer": null}',
        '{"at": 1, "call": "send", "args": {"keys": [{"key": "Entre"}]}, "answer": null}',
        '{"at": 1, "call": "resize", "args": {"size": [80]}, "answer": null}',
        '{"at": 1, "call": "probe", "args": {}, "answer": {}}',
        '{"at": 1, "call": "observe", "args": {}, "answer": {"size": [1]}}',
        '{"at": 1, "call": "resolve", "args": {}, "answer": "%x"}',
        '{"at": 1, "call": "close", "args": {}, "error": ["NoError", ""]}',
    ],
)
def test_a_broken_line(path: Path, line: str) -> None:
    """A line in the middle that is no event makes the whole file worthless, and is named."""
    header, *events = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([header, line.encode(), *events]))
    with pytest.raises(InvalidRecordingError, match=f"line 2 of {path} is no line of a recording"):
        read_recording(path)


def test_an_answer_of_another_kind() -> None:
    """It is refused where it is asked for."""
    with pytest.raises(InvalidRecordingError, match="has a Screen for its answer, got None"):
        require(None, type(screen()))
