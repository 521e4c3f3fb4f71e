"""Give a program that speaks MCP a terminal: the actions of `tmuxprim.tool`, and more.

It needs the package ``mcp``: ``pip install "tmuxprim[mcp]"``. Most people want the command
``tmuxprim mcp``, which a client starts by itself; docs/guides/mcp.md shows how to configure that.

Examples:
    What ``tmuxprim mcp`` does:

    >>> async def main() -> None:
    ...     async with AsyncTmuxTerminal(transport="auto") as terminal:
    ...         await serve(make_server(terminal, pane=Pane("work")))
    >>> asyncio.run(main())  # doctest: +SKIP
"""

from tmuxprim._mcp import make_server, serve
from tmuxprim._public import show_as

__all__ = ["make_server", "serve"]

show_as(__name__, globals())
