"""`cut_repr` and `short_repr`: a value in one short line, for logs, debuggers and messages."""

from reprlib import Repr
from typing import Final


class _Cuts(Repr):
    """Python's own, with four digits of a number of seconds."""

    def repr_float(self, number: float, _level: int) -> str:
        return f"{number:.4g}"


_CUTS: Final = _Cuts()
_CUTS.maxstring = 60  # most reasons are shorter
_CUTS.maxother = 120
_CUTS.maxtuple = 4


def cut_repr(value: object) -> str:
    """Return the repr of a value, without the middle of a long text and the end of a long tuple."""
    return _CUTS.repr(value)


def short_repr(value: object, *names: str) -> str:
    """Return the class of a value and the named attributes, each cut as by `cut_repr`."""
    facts = (f"{name}={cut_repr(getattr(value, name))}" for name in names)
    return f"{type(value).__name__}({', '.join(facts)})"
