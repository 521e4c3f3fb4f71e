"""A recording as an asciicast, version 2, which asciinema's player shows in a browser.

A recording holds screens, not raw output. So the cast paints each changed row in its place, with
ECMA-48's CUP, EL and ED and DEC's DECAWM and DECTCEM only.

See https://docs.asciinema.org/manual/asciicast/v2/
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import NoneType
from typing import Final

from tmuxprim._recording.recorded_events import read_recording
from tmuxprim._values.ansi import strip_ansi
from tmuxprim._values.argument_types import check_type
from tmuxprim._values.pane import Pane
from tmuxprim._values.screen import Screen
from tmuxprim.errors import InvalidRecordingError

_VERSION: Final = 2


def export_asciicast(
    recording: str | Path,
    path: str | Path,
    *,
    pane: Pane | None = None,
    title: str = "tmuxprim",
) -> None:
    r"""Write one pane of a recording as a file that plays in a browser.

    Args:
        recording: The file of a `RecordingTerminal`.
        path: The file to write, usually ``*.cast``; an existing one is overwritten.
        pane: The pane, as the recorded calls name it; None is the first pane of a recorded screen.
        title: The title in the player.

    Raises:
        InvalidRecordingError: If the file is not a recording, or holds no screen of that pane.

    Examples:
        >>> import pathlib, tempfile
        >>> directory = tempfile.TemporaryDirectory()
        >>> path = pathlib.Path(directory.name, "session.jsonl")
        >>> terminal = RecordingTerminal(FakeTerminal(), path)
        >>> _ = Console(terminal, terminal.open()).run("echo hi")
        >>> export_asciicast(path, path.with_suffix(".cast"))
        >>> print(path.with_suffix(".cast").read_text().partition("\n")[0])
        {"version": 2, "width": 80, "height": 24, "timestamp": ..., "title": "tmuxprim"}
        >>> directory.cleanup()
    """
    check_type("pane", pane, Pane, NoneType)
    recorded = read_recording(Path(recording))
    looks = [(event, event.answer) for event in recorded.events if isinstance(event.answer, Screen)]
    shown = [pane.target] if pane else [event.pane for event, _ in looks[:1]]
    screens = [(event.at, screen) for event, screen in looks if event.pane in shown]
    if not screens:
        raise InvalidRecordingError(
            "a cast needs screens of a pane, got none of "
            f"{pane.target if pane else 'any'!r} in {recording}; "
            "name a pane whose screen was recorded"
        )
    size = screens[0][1].size
    header = {
        "version": _VERSION,
        "width": size.columns,
        "height": size.rows,
        "timestamp": recorded.timestamp,
        "title": title,
    }
    lines = [header, *_to_cast(screens)]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    Path(path).write_text(text, encoding="utf-8")


def _to_cast(screens: Iterable[tuple[float, Screen]]) -> Iterator[tuple[float, str, str]]:
    """Yield the events of a cast: output and new sizes."""
    last: Screen | None = None
    for at, screen in screens:
        if last and last.size != screen.size:
            yield at, "r", str(screen.size)
            last = None
        if painted := paint(last, screen):
            yield at, "o", painted
        last = screen


def paint(last: Screen | None, screen: Screen) -> str:
    """Return what makes a terminal that shows *last* show *screen*; None is an unknown screen."""
    before = last.rows if last else ("",) * screen.size.rows
    painted = ("" if last else "\x1b[2J") + _paint_rows(before, screen.rows)
    if last is None or last.cursor_visible != screen.cursor_visible:
        painted += f"\x1b[?25{'h' if screen.cursor_visible else 'l'}"
    if not painted and last and last.cursor == screen.cursor:
        return ""
    # No control sequence moves the cursor behind a full row, as writing does.
    column = min(screen.cursor.column, screen.size.columns - 1)
    return painted + _go_to(screen.cursor.row, column)


def _paint_rows(before: tuple[str, ...], rows: tuple[str, ...]) -> str:
    changed = "".join(
        _go_to(number, 0) + "\x1b[2K" + strip_ansi(row)
        for number, row in enumerate(rows)
        if row != before[number]
    )
    # To a player a row may be wider than to tmux: it must not wrap, nor scroll the last one.
    return f"\x1b[?7l{changed}\x1b[?7h" if changed else ""


def _go_to(row: int, column: int) -> str:
    return f"\x1b[{row + 1};{column + 1}H"
