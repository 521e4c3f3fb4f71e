"""Laws of recordings: values survive them, and a cast shows what was seen."""

import tempfile
from pathlib import Path
from typing import Final

import attrs
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tmuxprim import (
    CommandError,
    Cursor,
    Screen,
    Size,
    TmuxCommandError,
    TmuxprimError,
    TtyState,
    errors,
)
from tmuxprim._fake.display import Display
from tmuxprim._recording.asciicast import paint
from tmuxprim._recording.recorded_events import (
    RecordedEvent,
    RecordingFile,
    read_recording,
)
from tmuxprim.testing import Layout

brief = settings(max_examples=examples(100))

_MAYBE: Final = st.none() | st.booleans()
_COUNT: Final = st.none() | st.integers(0, 2**31)
TTYS: Final = st.builds(
    TtyState,
    canonical=st.booleans(),
    echo=st.booleans(),
    signals=st.booleans(),
    **dict.fromkeys(
        ("edits", "foreground_is_pane", "reading", "only_reading", "passes_on"), _MAYBE
    ),
    **dict.fromkeys(("foreground_pid", "reader_pid", "wakeups", "unread", "line_limit"), _COUNT),
)
SIZES: Final = st.builds(Size, st.integers(1, 12), st.integers(1, 5))
# Wide and combining characters, and half a surrogate pair, which a screen may hold.
_ROWS: Final = st.text("ab $λ日é\u0301\ud800", max_size=12).map(str.rstrip)
# Those that a terminal raises; other modules, once loaded, have more, and a console has its own.
_OF_TERMINALS: Final = [
    kind
    for kind in TmuxprimError.__subclasses__()
    if kind.__name__ in vars(errors) and kind is not CommandError
]
_KINDS: Final = st.sampled_from([kind for kind in _OF_TERMINALS if kind is not TmuxCommandError])
_COMMAND_ERRORS: Final = st.builds(
    TmuxCommandError, st.lists(st.text()), st.integers(0, 255), st.text()
)
ERRORS: Final = st.builds(lambda kind, text: kind(text), _KINDS, st.text()) | _COMMAND_ERRORS


@st.composite
def screens(draw: st.DrawFn) -> Screen:
    """Draw any screen."""
    size = draw(SIZES)
    history = draw(st.lists(_ROWS, max_size=4))
    count = len(history) + size.rows
    return Screen(
        size=size,
        rows=tuple(draw(st.lists(_ROWS, min_size=size.rows, max_size=size.rows))),
        cursor=Cursor(draw(st.integers(0, size.rows - 1)), draw(st.integers(0, size.columns))),
        history=tuple(history),
        layout=Layout(
            tuple(draw(st.lists(st.booleans(), max_size=count))),
            tuple(draw(st.lists(st.integers(0, 3), max_size=count))),
        ),
        history_size=draw(st.integers(len(history), 99)),
        alternate=draw(st.booleans()),
        mode=draw(st.sampled_from(["", "copy-mode"])),
        exit_status=draw(_COUNT),
        title=draw(st.text(max_size=3)),
    )


@st.composite
def shown_screens(draw: st.DrawFn, size: Size | None = None) -> Screen:
    """Draw a screen that a terminal can show: what some output makes of it."""
    display = Display(size or draw(SIZES), 9)
    pieces = st.sampled_from([*"ab $日é\n\r\b", "\x1b[2J", "\x1b[H", "\x1b[2;3H", "\x1b[?25l"])
    display.write("".join(draw(st.lists(pieces, max_size=60))))
    return seen_on(display)


def seen_on(display: Display) -> Screen:
    """Return what a display shows."""
    return Screen(
        size=display.grid.size,
        rows=display.grid.rows,
        cursor=display.cursor,
        cursor_visible=display.cursor_visible,
    )


@brief
@given(st.lists(screens() | TTYS | ERRORS, max_size=6))
def test_a_file_gives_back_what_was_written(answers: list[Screen | TtyState]) -> None:
    """In order and with all of it; what is unknown stays unknown, and is no "no"."""
    calls = {Screen: "observe", TtyState: "probe"}
    events = [
        RecordedEvent(float(at), calls.get(type(answer), "open"), {"pane": "%0"}, answer)
        for at, answer in enumerate(answers)
    ]
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "session.jsonl")
        file = RecordingFile(path)
        for event in events:
            file.write(event)
        found = read_recording(path).events
    assert [all_of(event) for event in found] == [all_of(event) for event in events]


def all_of(event: RecordedEvent) -> object:
    """Return all fields of an event, also those that a comparison of its answer ignores."""
    answer = event.answer
    fields = attrs.asdict(answer) if isinstance(answer, (Screen, TtyState)) else repr(answer)
    return event.at, event.call, event.args, fields


@given(st.data(), SIZES)
def test_a_cast_shows_what_was_seen(data: st.DataObject, size: Size) -> None:
    """Rows, cursor and its visibility, screen after screen; nothing of the last one remains.

    But a cursor that waits behind a full row is shown on its last cell.
    """
    display = Display(size, 0)
    display.write("what was there before")
    last: Screen | None = None
    for screen in data.draw(st.lists(shown_screens(size), min_size=1, max_size=5)):
        display.write(paint(last, screen))
        column = min(screen.cursor.column, size.columns - 1)
        assert seen_on(display) == attrs.evolve(screen, cursor=Cursor(screen.cursor.row, column))
        last = screen


@given(shown_screens())
def test_the_same_screen_is_not_painted_again(screen: Screen) -> None:
    """A cast holds what changes."""
    assert paint(screen, screen) == ""
