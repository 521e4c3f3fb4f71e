"""Values as JSON, and back: screens, kernel evidence, keys, sizes, errors.

Reading forgives what a later version of the library may have added or left out: unknown fields
are skipped, missing ones have their defaults. A field of another type is refused.
"""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias, TypeVar

import attrs

from tmuxprim import _errors
from tmuxprim._errors import (
    PaneBusyError,
    PaneDeadError,
    PaneNotFoundError,
    TmuxCommandError,
    TmuxprimError,
)
from tmuxprim._keys import Key
from tmuxprim._screen import Cursor, Screen
from tmuxprim._sequence import KeySequence, Part, Paste
from tmuxprim._size import Size
from tmuxprim._tty import TtyState
from tmuxprim._wrap import Layout

# What the json module makes of an object; its types cannot be said in Python's.
Fields: TypeAlias = dict[str, Any]
T = TypeVar("T", Screen, TtyState)

HIDDEN: Final[Fields] = {"hidden": True}
_NOT_RECORDED: Final = "(not recorded: the pane hid what was typed)"
# Their messages tell of the pane, never of what was typed.
_QUOTES_NOTHING: Final = (PaneBusyError, PaneDeadError, PaneNotFoundError)
_ERRORS: Final = {
    name: error
    for name, error in vars(_errors).items()
    if isinstance(error, type) and issubclass(error, TmuxprimError)
}


def size_to_json(size: Size) -> list[int]:
    """Return columns and rows."""
    return [size.columns, size.rows]


def size_from_json(json: Sequence[int]) -> Size:
    """Return the size; see `size_to_json`."""
    return Size(*json)


def tty_to_json(tty: TtyState) -> Fields:
    """Return all fields."""
    return attrs.asdict(tty)


def tty_from_json(json: Fields) -> TtyState:
    """Return the evidence; see `tty_to_json`."""
    return _from_fields(TtyState, json)


def screen_to_json(screen: Screen) -> Fields:
    """Return all fields; of the layout only what is not plain, since a history is long."""
    layout = screen.layout
    return {
        **attrs.asdict(screen, recurse=False),
        "size": size_to_json(screen.size),
        "rows": _without_empty_end(screen.rows),
        "cursor": [screen.cursor.row, screen.cursor.column],
        "history": list(screen.history),
        "layout": {"wrapped": _sparse(layout.wrapped), "blanks": _sparse(layout.blanks)},
    }


def screen_from_json(json: Fields) -> Screen:
    """Return the screen; see `screen_to_json`."""
    layout, size, rows = json["layout"], size_from_json(json["size"]), _texts(json["rows"])
    history = _texts(json["history"])
    count = len(history) + size.rows
    wrapped = tuple(map(bool, _dense(layout["wrapped"], count)))
    built = {
        "size": size,
        "cursor": Cursor(*json["cursor"]),
        "layout": Layout(wrapped, _dense(layout["blanks"], count)),
        "rows": (*rows, *[""] * (size.rows - len(rows))),
        "history": history,
    }
    return _from_fields(Screen, json, **built)


def keys_to_json(keys: KeySequence, *, hide: bool = False) -> list[Any]:
    """Return the parts: texts as they are, keys and pastes by what they are.

    Args:
        keys: What is typed.
        hide: Whether to put one mark, which does not even tell its length, in place of each text.
            Keys that are one character are text, too.
    """
    parts: list[Any] = []
    for part in keys:
        json = HIDDEN if hide and _is_text(part) else _part_to_json(part)
        if json != HIDDEN or parts[-1:] != [HIDDEN]:
            parts.append(json)
    return parts


def keys_from_json(json: Sequence[Any]) -> KeySequence:
    """Return the keys; see `keys_to_json`. Hidden text is a text that says so."""
    return KeySequence(tuple(map(_part_from_json, json)))


def error_to_json(error: TmuxprimError, *, hide: bool = False) -> list[Any]:
    """Return the error's name and what it was made of.

    Args:
        error: The error. One of a class that is not ours is told by the nearest that is.
        hide: Whether to leave out what it says, since it may quote what was typed.
    """
    name = next(cls.__name__ for cls in type(error).__mro__ if cls in _ERRORS.values())
    hide = hide and not isinstance(error, _QUOTES_NOTHING)
    if isinstance(error, TmuxCommandError):
        argv, stderr = ([_NOT_RECORDED], "") if hide else ([*error.argv], error.stderr)
        return [name, argv, error.exit_status, stderr]
    return [name, _NOT_RECORDED if hide else str(error)]


def error_from_json(json: Sequence[Any]) -> TmuxprimError:
    """Return the error; see `error_to_json`."""
    name, *args = json
    return _ERRORS[name](*args)


def _is_text(part: Part) -> bool:
    return not isinstance(part, Key) or len(part.name) == 1


def _part_to_json(part: Part) -> str | Fields:
    if isinstance(part, Key):
        return {"key": part.name}
    return {"paste": part.text} if isinstance(part, Paste) else part


def _part_from_json(json: str | Fields) -> Part:
    if isinstance(json, str):
        return json
    if json == HIDDEN:
        return "(hidden)"
    return Key(json["key"]) if "key" in json else Paste(json["paste"])


def _from_fields(cls: type[T], json: Fields, **built: object) -> T:
    fields = {field.name: field for field in attrs.fields(cls)}
    known: Fields = {name: json[name] for name in json if name in fields} | built
    for name, value in known.items():
        if name not in built and not isinstance(value, fields[name].type or object):
            raise TypeError(f"{name!r} is {fields[name].type}, got {value!r}")
    return cls(**known)


def _without_empty_end(rows: Sequence[str]) -> list[str]:
    used = next((count for count in range(len(rows), 0, -1) if rows[count - 1]), 0)
    return list(rows[:used])


def _texts(json: Sequence[object]) -> tuple[str, ...]:
    return tuple(_checked(text) for text in json)


def _checked(text: object) -> str:
    if not isinstance(text, str):
        raise TypeError(f"a row is a text, got {text!r}")
    return text


def _sparse(values: Sequence[int]) -> list[Any]:
    """Return how many there are, and where they are not 0."""
    return [len(values), *([at, int(value)] for at, value in enumerate(values) if value)]


def _dense(json: Sequence[Any], most: int) -> tuple[int, ...]:
    count, *places = json
    if count > most:  # or a number would take all memory
        raise ValueError(f"a layout knows of {most} rows at most, got {count}")
    values = [0] * count
    for at, value in places:
        values[at] = value
    return tuple(values)
