"""The events of a recording, and their form in the file."""

import datetime as dt
import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

import attrs

from tmuxprim import errors
from tmuxprim._terminal import OpenRequest
from tmuxprim._values.evidence import Activity, TtyState
from tmuxprim._values.lines import Layout
from tmuxprim._values.pane import Pane, PaneInfo, Size
from tmuxprim._values.screen import Cursor, Screen
from tmuxprim._values.style import Style, StyledText, Styles
from tmuxprim.errors import (
    InvalidRecordingError,
    PaneBusyError,
    PaneDeadError,
    PaneNotFoundError,
    TmuxCommandError,
    TmuxprimError,
)

Json: TypeAlias = Any  # what the json module returns
Fields: TypeAlias = dict[str, Json]
RecordedAnswer: TypeAlias = (
    Screen | TtyState | Pane | tuple[PaneInfo, ...] | bool | TmuxprimError | None
)

_NOT_RECORDED: Final = "(not recorded: it may quote a secret)"
# Their messages describe the pane, and never quote typed text.
_QUOTES_NOTHING: Final = (PaneBusyError, PaneDeadError, PaneNotFoundError)
_ERRORS: Final = {
    name: error
    for name, error in vars(errors).items()
    if isinstance(error, type) and issubclass(error, TmuxprimError)
}


def to_json(answer: RecordedAnswer) -> Json:
    """Return an answer as JSON; see `error_to_json` for errors."""
    match answer:
        case Screen():
            return attrs.asdict(answer)
        case TtyState(children=children):
            return {
                **attrs.asdict(answer),
                "children": None if children is None else sorted(children),
            }
        case tuple():
            return [attrs.asdict(attrs.evolve(pane, server="")) for pane in answer]
        case Pane():
            return answer.target
    return answer


def from_json(json: Json) -> RecordedAnswer:
    """Return the answer; see `to_json`."""
    match json:
        case {"rows": _}:
            return _to_screen(json)
        case dict():
            fields = _known_fields(TtyState, json)
            if fields.get("children") is not None:
                fields["children"] = frozenset(fields["children"])
            if fields.get("activity") is not None:
                fields["activity"] = Activity(*fields["activity"])
            return TtyState(**fields)
        case list():
            return tuple(PaneInfo(**{**pane, "size": Size(**pane["size"])}) for pane in json)
        case str():
            return Pane(json)
        case bool() | None:
            return json
    raise TypeError(f"no answer of a terminal: {json!r}")


def error_to_json(error: TmuxprimError, *, secret: bool) -> list[Json]:
    """Return the name of an error, or of the nearest class of ours, and its arguments.

    These may quote typed text, so they are left out after a secret.
    """
    name = next(cls.__name__ for cls in type(error).__mro__ if cls in _ERRORS.values())
    secret = secret and not isinstance(error, _QUOTES_NOTHING)
    said = _NOT_RECORDED if secret else str(error)
    if isinstance(error, TmuxCommandError):
        argv, stderr = ((said,), "") if secret else (error.argv, error.stderr)
        return [name, argv, error.exit_status, stderr]
    return [name, said]


def error_from_json(json: Sequence[Json]) -> TmuxprimError:
    """Return the error; see `error_to_json`."""
    name, *args = json
    return _ERRORS[name](*args)


def _to_screen(json: Fields) -> Screen:
    nested = {
        "size": Size(**json["size"]),
        "cursor": Cursor(**json["cursor"]),
        "layout": Layout(**{name: tuple(rows) for name, rows in json["layout"].items()}),
    }
    return Screen(**{**_known_fields(Screen, json), **nested, "styles": _to_styles(json)})


def _to_styles(json: Fields) -> Styles | None:
    rows = json.get("styles")
    if rows is None:
        return None
    return tuple(
        tuple(StyledText(part["text"], Style(**part["style"])) for part in row) for row in rows
    )


def _known_fields(cls: type[Screen | TtyState], json: Fields) -> Fields:
    names = {field.name for field in attrs.fields(cls)}
    return {name: value for name, value in json.items() if name in names}


T = TypeVar("T")

# The calls that change something. All others only look.
ACTIONS: Final = ("open", "send", "resize", "close")


