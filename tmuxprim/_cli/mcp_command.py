"""The command `mcp`: the tools for language models, over standard input and output."""

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from tmuxprim._cli.options import Options
from tmuxprim._cli.report import Report
from tmuxprim._cli.site import Site
from tmuxprim._cli.status import Status
from tmuxprim._readiness.default import default_chain
from tmuxprim._values.pane import Pane


def serve_client(options: Options, site: Site) -> Report:
    """Serve the client that has started this, until it hangs up; nothing else is printed."""
    pane = Pane(options.pane)
    try:
        from tmuxprim.mcp import make_server, serve
    except ImportError as error:
        return Report(note=f"tmuxprim: {error}", status=Status.BAD_USE)

    async def main() -> None:
        async with site.serving() as terminal:
            server = make_server(
                terminal,
                pane=pane,
                opens=options.opens,
                strategy=default_chain(programs=options.known) if options.known else None,
                leave_mode=options.leave_mode,
                prompt_rows=options.prompt_rows,
                allow=options.allow or None,
                read_only=options.read_only,
                attach=f"{options.call('attach')} {{pane}}",
            )
            await serve(server)

    with _ended_by_interrupt():
        asyncio.run(main())
    return Report()


@contextmanager
def _ended_by_interrupt() -> Iterator[None]:
    """Let C-c end the process: the thread that reads standard input cannot be told to stop."""
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
