"""`TmuxTool` and `AsyncTmuxTool`: the tool, over one and the same `ToolSession`."""

import asyncio
import threading
from collections.abc import Iterable

from tmuxprim._engine.plan import drive, drive_async
from tmuxprim._readiness.chain import ReadinessStrategy
from tmuxprim._terminal import AsyncTerminal, Terminal
from tmuxprim._tool.limits import Limits
from tmuxprim._tool.panes import NamedPanes
from tmuxprim._tool.replies import ToolResponse
from tmuxprim._tool.tool_session import ToolSession, to_join
from tmuxprim._tool.turns import Turns
from tmuxprim._values.checks import OneLoop, refuse_other_kind
from tmuxprim._values.pane import Pane
from tmuxprim.errors import EventLoopError


class TmuxTool:
    r"""Lets a language model drive panes: `run`, `send`, `keys`, `read`, `wait_ready` and more.

    If a model makes a wrong call, nothing is sent and no error is raised: the reply says what is
    valid. The model can reach every pane of *terminal*. If it must not see some panes, give it a
    tmux server of its own, ``TmuxTerminal(socket_name="agent")``, or *allow*.

    Several threads may use one tool. Calls for one pane, by any of its names, are carried out one
    after the other, and calls for different panes at the same time. A tool knows only its own
    calls, so share one tool among all code that drives the same panes.

    Args:
        terminal: The terminal that the panes are in.
        opens: Whether to open the pane ``shared``, with the user's shell, when a call needs it
            and it does not exist. The call itself is then not carried out, and the reply says so.
        strategy: Decides when a pane is ready; None is the default chain.
        leave_mode: Whether to leave copy mode before sending, though a person may read there.
        allow: The names of the panes that the model may use; None for all. The model does not learn
            of any other pane.
        read_only: The names of the panes that it may only read.
        attach: The command that attaches a person to a pane, with ``{pane}`` for its id. The model
            gets it when a program asks for a secret. None is ``tmux attach`` with the terminal's
            socket.

    Raises:
        InvalidStrategyError: If *strategy* cannot assess a snapshot.
        InvalidPaneError: If *allow* or *read_only* has a text that cannot name a pane.
        TypeError: If *terminal* is one for `AsyncTmuxTool`.

    Examples:
        >>> terminal = FakeTerminal(programs={"sh": ScriptedShell({"make": after(9.0, "built")})})
        >>> _ = terminal.open("sh", name="shared")
        >>> tool = TmuxTool(terminal)  # TmuxTool(TmuxTerminal()) for the real thing
        >>> print(tool.execute(action="wait_ready").message)
        ready (prompt matched)
        $
        >>> tool.execute(action="send", text="make").message
        "Sent: 'make' + Enter"
        >>> print(tool.execute(action="wait_ready", timeout="60").message)
        ready (prompt matched)
        $ make
        built
        $
        >>> print(tool.execute(action="keys", keys="Ctrl-C").message)
        error: 'keys': unknown or non-portable key name: 'Ctrl-C'; did you mean 'C-c'? Nothing ...
    """

    def __init__(
        self,
        terminal: Terminal,
        *,
        opens: bool = True,
        strategy: ReadinessStrategy | None = None,
        leave_mode: bool = False,
        allow: Iterable[Pane | str] | None = None,
        read_only: Iterable[Pane | str] = (),
        attach: str | None = None,
    ) -> None:
        refuse_other_kind(terminal, "TmuxTool", "AsyncTmuxTool")
        self._terminal = terminal
        session = ToolSession(
            NamedPanes(strategy, leave_mode),
            opens,
            attach=to_join(terminal, attach),
            limits=Limits(allow, read_only),
        )
        self._turns = Turns(session, threading.Lock)

    def __repr__(self) -> str:
        return f"TmuxTool({self._terminal!r})"

    def execute(self, /, *, action: object = None, **arguments: object) -> ToolResponse:
        """Carry out the call of a model; see `tool_prompt` for the arguments.

        Args:
            action: The name of the action.
            arguments: The arguments of that action, as JSON has them.

        Returns:
            The message for the model, also about a wrong call.
        """
        return self.execute_json({"action": action, **arguments})

    def execute_json(self, arguments: object) -> ToolResponse:
        """Do what a model asks for in one JSON object.

        Args:
            arguments: The object, or the text of it, as the model wrote it.

        Returns:
            The message for the model, also about a wrong call.
        """
        call = self._turns.session.parse(arguments)
        return drive(self._turns.carry_out(call), self._terminal)


class AsyncTmuxTool:
    """The `TmuxTool` for asyncio; calls for one pane are carried out one after the other.

    As a terminal does, a tool belongs to the first event loop that uses it.

    Args:
        terminal: The terminal that the panes are in.
        opens: Whether to open the pane ``shared`` when it is not there; see `TmuxTool`.
        strategy: Decides when a pane is ready; None is the default chain.
        leave_mode: Whether to leave copy mode before sending, though a person may read there.
        allow: The names of the panes that the model may use; None for all.
        read_only: The names of the panes that it may only read.
        attach: The command that attaches a person to a pane; see `TmuxTool`.

    Raises:
        InvalidStrategyError: If *strategy* cannot assess a snapshot.
        InvalidPaneError: If *allow* or *read_only* has a text that cannot name a pane.
        TypeError: If *terminal* is one for `TmuxTool`.

    Examples:
        >>> import asyncio
        >>> async def agent(terminal: AsyncTerminal) -> str:
        ...     tool = AsyncTmuxTool(terminal)
        ...     await terminal.open(name="shared")
        ...     await tool.execute(action="wait_ready")
        ...     await tool.execute(action="send", text="echo hi")
        ...     return (await tool.execute(action="wait_ready")).message
        >>> print(asyncio.run(agent(AsyncFakeTerminal())))  # or AsyncTmuxTerminal()
        ready (prompt matched)
        $ echo hi
        hi
        $
    """

    def __init__(
        self,
        terminal: AsyncTerminal,
        *,
        opens: bool = True,
        strategy: ReadinessStrategy | None = None,
        leave_mode: bool = False,
        allow: Iterable[Pane | str] | None = None,
        read_only: Iterable[Pane | str] = (),
        attach: str | None = None,
    ) -> None:
        refuse_other_kind(terminal, "AsyncTmuxTool", "TmuxTool")
        self._terminal = terminal
        session = ToolSession(
            NamedPanes(strategy, leave_mode),
            opens,
            attach=to_join(terminal, attach),
            limits=Limits(allow, read_only),
        )
        self._turns = Turns(session, asyncio.Lock)
        self._loop = OneLoop("AsyncTmuxTool")

    def __repr__(self) -> str:
        return f"AsyncTmuxTool({self._terminal!r})"

    async def execute(self, /, *, action: object = None, **arguments: object) -> ToolResponse:
        """Carry out the call of a model; see `TmuxTool.execute`.

        Args:
            action: The name of the action.
            arguments: The arguments of that action, as JSON has them.

        Returns:
            The message for the model, also about a wrong call.
        """
        return await self.execute_json({"action": action, **arguments})

    async def execute_json(self, arguments: object) -> ToolResponse:
        """Carry out the call of a model, a JSON object; see `TmuxTool.execute_json`.

        Args:
            arguments: The object, or the text of it, as the model wrote it.

        Returns:
            The message for the model, also about a wrong call.
        """
        try:
            self._loop.claim(asyncio.get_running_loop())
        except EventLoopError as error:
            return ToolResponse(f"error: {error}", is_error=True)
        call = self._turns.session.parse(arguments)
        return await drive_async(self._turns.carry_out(call), self._terminal)
