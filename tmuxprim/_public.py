"""Where public names say that they come from."""

from types import FunctionType
from typing import Any


def show_as(module: str, names: dict[str, Any]) -> None:
    """Let everything of this package in *names* say that it comes from *module*.

    ``tmuxprim.PaneNotFoundError`` in a traceback tells what to import;
    ``tmuxprim._errors.PaneNotFoundError`` would lead people into private modules.
    """
    for value in names.values():
        if isinstance(value, (type, FunctionType)) and value.__module__.startswith("tmuxprim._"):
            value.__module__ = module
