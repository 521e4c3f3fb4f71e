"""The tool of tmuxprim, as Agent Zero calls it."""

import asyncio
import threading
from typing import TYPE_CHECKING, Any

from helpers.tool import Response, Tool  # type: ignore[import-not-found]  # Agent Zero's

if TYPE_CHECKING:
    from tmuxprim.tool import AsyncTmuxTool

_KEPT = "_kept_for_agent_zero"


class TmuxprimTool(Tool):  # type: ignore[misc]  # Agent Zero's, which is not here
    """Passes calls on to the one tool of this process."""

    async def execute(self, /, **arguments: object) -> Response:
        """Do what the model asks for; `tmux_tool:send` also means the action `send`."""
        try:
            import tmuxprim  # noqa: PLC0415  # a new image of Agent Zero lacks it
        except ModuleNotFoundError:
            missing = (
                "error: tmuxprim is not installed. Ask the user to run the script of the plugin "
                "tmuxprim, in the list of plugins. Nothing was sent."
            )
            return Response(message=missing, break_loop=False)
        # Agent Zero executes this file anew for each call, and forgets the modules of all plugins
        # when one changes. Only a module that is no plugin's keeps the tool, which knows the panes.
        loop, tool = _keep_in(vars(tmuxprim))
        call = tool.execute(**{"action": self.method, **arguments})
        reply = await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(call, loop))
        return Response(message=reply.message, break_loop=reply.break_loop)


def _keep_in(kept: dict[str, Any]) -> tuple[asyncio.AbstractEventLoop, "AsyncTmuxTool"]:
    """Return the one tool of this process, and the event loop that it belongs to.

    Agent Zero has several event loops at once, and a terminal belongs to one.
    """
    if _KEPT not in kept:
        from tmuxprim import AsyncTmuxTerminal  # noqa: PLC0415  # it may be missing, as above
        from tmuxprim.tool import AsyncTmuxTool  # noqa: PLC0415  # as above

        loop = asyncio.new_event_loop()
        # Two threads may come at once, and setdefault lets one of them win.
        if kept.setdefault(_KEPT, (loop, AsyncTmuxTool(AsyncTmuxTerminal())))[0] is loop:
            threading.Thread(target=loop.run_forever, daemon=True).start()
        else:
            loop.close()
    own: tuple[asyncio.AbstractEventLoop, AsyncTmuxTool] = kept[_KEPT]
    return own
