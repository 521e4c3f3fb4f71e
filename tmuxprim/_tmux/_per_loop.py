"""`PerLoop`: what each event loop has of its own, since another one could not use it meanwhile."""

import asyncio
import os
from collections.abc import Callable
from typing import Generic, TypeAlias, TypeVar

T = TypeVar("T")
_Owner: TypeAlias = tuple[int, asyncio.AbstractEventLoop | None]


class PerLoop(Generic[T]):
    """Makes a thing for each event loop; what a loop leaves that does not run goes to the next.

    Several threads may use it. A forked process is left what its parent has.

    Args:
        make: Makes such a thing; the first is made at once.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self.first = make()
        self._owned: dict[_Owner, T] = {(0, None): self.first}

    def get(self) -> T:
        """Return what the running event loop has."""
        owner = os.getpid(), asyncio.get_running_loop()
        if owner not in self._owned:
            # Of two threads that find the same, one takes it.
            found = (self._owned.pop(left, None) for left in self._left())
            own = next((own for own in found if own is not None), None)
            self._owned[owner] = self._make() if own is None else own
        return self._owned[owner]

    def in_reach(self) -> list[T]:
        """Return what the running event loop has, and what others have left."""
        left = (self._owned.get(owner) for owner in self._left())
        return [self.get(), *(own for own in left if own is not None)]

    def _left(self) -> list[_Owner]:
        """Return whose things are nobody's now."""
        process = os.getpid()
        return [
            (its_process, loop)
            for its_process, loop in list(self._owned)
            if its_process != process or loop is None or not loop.is_running()
        ]