@attrs.frozen
class RecordedEvent:
    """One call of a terminal's method, which ended *at* so many seconds after the beginning.

    ``wait`` is the call of an output watch. See `arguments` for *args*.
    """

    at: float
    call: str
    args: Fields
    answer: RecordedAnswer = None

    @property
    def pane(self) -> str:
        """The pane's name; empty if the call is not about one pane."""
        return str(self.args.get("pane", ""))

    @property
    def is_action(self) -> bool:
        """Whether the call changes something."""
        return self.call in ACTIONS

    def result(self, kind: type[T]) -> T:
        """Return the answer, or raise the error, or that it is an answer of another kind."""
        if isinstance(self.answer, TmuxprimError):
            raise type(self.answer)(*self.answer.args)  # a new one, without an old traceback
        if not isinstance(self.answer, kind):
            raise InvalidRecordingError(
                f"{self.call} answers with a {kind.__name__}, got {self.answer!r} from the "
                "recording; record it again"
            )
        return self.answer

    def __str__(self) -> str:
        words = (f"{name}={value}" for name, value in self.args.items() if value)
        return f"{self.call}({', '.join(words)})"


def attempt(call: Callable[[], T]) -> T | TmuxprimError:
    """Return what *call* returns, or the error that it raises."""
    try:
        return call()
    except TmuxprimError as error:
        return error


def unwrap(answer: T | TmuxprimError) -> T:
    """Return an answer, or raise it if it is an error."""
    if isinstance(answer, TmuxprimError):
        raise answer
    return answer


def arguments(**values: object) -> Fields:
    """Return arguments as JSON: of an environment only the names, since values may be secrets."""
    return {name: _to_plain(value) for name, value in values.items()}


def open_arguments(request: OpenRequest) -> Fields:
    """Return the arguments of ``open`` as JSON; *shell_integration* only if it is asked for."""
    given = attrs.asdict(request, recurse=False)
    if not request.shell_integration:
        del given["shell_integration"]
    return arguments(**given)


def snapshot_arguments(pane: Pane, history: int, *, styled: bool) -> Fields:
    """Return the arguments of ``observe`` as JSON; *styled* is there only if it is asked for."""
    return {**arguments(pane=pane, history=history), **({"styled": True} if styled else {})}


def _to_plain(value: object) -> Json:
    match value:
        case None | str() | int():
            return value
        case Mapping():
            return sorted(value)
        case Sequence():
            return [*value]
    return str(value)


VERSION: Final = 2
_FORMAT: Final = "tmuxprim recording"
# The fields of the last screen and the last evidence of each pane.
Known: TypeAlias = defaultdict[tuple[str, bool], Fields]
# The errors that a line raises which is not an event.
_MISSHAPEN: Final = (ValueError, TypeError, LookupError, AttributeError, RecursionError)


@attrs.frozen
class Recording:
    """All calls of a file, in order, and when it was begun, in seconds since 1970."""

    timestamp: int
    events: tuple[RecordedEvent, ...]


class RecordingFile:
    """A file to which events are added, begun anew; it is not kept open in between."""

    def __init__(self, path: Path) -> None:
        self._path = path.absolute()  # the program may go to another directory
        self._known = Known(dict)
        path.touch(mode=0o600)  # a screen may show what is for its owner alone
        path.write_bytes(b"")
        now = dt.datetime.now(dt.UTC).timestamp()
        self._append({"format": _FORMAT, "version": VERSION, "timestamp": int(now)})

    def write(self, event: RecordedEvent) -> None:
        """Add an event."""
        fields: Fields = {"at": round(event.at, 6), "call": event.call, "args": event.args}
        if isinstance(event.answer, TmuxprimError):
            secret = event.args.get("secret", False)
            self._append({**fields, "error": error_to_json(event.answer, secret=secret)})
            return
        answer = to_json(event.answer)
        if isinstance(answer, dict):
            known = self._known[event.pane, event.call == "probe"]
            answer = {name: answer[name] for name in answer if known.get(name, ...) != answer[name]}
            known.update(answer)
        self._append({**fields, "answer": answer})

    def _append(self, fields: Fields) -> None:
        # A screen may hold half a surrogate pair, for which UTF-8 has no bytes.
        with self._path.open("a", encoding="utf-8", errors="surrogatepass") as file:
            file.write(json.dumps(fields, ensure_ascii=False) + "\n")


def read_recording(path: Path) -> Recording:
    """Read a file, or raise `InvalidRecordingError`.

    Its last line may be cut off, as a crash leaves it.
    """
    first, *lines = path.read_bytes().split(b"\n")
    timestamp = _read_header(first, path)
    known, events = Known(dict), list[RecordedEvent]()
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


def _to_event(fields: Fields, known: Known) -> RecordedEvent:
    event = RecordedEvent(float(fields["at"]), fields["call"], {**fields["args"]})
    if "error" in fields:
        return attrs.evolve(event, answer=error_from_json(fields["error"]))
    answer = fields["answer"]
    if isinstance(answer, dict):
        last = known[event.pane, event.call == "probe"]
        last.update(answer)
        answer = last
    return attrs.evolve(event, answer=from_json(answer))
