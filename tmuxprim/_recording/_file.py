"""The file: a line of JSON that says what it is, then a line for each event.

A line is written whole, so what a crash leaves behind is readable up to its last line. Screens
and evidence are written as the fields that have changed since the last ones of the same pane.
"""

import datetime as dt
import json
from collections import defaultdict
from pathlib import Path
from typing import Final, TypeAlias

import attrs

from tmuxprim._errors import InvalidRecordingError, TmuxprimError
from tmuxprim._recording._event import Event
from tmuxprim._recording._values import Fields, error_from_json, error_to_json, from_json, to_json

VERSION: Final = 2
_FORMAT: Final = "tmuxprim recording"
# The fields of the last screen and the last evidence of each pane.
Known: TypeAlias = defaultdict[tuple[str, bool], Fields]
# What reading raises over a line that is no event.
_MISSHAPEN: Final = (ValueError, TypeError, LookupError, AttributeError, RecursionError)


@attrs.frozen
class Recording:
    """The contents of a file.

    Args:
        timestamp: When it was recorded, in seconds since 1970.
        events: All calls, in order.
    """

    timestamp: int
    events: tuple[Event, ...]


class RecordingFile:
    """A file to which events are added; it is not kept open in between.

    Args:
        path: The file; one that is there is overwritten.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.absolute()  # the program may go to another folder
        self._known = Known(dict)
        path.touch(mode=0o600)  # a screen may show what is for its owner alone
        path.write_bytes(b"")
        now = dt.datetime.now(dt.UTC).timestamp()
        self._append({"format": _FORMAT, "version": VERSION, "timestamp": int(now)})

    def write(self, event: Event) -> None:
        """Add an event."""
        fields: Fields = {"at": round(event.at, 6), "call": event.call, "args": event.args}
        if isinstance(event.answer, TmuxprimError):
            secret = event.args.get("secret", False)
            self._append({**fields, "error": error_to_json(event.answer, secret=secret)})
            return
        answer = to_json(event.answer)
        if isinstance(answer, dict):
            known = _known_fields(self._known, event)
            answer = {name: answer[name] for name in answer if known.get(name, ...) != answer[name]}
            known.update(answer)
        self._append({**fields, "answer": answer})

    def _append(self, fields: Fields) -> None:
        # A screen may hold half a surrogate pair, for which UTF-8 has no bytes.
        with self._path.open("a", encoding="utf-8", errors="surrogatepass") as file:
            file.write(json.dumps(fields, ensure_ascii=False) + "\n")


def read_recording(path: Path) -> Recording:
    """Read a file.

    Raises:
        InvalidRecordingError: If it is no recording, or one of another version, or has a line that
            is no event. The last line may be cut off, as a crash leaves it.
    """
    first, *lines = path.read_bytes().split(b"\n")
    timestamp = _read_header(first, path)
    known, events = Known(dict), list[Event]()
    for number, line in enumerate(lines, 2):
        try:
            events.append(_to_event(json.loads(line), known))
        except _MISSHAPEN as error:
            if number > len(lines):
                break  # nothing, or what a crash has cut off
            raise InvalidRecordingError(
                f"line {number} of {path} is no line of a recording: {error!r}; record it again"
            ) from error
    return Recording(timestamp, tuple(events))


def _read_header(line: bytes, path: Path) -> int:
    try:
        header = json.loads(line)
        if (header["format"], header["version"]) == (_FORMAT, VERSION):
            return int(header["timestamp"])
    except _MISSHAPEN:
        pass
    raise InvalidRecordingError(
        f"a recording begins with the format {_FORMAT!r} and the version {VERSION}, got "
        f"{line[:80]!r} in {path}; record it again with RecordingTerminal"
    )


def _to_event(fields: Fields, known: Known) -> Event:
    event = Event(float(fields["at"]), fields["call"], {**fields["args"]})
    if "error" in fields:
        return attrs.evolve(event, answer=error_from_json(fields["error"]))
    answer = fields["answer"]
    if isinstance(answer, dict):
        last = _known_fields(known, event)
        last.update(answer)
        answer = last
    return attrs.evolve(event, answer=from_json(answer))


def _known_fields(known: Known, event: Event) -> Fields:
    """Return the fields of the last screen, or the last evidence, of an event's pane."""
    return known[event.pane, event.call == "probe"]
