"""A recording as an asciicast, version 2, which asciinema's player shows in a browser.

A recording holds screens, not what the program wrote. So the rows that have changed are painted
anew, each where it stands: ECMA-48's CUP, EL and ED, DEC's DECAWM and DECTCEM, and nothing else.

See https://docs.asciinema.org/manual/asciicast/v2/
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from tmuxprim._ansi import strip_ansi
from tmuxprim._errors import InvalidRecordingError
from tmuxprim._fake._input import to_characters
from tmuxprim._pane import Pane
from tmuxprim._recording._event import Event
from tmuxprim._recording._lines import read_recording
from tmuxprim._recording._values import HIDDEN, keys_from_json
from tmuxprim._screen import Screen
from tmuxprim._width import cut_at_column, text_columns

_VERSION: Final = 2


def export_asciicast(
    recording: str | Path,
    path: str | Path,
    *,
    pane: Pane | None = None,
    keys: bool = False,
    title: str = "tmuxprim",
) -> None:
    r"""Write one pane of a recording as a file that plays in a browser.

    Args:
        recording: What a `RecordingTerminal` has written.
        path: The file to write, by custom ``*.cast``; one that is there is overwritten.
        pane: The pane, by its id or its name; None is the first that was looked at.
        keys: Whether to write what was typed, too. What was hidden then is hidden here.
        title: What the player shows for a title.

    Raises:
        InvalidRecordingError: If it is no recording, or holds no screen of that pane.

    Examples:
        >>> import pathlib, tempfile
        >>> folder = tempfile.TemporaryDirectory()
        >>> path = pathlib.Path(folder.name, "session.jsonl")
        >>> terminal = RecordingTerminal(FakeTerminal(), path)
        >>> _ = Console(terminal, terminal.open()).run("echo hi")
        >>> export_asciicast(path, path.with_suffix(".cast"))
        >>> print(path.with_suffix(".cast").read_text().partition("\n")[0])
        {"version": 2, "width": 80, "height": 24, "timestamp": ..., "title": "tmuxprim"}
        >>> folder.cleanup()
    """
    recorded = read_recording(Path(recording))
    looks = _looks_at(pane, recorded.events)
    if not looks:
        raise InvalidRecordingError(
            "a cast shows screens of a pane, got none of "
            f"{pane.target if pane else 'any'!r} in {recording}; name a pane that was looked at"
        )
    size = looks[0][1].size
    header = {
        "version": _VERSION,
        "width": size.columns,
        "height": size.rows,
        "timestamp": recorded.timestamp,
        "title": title,
    }
    lines = [header, *_to_cast(looks, keys=keys)]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    Path(path).write_text(text, encoding="utf-8")


def _looks_at(pane: Pane | None, events: Iterable[Event]) -> list[tuple[Event, Screen]]:
    """Return the looks at a pane, by whichever of its names, in the order of time."""
    # Each thread writes a look down once it has ended, and with it when it began.
    events = sorted(events, key=lambda event: event.at)
    ids = {
        event.target or str(event.args.get("name") or ""): event.answer.target
        for event in events
        if isinstance(event.answer, Pane)
    }
    looks = [
        (ids.get(event.target, event.target), event, event.answer)
        for event in events
        if isinstance(event.answer, Screen)
    ]
    shown = {ids.get(pane.target, pane.target)} if pane else {first for first, *_ in looks[:1]}
    return [(event, screen) for looked_at, event, screen in looks if looked_at in shown]


def _to_cast(
    looks: Sequence[tuple[Event, Screen]], *, keys: bool
) -> Iterator[tuple[float, str, str]]:
    """Yield the events of a cast: output, new sizes and, if asked for, what was typed."""
    last: Screen | None = None
    for event, screen in looks:
        if last and last.size != screen.size:
            yield event.at, "r", str(screen.size)
            last = None
        if painted := paint(last, screen):
            yield event.at, "o", painted
        last = screen
        shown = [part for part in event.args.get("keys", ()) if part != HIDDEN]
        if typed := to_characters(keys_from_json(shown)) if keys else "":
            yield event.at, "i", typed


def paint(last: Screen | None, screen: Screen) -> str:
    """Return what makes a terminal that shows *last* show *screen*; None is an unknown screen."""
    before = last.rows if last else ("",) * screen.size.rows
    changed = "".join(
        _go_to(number, 0) + "\x1b[2K" + strip_ansi(row)
        for number, row in enumerate(screen.rows)
        if row != before[number]
    )
    painted = "" if last else "\x1b[2J"
    if changed:
        # To a player a row may be wider than to tmux: it must not wrap, nor scroll the last one.
        painted += f"\x1b[?7l{changed}\x1b[?7h"
    if last is None or last.cursor_visible != screen.cursor_visible:
        painted += f"\x1b[?25{'h' if screen.cursor_visible else 'l'}"
    if not painted and last and last.cursor == screen.cursor:
        return ""
    return painted + _place_cursor(screen)


def _place_cursor(screen: Screen) -> str:
    """Return what moves the cursor; behind a full row it stands only who has just filled it."""
    cursor, columns = screen.cursor, screen.size.columns
    if cursor.column < columns:
        return _go_to(cursor.row, cursor.column)
    row = cut_at_column(strip_ansi(screen.cursor_line), columns)
    last = next(at for at in reversed(range(len(row))) if text_columns(row[:at]) < columns)
    return _go_to(cursor.row, text_columns(row[:last])) + row[last:]


def _go_to(row: int, column: int) -> str:
    return f"\x1b[{row + 1};{column + 1}H"
