"""The file: a line of JSON that says what it is, then one for each event.

A line is written whole, so what a crash leaves behind is readable up to its last line.
"""

import datetime as dt
import json
import math
from collections import defaultdict
from pathlib import Path
from typing import Any, Final

import attrs

from tmuxprim._errors import InvalidRecordingError, TmuxprimError
from tmuxprim._pane import Pane
from tmuxprim._recording._arguments import check_args
from tmuxprim._recording._changes import Changes
from tmuxprim._recording._event import ACTIONS, Answer, Event
from tmuxprim._recording._values import (
    HIDDEN,
    Fields,
    error_from_json,
    error_to_json,
    screen_from_json,
    screen_to_json,
    tty_from_json,
    tty_to_json,
)
from tmuxprim._screen import Screen
from tmuxprim._tty import TtyState

VERSION: Final = 1
_FORMAT: Final = "tmuxprim recording"
_CALLS: Final = (*ACTIONS, "observe", "probe", "listen", "panes", "resolve")
# A screen may hold half a surrogate pair, which UTF-8 proper has no bytes for.
_CODEC: Final = ("utf-8", "surrogatepass")
# What reading raises over a line that is JSON and yet no event.
_MISSHAPEN: Final = (
    *(ValueError, TypeError, LookupError, AttributeError),
    *(OverflowError, RecursionError),  # a number of a thousand digits, a list in a list in a list
)


@attrs.frozen
class Recording:
    """Is what a file holds.

    Args:
        timestamp: When it was recorded, in seconds since 1970.
        events: What was called, in order.
    """

    timestamp: int
    events: tuple[Event, ...]


class LineWriter:
    """Writes a recording, a line at a time; nothing is open in between.

    Args:
        path: The file; one that is there is overwritten.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.absolute()  # the program may go to another folder
        self._codec = _EventCodec()
        now = dt.datetime.now(dt.UTC).timestamp()
        path.touch(mode=0o600)  # a screen may show what is for its owner alone
        path.write_bytes(b"")
        self._append({"format": _FORMAT, "version": VERSION, "timestamp": int(now)})

    def write(self, event: Event) -> None:
        """Add an event."""
        self._append(self._codec.encode(event))

    def _append(self, fields: Fields) -> None:
        line = json.dumps(fields, ensure_ascii=False) + "\n"
        with self._path.open("ab") as file:
            file.write(line.encode(*_CODEC))


def read_recording(path: Path) -> Recording:
    """Read a file.

    Raises:
        InvalidRecordingError: If it is no recording, one of another version, or one with a line
            that is none. The last line may be cut off, as a crash leaves it.
    """
    first, *lines = path.read_bytes().split(b"\n")
    timestamp = _read_header(first, path)
    codec, events = _EventCodec(), list[Event]()
    for number, line in enumerate(lines, 2):
        try:
            events.append(codec.decode(json.loads(line.decode(*_CODEC))))
        except _MISSHAPEN as error:
            if number > len(lines):
                break  # nothing, or what a crash has cut off
            raise InvalidRecordingError(
                f"line {number} of {path} is no line of a recording: {error!r}; record it again"
            ) from error
    return Recording(timestamp, tuple(events))


def _read_header(line: bytes, path: Path) -> int:
    try:
        header = json.loads(line.decode(*_CODEC))
        is_ours = header["format"] == _FORMAT
    except _MISSHAPEN:
        is_ours = False
    if not is_ours:
        raise InvalidRecordingError(
            f"the first line of a recording says {_FORMAT!r}, got {line[:60]!r} in {path}; "
            "give a file that RecordingTerminal has written"
        )
    if header.get("version") != VERSION:
        raise InvalidRecordingError(
            f"this tmuxprim reads recordings of version {VERSION}, got "
            f"{header.get('version')!r} in {path}; record it again"
        )
    timestamp = header.get("timestamp", 0)
    if not isinstance(timestamp, int):
        raise InvalidRecordingError(
            f"a recording's timestamp is a whole number, got {timestamp!r} in {path}; "
            "record it again"
        )
    return timestamp


def _seconds(json: Any) -> float:  # noqa: ANN401  # of json.loads
    seconds = float(json)
    if not math.isfinite(seconds):  # which Python's JSON may be
        raise ValueError(f"a time is a finite number, got {seconds}")
    return seconds


class _EventCodec:
    """Turns events into JSON and back; it knows what was written of each pane before."""

    def __init__(self) -> None:
        self._changes: defaultdict[tuple[str, str], Changes] = defaultdict(Changes)

    def encode(self, event: Event) -> Fields:
        fields: Fields = {"at": round(event.at, 6), "call": event.call, "args": event.args}
        if event.old_until is not None:
            fields["old_until"] = round(event.old_until, 6)
        answer = event.answer
        if isinstance(answer, TmuxprimError):
            hide = HIDDEN in event.args.get("keys", ())
            return {**fields, "error": error_to_json(answer, hide=hide)}
        return {**fields, "answer": self._encode_answer(event.target, answer)}

    def decode(self, fields: Fields) -> Event:
        if fields["call"] not in _CALLS:
            raise ValueError(f"no call of a terminal: {fields['call']!r}")
        event = Event(_seconds(fields["at"]), fields["call"], {**fields["args"]})
        check_args(event.args)
        if "old_until" in fields:
            event = attrs.evolve(event, old_until=_seconds(fields["old_until"]))
        if "error" in fields:
            return attrs.evolve(event, answer=error_from_json(fields["error"]))
        return attrs.evolve(event, answer=self._decode_answer(event, fields["answer"]))

    def _encode_answer(self, target: str, answer: Answer) -> object:
        match answer:
            case Screen():
                return self._changes["screen", target].shrink(screen_to_json(answer))
            case TtyState():
                return self._changes["tty", target].shrink(tty_to_json(answer))
            case tuple():
                return [pane.target for pane in answer]
            case Pane():
                return answer.target
        return None

    def _decode_answer(self, event: Event, json: Any) -> Answer:  # noqa: ANN401  # of json.loads
        match event.call, json:
            case _, None:
                return None
            case "send" | "observe", _:
                return screen_from_json(self._changes["screen", event.target].grow(json))
            case "probe", _:
                return tty_from_json(self._changes["tty", event.target].grow(json))
            case "panes", _:
                return tuple(map(Pane, json))
        return Pane(json)
