"""Answers of a terminal as JSON, and back.

Fields that this version does not know are skipped, and missing ones have their defaults.
"""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import attrs

from tmuxprim import _errors
from tmuxprim._errors import (
    PaneBusyError,
    PaneDeadError,
    PaneNotFoundError,
    TmuxCommandError,
    TmuxprimError,
)
from tmuxprim._pane import Pane
from tmuxprim._screen import Cursor, Screen
from tmuxprim._size import Size
from tmuxprim._tty import TtyState
from tmuxprim._wrap import Layout

Json: TypeAlias = Any  # what the json module returns
Fields: TypeAlias = dict[str, Json]
Answer: TypeAlias = Screen | TtyState | Pane | tuple[Pane, ...] | bool | TmuxprimError | None

_NOT_RECORDED: Final = "(not recorded: it may quote a secret)"
# Their messages tell about the pane, never what was typed.
_QUOTES_NOTHING: Final = (PaneBusyError, PaneDeadError, PaneNotFoundError)
_ERRORS: Final = {
    name: error
    for name, error in vars(_errors).items()
    if isinstance(error, type) and issubclass(error, TmuxprimError)
}


def to_json(answer: Answer) -> Json:
    """Return an answer as JSON; see `error_to_json` for errors."""
    match answer:
        case Screen() | TtyState():
            return attrs.asdict(answer)
        case tuple():
            return [pane.target for pane in answer]
        case Pane():
            return answer.target
    return answer


def from_json(json: Json) -> Answer:
    """Return the answer; see `to_json`."""
    match json:
        case {"rows": _}:
            return _to_screen(json)
        case dict():
            return TtyState(**_known_fields(TtyState, json))
        case list():
            return tuple(map(Pane, json))
        case str():
            return Pane(json)
        case bool() | None:
            return json
    raise TypeError(f"no answer of a terminal: {json!r}")


def error_to_json(error: TmuxprimError, *, secret: bool) -> list[Json]:
    """Return the name of an error and what it was made of.

    Args:
        error: The error. The nearest class of ours stands for a class that is not ours.
        secret: Whether to leave out what it says, since that may quote what was typed.
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
    return Screen(**{**_known_fields(Screen, json), **nested})


def _known_fields(cls: type[Screen | TtyState], json: Fields) -> Fields:
    names = {field.name for field in attrs.fields(cls)}
    return {name: value for name, value in json.items() if name in names}
