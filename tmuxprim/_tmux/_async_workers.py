"""`Workers`: the threads in which an event loop lets tmux clients be waited for."""

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")


class Workers:
    """Runs functions in threads: those of the event loop, or its own for a far machine.

    The event loop has few. One machine that does not answer would have them all for as long as a
    call may take, and calls to others would wait for a thread until it is too late for them.

    Args:
        is_local: Whether the clients are of this machine.
    """

    def __init__(self, *, is_local: bool) -> None:
        self._is_local = is_local
        self._own: ThreadPoolExecutor | None = None

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a function in a thread, as `asyncio.to_thread` does."""
        if not self._is_local and self._own is None:
            self._own = ThreadPoolExecutor(thread_name_prefix="tmuxprim")
        work = partial(contextvars.copy_context().run, function, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._own, work)

    def close(self) -> None:
        """Let the threads end once they have done what they were given."""
        own, self._own = self._own, None
        if own is not None:
            own.shutdown(wait=False)
