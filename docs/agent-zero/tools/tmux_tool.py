"""The tool of tmuxprim, as Agent Zero calls it."""

from helpers.tool import Response, Tool  # type: ignore[import-not-found]  # Agent Zero's

_KEPT = "_kept_for_agent_zero"


class TmuxprimTool(Tool):  # type: ignore[misc]  # Agent Zero's, which is not here
    """Passes calls on to the one tool of this process."""

    async def execute(self, /, **arguments: object) -> Response:
        """Do what the model asks for; `tmux_tool:send` means the action `send`, too."""
        try:
            import tmuxprim  # noqa: PLC0415  # a new image of Agent Zero lacks it
        except ModuleNotFoundError:
            missing = (
                "error: tmuxprim is not installed. Ask the user to run the script of the plugin "
                "tmuxprim, in the list of plugins. Nothing was sent."
            )
            return Response(message=missing, break_loop=False)
        from tmuxprim.tool import AsyncTmuxTool  # noqa: PLC0415  # as above

        # Agent Zero executes this file anew for each call, and forgets the modules of all plugins
        # when one changes. Only a module that is no plugin's keeps the tool, which knows the panes.
        kept = vars(tmuxprim)
        if _KEPT not in kept:
            kept.setdefault(_KEPT, AsyncTmuxTool(tmuxprim.AsyncTmuxTerminal()))
        reply = await kept[_KEPT].execute(**{"action": self.method, **arguments})
        return Response(message=reply.message, break_loop=reply.break_loop)
