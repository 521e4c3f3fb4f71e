"""The file: written line by line, and read as long as it can be trusted."""

from pathlib import Path

import attrs
import pytest

from tests.unit.builders import AT_PROMPT, LISTED, screen
from tmuxprim._recording.recorded_events import RecordedEvent, RecordingFile, read_recording
from tmuxprim.errors import InvalidRecordingError

EVENTS = (
    RecordedEvent(0.5, "panes", {}, (LISTED,)),
    RecordedEvent(1.0, "observe", {"pane": "%7", "history": 0}, screen("$ λ \ud800")),
    RecordedEvent(1.5, "probe", {"pane": "%7"}, AT_PROMPT),
    RecordedEvent(
        1.7, "probe", {"pane": "%7"}, attrs.evolve(AT_PROMPT, children=frozenset((12, 11)))
    ),
    RecordedEvent(2.0, "probe", {"pane": "%7"}, None),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Give a file with some events."""
    path = tmp_path / "session.jsonl"
    file = RecordingFile(path)
    for event in EVENTS:
        file.write(event)
    return path


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


_OTHER_VERSION = b'{"format": "tmuxprim recording", "version": 1, "timestamp": 5}\n'
_NO_TIME = b'{"format": "tmuxprim recording", "version": 2, "timestamp": "today"}\n'


@pytest.mark.parametrize(
    "first",
    [b"", b"hello\n", b"[]\n", b'{"format": "x"}\n', b"\xff\xfe", _OTHER_VERSION, _NO_TIME],
)
def test_no_recording(path: Path, first: bytes) -> None:
    """Another file is told from one, so is an empty one, and one of another version."""
    path.write_bytes(first)
    with pytest.raises(InvalidRecordingError) as raised:
        read_recording(path)
    got = first.rstrip(b"\n")[:80]
    assert str(raised.value) == (
        "a recording begins with the format 'tmuxprim recording' and the version 2, got "
        f"{got!r} in {path}; record it again with RecordingTerminal"
    )


@pytest.mark.parametrize(
    "line",
    [
        "",
        "not JSON",
        "[]",
        "{}",
        '{"at": "x", "call": "probe", "args": {}, "answer": null}',
        '{"at": 1, "call": "probe", "args": {}}',
        '{"at": 1, "call": "probe", "args": 7, "answer": null}',
        f'{{"at": 1, "call": "probe", "args": {{}}, "answer": {"[" * 100_000}}}',
        '{"at": 1, "call": "probe", "args": {}, "answer": {}}',
        '{"at": 1, "call": "probe", "args": {}, "answer": 5}',
        '{"at": 1, "call": "observe", "args": {}, "answer": {"rows": [], "size": [1]}}',
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
