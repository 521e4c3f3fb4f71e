"""Waking whoever waits for a future."""

import asyncio


def settle(future: asyncio.Future[None]) -> None:
    """Let whoever waits for *future* go on, if anybody still does: on a closed loop nobody can."""
    if not future.done() and not future.get_loop().is_closed():
        future.set_result(None)
