"""Public names report the public module that they are imported from."""

from collections.abc import Mapping
from types import FunctionType


def show_as(module: str, names: Mapping[str, object]) -> None:
    """Set ``__module__`` to *module* for each class and function of a private module in *names*.

    ``tmuxprim.Console`` in a message shows what to import; ``tmuxprim._console.Console`` would
    lead people into private modules. A name of a public module keeps its own.
    """
    for value in names.values():
        if isinstance(value, (type, FunctionType)) and value.__module__.startswith("tmuxprim._"):
            value.__module__ = module
