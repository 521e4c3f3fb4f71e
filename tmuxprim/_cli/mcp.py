"""The command `mcp`: the tools for language models, over standard input and output."""

import asyncio
import gc
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Final

from tmuxprim._cli.answer import Answer, Status
from tmuxprim._cli.options import Options
from tmuxprim._cli.site import Site
from tmuxprim._readiness.default import default_chain
from tmuxprim._values.pane import Pane


def serve_client(options: Options, site: Site) -> Answer:
    """Serve the client that has started this, until it hangs up; nothing else is printed."""
    pane = Pane(options.pane)
    try:
        with quick_imports():
            from tmuxprim.mcp import make_server, serve
    except ImportError as error:
        return Answer(note=f"tmuxprim: {error}", status=Status.BAD_USE)

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
    return Answer()


# Their own names are for clients and for servers over HTTP, and take a third of the CPU time.
_PACKAGES: Final = ("mcp", "mcp.server")


class _LatePackage(ModuleType):
    """A package that runs its own code only when somebody asks it for a name of its own.

    Its modules can be imported before that.
    """

    def __getattr__(self, name: str) -> object:
        spec = self.__spec__
        if spec is None or spec.loader is None or name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        self.__class__ = ModuleType  # type: ignore[assignment]  # which is what it is from now on
        spec.loader.exec_module(self)
        return getattr(self, name)


@contextmanager
def quick_imports() -> Iterator[None]:
    """Import no more of the package mcp than the server needs: clients wait for its first answer.

    This process belongs to the command; a library would leave the packages of others alone.
    """
    if "mcp" not in sys.modules:
        with suppress(ImportError):  # the import below says what is missing
            for spec in filter(None, map(find_spec, _PACKAGES)):
                package = module_from_spec(spec)
                package.__class__ = _LatePackage
                sys.modules[spec.name] = package
                parent, _, name = spec.name.rpartition(".")
                if parent:
                    vars(sys.modules[parent])[name] = package
    gc.disable()  # it would walk thousands of new classes again and again
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


@contextmanager
def _ended_by_interrupt() -> Iterator[None]:
    """Let C-c end the process: the thread that reads standard input cannot be told to stop."""
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
