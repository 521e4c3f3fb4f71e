"""`make_server` and `serve`: the actions of `tmuxprim.tool`, and more, for clients of MCP."""

import asyncio
import json
import logging
import traceback
from collections.abc import Iterable
from typing import Final, TypeAlias

import attrs

from tmuxprim import __version__
from tmuxprim._engine.plan import drive_async
from tmuxprim._readiness.chain import ReadinessStrategy
from tmuxprim._states import async_pane_states, facts_of_state
from tmuxprim._terminal import AsyncTerminal
from tmuxprim._tool.actions import MANY_TOOLS, SHARED, Toolset
from tmuxprim._tool.limits import Limits
from tmuxprim._tool.model_prompt import prompt_for_many
from tmuxprim._tool.panes import NamedPanes
from tmuxprim._tool.replies import ToolResponse
from tmuxprim._tool.schema import describe_tools
from tmuxprim._tool.tool_session import ToolSession, to_join
from tmuxprim._tool.turns import Turns
from tmuxprim._values.pane import Pane, to_pane

try:
    # From where they are made: the packages themselves import clients and servers over HTTP.
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel.server import Server
    from mcp.server.stdio import stdio_server
    from mcp.shared.exceptions import MCPError
    from mcp.types import (
        INVALID_PARAMS,
        CallToolRequestParams,
        CallToolResult,
        ListResourcesResult,
        ListToolsResult,
        PaginatedRequestParams,
        ReadResourceRequestParams,
        ReadResourceResult,
        Resource,
        TextContent,
        TextResourceContents,
        Tool,
        ToolAnnotations,
    )
except ImportError as error:  # not there, or of before 2.0
    raise ImportError(
        'the MCP server needs the package mcp, 2.0 or later: pip install "tmuxprim[mcp]"'
    ) from error

# What lives as long as a server; this one has nothing of the kind.
_Context: TypeAlias = ServerRequestContext[object]
_STATES: Final = Resource(
    name="states",
    uri="tmuxprim://states",
    title="The state of each pane",
    description="Each pane's state now: working, prompt, asking, secret, full-screen, idle ... "
    "with its program, its question, and whether it is a guess. Reading it types nothing.",
    mime_type="application/json",
)
_log: Final = logging.getLogger(__name__)


