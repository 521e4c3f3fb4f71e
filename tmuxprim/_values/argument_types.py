"""An argument of a wrong type is refused by its name, before anything uses it."""

import reprlib


def check_type(name: str, value: object, *types: type) -> None:
    """Refuse an argument that is of none of the types.

    Only where the wrong type would be an `AttributeError` from inside: elsewhere Python's own
    `TypeError` says enough.

    Raises:
        TypeError: If it is of none of them.
    """
    if not isinstance(value, types):
        names = " or ".join("None" if one is type(None) else one.__name__ for one in types)
        raise TypeError(f"{name} is {names}, got {reprlib.repr(value)}")
