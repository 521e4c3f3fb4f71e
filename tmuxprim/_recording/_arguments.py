"""The arguments of actions as JSON, the same from whoever records and whoever replays."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from tmuxprim._pane import Pane
from tmuxprim._recording._values import (
    Fields,
    keys_from_json,
    keys_to_json,
    size_from_json,
    size_to_json,
)
from tmuxprim._sequence import KeySequence
from tmuxprim._size import Size


def open_args(
    command: str | Sequence[str] | None,
    size: Size,
    cwd: str | Path | None,
    env: Mapping[str, str] | None,
    name: str | None,
) -> Fields:
    """Return what a pane is opened with; of the environment the names, since values are secrets."""
    return {
        "command": command if command is None or isinstance(command, str) else list(command),
        "size": size_to_json(size),
        "cwd": None if cwd is None else str(cwd),
        "env": sorted(env or ()),
        "name": name,
    }


def send_args(pane: Pane, keys: KeySequence, *, leave_mode: bool, hide: bool) -> Fields:
    """Return what is typed where."""
    typed = keys_to_json(keys, hide=hide)
    return {"pane": pane.target, "keys": typed, "leave_mode": leave_mode}


def resize_args(pane: Pane, size: Size) -> Fields:
    """Return which pane gets which size."""
    return {"pane": pane.target, "size": size_to_json(size)}


def close_args(pane: Pane) -> Fields:
    """Return which pane is closed."""
    return {"pane": pane.target}


def check_args(args: Fields) -> None:
    """Raise whatever reading raises, if keys or a size are none."""
    keys = args.get("keys", [])
    if not isinstance(keys, list):
        raise TypeError(f"keys are a list of their parts, got {keys!r}")
    keys_from_json(keys)
    size_from_json(args.get("size", (1, 1)))
