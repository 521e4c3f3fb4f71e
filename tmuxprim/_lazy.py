"""`Lazy`: an attribute that is worked out when it is first asked for, and then kept."""

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")


class Lazy(Generic[T]):
    """Is what `functools.cached_property` is, without a lock.

    Up to Python 3.11 that one has a lock, the same for all objects, which a process that is forked
    while another thread holds it finds taken for ever. Here two threads may work the value out at
    the same time, so it depends on the object alone, and the object has a ``__dict__``.

    Args:
        work_out: The method that returns the value.

    Examples:
        >>> from tmuxprim._lazy import Lazy
        >>> class Line:
        ...     def __init__(self, text: str) -> None:
        ...         self.text = text
        ...
        ...     @Lazy
        ...     def words(self) -> list[str]:
        ...         return self.text.split()
        >>> line = Line("a b")
        >>> line.words is line.words
        True
    """

    def __init__(self, work_out: Callable[[Any], T]) -> None:
        self._work_out = work_out
        self.__doc__ = work_out.__doc__

    @overload
    def __get__(self, on: None, _owner: type) -> Self: ...
    @overload
    def __get__(self, on: object, _owner: type) -> T: ...
    def __get__(self, on: object, _owner: type) -> Self | T:
        if on is None:  # asked on the class, by who looks at what it has
            return self
        value = self._work_out(on)
        # From now on it is found there, before this is asked.
        vars(on)[self._work_out.__name__] = value
        return value
