"""Laws of recordings: values survive them, and a cast shows what was seen."""

import contextlib
import json
import tempfile
from pathlib import Path
from typing import Any, Final

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.recordings.bash_session import RECORDING, talk
from tmuxprim import (
    Cursor,
    Key,
    KeySequence,
    Layout,
    Paste,
    Screen,
    Size,
    TmuxCommandError,
    TmuxprimError,
    TtyState,
    _errors,
)
from tmuxprim._fake._display import Display
from tmuxprim._recording._asciicast import paint
from tmuxprim._recording._changes import Changes, overlap
from tmuxprim._recording._event import Event
from tmuxprim._recording._lines import LineWriter, read_recording
from tmuxprim._recording._values import (
    error_from_json,
    error_to_json,
    keys_from_json,
    keys_to_json,
    screen_from_json,
    screen_to_json,
    size_from_json,
    size_to_json,
    tty_from_json,
    tty_to_json,
)
from tmuxprim._width import text_columns
from tmuxprim.testing import ReplayTerminal, export_asciicast

brief = settings(max_examples=examples(50))

_ANY_JSON: Final = st.recursive(
    st.none()
    | st.booleans()
    | st.sampled_from([-1, 10**12, 10**400])
    | st.floats()
    | st.text(max_size=3)
    | st.sampled_from([{"hidden": True}, {"key": "Enter"}, "%0"]),
    lambda values: st.lists(values, max_size=2) | st.dictionaries(st.text(), values, max_size=2),
)
_MAYBE: Final = st.none() | st.booleans()
_COUNT: Final = st.none() | st.integers(0, 2**31)
TTYS: Final = st.builds(
    TtyState,
    canonical=st.booleans(),
    echo=st.booleans(),
    signals=st.booleans(),
    **dict.fromkeys(("edits", "foreground_is_pane", "reading", "only_reading", "relays"), _MAYBE),
    **dict.fromkeys(("foreground_pid", "reader_pid", "wakeups", "unread", "line_limit"), _COUNT),
)
SIZES: Final = st.builds(Size, st.integers(1, 12), st.integers(1, 5))
# Wide and combining characters, and half a surrogate pair, which a screen may hold.
_ROWS: Final = st.text("ab $λ日é\u0301\ud800", max_size=12).map(str.rstrip)
_SENDABLE: Final = st.text(st.characters(codec="utf-8", exclude_characters="\0"))
_PASTED: Final = st.text("ab\n日", min_size=1).map(Paste)
_KEYS: Final = st.sampled_from(["Enter", "C-c", "M-x", "S-Up", "F5", "a", ";", "é"]).map(Key)
KEYS: Final = st.lists(_SENDABLE | _PASTED | _KEYS).map(tuple).map(KeySequence)
# Those that a terminal raises; other modules, once loaded, have more.
_OF_TERMINALS: Final = [
    kind for kind in TmuxprimError.__subclasses__() if kind.__name__ in vars(_errors)
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
    screen = seen_on(display)
    # Like tmux 3.3a, where ASCII is put over the right half of a wide character in column 0, the
    # row keeps both: one column more than it has, which no other terminal can show.
    assume(all(text_columns(row) <= screen.size.columns for row in screen.rows))
    return screen


def seen_on(display: Display) -> Screen:
    """Return what a display shows."""
    return Screen(
        size=display.grid.size,
        rows=display.grid.rows,
        cursor=display.cursor,
        cursor_visible=display.cursor_visible,
    )


def through_json(value: Any) -> Any:  # noqa: ANN401  # of json
    """Return what a file gives back."""
    return json.loads(json.dumps(value))


@given(screens())
def test_a_screen_survives(screen: Screen) -> None:
    """All of it."""
    assert screen_from_json(through_json(screen_to_json(screen))) == screen


@given(TTYS)
def test_evidence_survives(tty: TtyState) -> None:
    """What is unknown stays unknown, and is no "no"."""
    assert tty_from_json(through_json(tty_to_json(tty))) == tty


@given(KEYS)
def test_keys_survive(keys: KeySequence) -> None:
    """Text stays text, and a key a key, even where they look alike."""
    assert keys_from_json(through_json(keys_to_json(keys))) == keys


@given(SIZES)
def test_a_size_survives(size: Size) -> None:
    """Columns come first."""
    assert size_from_json(through_json(size_to_json(size))) == size


@given(ERRORS)
def test_an_error_survives(error: TmuxprimError) -> None:
    """Its class, what it was made of, what it says."""
    found = error_from_json(through_json(error_to_json(error)))
    assert (type(found), found.args, str(found)) == (type(error), error.args, str(error))


@given(st.lists(screens(), max_size=5))
def test_changes_add_up(series: list[Screen]) -> None:
    """Whoever reads what has changed since the last screen knows the whole one."""
    writer, reader = Changes(), Changes()
    for screen in series:
        change = through_json(writer.shrink(screen_to_json(screen)))
        assert screen_from_json(reader.grow(change)) == screen


@given(st.lists(st.sampled_from("ab")), st.lists(st.sampled_from("ab")), st.integers(0, 9))
def test_a_history_goes_on_where_the_last_one_ends_with_its_beginning(
    old: list[str], more: list[str], scrolled: int
) -> None:
    """As far up as can be: the fewest rows are new."""
    for new in (more, old[scrolled:] + more):
        starts = range(len(old) + 1)
        assert overlap(old, new) == next(n for n in starts if new[: len(old) - n] == old[n:])


@brief
@given(st.lists(screens() | TTYS | ERRORS, max_size=6))
def test_a_file_gives_back_what_was_written(answers: list[Screen | TtyState]) -> None:
    """In order, whatever it was."""
    calls = {Screen: "observe", TtyState: "probe"}
    events = [
        Event(float(at), calls.get(type(answer), "open"), {"pane": "%0"}, answer)
        for at, answer in enumerate(answers)
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "session.jsonl")
        writer = LineWriter(path)
        for event in events:
            writer.write(event)
        found = read_recording(path).events
    assert [repr(event) for event in found] == [repr(event) for event in events]


@st.composite
def changed_recordings(draw: st.DrawFn) -> bytes:
    """Draw a good recording in which some value is another one."""
    lines: list[Any] = [json.loads(line) for line in RECORDING.read_bytes().splitlines()]
    place: Any = lines
    key: int | str = draw(st.integers(0, len(lines) - 1))
    while (value := place[key]) and isinstance(value, dict | list) and draw(st.integers(0, 9)):
        keys = list(value) if isinstance(value, dict) else range(len(value))
        place, key = value, draw(st.sampled_from(keys))
    place[key] = draw(_ANY_JSON)
    return b"\n".join(json.dumps(line).encode() for line in lines)


@given(changed_recordings())
def test_a_changed_recording_raises_no_foreign_error(content: bytes) -> None:
    """Whatever somebody has made of it by hand, it is told in the library's own words."""
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(TmuxprimError):
        path = Path(folder, "session.jsonl")
        path.write_bytes(content)
        replay = ReplayTerminal(path)
        export_asciicast(path, path.with_suffix(".cast"), keys=True)
        talk(replay)


@given(st.data(), SIZES)
def test_a_cast_shows_what_was_seen(data: st.DataObject, size: Size) -> None:
    """Rows, cursor and its visibility, screen after screen; nothing of the last one remains."""
    display = Display(size, 0)
    display.write("what was there before")
    last: Screen | None = None
    for screen in data.draw(st.lists(shown_screens(size), min_size=1, max_size=5)):
        display.write(paint(last, screen))
        assert seen_on(display) == screen
        last = screen


@given(shown_screens())
def test_the_same_screen_is_not_painted_again(screen: Screen) -> None:
    """A cast holds what changes."""
    assert paint(screen, screen) == ""
