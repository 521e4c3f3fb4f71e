"""The recipes for LangChain, with its own agent and a scripted model."""

from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import HostExecutionPolicy, ShellToolMiddleware, shell_tool
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from tests.adapters.places import BASH, Place
from tests.adapters.recipes import recipe
from tests.adapters.script import Script, Step
from tmuxprim.tool import TmuxTool

RECIPE = recipe("LangChain and LangGraph")
MIDDLEWARE = recipe("LangChain ShellToolMiddleware")


class Played(BaseChatModel):
    """A model that plays a script by one tool."""

    script: Any
    tool: str
    argument: str = ""
    """The tool's one argument, if the script has texts."""

    @property
    def _llm_type(self) -> str:
        return "played"

    def bind_tools(self, tools: Any, **_: Any) -> "Played":
        """Take the tools that there are."""
        assert self.tool in [getattr(tool, "name", None) for tool in tools]
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        reply = messages[-1].text if isinstance(messages[-1], ToolMessage) else None
        says = self.script.next(reply)
        calls = []
        if says is not None:
            arguments = {self.argument: says} if self.argument else dict(says)
            calls = [{"name": self.tool, "args": arguments, "id": f"call_{len(messages)}"}]
        message = AIMessage("" if calls else "finished", tool_calls=calls)
        return ChatResult(generations=[ChatGeneration(message=message)])


def test_an_agent_works_in_the_pane(place: Place, by_tool: Script) -> None:
    """It installs, mends a test, and leaves vim."""
    tool = RECIPE.tmux_tool(TmuxTool(place.terminal))
    agent = create_agent(Played(script=by_tool, tool="tmux"), [tool])
    end = agent.invoke({"messages": [("user", "Do it.")]}, {"recursion_limit": 200})
    assert end["messages"][-1].text == "finished"


@pytest.fixture
def in_a_pane(empty_place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """The middleware has the session of the recipe, in each place in turn."""
    session = MIDDLEWARE.TmuxSession
    monkeypatch.setattr(session, "terminal", empty_place.terminal)
    monkeypatch.setattr(shell_tool, "ShellSession", session)


def by_middleware(script: Script, workspace: Path, seconds: float) -> str:
    """Let an agent work by the middleware's tool, whose commands have a time limit."""
    tool: Any = ShellToolMiddleware(
        workspace_root=workspace,
        shell_command=BASH,
        env={"PS1": "$ ", "HISTFILE": ""},
        execution_policy=HostExecutionPolicy(command_timeout=seconds),
    )
    model = Played(script=script, tool="shell", argument="command")
    agent = create_agent(model, middleware=[tool])
    end = agent.invoke({"messages": [("user", "Do it.")]}, {"recursion_limit": 200})
    return str(end["messages"][-1].text)


@pytest.mark.usefixtures("in_a_pane")
def test_an_agent_works_by_the_middleware(workspace: Path, by_shell: Script) -> None:
    """A text goes to what asks for it."""
    assert by_middleware(by_shell, workspace, 60.0) == "finished"


FAULTS: Any = (
    "printf no-line-break",
    "X=7; echo before; sleep 8; echo after",
    " ",
    "echo $X",
)


@pytest.mark.usefixtures("in_a_pane")
def test_two_faults_of_their_session_do_not_occur(workspace: Path) -> None:
    """A line break may be missing, and a time limit ends nothing."""
    script = Script([*map(Step, FAULTS)])
    by_middleware(script, workspace, 6.0)
    ends, runs, waits, goes_on = script.replies
    assert ends.startswith("no-line-break\n[this may not be exactly the output")
    assert (waits, goes_on) == ("after\n", "7\n")
    assert runs.startswith("before\n[the command still runs; a blank text waits for it again")


def test_their_session_has_them(workspace: Path) -> None:
    """If this fails, the page is to be changed."""
    script = Script([*map(Step, FAULTS)])
    by_middleware(script, workspace, 6.0)
    lost = "Error: Command timed out after 6.0 seconds."
    assert script.replies == [lost, lost, "<no output>", "\n"]
