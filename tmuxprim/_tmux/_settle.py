"""Waking whoever waits for a future."""

import asyncio


def settle(future: asyncio.Future[None]) -> None:
    """Let whoever waits for *future* go on, if anybody still does."""
    if not future.done():
        future.set_result(None)
