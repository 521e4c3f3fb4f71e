"""Where public names say that they come from."""

from collections.abc import Mapping
from types import FunctionType


def show_as(module: str, names: Mapping[str, object]) -> None:
    """Let everything of a private module in *names* say that it comes from *module*.

    ``tmuxprim.Console`` in a message tells what to import; ``tmuxprim._console.Console`` would
    lead people into private modules. What says so already is left alone.
    """
    for value in names.values():
        if isinstance(value, (type, FunctionType)) and value.__module__.startswith("tmuxprim._"):
            value.__module__ = module
