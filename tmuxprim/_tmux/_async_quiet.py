"""`kept_quiet`: keeps quiet without keeping an event loop waiting."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from typing import Final

from tmuxprim._errors import TmuxTimeoutError
from tmuxprim._tmux._quiet import Quiet, too_late

# Attaching takes some milliseconds.
_PAUSE: Final = 0.001


@asynccontextmanager
async def kept_quiet(quiet: Quiet, patience: float) -> AsyncIterator[ExitStack]:
    """Make news, but not while a client of another terminal attaches; give what ends that.

    What is cancelled is news until tmux has answered: a hook of a person's may keep it from that.
    The event loop may not wait for who attaches, and who is cancelled would leave a thread waiting.

    Args:
        quiet: What the terminals of this process share.
        patience: Longest time to wait for that, in seconds.

    Raises:
        TmuxTimeoutError: If it takes longer.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + patience
    with ExitStack() as stack:
        while True:
            try:
                # On a loop that was closed nobody hears the answer.
                stack.enter_context(quiet.news(0.0, counts=lambda: not loop.is_closed()))
                break
            except TmuxTimeoutError:
                if loop.time() >= deadline:
                    raise too_late(patience) from None
            await asyncio.sleep(_PAUSE)
        yield stack