def make_server(  # noqa: PLR0913  # each is an option of its own
    terminal: AsyncTerminal,
    *,
    pane: Pane | str = SHARED,
    opens: bool = True,
    strategy: ReadinessStrategy | None = None,
    leave_mode: bool = False,
    prompt_rows: int | None = None,
    allow: Iterable[Pane | str] | None = None,
    read_only: Iterable[Pane | str] = (),
    attach: str | None = None,
) -> Server[object]:
    """Return an MCP server whose tools drive the panes of *terminal*.

    Its tools are the actions of `tmuxprim.tool`, `open` and `panes`. Its one resource,
    ``tmuxprim://states``, is the state of each pane.
    If a client makes a wrong call, nothing is sent, and the result is an error that says what is
    valid. The client can reach every pane of *terminal*.

    Args:
        terminal: The terminal that the panes are in.
        pane: The pane for a call that names none.
        opens: Whether to open that pane, with the user's shell, if it does not exist; the call
            itself is then not carried out. Only a session can be opened, not ``work:0.1``.
        strategy: Decides when a pane is ready; None is the default chain.
        leave_mode: Whether to leave copy mode before sending, though a person may read there.
        prompt_rows: How many rows the first prompt of a pane has, for `run`; see `Console`.
        allow: The names of the panes that the client may use; None for all. It does not learn of
            any other pane.
        read_only: The names of the panes that it may only read.
        attach: The command that attaches a person to a pane; see `TmuxTool`.

    Raises:
        InvalidStrategyError: If *strategy* cannot assess a snapshot.
        InvalidScreenError: If *prompt_rows* is no number of rows.
        InvalidPaneError: If *pane*, *allow* or *read_only* has a text that cannot name one.

    Examples:
        In memory, with the client of the package ``mcp``; `serve` is for other processes:

        >>> import asyncio
        >>> from mcp import Client
        >>> async def session() -> None:
        ...     terminal = AsyncFakeTerminal()  # AsyncTmuxTerminal() for the real thing
        ...     await terminal.open(name="shared")
        ...     async with Client(make_server(terminal)) as client:
        ...         print([tool.name for tool in (await client.list_tools()).tools][-3:])
        ...         result = await client.call_tool("run", {"command": "echo hi"})
        ...         print(result.content[0].text, end="")
        >>> asyncio.run(session())
        ['ask_person', 'open', 'panes']
        done
        hi
    """
    toolset = attrs.evolve(MANY_TOOLS, shared=to_pane(pane))
    panes, limits = NamedPanes(strategy, leave_mode, prompt_rows), Limits(allow, read_only)
    session = ToolSession(panes, opens, toolset, to_join(terminal, attach), limits)
    turns = Turns(session, asyncio.Lock)
    tools = ListToolsResult(tools=_tools(toolset))

    async def list_tools(_: _Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        return tools

    async def call_tool(_: _Context, params: CallToolRequestParams) -> CallToolResult:
        reply = await _reply(turns, terminal, params)
        content = TextContent(type="text", text=reply.message)
        return CallToolResult(content=[content], is_error=reply.is_error)

    async def list_resources(_: _Context, __: PaginatedRequestParams | None) -> ListResourcesResult:
        return ListResourcesResult(resources=[_STATES])

    async def read_resource(_: _Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        _check_uri(str(params.uri))
        panes = limits.seen(await terminal.panes())
        states = await async_pane_states(terminal, panes, strategy=strategy)
        facts = [
            {"pane": str(pane), "name": pane.name, **facts_of_state(state)}
            for pane, state in zip(panes, states, strict=True)
        ]
        content = TextResourceContents(
            uri=_STATES.uri, mime_type=_STATES.mime_type, text=json.dumps({"panes": facts})
        )
        return ReadResourceResult(contents=[content])

    return Server(
        "tmuxprim",
        version=__version__,
        title="Terminals, through tmux",
        instructions=prompt_for_many(toolset),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
    )


async def serve(server: Server[object]) -> None:
    """Serve the client at the other end of standard input and output, until it hangs up.

    Meanwhile standard output belongs to the protocol: all other output goes to standard error. At
    the end unfinished calls are cancelled, and panes stay as they are.

    Args:
        server: A server from `make_server`.

    Examples:
        What ``tmuxprim mcp`` does:

        >>> async def main() -> None:
        ...     async with AsyncTmuxTerminal(transport="auto") as terminal:
        ...         await serve(make_server(terminal))
        >>> asyncio.run(main())  # doctest: +SKIP
    """
    try:
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
    except* BrokenPipeError:
        _log.debug("the client reads no more")  # which is one way to hang up


def _check_uri(uri: str) -> None:
    """Refuse what names no resource.

    Raises:
        MCPError: The client is told why.
    """
    if uri != _STATES.uri:
        raise MCPError(INVALID_PARAMS, f"the one resource is {_STATES.uri}, got {uri}")


def _tools(toolset: Toolset) -> list[Tool]:
    return [
        Tool(
            name=name,
            description=description,
            input_schema=schema,
            annotations=ToolAnnotations(read_only_hint=toolset.actions[name].looks),
        )
        for name, description, schema in describe_tools(toolset)
    ]


async def _reply(
    turns: Turns, terminal: AsyncTerminal, params: CallToolRequestParams
) -> ToolResponse:
    try:
        call = turns.session.parse_named(params.name, params.arguments or {})
        return await drive_async(turns.carry_out(call), terminal)
    except Exception as error:  # noqa: BLE001  # a model gets a result, whatever happens
        # Only the places in the code: a message may hold typed text.
        places = "".join(traceback.format_tb(error.__traceback__))
        _log.error("%s in the tool %r\n%s", type(error).__name__, params.name, places)
        return ToolResponse(
            f"error: tmuxprim itself failed ({type(error).__name__}); its log says more. Read the "
            "pane before you send anything again",
            is_error=True,
        )
